// Opens the store that HC_DATABASE_URL names.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeOrKeep } from '../platform/decode.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { nodeFault } from '../platform/node-version.ts'
import { sqliteStore } from './sqlite/sqlite.ts'
import type { Store } from '../deposits/ports/store.ts'

export interface OpenStoreOptions {
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
  readonly logger?: Logger
  /**
   * False for a command that runs beside a companion, perhaps of another release: creates nothing
   * and changes no schema. Default: true.
   */
  readonly migrate?: boolean
  /**
   * Whether the console looks for payments: what they are found by is then written with them.
   * Default: false.
   */
  readonly isSearchable?: boolean
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
  const { now, logger, migrate = true, isSearchable = false, onBroken } = options
  if (url.startsWith('file:')) {
    const path = sqlitePath(url)
    return sqliteStore({
      path,
      migrate,
      isSearchable,
      ...(logger ? { logger } : {}),
      ...(onBroken ? { onBroken } : {}),
    })
  }
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { postgresStore } = await import('./postgres/postgres.ts')
    return postgresStore({ url, migrate, isSearchable, ...(now ? { now } : {}), ...(logger ? { logger } : {}) })
  }
  throw new Error('HC_DATABASE_URL must start with file: or postgres://.')
}
