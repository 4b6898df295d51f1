// The store for more than one machine: PostgreSQL, any number of companions. A change is one
// statement: one round trip and one commit.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { CompanionError } from '../../platform/errors.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { silentLogger } from '../../platform/logging/logger.ts'
import { createChangeListeners } from '../engine/change-listeners.ts'
import { depositWrites } from '../queries/change-queries.ts'
import { conflictOf } from '../schema/conflicts.ts'
import { createStore } from '../engine/create-store.ts'
import type { Engine, Step, StoreOptions } from '../engine/engine.ts'
import { TABLES, checkPostgres, migratePostgres, refuseWithoutRights } from './migrate.ts'
import { createPostgresNotifications } from './notifications.ts'
import { type Connections, createConnections, refuseTransactionPooler } from './connections.ts'
import { adviceOn, faultKindOf, inTime, untrusted } from './faults.ts'
import { createStatements, run } from './statements.ts'
import { queries } from '../queries/queries.ts'
import type { Query } from '../schema/query.ts'
import type { Applied, ConflictKind, Store } from '../../deposits/ports/store.ts'
import type { Row, Values } from '../schema/tables.ts'

export interface PostgresStoreOptions extends StoreOptions {
  /**
   * `postgres://user:password@host:port/database`, for another machine by TLS, unless
   * `?sslmode=disable`.
   */
  readonly url: string
  /** Connections for queries, besides one that listens. Default 8. */
  readonly poolSize?: number
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
}

/** How long a read or write waits for a restarting server before the caller gets an error. */
const PATIENCE_MS = 8000

/**
 * Fails while another program holds a lock that no payment could be written behind. In a block,
 * since a statement alone may not lock.
 */
const LOCK_ALL = `DO $$ BEGIN LOCK TABLE ${TABLES} IN ROW EXCLUSIVE MODE; END $$`

/** Bytes that a probe writes after a failed write: more than any change of a payment takes. */
const PROBE_BYTES = 65_536

const unavailable = (cause: unknown) => new CompanionError('store_unavailable', { detail: adviceOn(cause), cause })

/**
 * Connects, migrates the schema unless `migrate` is false, and starts to listen.
 * @throws when the server cannot be reached or refuses.
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  return createStore(await postgresEngine(options), options.isSearchable)
}

/** Budget windows and leases are shared by what each machine's clock says. */
const MOST_SKEW_MS = 5000

async function warnOfSkew(client: ClientBase, now: () => number, logger: Logger): Promise<void> {
  const before = now()
  const { rows } = await client.query<{ at: number }>(
    inTime('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at'),
  )
  const aheadMs = Math.round((before + now()) / 2 - (rows[0]?.at ?? before))
  if (Math.abs(aheadMs) > MOST_SKEW_MS)
    logger.warn(
      { aheadMs },
      "This machine's clock and that of PostgreSQL differ by more than 5 s; companions share limits and " +
        'leases by their clocks. Let both follow NTP.',
    )
}

/**
 * Migrates or checks the schema over the first connection; closes the pool when the database cannot
 * be used.
 */
async function prepareDatabase(
  { pool, config, close }: Connections,
  { migrate, now, logger }: { readonly migrate: boolean; readonly now: () => number; readonly logger: Logger },
): Promise<void> {
  let first: PoolClient | undefined
  try {
    first = await pool.connect()
    await refuseTransactionPooler(first, config)
    if (migrate) {
      await migratePostgres(first)
      await refuseWithoutRights(first)
    } else await checkPostgres(first)
    const { rows } = await first.query<{ fsync: string }>(inTime('SHOW fsync'))
    if (rows[0]?.fsync === 'off')
      logger.warn({}, 'PostgreSQL runs with fsync=off: a power cut loses payments. Switch it on.')
    await warnOfSkew(first, now, logger)
    first.release()
  } catch (error) {
    first?.release(true)
    // Also without a connection: where a password is missing, the driver leaves its socket open,
    // and a command would go on until the server ends it.
    await close(Promise.resolve())
    throw first === undefined ? (untrusted(error) ?? error) : error
  }
}

