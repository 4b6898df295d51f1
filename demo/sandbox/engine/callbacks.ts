// Bodies of callbacks in both published layouts, and the forged ones that a receiver must
// withstand. open-points.md rows "Webhook hash" and "Failed webhook", and its section "A hole in
// the published hash".
import { CHANNEL } from './payment-request.ts'
import { callbackHash } from './signatures.ts'
import type { Transaction } from './transaction.ts'

export interface CallbackQuirks {
  /** Adds an undocumented field. */
  readonly extraField: boolean
  /** Writes the amount as `2500.00`. */
  readonly decimalAmount: boolean
}

/** The genuine callback of a transaction that has ended, as JSON. */
export function callbackBody(transaction: Transaction, consumerKey: string, quirks: CallbackQuirks): string {
  const fields = transaction.result_code === 0 ? successFields(transaction, quirks) : failedFields(transaction)
  const hash = callbackHash(consumerKey, hashedValues(fields))
  return JSON.stringify({ ...fields, ...(quirks.extraField ? { sandbox_extra: 'ignore me' } : {}), hash })
}

type CallbackFields = Record<string, string | number>

const SUCCESS_ORDER = [
  'channel',
  'reference',
  'transaction_id',
  'third_party_id',
  'currency',
  'amount',
  'fees',
  'acc_name',
  'result_code',
  'result_description',
] as const
const FAILED_ORDER = ['channel', 'reference', 'transaction_id', 'result_code', 'result_description'] as const

function hashedValues(fields: CallbackFields): (string | number)[] {
  const order = 'amount' in fields ? SUCCESS_ORDER : FAILED_ORDER
  return order.map((name) => fields[name] ?? '')
}

function successFields(transaction: Transaction, quirks: CallbackQuirks): CallbackFields {
  return {
    channel: CHANNEL,
    reference: transaction.reference,
    transaction_id: transaction.transaction_id,
    third_party_id: transaction.third_party_id,
    currency: transaction.currency,
    amount: quirks.decimalAmount ? `${transaction.amount}.00` : transaction.amount,
    fees: transaction.fees,
    acc_name: transaction.acc_name,
    result_code: 0,
    result_description: transaction.status_description,
  }
}

/**
 * Keys in the order of the published sample: result_code before transaction_id. The hash keeps its
 * own order.
 */
function failedFields(transaction: Transaction): CallbackFields {
  return {
    channel: CHANNEL,
    reference: transaction.reference,
    result_code: transaction.result_code ?? 1,
    transaction_id: transaction.transaction_id,
    result_description: transaction.status_description,
  }
}

/** A success that never happened, with a hash made without the consumer key. */
export function forgedBody(transaction: Transaction): string {
  const fields = successFields(
    { ...transaction, status_description: SUCCESS_TEXT },
    { extraField: false, decimalAmount: false },
  )
  return JSON.stringify({ ...fields, hash: callbackHash('not the consumer key', hashedValues(fields)) })
}

/**
 * The genuine failed callback of this transaction, re-cut into a success: the hashed string stays
 * exactly the same, so the hash verifies. The last digits of the code become the beginning of the
 * description.
 */
export function recutBody(transaction: Transaction, consumerKey: string): string {
  const failed = failedFields(transaction)
  const hash = callbackHash(consumerKey, hashedValues(failed))
  const code = String(transaction.result_code)
  const zero = code.indexOf('0')
  return JSON.stringify({
    channel: CHANNEL,
    reference: transaction.reference,
    transaction_id: transaction.transaction_id,
    third_party_id: '',
    currency: '',
    amount: '',
    fees: '',
    acc_name: code.slice(0, zero),
    result_code: 0,
    result_description: code.slice(zero + 1) + transaction.status_description,
    hash,
  })
}

/** The text of a success in the published sample. */
export const SUCCESS_TEXT = 'The service request is processed successfully.'
