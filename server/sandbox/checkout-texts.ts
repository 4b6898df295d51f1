// What the hosted checkout says, by language.
import { amharic } from './checkout-texts-am.ts'
import { english } from './checkout-texts-en.ts'
import { french } from './checkout-texts-fr.ts'
import { hausa } from './checkout-texts-ha.ts'
import { kirundi } from './checkout-texts-rn.ts'
import { kinyarwanda } from './checkout-texts-rw.ts'
import { somali } from './checkout-texts-so.ts'
import { swahili } from './checkout-texts-sw.ts'

/** Those that the hosted checkout speaks (ISO 639-1): the option `locales` chooses among them. */
export const LANGUAGES = ['en', 'fr', 'sw', 'am', 'ha', 'rn', 'rw', 'so'] as const
export type Language = (typeof LANGUAGES)[number]

export interface CheckoutTexts {
  /** Its own name. */
  name: string
  language: string
  test: string
  payTo: string
  payer: string
  payTitle: (amount: string) => string
  chooseCountry: string
  chooseOperator: string
  operatorHint: string
  chooseAgent: string
  agentHint: string
  rate: (percent: string) => string
  orders: (count: string) => string
  lock: string
  change: string
  next: string
  timeLeft: string
  locked: (until: string) => string
  howToPay: string
  openMenu: (operator: string) => string
  sendTo: string
  amount: string
  reference: string
  exactly: string
  reason: string
  keepMessage: string
  copy: string
  copied: string
  iHavePaid: string
  payFirst: string
  waiting: string
  waitingHint: string
  refresh: string
  done: string
  doneHint: string
  declined: string
  cancelled: string
  expired: string
  failed: string
  failedHint: string
  paidButFailed: string
  backToShop: string
  cancel: string
  cancelQuestion: string
  cancelWarning: string
  keepPaying: string
  otherBrowser: string
  inProgress: string
  gone: string
  goneHint: string
  unknown: string
  unknownHint: string
  footer: string
  steps: [string, string, string, string]
  step: (at: number) => string
}

export const CHECKOUT_TEXTS: Readonly<Record<Language, CheckoutTexts>> = {
  en: english,
  fr: french,
  sw: swahili,
  am: amharic,
  ha: hausa,
  rn: kirundi,
  rw: kinyarwanda,
  so: somali,
}

/** Of the languages that somebody names (`am`, `en-KE`), those that are spoken here; English when there is none. */
export function languagesOf(locales: readonly string[]): readonly Language[] {
  const codes = locales.map((locale) => locale.trim().split('-')[0])
  const found = codes.filter((code): code is Language => LANGUAGES.some((language) => language === code))
  return found.length === 0 ? ['en'] : [...new Set(found)]
}

/** The language asked for by name, else the browser's first that is on offer, else the first on offer. */
export function languageOf(
  offered: readonly Language[],
  asked: string | undefined,
  acceptLanguage: string | undefined,
): Language {
  const wishes = [asked ?? '', ...(acceptLanguage ?? '').split(',')].map((tag) =>
    tag.trim().split(/[-;]/)[0]?.toLowerCase(),
  )
  for (const wish of wishes) {
    const known = offered.find((language) => language === wish)
    if (known) return known
  }
  return offered[0] ?? 'en'
}

/** Kinyarwanda and Kirundi would have points in numbers, which a customer who types them means otherwise. */
export function numbersIn(language: Language): string {
  return language === 'rn' || language === 'rw' ? 'en' : language
}