/** The engine below the store; tests inspect query plans through it. */
export async function postgresEngine(options: PostgresStoreOptions): Promise<Engine & { readonly pool: Pool }> {
  const { url, poolSize = 8, now = Date.now, logger = silentLogger, migrate = true, crashPoint } = options
  const connections = createConnections({ url, poolSize, logger })
  const { pool, config } = connections
  await prepareDatabase(connections, { migrate, now, logger })
  const instance = randomBytes(6).toString('hex')
  let applied = 0
  let isOpen = true
  /** A write failed for lack of space, and nothing as large as a payment has been written since. */
  let mayBeFull = false
  const { prepare, together } = createStatements()

  /**
   * Retries what the server rolled back, and what a lost connection left unknown, for up to
   * PATIENCE_MS.
   */
  async function patiently<T>(work: (severedBefore: boolean) => Promise<T>): Promise<T> {
    const started = performance.now()
    let severed = false
    for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
      try {
        return await work(severed)
      } catch (error) {
        const fault = faultKindOf(error)
        if (fault === 'other' || !isOpen) throw error
        if (fault === 'no room') mayBeFull = true
        if (fault === 'severed') severed = true
        const isLasting = fault === 'no room' || fault === 'refused' || fault === 'changed'
        if (isLasting || performance.now() - started > PATIENCE_MS) throw unavailable(error)
        await pause(wait)
      }
    }
  }

  async function rowsOf(query: Query, values: Values): Promise<Row[]> {
    const statement = prepare(query)
    return patiently(async () => (await run(pool, statement, [values])).rows)
  }

  async function attempt(steps: readonly Step[]): Promise<ConflictKind | undefined> {
    try {
      const values = steps.map((step) => step.values)
      const { rows } = await run(pool, together(steps), values)
      return Number(rows[0]?.['moved']) === 1 ? undefined : 'version'
    } catch (error) {
      const conflict = conflictOf(error)
      if (conflict === undefined) throw error
      return conflict
    }
  }

  /**
   * After a lost connection a conflict may be with our own change: it was committed, and only the
   * answer was lost.
   */
  async function isOurs(steps: readonly Step[]): Promise<boolean> {
    for (const { query, values } of steps) {
      const value = String(values['id'])
      if (depositWrites.has(query))
        return (await rowsOf(queries.changeOfDeposit, { value }))[0]?.['change_id'] === values['change_id']
      // A session's id is generated for this one change.
      if (query === queries.insertSession) return (await rowsOf(queries.sessionById, { value })).length === 1
    }
    return false
  }

  /**
   * Writes all steps or none, as one statement. Resolves, when it is durable, to undefined; or to
   * the conflict when nothing was written.
   */
  async function writeChange(steps: readonly Step[]): Promise<ConflictKind | undefined> {
    let lost = false
    const conflict = await patiently(async (severedBefore) => {
      lost = severedBefore
      crashPoint?.('before')
      return attempt(steps)
    })
    crashPoint?.('after')
    return conflict !== undefined && lost && (await isOurs(steps)) ? undefined : conflict
  }

  const listeners = createChangeListeners(logger)
  const notifications = createPostgresNotifications({
    listeners,
    config,
    instance,
    now,
    logger,
    notify: async (channel, payload) => {
      await run(pool, prepare(queries.notify), [{ channel, payload }])
    },
    changedSince: async (since, until) => {
      const { rows } = await run(pool, prepare(queries.changedSince), [{ since, until, own: `${instance}%` }])
      return rows.map((row) => ({ id: String(row['id']), version: Number(row['version']) }))
    },
  })

  await notifications.ready
  return {
    pool,
    read: rowsOf,
    async write(query, values) {
      crashPoint?.('before')
      const rows = await rowsOf(query, values)
      crashPoint?.('after')
      return rows
    },
    async apply(steps, changed): Promise<Applied> {
      const changeId = `${instance}-${(applied += 1).toString(36)}`
      const marked = steps.map((step) => ({ ...step, values: { ...step.values, change_id: changeId } }))
      const conflict = await writeChange(marked)
      if (conflict !== undefined) return { applied: false, conflict }
      if (changed) notifications.notify(changed)
      return { applied: true }
    },
    async take(name, windowStart, want, limit) {
      const rows = await rowsOf(queries.take, { name, windowStart, want, limit })
      return Number(rows[0]?.['granted'] ?? 0)
    },
    onChange: (listener) => listeners.add(listener),
    // The server's log is not ours to empty: it cannot be read through SQL, and vacuum cleans up.
    emptyLog: async () => true,
    async ping() {
      // On a full disk an existing page can still be written where a payment's new pages cannot.
      // Random, or PostgreSQL would compress it.
      const value = mayBeFull ? randomBytes(PROBE_BYTES).toString('base64') : 'written'
      try {
        await pool.query(inTime(LOCK_ALL))
        await run(pool, prepare(queries.setMeta), [{ key: 'ping', value }])
      } catch (error) {
        throw faultKindOf(error) === 'other' ? error : unavailable(error)
      }
      mayBeFull = false
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      await connections.close(notifications.close())
    },
  }
}
