// The database of the shop's backend: orders, notified payments and credits. One SQLite file.
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

export interface Order {
  readonly id: string
  readonly visitor: string
  readonly product: string
  readonly country: string
  readonly currency: string
  readonly amount: number
  /** Session token and pay URL from the companion, to show the order again after a reload. */
  readonly sessionToken: string
  readonly payUrl: string
  readonly createdAt: number
  /** Set once, by the first notice of a success with the right amount. */
  readonly paidAt?: number
}

/** One line of the live list. `source` is where it was observed. */
export interface Happening {
  readonly at: number
  readonly source: 'page' | 'companion' | 'service' | 'notice' | 'shop'
  /** What it is, for the page's own words. */
  readonly kind: string
  readonly text: string
  readonly tone: 'plain' | 'good' | 'bad' | 'wait'
  readonly paymentId?: string
  readonly orderId?: string
  /** Unique: the same happening seen again (a repeated notice, a reloaded page) is stored once. */
  readonly key: string
}

/**
 * The latest known state of a payment; the highest version wins, in whatever order notices arrive.
 */
export interface HeardPayment {
  readonly paymentId: string
  readonly orderId?: string
  readonly phase: string
  readonly version: number
  readonly amount: number
  readonly currency: string
}

export type ShopStore = ReturnType<typeof openShopStore>

