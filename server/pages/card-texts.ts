// Texts of the card that the pages show too, with what is in braces filled in.
import { textsOf } from 'hc-checkout/locales'
import type { Language } from '../contract/index.ts'

type Name = 'errAttempts' | 'errUsedUp' | 'errSession' | 'errBusy'

/** @param retryAfter seconds */
export function cardTextOf(name: Name, language: Language, retryAfter = 60): string {
  return textsOf(language)[name].replace('{minutes}', String(Math.ceil(retryAfter / 60)))
}
