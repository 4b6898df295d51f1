// What each answer to a request of the widget means for a payment that this browser has stored. The table of demo/docs/errors.md says the same.
import type { Kept } from './attempt-store.ts'

/**
 * `create`: the first request of a new payment. `repeat`: the same one again, after an answer that was lost. `recover`: its answer is asked for by its key.
 * `read`: the state of a payment; `check` and the status stream decide nothing, the next `read` does.
 */
export type Asked = 'create' | 'repeat' | 'recover' | 'read' | 'check' | 'events'

/**
 * `ask`: it says nothing of the payment, so everything stays stored and the request is repeated. `refused`: no payment was made by this request; its key is
 * forgotten, and what it was to replace stays. `none`: no payment has this key; the key is forgotten once the request cannot be on its way any more:
 * nobody has the address of such a payment, so nobody can pay it. `forget`: the token arrived and is not the payment's; it is
 * forgotten if `mayForget` says so. Besides, a view of the payment ends it when its status is SUCCESS or FAILED.
 */
export type Meaning = 'ask' | 'refused' | 'none' | 'forget'

/** It is unknown whether the companion has acted: lost answers, its own faults, and what it says of a key that is in use. */
const unclear = /^(network|blocked|internal_error|store_unavailable|idempotency_key_(in_progress|reused))$/

/** Passes by itself, or once the shop has mended its proxy, its companion or its database; so what was asked is asked again. */
const passing = /^(rate_limited|bearer_missing|bearer_malformed|not_found)$/

/** The first row that fits the request and the code decides. An answer without a code of ours is `network` or `blocked`, whatever its status. */
const rows: readonly (readonly [asked: RegExp, code: RegExp, meaning: Meaning])[] = [
  [/create|repeat/, unclear, 'ask'],
  // Too many requests may be refused, and a token not be found, before the key is looked at: that says nothing of an earlier try.
  [/repeat/, passing, 'ask'],
  [/create|repeat/, /./, 'refused'],
  [/recover/, /^not_found$/, 'none'],
  [/read/, /^bearer_wrong$/, 'forget'],
]

export function meaningOf(asked: Asked, code: string): Meaning {
  const row = rows.find(([requests, codes]) => requests.test(asked) && codes.test(code))
  return row ? row[2] : 'ask'
}

/** What was asked may be answered in a moment. */
export const isPassing = ({ code }: { readonly code: string }): boolean => unclear.test(code) || passing.test(code)

/** The page's developer has to hear of it: something between browser and companion takes a request or its token, or the database is another one. */
export const isTold = (code: string): boolean => /^(blocked|bearer_\w+|not_found)$/.test(code)

/**
 * A stored payment that may be under way, or was paid, is never forgotten for an answer: only one that is known to have ended without payment, and one
 * that a page has named with a token that never opened anything.
 */
export const mayForget = ({ key, told, given }: Kept): boolean => !key && (told === 'FAILED' || given === true)