export function openShopStore(file: string) {
  // Orders contain the customers' payment links: readable by this user only.
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file)
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, visitor TEXT NOT NULL, product TEXT NOT NULL, country TEXT NOT NULL,
      currency TEXT NOT NULL, amount INTEGER NOT NULL, sessionToken TEXT NOT NULL, payUrl TEXT NOT NULL,
      createdAt INTEGER NOT NULL, paidAt INTEGER) STRICT;
    CREATE TABLE IF NOT EXISTS payments (paymentId TEXT PRIMARY KEY, orderId TEXT, phase TEXT NOT NULL, version INTEGER NOT NULL,
      amount INTEGER NOT NULL, currency TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS credits (paymentId TEXT PRIMARY KEY, orderId TEXT, amount INTEGER NOT NULL, currency TEXT NOT NULL,
      at INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS breaks (orderId TEXT PRIMARY KEY, item TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS watched (paymentId TEXT PRIMARY KEY, visitor TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0) STRICT;
    CREATE TABLE IF NOT EXISTS happenings (id INTEGER PRIMARY KEY AUTOINCREMENT, visitor TEXT NOT NULL, at INTEGER NOT NULL,
      source TEXT NOT NULL, text TEXT NOT NULL, tone TEXT NOT NULL, paymentId TEXT, orderId TEXT, key TEXT NOT NULL,
      UNIQUE (visitor, key)) STRICT;
  `)
  // A database of before the page had its own words.
  const columns = db.prepare('PRAGMA table_info(happenings)').all()
  if (!columns.some(({ name }) => name === 'kind'))
    db.exec(`ALTER TABLE happenings ADD COLUMN kind TEXT NOT NULL DEFAULT ''`)

  const transaction = <Value>(work: () => Value): Value => {
    db.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      db.exec('COMMIT')
      return value
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }

  return {
    transaction,

    addOrder(order: Order): void {
      db.prepare(
        `INSERT INTO orders (id, visitor, product, country, currency, amount, sessionToken, payUrl, createdAt)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        order.id,
        order.visitor,
        order.product,
        order.country,
        order.currency,
        order.amount,
        order.sessionToken,
        order.payUrl,
        order.createdAt,
      )
    },

    order(id: string): Order | undefined {
      return db.prepare('SELECT * FROM orders WHERE id = ?').get(id) as unknown as Order | undefined
    },

    /** Newest first, at most 20. */
    orders(visitor: string): Order[] {
      return db
        .prepare('SELECT * FROM orders WHERE visitor = ? ORDER BY createdAt DESC LIMIT 20')
        .all(visitor) as unknown as Order[]
    },

    /** Stores a payment if its version is newer. @returns false for an older or equal version. */
    hear(payment: HeardPayment): boolean {
      const result = db
        .prepare(
          `INSERT INTO payments (paymentId, orderId, phase, version, amount, currency) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (paymentId) DO UPDATE SET phase = excluded.phase, version = excluded.version
           WHERE excluded.version > payments.version`,
        )
        .run(
          payment.paymentId,
          payment.orderId ?? null,
          payment.phase,
          payment.version,
          payment.amount,
          payment.currency,
        )
      return result.changes > 0
    },

    /** The payment by which this payment, or its order, was credited. */
    creditOf({ paymentId, orderId }: HeardPayment): string | undefined {
      const row = db
        .prepare('SELECT paymentId FROM credits WHERE paymentId = ? OR orderId = ?')
        .get(paymentId, orderId ?? null)
      return row?.['paymentId'] as string | undefined
    },

    /** Credits a payment, which `creditOf` does not know. */
    credit(payment: HeardPayment, at: number): void {
      db.prepare('INSERT INTO credits (paymentId, orderId, amount, currency, at) VALUES (?, ?, ?, ?, ?)').run(
        payment.paymentId,
        payment.orderId ?? null,
        payment.amount,
        payment.currency,
        at,
      )
      if (payment.orderId !== undefined) {
        db.prepare('UPDATE orders SET paidAt = ? WHERE id = ?').run(at, payment.orderId)
      }
    },

    /** How many times an order was credited. */
    creditsOf(orderId: string): number {
      return Number(db.prepare('SELECT count(*) AS times FROM credits WHERE orderId = ?').get(orderId)?.['times'])
    },

    /** Stores what an order was broken by. */
    addBreak(orderId: string, item: string): void {
      db.prepare('INSERT INTO breaks (orderId, item) VALUES (?, ?)').run(orderId, item)
    },

    /** A visitor's broken orders, the newest of each kind. */
    breaks(visitor: string): { order: Order; item: string }[] {
      const rows = db
        .prepare(
          `SELECT orders.*, breaks.item, max(orders.createdAt) AS newest FROM breaks JOIN orders ON orders.id = breaks.orderId
           WHERE orders.visitor = ? GROUP BY breaks.item ORDER BY newest DESC`,
        )
        .all(visitor)
      return rows.map(({ item, newest: _, ...order }) => ({ order: order as unknown as Order, item: String(item) }))
    },

    /** Stores which visitor a payment belongs to; the caller knows that it does. */
    watch(paymentId: string, visitor: string): void {
      db.prepare('INSERT OR IGNORE INTO watched (paymentId, visitor) VALUES (?, ?)').run(paymentId, visitor)
    },

    visitorOf(paymentId: string): string | undefined {
      return db.prepare('SELECT visitor FROM watched WHERE paymentId = ?').get(paymentId)?.['visitor'] as
        | string
        | undefined
    },

    /** A visitor's newest payments that may still change, at most five. */
    unfinished(visitor: string): string[] {
      return db
        .prepare('SELECT paymentId FROM watched WHERE visitor = ? AND ended = 0 ORDER BY rowid DESC LIMIT 5')
        .all(visitor)
        .map((row) => String(row['paymentId']))
    },

    setEnded(paymentId: string): void {
      db.prepare('UPDATE watched SET ended = 1 WHERE paymentId = ?').run(paymentId)
    },

    /** Stores a happening. @returns false if it was already stored. */
    note(visitor: string, happening: Happening): boolean {
      const result = db
        .prepare(
          `INSERT OR IGNORE INTO happenings (visitor, at, source, kind, text, tone, paymentId, orderId, key)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          visitor,
          happening.at,
          happening.source,
          happening.kind,
          happening.text,
          happening.tone,
          happening.paymentId ?? null,
          happening.orderId ?? null,
          happening.key,
        )
      return result.changes > 0
    },

    /** Newest first by time, at most 60. */
    happenings(visitor: string): (Happening & { id: number })[] {
      return db
        .prepare(
          // Without the visitor: these lines go to the page, and its scripts must not learn the
          // cookie.
          `SELECT id, at, source, kind, text, tone, paymentId, orderId, key FROM happenings WHERE visitor = ?
           ORDER BY at DESC, id DESC LIMIT 60`,
        )
        .all(visitor) as unknown as (Happening & { id: number })[]
    },

    close(): void {
      db.close()
    },
  }
}
