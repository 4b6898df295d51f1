// What the words of a language are made of. Each language has a file of its own, which is loaded
// when the language is shown; English, which stands in where a word is missing, comes with the
// page.

export type Language = 'en' | 'fr' | 'sw' | 'am' | 'ha' | 'rn' | 'rw' | 'so'
export type Words = Readonly<Record<string, string>>

export interface LanguageWords {
  /** Of every shop's page, and of Nuru's. */
  readonly shop: Words
  /** The school's own. */
  readonly kampala?: Words
  /** The fashion house's own. */
  readonly dakar?: Words
  /** What the page says about hc-checkout itself, for those to whom it is shown. */
  readonly pitch?: Words
  /** Of the shelf "break it". */
  readonly breaks?: Words
}
