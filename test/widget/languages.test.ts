// Every language has all texts, with the same placeholders: in the card and on the pages.
import { describe, expect, it } from 'vitest'
import { languages } from '../../server/contract/index.ts'
import { textsOf as pageTexts } from '../../server/pages/texts/index.ts'
import { en, localeOf, textsOf } from '../../widget/locales/index.ts'
import { otherLanguages, sentences } from '../helpers/customer-sentences.ts'

/** What a sentence leaves open, in the order of the alphabet. */
const gaps = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).toSorted()

/** The same in any language, or a name. */
const same = /^\.(shopName|whatsApp)$/

describe.each(otherLanguages)('%s', (language) => {
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
    expect(pageTexts(language).faults.phone).toContain(word)
  })

  it('is what the card speaks for its region too', () => {
    for (const region of ['-XX', '_XX', '-XX@posix']) expect(localeOf(language + region)).toBe(language)
    expect(textsOf(`${language.toUpperCase()}-XX`)).toBe(textsOf(language))
  })
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
