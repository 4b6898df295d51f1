// The database of the settings, opened by a command that neither creates nor migrates one.
import { readDatabaseUrl } from '../settings/settings.ts'
import { type OpenStoreOptions, missingDatabase, openStore } from '../store/open.ts'
import type { Store } from '../deposits/ports/store.ts'
import { UnfitDatabase, unusable } from '../store/schema/unfit-database.ts'
import { type CommandIo, UsageError, withEnvFile } from './io.ts'

/** Always closes the store after `work`: an open connection would keep the program from ending. */
export async function withStore<Found>(
  databaseUrl: string,
  work: (store: Store) => Promise<Found>,
  options: Pick<OpenStoreOptions, 'now' | 'logger'> = {},
): Promise<Found> {
  return thenClosing(await openStore(databaseUrl, { ...options, migrate: false }), work)
}

async function thenClosing<Found>(store: Store, work: (store: Store) => Promise<Found>): Promise<Found> {
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/**
 * `withStore` for HC_DATABASE_URL of the environment and the file of `--env-file`.
 *
 * @throws UsageError when there is no database; UnfitDatabase, or an Error that names
 * HC_DATABASE_URL, when it cannot be used
 */
export async function withDatabase<Found>(
  io: CommandIo,
  envFile: string | undefined,
  work: (store: Store) => Promise<Found>,
): Promise<Found> {
  const url = readDatabaseUrl(withEnvFile(io, envFile))
  // A new one would give wrong answers, and be owned by whoever ran the command instead of the
  // companion's user.
  const missing = missingDatabase(url)
  if (missing !== undefined) throw new UsageError(`${missing} is not there: look at HC_DATABASE_URL.`)
  const store = await openStore(url, { migrate: false }).catch((error: unknown) => {
    throw error instanceof UnfitDatabase ? error : unusable(error)
  })
  return thenClosing(store, work)
}
