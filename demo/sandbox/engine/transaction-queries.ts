// How transactions are found and listed; what changes them is in transactions.ts.
import type { SandboxDatabase } from './database.ts'
import { ServiceError } from './envelope.ts'
import type { Transaction } from './transaction.ts'

interface TimelineRow {
  readonly at: number
  readonly what: string
  readonly detail: string
}

export interface TransactionQueries {
  /** By transaction_id or reference. @throws {ServiceError} 404 */
  get(id: string): Transaction
  find(businessId: string, walletNo: string, by: 'reference' | 'transaction_id', id: string): Transaction | undefined
  bySession(session: string): Transaction | undefined
  /** Newest first. */
  list(limit: number, offset?: number): Transaction[]
  count(): number
  /** How many there are of each status. */
  counts(): ReadonlyMap<string, number>
  inbox(): Transaction[]
  timeline(transactionId: string): TimelineRow[]
}

export function createTransactionQueries(db: SandboxDatabase): TransactionQueries {
  const byId = db.prepare<[string], Transaction>('SELECT * FROM transactions WHERE transaction_id = ?')
  const byReference = db.prepare<[string], Transaction>(
    'SELECT * FROM transactions WHERE reference = ? ORDER BY created_at DESC LIMIT 1',
  )
  const bySession = db.prepare<[string], Transaction>('SELECT * FROM transactions WHERE session = ?')
  const owned = {
    reference: db.prepare<[string, string, string], Transaction>(
      'SELECT * FROM transactions WHERE business_id = ? AND wallet_no = ? AND reference = ?',
    ),
    transaction_id: db.prepare<[string, string, string], Transaction>(
      'SELECT * FROM transactions WHERE business_id = ? AND wallet_no = ? AND transaction_id = ?',
    ),
  }
  return {
    get(id) {
      const transaction = byId.get(id) ?? byReference.get(id)
      if (!transaction) throw new ServiceError(404, 'Transaction not found.')
      return transaction
    },
    find: (businessId, walletNo, by, id) => owned[by].get(businessId, walletNo, id),
    bySession: (session) => bySession.get(session),
    list: (limit, offset = 0) =>
      db
        .prepare<[number, number], Transaction>(
          'SELECT * FROM transactions ORDER BY created_at DESC, transaction_id LIMIT ? OFFSET ?',
        )
        .all(limit, offset),
    count: () => db.prepare<[], number>('SELECT count(*) FROM transactions').pluck().get() as number,
    counts: () =>
      new Map(
        db
          .prepare<[], { status: string; many: number }>(
            'SELECT status, count(*) AS many FROM transactions GROUP BY status',
          )
          .all()
          .map(({ status, many }) => [status, many]),
      ),
    inbox: () =>
      db
        .prepare<[], Transaction>(`SELECT * FROM transactions WHERE step IN ('locked', 'paid') ORDER BY locked_at`)
        .all(),
    timeline: (id) =>
      db
        .prepare<[string], TimelineRow>('SELECT at, what, detail FROM timeline WHERE transaction_id = ? ORDER BY id')
        .all(id),
  }
}
