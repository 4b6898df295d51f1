// Compares an amount of the service with ours as texts, never as floats.

/**
 * `2500`, `2500.00`: a single spelling of the whole part, only zeros after the point. Amounts are
 * whole units (service.md).
 */
const WHOLE_AMOUNT = /^(0|[1-9][0-9]*)(?:\.0+)?$/

/** An amount with only one reading, unlike `2,500`. */
const PLAIN_AMOUNT = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/** Digits in thousands, as `2,500`, `2 500` and `2.500,00`. */
const GROUPED_AMOUNT = /^([0-9]{1,3}([.,'’\s])[0-9]{3}(?:\2[0-9]{3})*)(?:[.,]([0-9]+))?$/

/** A number in some writing, also as JavaScript writes huge and tiny ones (`1e+21`). */
const NUMBER = /^[+-]?[0-9][0-9.,'’\s]*(?:e[+-]?[0-9]+)?$/i

/** @param written the amount as the service writes it. */
export function isSameAmount(written: string, amount: number): boolean {
  return WHOLE_AMOUNT.exec(written)?.[1] === String(amount)
}

/** Whether it is written as the service documents it. */
export const isWholeAmount = (written: string): boolean => WHOLE_AMOUNT.test(written)

/**
 * Whether one way to read it, also one with separators of thousands, gives this amount. Enough to
 * ask for, not to believe.
 */
export function mayMeanAmount(written: string, amount: number): boolean {
  if (isSameAmount(written, amount)) return true
  const [, whole, , fraction = '0'] = GROUPED_AMOUNT.exec(written.trim()) ?? []
  return whole !== undefined && /^0+$/.test(fraction) && whole.replaceAll(/[^0-9]/g, '') === String(amount)
}

/** The source of a pattern for each writing that `mayMeanAmount` takes for this amount. */
export function amountPattern(amount: number): string {
  const groups = String(amount).match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? []
  return String.raw`${groups.join(String.raw`[.,'’\s]?`)}(?:[.,]0+)?`
}

/** A number in the writing of `PLAIN_AMOUNT`, where it has one. */
function plainOf(number: string): string {
  if (/e/i.test(number)) return String(Number(number))
  const text = number.replace(/^\+?0*(?=[0-9])/, '')
  if (PLAIN_AMOUNT.test(text)) return text
  const [, whole, , fraction] = GROUPED_AMOUNT.exec(text) ?? []
  if (whole === undefined) return text.replace(',', '.')
  return `${whole.replaceAll(/[^0-9]/g, '')}.${fraction ?? '0'}`
}

/** A sum as the service writes it. */
interface Written {
  readonly amount?: string
  readonly currency?: string
}

interface Sum {
  readonly amount: number
  readonly currency: string
}

/** So long an amount is shown to a person; a longer one is cut. */
const SHOWN = 24

/**
 * The sum that the service names, for a person, where its amount or currency is another one in any
 * reading. An empty text, or one that is no number, says nothing.
 */
export function otherSum(written: Written, { amount, currency }: Sum): string | undefined {
  const named = written.currency
    ?.trim()
    .toUpperCase()
    .match(/^[A-Z]{3}$/)?.[0]
  const number = written.amount?.trim().match(NUMBER)?.[0]
  const isOther =
    (named !== undefined && named !== currency) || (number !== undefined && !isSameAmount(plainOf(number), amount))
  return isOther ? [named, number?.slice(0, SHOWN)].join(' ').trim() : undefined
}

/** True where the service names both, and both are ours. */
export function isOurSum(written: Written, { amount, currency }: Sum): boolean {
  const number = written.amount?.trim() ?? ''
  return written.currency?.trim() === currency && NUMBER.test(number) && isSameAmount(plainOf(number), amount)
}
