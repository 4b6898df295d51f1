// The connections to PostgreSQL: configured for durability before their first use, and closed in
// time whatever the server does.
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase, ClientConfig } from 'pg'
import { Client, Pool, types } from 'pg'
import { credentialsOf, decodeOrKeep } from '../../platform/decode.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { isLoopbackHost } from '../../platform/loopback.ts'
import { inTime } from './faults.ts'
import { UnfitDatabase } from '../schema/unfit-database.ts'

/**
 * How long `close` waits for the server to close its connections. A server that has gone silent
 * never does.
 */
const CLOSE_MS = 3000
/**
 * Less than the driver's limit: what the server gave up is known to be undone, what only the driver
 * gave up may be written later.
 */
const STATEMENT_MS = 12_000
/**
 * Our own locks last milliseconds. Less than a readiness check waits, so that it can name the
 * reason.
 */
const LOCK_MS = 2_500
const INT8 = 20

/** What switches TLS or the check of the certificate off, by name. */
const BY_NAME = new Set(['disable', 'no-verify'])

/**
 * The driver takes the host of the query before that of the address; a path is that of a socket.
 */
function isOtherMachine({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeOrKeep(hostname)
  return host !== '' && !host.startsWith('/') && !isLoopbackHost(host.toLowerCase()) && host !== '::1'
}

/**
 * The address for the driver, which fails on user names or passwords that are not fully
 * percent-encoded; those are taken literally. Any `sslmode` but `disable` and `no-verify` becomes
 * `verify-full`, unless `uselibpqcompat=true` asks for the weaker meanings of libpq: the driver
 * checks the certificate for most of them today, but its next release will not. So does an address
 * of another machine without `sslmode`: its password must not cross the network in clear because a
 * word was forgotten.
 */
export function connectionString(url: string): string {
  // As the driver reads an address whose host stands in the query.
  const isBare = !URL.canParse(url)
  const whole = isBare ? url.replace('@/', '@___HOST___/') : url
  if (!URL.canParse(whole)) return url
  const address = new URL(whole)
  const { user, password } = credentialsOf(whole)
  address.username = encodeURIComponent(user)
  address.password = encodeURIComponent(password)
  const { searchParams } = address
  const mode = searchParams.get('sslmode')
  const isLoose =
    mode === null ? isOtherMachine(address) : !BY_NAME.has(mode) && searchParams.get('uselibpqcompat') !== 'true'
  if (isLoose && mode !== 'verify-full') searchParams.set('sslmode', 'verify-full')
  return isBare ? address.href.replace('@___HOST___/', '@/').replace('@___host___/', '@/') : address.href
}

export function createConnections(options: {
  readonly url: string
  readonly poolSize: number
  readonly logger: Logger
}) {
  const { url, poolSize, logger } = options
  const sockets = new Set<Socket>()
  /** For a connection beside the pool. */
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
    // The pool awaits it, although its types do not say so.
    // oxlint-disable-next-line typescript/no-misused-promises -- as said
    onConnect: configure,
  })
  // The pool does not listen while a connection is taken out: one that dies then would end the
  // process. What runs on it fails by itself.
  pool.on('connect', (client) => client.on('error', () => undefined))
  // A connection that dies idle is replaced at the next query; nothing of ours was running on it.
  pool.on('error', (error) => logger.warn({ err: error }, 'A database connection was lost while idle.'))

  return {
    pool,
    config,
    /**
     * Closes them all; resolves after 3 s at the latest. `others`: other connections of ours that
     * are closing.
     */
    async close(others: Promise<unknown>): Promise<void> {
      const closeAll = async () => {
        await Promise.all([others, pool.end()])
        await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
      }
      const enough = new AbortController()
      await Promise.race([closeAll(), pause(CLOSE_MS, undefined, { signal: enough.signal }).catch(() => undefined)])
      enough.abort()
      for (const socket of sockets) socket.destroy()
    },
  }
}

export type Connections = ReturnType<typeof createConnections>

/**
 * Refuses a pooler in transaction mode. It gives each transaction whatever connection is free: what
 * `configure` set, prepared statements and LISTEN stay behind on another connection, and a
 * statement of ours may run as another's of the same name. Checks twice, since a pooler with other
 * clients may happen to give us the same connection.
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
      // Occupies the free connection, which may be the one that was just ours.
      await other.query(inTime('BEGIN'))
      const held = await processOf(other)
      // Where one connection is all that the pooler has, ours would wait for it until the other's
      // transaction ends.
      const after = before === held ? undefined : await processOf(own)
      await other.query(inTime('ROLLBACK'))
      if (before !== after)
        throw new UnfitDatabase(
          'pooled',
          'it is behind a pooler in transaction mode (as of PgBouncer), which mixes up what each ' +
            'connection has set, prepared and listens to. Connect to PostgreSQL itself, or to the session ' +
            'mode of the pooler.',
        )
    }
  } finally {
    const ended = other.end().catch(() => undefined)
    await Promise.race([ended, pause(CLOSE_MS, undefined, { ref: false })])
  }
}

/** The server process behind this connection. */
async function processOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(inTime('SELECT pg_backend_pid() AS pid'))
  return rows[0]?.pid
}

/**
 * Configures a new connection for durability before its first use, whatever defaults the server,
 * the database or the role has.
 */
async function configure(client: ClientBase): Promise<void> {
  // The statements are made for "read committed": stricter levels undo what only waited for
  // another.
  await client.query(
    inTime(
      `SELECT set_config('statement_timeout', '${STATEMENT_MS}', false), set_config('lock_timeout', ` +
        `'${LOCK_MS}', false), set_config('default_transaction_isolation', 'read committed', false)`,
    ),
  )
  // "Acknowledged" means on disk, whatever the server's default; a stricter setting is left alone.
  await client.query(
    inTime(
      "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') " +
        "IN ('off', 'local')",
    ),
  )
}

/** Times and amounts are far below 2^53, so they are safe as numbers. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 && format !== 'binary') return Number
  return types.getTypeParser(oid, format)
}
