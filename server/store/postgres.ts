// The store for more than one machine: PostgreSQL, any number of companions. A change is one statement: one round trip and one commit.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { CompanionError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { silentLogger } from '../logger.ts'
import { createChangeListeners } from './change-listeners.ts'
import { isDepositWrite } from './change-queries.ts'
import { Conflict, conflictOf } from './conflicts.ts'
import { createStore } from './create-store.ts'
import type { CrashPoint, Engine, Step } from './engine.ts'
import { checkPostgres, migratePostgres, refuseWithoutRights } from './migrate-postgres.ts'
import { untrusted } from './postgres-address.ts'
import { createPostgresNotifications } from './postgres-notifications.ts'
import { bulkOf } from './postgres-bulk.ts'
import { type Connections, createConnections, refuseTransactionPooler } from './postgres-connections.ts'
import { adviceOn, faultOf, inTime } from './postgres-faults.ts'
import { createPostgresReader } from './postgres-reader.ts'
import type { Prepared } from './postgres-statements.ts'
import { createStatements } from './postgres-statements.ts'
import { createPostgresWriter } from './postgres-writer.ts'
import { queries } from './queries.ts'
import type { Query } from './query.ts'
import { gatherTakes } from './shared-counters.ts'
import type { Applied, ConflictKind, Store } from './store.ts'
import type { Row, Values } from './tables.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=verify-full` for a server across a network. */
  readonly url: string
  /** Connections for queries, besides one that listens. Default 8. */
  readonly poolSize?: number
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
  readonly logger?: Logger
  /** False: throws when the schema is not that of this release. Default: true. */
  readonly migrate?: boolean
  /** For crash tests. */
  readonly crashPoint?: CrashPoint
}

/** How long a read or write waits for a restarting server before the caller gets an error. */
const PATIENCE_MS = 8000

/** Bytes written by `ping` after a full disk: more than any change of a payment takes. */
const MANY_PAGES = 65_536

const unavailable = (cause: unknown) => new CompanionError('store_unavailable', { detail: adviceOn(cause), cause })

/** Connects, migrates the schema unless `migrate` is false, and starts to listen. @throws when the server cannot be reached or refuses. */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  return createStore(await postgresEngine(options))
}

/** Migrates or checks the schema over the first connection; closes the pool when the database cannot be used. */
async function prepareDatabase({ pool, config }: Connections, migrate: boolean, logger: Logger): Promise<void> {
  const first = await pool.connect().catch((error: unknown) => {
    throw untrusted(error) ?? error
  })
  try {
    await refuseTransactionPooler(first, config)
    if (migrate) {
      await migratePostgres(first)
      await refuseWithoutRights(first)
    } else await checkPostgres(first)
    const { rows } = await first.query<{ fsync: string }>('SHOW fsync')
    if (rows[0]?.fsync === 'off')
      logger.warn({}, 'PostgreSQL runs with fsync=off: a power cut loses payments. Switch it on.')
    first.release()
  } catch (error) {
    first.release(true)
    await pool.end()
    throw error
  }
}

async function run(
  on: Pool | PoolClient,
  { compiled, name }: Prepared,
  values: readonly Values[],
): Promise<QueryResult<Row>> {
  return on.query<Row>(inTime({ name, text: compiled.sql, values: compiled.bind(values) }))
}

