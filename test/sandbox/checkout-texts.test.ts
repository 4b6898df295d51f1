// The hosted checkout has all texts in every language, with the same terms as the card and the
// pages.
import { describe, expect, test } from 'vitest'
import { languages } from '../../server/contract/index.ts'
import { dayAndTime as dayOnPay } from '../../server/pages/language.ts'
import { textsOf as pageTexts } from '../../server/pages/texts/index.ts'
import {
  CHECKOUT_TEXTS,
  LANGUAGES,
  dayAndTime,
  languageOf,
  languagesOf,
} from '../../demo/sandbox/checkout/texts/index.ts'
import { textsOf as cardTexts } from '../../widget/locales/index.ts'

test('speaks what card and pages speak', () => {
  expect(LANGUAGES).toEqual(languages)
})

/** What a sentence leaves open, in the order of the alphabet. */
const gaps = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).toSorted()

/** Each sentence by its name; what takes a value is given a mark for it. */
function sentences(texts: object): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]): [string, string][] => {
      if (Array.isArray(value)) return value.map((word: string, index) => [`${name}.${index}`, word])
      return [[name, typeof value === 'function' ? (value as (mark: string) => string)('{a}') : (value as string)]]
    }),
  )
}

// A browser ends a line after a plain hyphen, and `umu-` alone is no word.
test.each(['rn', 'rw'] as const)('%s ties the prefix of agent to it, on card and page', (language) => {
  const texts = [CHECKOUT_TEXTS[language], cardTexts(language)]
  const said = texts.flatMap((each) => [...sentences(each).values()]).join('\n')
  expect(said).toMatch(/\u2011agent/)
  expect(said).not.toMatch(/-agent/)
})

describe.each(LANGUAGES)('%s', (language) => {
  const texts = CHECKOUT_TEXTS[language]

  test('says everything, and leaves the same gaps', () => {
    const theirs = sentences(texts)
    const ours = sentences(CHECKOUT_TEXTS.en)
    expect([...theirs.keys()]).toEqual([...ours.keys()])
    for (const [name, sentence] of ours) {
      expect(gaps(theirs.get(name)!), name).toEqual(gaps(sentence))
      if (language !== 'en' && sentence.includes(' ')) expect(theirs.get(name), name).not.toBe(sentence)
    }
  })
  test('has no sentence that a line of typing has left unfinished', () => {
    for (const [name, sentence] of sentences(texts)) {
      expect(sentence, name).not.toBe('')
      expect(sentence, name).toBe(sentence.trim())
      expect(sentence, name).not.toMatch(/ {2}|'|undefined/)
    }
  })
  test('calls things what card and pages call them', () => {
    const page = pageTexts(language)
    const card = cardTexts(language)
    expect(texts).toMatchObject({
      name: page.language,
      test: card.test,
      language: page.languages,
      change: page.change,
      next: page.next,
      amount: card.amount,
      reference: card.reference,
      copied: card.copied,
      unknown: page.ends.notFound.title,
      unknownHint: page.ends.notFound.text,
    })
    expect(texts.payTitle('{a}')).toBe(card.payAmount.replace('{amount}', '{a}'))
    // English, French and Swahili were here first, in words of their own.
    if (['en', 'fr', 'sw'].includes(language)) return
    expect(texts).toMatchObject({
      chooseCountry: page.countryQuestion,
      chooseOperator: card.operatorAsk,
      howToPay: card.help,
      refresh: card.checkNow,
      done: page.received,
    })
  })
})

/** The day comes first where customers write it so, and the month is of their language. */
const written: readonly [language: (typeof LANGUAGES)[number], day: string][] = [
  ['en', '23 November 2026 at 17:05'],
  ['fr', '23 novembre 2026 à 17:05'],
  ['sw', '23 Novemba 2026, 17:05'],
  ['rn', '23 Munyonyo 2026 17:05'],
  ['rw', '23 Ugushyingo 2026 17:05'],
]
test.each(written)('a day in %s is written as people write it, on the hosted page and on /pay: %s', (language, day) => {
  const at = '2026-11-23T14:05:00Z'
  expect(dayAndTime(language, Date.parse(at), 'Africa/Nairobi')).toBe(day)
  expect(dayOnPay(language, at, 'KE')).toBe(day)
})

describe('the language', () => {
  test.each([
    [['en', 'fr', 'sw'], 'fr', 'sw', 'fr'],
    [['en', 'fr', 'sw'], undefined, 'am-ET,am;q=0.9,sw;q=0.5', 'sw'],
    [['en', 'am'], undefined, 'am-ET,am;q=0.9', 'am'],
    [['en', 'ha'], undefined, 'haw', 'en'],
    [['rn', 'fr'], 'sw', undefined, 'rn'],
  ])('of %j, asked for %j by a browser of %j, is %j', (locales, asked, header, expected) => {
    expect(languageOf(languagesOf(locales), asked, header)).toBe(expected)
  })
  test('is named as HC_LOCALES names it; what is not spoken is left out', () => {
    expect(languagesOf(['sw-KE', ' am', 'zu', 'sw'])).toEqual(['sw', 'am'])
    expect(languagesOf(['zu'])).toEqual(['en'])
  })
})
