// Tells a callback in which the service signed another sum from one that somebody may have cut anew
// out of a genuine one: the published hash has no separators, so one hash covers many payloads
// (open-points.md, "A hole in the published hash").
import { escaped } from '../platform/service-words.ts'
import { amountPattern, mayMeanAmount } from './amount.ts'
import { DEPOSIT_CHANNEL } from './sign.ts'
import type { Callback, Held, SignsOtherSum } from '../deposits/ports/upstream.ts'

/**
 * True when a success names another amount or currency than ours, and the text whose hash was
 * verified cannot also be cut into a well-formed callback of this payment. Then nobody but the
 * service can have meant it.
 */
export const signsOtherSum: SignsOtherSum = (callback, held) => {
  const { kind, currency, amount = '' } = callback
  if (kind !== 'success' || (currency === held.currency && mayMeanAmount(amount, held.amount))) return false
  return !canBeCut(callback, held)
}

function canBeCut({ signed: { text, order } }: Callback, held: Held): boolean {
  const channel = String(DEPOSIT_CHANNEL)
  const amount = amountPattern(held.amount)
  if (order === 'received') {
    // Any order of the fields, which whoever sends a body chooses: it is enough that our values
    // stand somewhere in it.
    return (
      [channel, held.reference, held.currency].every((value) => text.includes(value)) && new RegExp(amount).test(text)
    )
  }
  const start = channel + held.reference
  if (!text.startsWith(start)) return false
  const rest = text.slice(start.length)
  // Ten fields, none empty, fees a number: transaction and third party, our currency and amount,
  // fees, name, code, description.
  const asTable = new RegExp(String.raw`^.{2,}${held.currency}${amount}\d+(?:[.,]\d+)?.+\d.`, 's')
  // The five fields of a failure: the transaction, a code that is not zero, the description.
  const transaction = held.transactionId === undefined ? '.*' : escaped(held.transactionId)
  const asFailure = new RegExp(String.raw`^${transaction}-?[1-9]`, 's')
  return asTable.test(rest) || asFailure.test(rest)
}
