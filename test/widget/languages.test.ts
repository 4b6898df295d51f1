// Every language has all texts, with the same placeholders: in the card and on the pages.
import { describe, expect, it } from 'vitest'
import { languages } from '../../server/contract/index.ts'
import type { Language } from '../../server/contract/index.ts'
import { textsOf as pageTexts } from '../../server/pages/texts.ts'
import { CHECKOUT_TEXTS } from '../../server/sandbox/checkout-texts.ts'
import { tightTemplates } from '../../widget/build-plugins.ts'
import { en, localeOf, textsOf } from '../../widget/locales/index.ts'

/** What a sentence leaves open, in the order of the alphabet. */
const gaps = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).toSorted()

/** Each sentence by its path; what takes values is given marks for them. */
function sentences(value: unknown, path = ''): [path: string, sentence: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, (value as (...marks: string[]) => string)('{a}', '{b}')]]
  return Object.entries(value as object).flatMap(([key, inner]) => sentences(inner, `${path}.${key}`))
}

/** The same in any language, or a name. */
const same = /^\.(shopName|whatsApp)$/

const others = languages.filter((language) => language !== 'en')

describe.each(others)('%s', (language) => {
  it.each([
    ['the card', en, textsOf(language)],
    ['the pages', pageTexts('en'), pageTexts(language)],
  ])('says everything on %s, and leaves the same gaps', (_, english, translated) => {
    const theirs = new Map(sentences(translated))
    const ours = sentences(english)
    expect([...theirs.keys()].toSorted()).toEqual(ours.map(([path]) => path).toSorted())
    for (const [path, sentence] of ours) {
      const other = theirs.get(path)!
      expect(gaps(other), path).toEqual(gaps(sentence))
      if (!same.test(path) && sentence.includes(' ')) expect(other, path).not.toBe(sentence)
    }
  })

  it('has no sentence that a line of typing has left unfinished', () => {
    for (const [path, sentence] of [...sentences(textsOf(language)), ...sentences(pageTexts(language))]) {
      expect(sentence, path).toBe(sentence.trim())
      expect(sentence, path).not.toMatch(/ {2}|'|undefined/)
    }
  })

  it('calls the phone by one word, on the card and on the pages', () => {
    // Its middle: languages decline it, some at its beginning.
    const word = textsOf(language).phone.slice(1, 5).trim()
    const { phone, faults } = pageTexts(language)
    expect([phone, faults.phone]).toEqual([expect.stringContaining(word), expect.stringContaining(word)])
  })

  it('is what the card speaks for its region too', () => {
    for (const region of ['-XX', '_XX', '-XX@posix']) expect(localeOf(language + region)).toBe(language)
    expect(textsOf(`${language.toUpperCase()}-XX`)).toBe(textsOf(language))
  })
})

/** As the build leaves it in a bundle: templates tightened, inner names shortened. */
function built(code: string): string {
  const file = { type: 'chunk', code }
  tightTemplates.generateBundle(undefined, { file })
  return file.code
}

it('the build would shorten an inner name in a sentence too', () => {
  expect(built('"Bonyeza loadFlow tena"')).not.toContain('loadFlow')
})

it.each(languages)('in %s no name and no sentence of the card has a word that the build shortens', (language) => {
  const texts = JSON.stringify(textsOf(language))
  expect(built(texts)).toBe(texts)
})

/** What a native speaker trips over: a claim that is stronger than the English one, or a second word for the same thing. */
const slips: readonly [language: Language, why: string, slip: RegExp][] = [
  [
    'fr',
    'is the subject of a receipt, and “we confirm your payment” confirms it',
    /^Confirmation de|[Nn]ous confirmons/,
  ],
  ['sw', 'says “we confirm” of a payment that is being confirmed', /Tunathibitisha/],
  ['sw', 'calls a number both namba and nambari', /nambari/i],
  ['sw', 'calls mobile money by a second name', /pesa (ya|kwa) simu|pesa yako/i],
  ['so', 'calls the phone both taleefan and mobil; lacagta mobilka is mobile money', /(?<!lacagta(ada)? )mobilka/i],
  ['ha', 'says “press this, until you have sent the money”', /^Ku danna wannan sai/],
  ['rw', 'says “not paid” of a payment that came late', /ko bitishyuwe/],
  ['rn', 'says “not paid” of a payment that came late', /ko bitarishwe/],
]

it.each(slips)('in %s nothing on card, pages and hosted page %s: %s', (language, _, slip) => {
  const all = [textsOf(language), pageTexts(language), CHECKOUT_TEXTS[language]].flatMap((texts) => sentences(texts))
  expect(all.length).toBeGreaterThan(250)
  expect(all.filter(([, sentence]) => slip.test(sentence))).toEqual([])
})

it.each(languages)(
  'what stops a page from updating says so in %s: “Pause” beside a payment reads as pausing that',
  (language) => {
    expect(pageTexts(language).pause).toContain(' ')
  },
)

it('a language that is not there is English, and English writes dates as the markets do', () => {
  expect([localeOf('en_US'), localeOf('en', 'fr')]).toEqual(['en-GB', 'en-GB'])
  expect([localeOf('zu'), localeOf('')]).toEqual(['en-GB', 'en-GB'])
  expect(textsOf('zu')).toBe(en)
})
