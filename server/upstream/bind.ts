// Decides whether a genuine callback may trigger a status query for a deposit: only if every field
// that it carries and we hold is equal (open-points.md).
import { mayMeanAmount } from './amount.ts'
import { DEPOSIT_CHANNEL } from './sign.ts'
import type { BindCallback } from '../deposits/ports/upstream.ts'

/**
 * Returns the first field that does not match what we hold, or undefined. Compares texts, never
 * floats.
 *
 * A failure need not carry a currency and an amount, so these are compared only when present. An
 * amount may have separators of thousands. An empty `transaction_id` is a value like any other and
 * does not match a known one: that is what a re-cut of `reference` and `transaction_id` looks like.
 */
export const bindCallback: BindCallback = (callback, held) => {
  if (callback.channel !== String(DEPOSIT_CHANNEL)) return 'channel'
  if (callback.reference !== held.reference) return 'reference'
  if (callback.currency !== undefined && callback.currency !== held.currency) return 'currency'
  if (callback.amount !== undefined && !mayMeanAmount(callback.amount, held.amount)) return 'amount'
  if (held.transactionId !== undefined && callback.transactionId !== held.transactionId) return 'transaction_id'
  return undefined
}
