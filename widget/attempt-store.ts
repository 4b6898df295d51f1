// What the browser stores of a payment: `{id, token, createdAt}` (money rule 12) and, while a request is pending, its
// idempotency key, with which a lost answer can be recovered; beside the key id and token of the payment that it replaces. Never a
// payer detail. Where neither storage nor history takes it a payment still works, but cannot be resumed.
import type { Deposit } from './types.ts'

export interface Kept {
  id?: string
  token?: string
  /** When the payment was created, or the request with that key was sent. */
  createdAt?: string
  key?: string
  /** Set when the payment has ended: the entry is erased at this time. */
  eraseAt?: number
  /** The end for which an event was dispatched. */
  told?: string
}

const DAY_MS = 86_400_000

/** The entry stored under a name; an entry past its time is erased. */
export function readKept(name: string): Kept {
  let kept: Kept = {}
  try {
    kept = (Object(history.state) as Record<string, Kept | undefined>)[name] || kept
    kept = (JSON.parse(localStorage.getItem(name)!) as Kept | null) || kept
  } catch {
    /* Storage refused, or not our entry. */
  }
  if (!(kept.eraseAt! < Date.now())) return kept
  writeKept(name)
  return {}
}

/**
 * Stores an entry, or erases it if `kept` is not given. Where storage refuses, it is in the state of the page's history entry, which only this tab
 * has: so Back from the hosted page finds the payment.
 */
export function writeKept(name: string, kept?: Kept): void {
  let copy = kept && { createdAt: new Date().toISOString(), ...kept }
  try {
    if (name) localStorage[kept ? 'setItem' : 'removeItem'](name, JSON.stringify(copy))
    copy = undefined
  } catch {
    /* Refused, or full. */
  }
  try {
    const state = Object(history.state) as Record<string, unknown>
    // The page's own state is left alone unless it is a plain object, to which a name can be added. The address stays as it is.
    if ((copy || state[name]) && state.constructor === Object) history.replaceState({ ...state, [name]: copy }, '')
  } catch {
    /* Refused as well: the payment can't be resumed, nothing else is lost. */
  }
}

/** Marks the payment as ended with its status, to be erased a day later, also if the phone's clock is behind. @returns whether it was already marked so */
export function endKept(name: string, { id, status: told, settledAt }: Deposit): boolean {
  const kept = readKept(name)
  if (kept.id !== id) return false
  writeKept(name, {
    eraseAt: Math.max(Date.now(), Date.parse(settledAt as string) || 0) + DAY_MS,
    ...kept,
    told,
  })
  return kept.told === told
}

/** All stored names that are `root` or begin with `root:`. */
export function keptNames(root: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => `${name}:`.startsWith(`${root}:`))
  } catch {
    return []
  }
}

/**
 * The time, by which the companion's index of keys stays in order, and 256 random bits, as decimal numbers: fewer bytes of code than
 * hexadecimal digits.
 */
export function randomKey(): string {
  return [Date.now(), ...crypto.getRandomValues(new Uint32Array(8))].join('-')
}
