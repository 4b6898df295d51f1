// May this genuine callback ring for this deposit? Only if every field that it carries and we hold is equal (FACTS.md).
import { DEPOSIT_CHANNEL } from './sign.ts'
import type { BindCallback } from './upstream.ts'

/** `2500`, `2500.00`: one spelling of the whole part, zeros alone behind the point. Amounts are whole units (SERVICE.txt). */
const WHOLE_AMOUNT = /^(0|[1-9][0-9]*)(?:\.0+)?$/

/**
 * Names the first field that does not fit what we hold, or undefined. Compares texts, never floats.
 *
 * A failure carries no currency and no amount, so these are compared where they are. An empty `transaction_id` is a value like any
 * other: beside a known one it does not fit, for that is what a re-cut of `reference` and `transaction_id` looks like.
 */
export const bindCallback: BindCallback = (callback, held) => {
  if (callback.channel !== String(DEPOSIT_CHANNEL)) return 'channel'
  if (callback.reference !== held.reference) return 'reference'
  if (callback.currency !== undefined && callback.currency !== held.currency) return 'currency'
  if (callback.amount !== undefined && WHOLE_AMOUNT.exec(callback.amount)?.[1] !== String(held.amount)) return 'amount'
  if (held.transactionId !== undefined && callback.transactionId !== held.transactionId) return 'transaction_id'
  return undefined
}
