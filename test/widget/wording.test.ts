// How each language words and spells what a customer reads: one term for one thing, on card, pages,
// hosted page and in the demo shop.
import { expect, it } from 'vitest'
import { languages } from '../../server/contract/index.ts'
import type { Language } from '../../server/contract/index.ts'
import { deadEnd } from '../../server/pages/dead-end.ts'
import { french } from '../../server/pages/texts/fr.ts'
import { everySentence, otherLanguages } from '../helpers/customer-sentences.ts'

const english = new Map(everySentence('en'))

/**
 * The term of each language wherever the English sentence has it. Its unchanging part: languages
 * decline it.
 */
const terms: readonly [english: RegExp, theirs: Readonly<Record<Exclude<Language, 'en'>, RegExp>>][] = [
  [
    /\breference\b/i,
    {
      fr: /référence/i,
      sw: /kumbukumbu namba/i,
      am: /ማጣቀሻ ቁጥ[ሩር]/,
      ha: /lambar ma’amala/i,
      rn: /inomero iranga ukuriha/i,
      rw: /nimero iranga ubwishyu/i,
      so: /lambark(a|eeda) tixraaca/i,
    },
  ],
  [
    /\bagents?\b/i,
    {
      fr: /\bagent/i,
      sw: /wakala/i,
      am: /ወኪ/,
      ha: /\bwakil/i,
      rn: /[-\u2011]agent/,
      rw: /[-\u2011]agent/,
      so: /wakiil/i,
    },
  ],
  [
    /\boperator’s message/,
    {
      fr: /message de votre opérateur/,
      sw: /ujumbe wa mtandao wako/,
      am: /የአገልግሎት ሰጪዎንም? መልእክት/,
      ha: /saƙon kamfanin mobile money ɗinku/,
      rn: /ubutumwa bw’ishirahamwe ryanyu rya terefone/,
      rw: /ubutumwa bw’ikigo cyanyu cy’itumanaho/,
      so: /farriint(a|ii) shirkaddaada/,
    },
  ],
  [
    /\bcancel/i,
    { fr: /annul/i, sw: /ghairi/i, am: /ሰር[ዘዙዛዝዟ]/, ha: /\bsoke/i, rn: /hagari[kt]/i, rw: /hagari[kt]/i, so: /kansa/i },
  ],
]

it.each(['rn', 'rw', 'so'] as const)(
  'in %s no word may break at its hyphen: its end would read as a word',
  (language) => {
    // One word fills more than the heading's line on the narrowest phone: better there than within.
    const broken = everySentence(language).filter(
      ([path, text]) => /[a-z]-[a-z]/.test(text) && path !== '.card.openedTitle',
    )
    expect(broken.map(([, text]) => text)).toEqual([])
  },
)

it.each(otherLanguages)('in %s a thing that has one name in English has one everywhere', (language) => {
  const theirs = new Map(everySentence(language))
  for (const [term, words] of terms) {
    const named = [...english].filter(([, sentence]) => term.test(sentence)).map(([path]) => path)
    expect(named.length).toBeGreaterThan(1)
    expect(named.filter((path) => !words[language].test(theirs.get(path)!)).map((path) => theirs.get(path))).toEqual([])
  }
})

/**
 * What a native speaker trips over: a claim that is stronger than the English one, a second word
 * for the same thing, or one that means another.
 */
const slips: readonly [language: Language, why: string, slip: RegExp][] = [
  [
    'fr',
    'is the subject of a receipt, and “we confirm your payment” confirms it',
    /^Confirmation de|[Nn]ous confirmons/,
  ],
  ['fr', 'calls the operator by the word for its signal', /^Réseau/],
  ['sw', 'says “we confirm” of a payment that is being confirmed', /Tunathibitisha/],
  ['sw', 'calls a number both namba and nambari', /nambari/i],
  ['sw', 'calls mobile money by a second name', /pesa (ya|kwa) simu|pesa yako/i],
  ['sw', 'asks for the full amount where it means one without cents', /^Andika kiasi kamili/],
  ['so', 'calls the phone both taleefan and mobil; lacagta mobilka is mobile money', /(?<!lacagta(ada)? )mobilka/i],
  ['so', 'sets a phone alight instead of charging it', /\bshid(aa|o)\b/],
  ['ha', 'says “press this, until you have sent the money”', /^Ku danna wannan sai/],
  ['ha', 'calls the reference as one’s own identity number is called', /\bshaidar?\b/i],
  ['rw', 'says “not paid” of a payment that came late', /ko bitishyuwe/],
  ['rn', 'says “not paid” of a payment that came late', /ko bitarishwe/],
  ['rn', 'says “buy on credit” where it means copy', /gukopa|kopwe|mu(ya)?kope\b/i],
  ['rn', 'shares by the word of Kinyarwanda', /sangiz/i],
]

it.each(slips)('in %s no sentence %s: %s', (language, _, slip) => {
  const all = everySentence(language)
  expect(all.length).toBeGreaterThan(250)
  expect(all.filter(([, sentence]) => slip.test(sentence))).toEqual([])
})

it('in French a mark that stands apart never begins a line', () => {
  expect(everySentence('fr').filter(([, sentence]) => /(?<!\u00A0)[;:?!%]/.test(sentence))).toEqual([])
})

it('nor on a French error page, before its number', () => {
  const page = (language: 'en' | 'fr') =>
    String(deadEnd('internal_error', language, { requestId: 'r1', back: undefined }))
  expect(page('fr')).toContain(`${french.requestId}\u00a0: r1`)
  expect(page('en')).toContain('Request number: r1')
})

it('in Amharic sentences have Ethiopic marks, without a space before them and with one behind', () => {
  const wrong = /[.,;:፡]| [።፣፤፦]|[።፣፤፦](?=\S)/
  expect(everySentence('am').filter(([, sentence]) => wrong.test(sentence))).toEqual([])
})

it.each(languages)('in %s a sentence of the demo shop is finished where the English one is', (language) => {
  const theirs = everySentence(language).filter(([path]) => path.startsWith('.shop.'))
  expect(theirs.map(([path]) => path)).toEqual([...english.keys()].filter((path) => path.startsWith('.shop.')))
  const ends = (sentence: string) => /[.።]$/.test(sentence)
  for (const [path, sentence] of theirs) {
    expect(sentence).toBe(sentence.trim())
    expect(sentence).not.toMatch(/ {2}|'|undefined/)
    expect([path, ends(sentence)]).toEqual([path, ends(english.get(path)!)])
  }
})