/** The engine below the store; tests inspect query plans through it. */
export async function postgresEngine(options: PostgresStoreOptions): Promise<Engine & { readonly pool: Pool }> {
  const { url, poolSize = 8, now = Date.now, logger = silentLogger, migrate = true, crashPoint } = options
  const connections = createConnections({ url, poolSize, logger })
  const { pool, config } = connections
  await prepareDatabase(connections, migrate, logger)
  const instance = randomBytes(6).toString('hex')
  let changes = 0
  let open = true
  /** A write failed for lack of space, and nothing as large as a payment has been written since. */
  let isDoubted = false
  const { prepare, together, nameOf } = createStatements()

  /** Retries what the server rolled back, and what a lost connection left unknown, for up to PATIENCE_MS. */
  async function patiently<T>(work: (severedBefore: boolean) => Promise<T>): Promise<T> {
    const started = performance.now()
    let severed = false
    for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
      try {
        return await work(severed)
      } catch (error) {
        const fault = faultOf(error)
        if (fault === 'other' || !open) throw error
        if (fault === 'no room') isDoubted = true
        if (fault === 'severed') severed = true
        if (fault === 'no room' || performance.now() - started > PATIENCE_MS) throw unavailable(error)
        await pause(wait)
      }
    }
  }

  async function rowsOf(query: Query, values: Values): Promise<Row[]> {
    const statement = prepare(query)
    return patiently(async () => (await run(pool, statement, [values])).rows)
  }

  async function applyTogether(steps: readonly Step[]): Promise<ConflictKind | undefined> {
    const { rows } = await run(
      pool,
      together(steps),
      steps.map(({ values }) => values),
    )
    return Number(rows[0]?.['moved']) === 1 ? undefined : 'version'
  }

  /** Applies the steps one by one, for changes of several deposits: what the first releases, the next may take. */
  async function applyInOrder(steps: readonly Step[]): Promise<void> {
    const client = await pool.connect()
    let broken = false
    try {
      await client.query(inTime('BEGIN'))
      for (const { query, values, mustChange } of steps) {
        const { rowCount } = await run(client, prepare(query), [values])
        if (mustChange && rowCount === 0) throw new Conflict('version')
      }
      await client.query(inTime('COMMIT'))
    } catch (error) {
      broken = faultOf(error) === 'severed'
      if (!broken) await client.query(inTime('ROLLBACK')).catch(() => (broken = true))
      throw error
    } finally {
      client.release(broken)
    }
  }

  async function attempt(steps: readonly Step[]): Promise<ConflictKind | undefined> {
    try {
      const deposits = steps.filter(({ query }) => isDepositWrite(query))
      if (deposits.length <= 1) return await applyTogether(steps)
      await applyInOrder(steps)
      return undefined
    } catch (error) {
      const conflict = conflictOf(error)
      if (conflict === undefined) throw error
      return conflict
    }
  }

  /** After a lost connection a conflict may be with our own change: it was committed, and only the answer was lost. */
  async function isOurs(steps: readonly Step[]): Promise<boolean> {
    for (const { query, values } of steps) {
      const value = String(values['id'])
      if (isDepositWrite(query))
        return (await rowsOf(queries.changeOfDeposit, { value }))[0]?.['change_id'] === values['change_id']
      // A session's id is generated for this one change.
      if (query === queries.insertSession) return (await rowsOf(queries.sessionById, { value })).length === 1
    }
    return false
  }

  const manyOf = new Map<Query, readonly [many: Query, column: string]>([
    [queries.depositById, [queries.depositsById, 'id']],
    [queries.depositByReference, [queries.depositsByReference, 'reference']],
    [queries.idempotencyByKey, [queries.idempotencyByKeys, 'key_hash']],
  ])
  const reader = createPostgresReader(rowsOf)
  const writer = createPostgresWriter({
    async together(some) {
      crashPoint?.('before')
      const { name, text, values } = bulkOf(some)
      const { rows } = await pool.query<Row>(inTime({ name: nameOf(name, text), text, values: [...values] }))
      crashPoint?.('after')
      return new Set(rows.map((row) => Number(row['change'])))
    },
    async alone(steps, lostBefore) {
      let lost = lostBefore
      const conflict = await patiently(async (severedBefore) => {
        lost ||= severedBefore
        crashPoint?.('before')
        return attempt(steps)
      })
      crashPoint?.('after')
      return conflict !== undefined && lost && (await isOurs(steps)) ? undefined : conflict
    },
    isLoss: (error) => faultOf(error) === 'severed',
  })

  const take = gatherTakes(async (name, windowStart, want, limit) => {
    const rows = await rowsOf(queries.take, { name, windowStart, want, limit })
    return Number(rows[0]?.['granted'] ?? 0)
  })

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
    changedSince: async (since) => {
      const { rows } = await run(pool, prepare(queries.changedSince), [{ since, own: `${instance}%` }])
      return rows.map((row) => ({ id: String(row['id']), version: Number(row['version']) }))
    },
  })

  await notifications.ready
  return {
    pool,
    read(query, values) {
      const many = manyOf.get(query)
      return many === undefined ? rowsOf(query, values) : reader.read(...many, String(values['value']))
    },
    async write(query, values) {
      crashPoint?.('before')
      const rows = await rowsOf(query, values)
      crashPoint?.('after')
      return rows
    },
    async apply(steps, changed): Promise<Applied> {
      const changeId = `${instance}-${(changes += 1).toString(36)}`
      const marked = steps.map((step) => ({ ...step, values: { ...step.values, change_id: changeId } }))
      const conflict = await writer.write(marked)
      if (conflict !== undefined) return { applied: false, conflict }
      notifications.notify(changed)
      return { applied: true }
    },
    take,
    onChange: (listener) => listeners.add(listener),
    // The server's log is not ours to empty: it cannot be read through SQL, and vacuum cleans up.
    emptyLog: async () => true,
    async ping() {
      // On a full disk an existing page can still be written where a payment's new pages cannot. Random, or PostgreSQL would compress it.
      const value = isDoubted ? randomBytes(MANY_PAGES).toString('base64') : 'written'
      await run(pool, prepare(queries.setMeta), [{ key: 'ping', value }]).catch((error: unknown) => {
        throw faultOf(error) === 'other' ? error : unavailable(error)
      })
      isDoubted = false
    },
    async close() {
      if (!open) return
      open = false
      await connections.close(notifications.close())
    },
  }
}
