// Opens the store that HC_DATABASE_URL names.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeOrKeep } from '../platform/decode.ts'
import { nodeFault } from '../platform/node-version.ts'
import type { StoreOptions } from './engine/engine.ts'
import { isMissing } from './sqlite/faults.ts'
import { lossAt } from './sqlite/file-system.ts'
import { sqliteStore } from './sqlite/sqlite.ts'
import type { Store } from '../deposits/ports/store.ts'

export interface OpenStoreOptions extends Omit<StoreOptions, 'crashPoint'> {
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
  /**
   * Called once when the disk fails under a SQLite file: the caller should end the process then.
   */
  readonly onBroken?: (error: Error) => void
}

/**
 * The path in a `file:` address: `file:.hc/data.db`, `file:/var/lib/hc.db`, `file:///var/lib/hc.db`
 * or `file::memory:`. Always absolute, so that error messages show the folder.
 */
export function sqlitePath(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url)
  const path = decodeOrKeep(url.slice('file:'.length))
  return path === ':memory:' ? path : resolve(path)
}

/** The path of the SQLite database if it does not exist. */
export function missingDatabase(url: string): string | undefined {
  const path = url.startsWith('file:') ? sqlitePath(url) : ':memory:'
  return path === ':memory:' || !isMissing(path) ? undefined : path
}

/** What a person should know of the disk under a SQLite database; undefined if it seems right. */
export function diskFault(url: string): string | undefined {
  return url.startsWith('file:') ? lossAt(sqlitePath(url)) : undefined
}

/**
 * Opens the store at `url` (`file:…`, or `postgres://…`), creates the file and its folder, and
 * migrates the schema. With `migrate: false` it does neither, and refuses a database that is
 * missing or has another schema than this release.
 *
 * @throws when the address is of another kind, the database cannot be used, or Node is too old.
 */
export async function openStore(url: string, options: OpenStoreOptions = {}): Promise<Store> {
  const fault = nodeFault(process.versions.node)
  if (fault !== undefined) throw new Error(fault)
  if (url.startsWith('file:')) return sqliteStore({ ...options, path: sqlitePath(url) })
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { postgresStore } = await import('./postgres/postgres.ts')
    return postgresStore({ ...options, url })
  }
  throw new Error('HC_DATABASE_URL must start with file: or postgres://.')
}
