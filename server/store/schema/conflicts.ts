// Maps a unique violation to the rule that was broken, by the index (PostgreSQL) or column (SQLite)
// that refused the row.
import type { ConflictKind } from '../../deposits/ports/store.ts'

/** Thrown inside a transaction to roll it back; never leaves the store. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
  readonly kind: ConflictKind

  constructor(kind: ConflictKind) {
    super(`Nothing was written: ${kind}.`)
    this.kind = kind
  }
}

/** Most indices of PostgreSQL are named for table and column, which SQLite names. */
const kinds: Readonly<Record<string, ConflictKind>> = {
  deposits_id: 'duplicate_id',
  deposits_pkey: 'duplicate_id',
  deposits_reference: 'duplicate_id',
  deposits_live_session: 'live',
  deposits_credited_session: 'credited',
  deposits_credited_order: 'credited',
  deposits_transaction: 'transaction',
  deposits_transaction_id: 'transaction',
  idempotency_key_hash: 'idempotency',
  idempotency_pkey: 'idempotency',
  sessions_id: 'duplicate_id',
  sessions_pkey: 'duplicate_id',
  sessions_live_order: 'order',
  notices_id: 'duplicate_id',
  notices_pkey: 'duplicate_id',
}

/** The conflict behind a driver's error, or undefined for any other fault. */
export function conflictOf(error: unknown): ConflictKind | undefined {
  if (error instanceof Conflict) return error.kind
  const { code, message, constraint } = error as Partial<Record<'code' | 'message' | 'constraint', unknown>>
  // PostgreSQL: unique_violation names the index.
  if (code === '23505') return kinds[String(constraint)]
  // SQLite: "UNIQUE constraint failed: table.column".
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return kinds[String(message).replace('UNIQUE constraint failed: ', '').replace('.', '_')]
  return undefined
}
