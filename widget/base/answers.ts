// What each answer to a request of the widget means for a payment that this browser has stored. The
// table of demo/docs/errors.md says the same.
import type { Kept } from './attempt-store.ts'
import { passing, unclear } from './passing.ts'

/**
 * `create`: the first request of a new payment. `repeat`: the same one again, after an answer that
 * was lost. `recover`: its answer is asked for by its key. `read`: the state of a payment. `check`
 * and the status stream decide nothing, the next `read` does.
 */
export type Asked = 'create' | 'repeat' | 'recover' | 'read' | 'check' | 'events'

/**
 * - `ask`: the answer says nothing of the payment. Everything stays stored, and the request is
 *   repeated.
 * - `refused`: this request made no payment. Its key is forgotten, and what it was to replace
 *   stays.
 * - `none`: no payment has this key. The key is forgotten once the request cannot be on its way any
 *   more: nobody has the address of such a payment, so nobody can pay it.
 * - `forget`: the token arrived and is not the payment's. The payment is forgotten if `mayForget`
 *   says so.
 *
 * Besides, a view of the payment ends it when its status is SUCCESS or FAILED.
 */
export type Meaning = 'ask' | 'refused' | 'none' | 'forget'

/**
 * Codes of a proxy that keeps requests or their tokens from the companion, and of another database.
 */
const told = ['blocked', 'bearer_missing', 'bearer_malformed', 'bearer_wrong', 'not_found']

interface Row {
  readonly asked: readonly Asked[]
  /** Any code if not given. */
  readonly codes?: readonly string[]
  readonly meaning: Meaning
}

/**
 * The first row that fits the request and the code decides. An answer without a code of the
 * companion is `network` or `blocked`, whatever its status.
 */
const rows: readonly Row[] = [
  { asked: ['create', 'repeat'], codes: unclear, meaning: 'ask' },
  // Too many requests may be refused, and a token not be found, before the key is looked at: that
  // says nothing of an earlier try.
  { asked: ['repeat'], codes: passing, meaning: 'ask' },
  { asked: ['create', 'repeat'], meaning: 'refused' },
  { asked: ['recover'], codes: ['not_found'], meaning: 'none' },
  { asked: ['read'], codes: ['bearer_wrong'], meaning: 'forget' },
]

export function meaningOf(asked: Asked, code: string): Meaning {
  const row = rows.find((one) => one.asked.includes(asked) && (!one.codes || one.codes.includes(code)))
  return row?.meaning || 'ask'
}

/** The page's developer has to hear of it. */
export const isTold = (code: string): boolean => told.includes(code)

/**
 * A stored payment that may be under way, or was paid, is never forgotten for an answer: only one
 * that is known to have
 * ended without payment, and one that a page has named with a token that never opened anything.
 */
export const mayForget = ({ key, told: end, given }: Kept): boolean => !key && (end === 'FAILED' || given === true)
