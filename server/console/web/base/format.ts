// Money, times and sentences as the shop's staff read and say them. Times are those of the shop's
// time zone.
import type { CurrencyCode } from '../../../contract/index.ts'

/** How each currency is written where it is used. */
const SIGNS: Readonly<Record<CurrencyCode, string>> = {
  KES: 'KSh',
  TZS: 'TSh',
  UGX: 'USh',
  ETB: 'Br',
  SOS: 'Sh.So.',
  RWF: 'FRw',
  BIF: 'FBu',
  NGN: '₦',
  GHS: 'GH₵',
  XOF: 'FCFA',
}

/** Signs that stand before the number without a space. */
const TIGHT: readonly string[] = ['₦', 'GH₵']

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

export interface Format {
  number(value: number): string
  /** In little room: `1.2M`. */
  short(value: number): string
  /** Whole major units: `KSh 2,500`; in French `2 500 KSh`. */
  money(amount: number, currency: string): string
  percent(share: number): string
  /** A span of time in a person's measure: `40 s`, `3 min`, `2 h`. */
  span(ms: number): string
  /** Day and time, with the year only where it is not this one. */
  time(iso: string): string
  /** Day and time with the year, for what is kept on paper. */
  dated(iso: string): string
  /** To the second, for a story. */
  exact(iso: string): string
  day(iso: string): string
  /**
   * `2026-03-31`, the day of this time in the shop's time zone: what a field of type date holds.
   */
  dayField(at: Date): string
  /** `07`: the hour in the shop's time zone. */
  hour(iso: string): string
  /** Of a day as 2026-03-31: `31 Mar`. */
  shortDay(day: string): string
  country(code: string): string
  language(code: string): string
}

export function formats(language: string, timeZone: string): Format {
  const french = language === 'fr'
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const shorts = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const zoned = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    // English as it is written in these countries: the day before the month.
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeZone, ...options })
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const date = { day: 'numeric', month: 'short' } as const
  const near = zoned({ ...date, ...clock })
  const far = zoned({ ...date, year: 'numeric', ...clock })
  const seconds = zoned({ ...date, ...clock, second: '2-digit' })
  const days = zoned({ ...date, year: 'numeric' })
  const hours = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  const calendar = zoned({ ...date, timeZone: 'UTC' })
  const fields = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const namesOf = (type: 'region' | 'language'): Intl.DisplayNames | undefined =>
    typeof Intl.DisplayNames === 'function' ? new Intl.DisplayNames([language], { type }) : undefined
  const names = namesOf('region')
  const tongues = namesOf('language')
  const dayField = (at: Date): string => {
    const part = (type: string): string => fields.formatToParts(at).find((one) => one.type === type)?.value ?? ''
    return `${part('year')}-${part('month')}-${part('day')}`
  }
  const isThisYear = (at: Date): boolean => dayField(at).slice(0, 4) === dayField(new Date()).slice(0, 4)
  return {
    number: (value) => numbers.format(value),
    short: (value) => shorts.format(value),
    money(amount, currency) {
      const sign = SIGNS[currency as CurrencyCode] ?? currency
      const sum = numbers.format(amount)
      if (french) return `${sum}\u00a0${sign}`
      return TIGHT.includes(sign) ? `${sign}${sum}` : `${sign}\u00a0${sum}`
    },
    percent: (share) => percents.format(share),
    span(ms) {
      if (ms < 1000) return `${numbers.format(ms / 1000)}\u00a0s`
      const whole = Math.round(ms / 1000)
      if (whole < 90) return `${whole}\u00a0s`
      if (whole < 5400) return `${Math.round(whole / 60)}\u00a0min`
      if (whole < 172_800) return `${numbers.format(whole / 3600)}\u00a0h`
      return `${numbers.format(whole / 86_400)}\u00a0d`
    },
    time: (iso) => (isThisYear(new Date(iso)) ? near : far).format(new Date(iso)),
    dated: (iso) => far.format(new Date(iso)),
    exact: (iso) => seconds.format(new Date(iso)),
    day: (iso) => days.format(new Date(iso)),
    dayField,
    hour: (iso) =>
      hours
        .formatToParts(new Date(iso))
        .find(({ type }) => type === 'hour')
        ?.value.slice(-2) ?? '',
    shortDay: (day) => calendar.format(new Date(`${day}T12:00:00Z`)),
    country: (code) => names?.of(code) ?? code,
    language: (code) => tongues?.of(code) ?? code,
  }
}

/**
 * How a number begins abroad. All countries that the service knows have three digits; zones 1 and 7
 * have one, these others two (ITU-T E.164, list of assigned country codes).
 */
const CALLING_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/**
 * A phone number as it is read to a caller: the calling code, then groups: `+254 712 345 678`.
 * Pairs where people write pairs: eight digits, and ten that begin with a zero (Côte d'Ivoire,
 * Benin). Fewer than seven digits are nobody's number (markets.ts): they are shown as they were
 * typed.
 */
export function phone(digits: string): string {
  if (digits.length < 7) return digits
  const [code = ''] = CALLING_CODE.exec(digits) ?? []
  const own = digits.slice(code.length)
  const isInPairs = own.length === 8 || (own.length === 10 && own.startsWith('0'))
  // Of threes the last may have four digits: one alone is easily lost.
  const groups = own.match(isInPairs ? /\d\d/g : /\d{4}$|\d{3}(?!\d$)|\d+/g) ?? []
  return `+${[code, ...groups].join(' ')}`
}
