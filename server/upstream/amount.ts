// Compares an amount of the service with ours as texts, never as floats.

/** `2500`, `2500.00`: a single spelling of the whole part, only zeros after the point. Amounts are whole units (SERVICE.txt). */
const WHOLE_AMOUNT = /^(0|[1-9][0-9]*)(?:\.0+)?$/

/** @param written the amount as the service writes it. */
export function isSameAmount(written: string, amount: number): boolean {
  return WHOLE_AMOUNT.exec(written)?.[1] === String(amount)
}
