// The connections to PostgreSQL: made fit for money before their first use, and let go in time whatever the server does.
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase, ClientConfig } from 'pg'
import { Client, Pool, types } from 'pg'
import type { Logger } from '../logger.ts'
import { connectionString } from './postgres-address.ts'
import { inTime } from './postgres-faults.ts'
import { UnfitDatabase } from './unfit-database.ts'

/** How long `part` waits for the server to let its connections go. One that has fallen silent never does. */
const PARTING_MS = 3000
const INT8 = 20

export interface Connections {
  readonly pool: Pool
  /** For a connection beside the pool. */
  readonly config: ClientConfig
  /** Closes them all; resolves after 3 s at the latest. `others`: what else of ours is taking its leave. */
  part(others: Promise<unknown>): Promise<void>
}

export function createConnections(options: {
  readonly url: string
  readonly poolSize: number
  readonly logger: Logger
}): Connections {
  const { url, poolSize, logger } = options
  const sockets = new Set<Socket>()
  const config: ClientConfig = {
    connectionString: connectionString(url),
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once('close', () => sockets.delete(socket))
    },
    application_name: 'hc-checkout',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    types: { getTypeParser },
  }
  const pool = new Pool({
    ...config,
    max: poolSize,
    idleTimeoutMillis: 60_000,
    // The pool waits for it, although its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises -- as said
    onConnect: settle,
  })
  // A connection that dies idle is replaced at the next query; nothing of ours was running on it.
  pool.on('error', (error) => logger.warn({ err: error }, 'A database connection was lost while idle.'))

  return {
    pool,
    config,
    async part(others) {
      const parting = async () => {
        await Promise.all([others, pool.end()])
        await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
      }
      const enough = new AbortController()
      await Promise.race([parting(), pause(PARTING_MS, undefined, { signal: enough.signal }).catch(() => undefined)])
      enough.abort()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/**
 * A pooler in transaction mode gives each transaction whatever connection is free: what `settle` has set, what was prepared and what is
 * listened to stay behind on another one, and a statement of ours may run as another's of the same name. Two looks, since a pooler with
 * other customers may happen to give us what we had.
 *
 * @param own a connection without a transaction
 * @throws UnfitDatabase
 */
export async function refuseTransactionPooler(own: ClientBase, config: ClientConfig): Promise<void> {
  const other = new Client(config)
  other.on('error', () => undefined)
  try {
    await other.connect()
    for (let look = 0; look < 2; look++) {
      const before = await processOf(own)
      // Keeps the connection that is free, which may be the one that was just ours.
      await other.query(inTime('BEGIN'))
      const held = await processOf(other)
      const after = await processOf(own)
      await other.query(inTime('ROLLBACK'))
      if (before === held || before !== after)
        throw new UnfitDatabase(
          'pooled',
          'it is behind a pooler in transaction mode (as of PgBouncer), which mixes up what each connection has set, prepared and listens to. Connect to PostgreSQL itself, or to the session mode of the pooler.',
        )
    }
  } finally {
    await other.end().catch(() => undefined)
  }
}

/** Of the server, for this connection. */
async function processOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(inTime('SELECT pg_backend_pid() AS pid'))
  return rows[0]?.pid
}

/** Makes a new connection fit for money, before its first use. */
async function settle(client: ClientBase): Promise<void> {
  await client.query(inTime(`SELECT set_config('statement_timeout', '30s', false)`))
  // "Acknowledged" means on disk, whatever the server's default; a stricter setting is left alone.
  await client.query(
    inTime(
      `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')`,
    ),
  )
}

/** Times and amounts are far below 2^53; as numbers they need no special care. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 && format !== 'binary') return Number
  return types.getTypeParser(oid, format)
}
