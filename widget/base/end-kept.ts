// The stored entry of a payment that has ended.
import { readKept, writeKept } from './attempt-store.ts'
import type { Deposit } from './types.ts'

const DAY_MS = 86_400_000

/**
 * Marks the payment as ended with its status, to be erased a day later, also if the phone's clock
 * is behind. @returns whether it was already marked so
 */
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
