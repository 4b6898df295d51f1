// Compares an amount of the service with ours as texts, never as floats.

/** `2500`, `2500.00`: a single spelling of the whole part, only zeros after the point. Amounts are whole units (SERVICE.txt). */
const WHOLE_AMOUNT = /^(0|[1-9][0-9]*)(?:\.0+)?$/

/** An amount that can be read without a guess, unlike `2,500` and `02500`. */
const PLAIN_AMOUNT = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/** @param written the amount as the service writes it. */
export function isSameAmount(written: string, amount: number): boolean {
  return WHOLE_AMOUNT.exec(written)?.[1] === String(amount)
}

/** True where the amount or currency that the service names is plainly another one; an empty or unreadable text says nothing. */
export function isOtherSum(
  written: { readonly amount?: string | undefined; readonly currency?: string | undefined },
  { amount, currency }: { readonly amount: number; readonly currency: string },
): boolean {
  if (written.currency !== undefined && /^[A-Z]{3}$/.test(written.currency) && written.currency !== currency)
    return true
  return written.amount !== undefined && PLAIN_AMOUNT.test(written.amount) && !isSameAmount(written.amount, amount)
}
