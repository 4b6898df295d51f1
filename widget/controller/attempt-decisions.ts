// What becomes of a request for a payment while its answer is unknown. Pure: what is stored and the
// times are handed in.
import type { Meaning } from '../base/answers.ts'
import type { Kept } from '../base/attempt-store.ts'

/** The longest that a create request may be under way. */
const ON_ITS_WAY_MS = 60_000
/**
 * So many answers that there is no such payment take a minute, even if the phone's clock was set
 * back meanwhile.
 */
const ENOUGH = 7

/** One request for a payment, so far. */
export interface Attempt {
  readonly key: string
  /**
   * It was found in the storage after a reload: its body is lost, and only its answer can be asked
   * for.
   */
  readonly isResumed: boolean
  /** How often it was sent, or its answer asked for. */
  readonly tries: number
  readonly code: string | undefined
  readonly ageMs: number
  /** How often the companion has said that it has no payment of this key. */
  readonly missing: number
}

/** What all tabs of the shop have stored for the order. */
type Shared = Pick<Kept, 'id' | 'key'>

/**
 * Whether the request itself may be sent, or sent again; else its answer is asked for by its key.
 */
export function maySend({ key, isResumed, tries, code, ageMs }: Attempt, shared: Shared): boolean {
  // A companion of another release may read the same body in another way, but it knows the key.
  if (isResumed || code === 'idempotency_key_reused') return false
  if (!tries || shared.key === key) return true
  // Another tab has given this request up, or has its answer: sent once more, it could be a second
  // payment. Where nothing is stored, that may have happened while this tab was frozen, so it
  // counts for a minute only.
  return !shared.key && !shared.id && ageMs <= ON_ITS_WAY_MS
}

/** Whether a request may still reach the companion, which has no payment of its key yet. */
function mayArrive({ isResumed, ageMs, missing }: Attempt, shared: Shared): boolean {
  if (missing >= ENOUGH) return false
  return isResumed ? ageMs < ON_ITS_WAY_MS : !shared.key && !shared.id
}

/**
 * Whether it is certain that no payment was made, and that none can come of this request any more.
 */
export function isRefused(attempt: Attempt, isSent: boolean, meaning: Meaning, shared: Shared): boolean {
  return isSent ? meaning === 'refused' : meaning === 'none' && !mayArrive(attempt, shared)
}

/** Whether a refused request gives way to what is stored, or else to the form. */
export function givesWay(key: string, isResumed: boolean, stored: Shared): boolean {
  // After a reload: the payment that it was to replace.
  if (stored.key === key) return isResumed && stored.id !== undefined
  // Another tab has started or created a payment meanwhile.
  return stored.key !== undefined || stored.id !== undefined
}

/**
 * Whether a new payment is stored. Another tab may have gone on from there, to a newer payment; or
 * back, to the one that this has replaced.
 */
export function mayStore(key: string, replaced: string | undefined, stored: Shared): boolean {
  return (stored.key ?? key) === key && (stored.id ?? replaced) === replaced
}
