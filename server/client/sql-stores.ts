// Stores in the shop's own database, so that a notice and the credit for it are one transaction:
// SQLite and PostgreSQL.
import { isThenable, type NoticeRows, type NoticeStore, type Settled } from './take-notice.ts'

/** What both stores keep. SQLite's makes it; in PostgreSQL it is for your migrations. */
export const noticeTables = `
CREATE TABLE IF NOT EXISTS checkout_payments (
  payment_id VARCHAR(64) PRIMARY KEY, version INTEGER NOT NULL, settled VARCHAR(10)
);
CREATE TABLE IF NOT EXISTS checkout_credited_orders (
  order_id VARCHAR(128) PRIMARY KEY, payment_id VARCHAR(64) NOT NULL
);
`

/**
 * Each returns rows, because some drivers insist on that, and has its values in the order of their
 * numbers.
 */
const SQL = {
  hear: `INSERT INTO checkout_payments (payment_id, version) VALUES ($1, $2) ON CONFLICT (payment_id)
    DO UPDATE SET version = excluded.version WHERE excluded.version > checkout_payments.version RETURNING version`,
  settled: 'SELECT settled FROM checkout_payments WHERE payment_id = $1',
  settle: 'UPDATE checkout_payments SET settled = $1 WHERE payment_id = $2 RETURNING settled',
  claim: `INSERT INTO checkout_credited_orders (order_id, payment_id) VALUES ($1, $2) ON CONFLICT (order_id) DO NOTHING
    RETURNING payment_id`,
  claimedBy: 'SELECT payment_id FROM checkout_credited_orders WHERE order_id = $1',
} as const

/** `settled` or `payment_id`, whichever was asked for. */
interface Row {
  readonly settled?: Settled | null
  readonly payment_id?: string
}

/** A connection of node:sqlite, better-sqlite3 or bun:sqlite. */
export interface SqliteConnection {
  exec(sql: string): unknown
  prepare(sql: string): { all(...values: (string | number)[]): unknown[] }
}

/**
 * A store in SQLite (3.35 or newer). The callbacks of the receiver get the connection, and must
 * not be async: while they waited, other work on the connection would become part of the
 * transaction.
 */
export function sqliteNoticeStore<Connection extends SqliteConnection>(db: Connection): NoticeStore<Connection> {
  db.exec(noticeTables)
  const query = (sql: string, ...values: (string | number)[]): Row[] =>
    db.prepare(sql.replaceAll(/\$\d/g, '?')).all(...values) as Row[]
  const claimedBy = (orderId: string): string | undefined => query(SQL.claimedBy, orderId)[0]?.payment_id
  const rows: NoticeRows = {
    hear(paymentId, version) {
      const isNews = query(SQL.hear, paymentId, version).length > 0
      return { isNews, settled: query(SQL.settled, paymentId)[0]?.settled ?? undefined }
    },
    claim(orderId, paymentId) {
      query(SQL.claim, orderId, paymentId)
      return claimedBy(orderId) ?? paymentId
    },
    claimedBy,
    settle: (paymentId, settled) => void query(SQL.settle, settled, paymentId),
  }
  return {
    transaction(work) {
      db.exec('BEGIN IMMEDIATE')
      try {
        const done = work(rows, db)
        if (isThenable(done)) {
          // Its own failure is no second one. A query that has not begun is left so.
          if (done instanceof Promise) done.catch(() => {})
          throw new TypeError(
            'sqliteNoticeStore: a callback of the receiver is async. Within a transaction of SQLite ' +
              'nothing can be waited for: make it a plain function.',
          )
        }
        db.exec('COMMIT')
      } catch (error) {
        db.exec('ROLLBACK')
        throw error
      }
    },
  }
}

/** A client of the package `pg` that is taken from a pool. */
export interface PostgresConnection {
  query(sql: string, values?: (string | number)[]): Promise<{ rows: unknown[] }>
  release(error?: boolean): void
}

/** A store in PostgreSQL. The callbacks of the receiver get the client whose transaction it is. */
export function postgresNoticeStore<Connection extends PostgresConnection>(pool: {
  connect(): Promise<Connection>
}): NoticeStore<Connection> {
  return {
    async transaction(work) {
      const client = await pool.connect()
      let isBroken = false
      try {
        await client.query('BEGIN')
        await work(rowsIn(client), client)
        await client.query('COMMIT')
      } catch (error) {
        // A connection that cannot even roll back is not given to anybody else.
        await client.query('ROLLBACK').catch(() => (isBroken = true))
        throw error
      } finally {
        client.release(isBroken)
      }
    },
  }
}

function rowsIn(client: PostgresConnection): NoticeRows {
  const query = async (sql: string, ...values: (string | number)[]): Promise<Row[]> =>
    (await client.query(sql, values)).rows as Row[]
  const claimedBy = async (orderId: string): Promise<string | undefined> =>
    (await query(SQL.claimedBy, orderId))[0]?.payment_id
  return {
    // Waits for any other transaction that has heard of this payment; what follows reads what that
    // has stored.
    async hear(paymentId, version) {
      const isNews = (await query(SQL.hear, paymentId, version)).length > 0
      return { isNews, settled: (await query(SQL.settled, paymentId))[0]?.settled ?? undefined }
    },
    async claim(orderId, paymentId) {
      await query(SQL.claim, orderId, paymentId)
      return (await claimedBy(orderId)) ?? paymentId
    },
    claimedBy,
    async settle(paymentId, settled) {
      await query(SQL.settle, settled, paymentId)
    },
  }
}
