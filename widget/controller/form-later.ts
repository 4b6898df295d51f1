// What the form says and understands once the flow is loaded: names of countries, odd numbers,
// the digits of an amount.
import type { FormValues } from '../base/form-values.ts'
import { grouped } from '../base/format.ts'
import { fullPhone } from '../base/full-phone.ts'
import type { MarketRow } from '../base/markets.ts'

const names: Record<string, Intl.DisplayNames> = {}

/** The country's name in the customer's language; where the browser has none, the companion's. */
export function countryName(locale: string, code: string, name: string): string {
  try {
    return (names[locale] ||= new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' })).of(code) || name
  } catch {
    return name
  }
}

/**
 * True for a number that is no mobile number of the country: warns, never refuses. A number is as
 * long as the companion's example; in Somalia the length varies.
 */
export function isOddPhone(text: string, row: MarketRow): boolean {
  const { country, callingCode, phoneExample } = row
  if (!text.trim() || !phoneExample) return false
  const full = fullPhone(text, row)
  const isLong = country === 'SO' || full.length === fullPhone(phoneExample, row).length
  return !(isLong && full.startsWith(callingCode.slice(1)))
}

/** A warning about an odd number, shown once the customer has left the field; it stops nobody. */
export function phoneHint({ page, offer, texts }: FormValues, isTyping: boolean): string {
  return !isTyping && isOddPhone(page.payerPhone || '', offer.row) ? texts.phoneOdd : ''
}

/** Whether one digit was typed into `before`, or one of its characters deleted. */
function isOneKey(before: string, now: string): boolean {
  const [short, long] = before.length < now.length ? [before, now] : [now, before]
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  return (
    long.length - short.length === 1 &&
    long.slice(at + 1) === short.slice(at) &&
    (short === now || /\d/.test(long[at]!))
  )
}

/**
 * Groups the digits of an amount while it is typed, and keeps the caret beside its digit.
 * Separators that the customer has typed or pasted are theirs: `12,50` must not become 1,250. A
 * paste may look like one key: `12,50` over `12,500`.
 * @param before what the field showed before
 * @param how the event's `inputType`; not every browser tells it
 * @returns what it shows now
 */
export function groupTyped(field: HTMLInputElement, before: string, locale: string, how = ''): string {
  const { value, selectionStart } = field
  const digits = value.replace(/[,\s]/g, '')
  const own = before.replace(/[,\s]/g, '')
  const isTyped = !/^insert(From|Repl)/.test(how) && isOneKey(before, value)
  const isOurs = isTyped && /^\d+$/.test(own) && grouped(Number(own), locale) === before
  if (!/^[1-9]\d{0,11}$/.test(digits) || (value !== digits && !isOurs)) return value
  const text = grouped(Number(digits), locale)
  const behind = value.slice(selectionStart ?? value.length).replace(/\D/g, '').length
  field.value = text
  let at = text.length
  for (let passed = 0; passed < behind; at -= 1) if (/\d/.test(text.charAt(at - 1))) passed += 1
  // A separator alone was deleted, and is there again: Backspace must pass it, or never gets on.
  if (digits === own && how !== 'deleteContentForward' && /\D/.test(text.charAt(at - 1))) at -= 1
  field.setSelectionRange(at, at)
  return text
}
