// Deletes what ended long ago, with its timeline and callbacks, so that a sandbox in use for years
// stays small. References stay taken.
import type { SandboxDatabase } from './database.ts'

/** Longer than a companion asks about a payment or retries a notice: 30 days. */
export const KEPT_IN_DAYS = 90
const DAY_IN_MS = 86_400_000
/** More than are added meanwhile, and few enough that no create waits for it. */
const MOST_AT_ONCE = 20

interface OldRow {
  readonly transaction_id: string
  readonly business_id: string
  readonly reference: string
}

export interface Retention {
  /** Deletes some of the oldest; called with each create, as the only thing that adds more. */
  deleteOld(): void
}

export function createRetention(db: SandboxDatabase, now: () => number): Retention {
  const old = db.prepare<{ before: number; most: number }, OldRow>(
    `SELECT transaction_id, business_id, reference FROM transactions
     WHERE created_at < @before AND ended_at < @before AND NOT EXISTS
       (SELECT 1 FROM deliveries WHERE deliveries.transaction_id = transactions.transaction_id AND state = 'waiting')
     ORDER BY created_at LIMIT @most`,
  )
  const keepReference = db.prepare('INSERT OR IGNORE INTO used_references (business_id, reference) VALUES (?, ?)')
  const deletions = [
    'DELETE FROM attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE transaction_id = ?)',
    'DELETE FROM deliveries WHERE transaction_id = ?',
    'DELETE FROM timeline WHERE transaction_id = ?',
    'DELETE FROM transactions WHERE transaction_id = ?',
  ].map((text) => db.prepare(text))
  return {
    deleteOld: db.transaction(() => {
      for (const row of old.all({ before: now() - KEPT_IN_DAYS * DAY_IN_MS, most: MOST_AT_ONCE })) {
        keepReference.run(row.business_id, row.reference)
        for (const deletion of deletions) deletion.run(row.transaction_id)
      }
    }),
  }
}
