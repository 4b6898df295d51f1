// Programs from Debian's packages: downloaded once to a cache folder and unpacked there, without
// root and without installing anything.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run } from './run-quietly.ts'

const PATIENCE_MS = 60_000

/**
 * The folder with the unpacked packages, or why there is none.
 * @param name of the folder in the cache
 */
export async function unpackDebian(
  name: string,
  packages: readonly string[],
): Promise<{ readonly folder: string } | { readonly why: string }> {
  const cache = join(root, 'node_modules/.cache', name)
  const why = existsSync(cache) ? undefined : await fetchInto(cache, packages)
  return why === undefined ? { folder: cache } : { why }
}

/** Returns the reason if it can't. */
async function fetchInto(cache: string, packages: readonly string[]): Promise<string | undefined> {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg')) return 'this is no Debian'
  const folder = mkdtempSync(join(tmpdir(), 'hc-debian-'))
  const download = (options: readonly string[]) =>
    run('apt-get', [...options, 'download', ...packages], { cwd: folder, patience: PATIENCE_MS })
  try {
    let fetched = await download([])
    if (fetched.code !== 0) {
      // A fresh machine may have no package lists, and without root the machine's lists can't be
      // updated.
      const lists = ['-o', `Dir::State::lists=${join(folder, 'lists')}`, '-o', `Dir::Cache=${join(folder, 'cache')}`]
      for (const part of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, part), { recursive: true })
      await run('apt-get', [...lists, 'update', '-qq'], { patience: 2 * PATIENCE_MS })
      fetched = await download(lists)
    }
    if (fetched.code !== 0) return fetched.output.trim().split('\n').at(-1)
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.deb'))) {
      const unpacked = await run('dpkg', ['-x', join(folder, name), join(folder, 'root')])
      if (unpacked.code !== 0) return unpacked.output.trim()
    }
    mkdirSync(join(cache, '..'), { recursive: true })
    const beside = `${cache}-${process.pid}`
    await run('cp', ['-a', join(folder, 'root'), beside])
    // Atomic rename; another process may have been faster.
    try {
      renameSync(beside, cache)
    } catch {
      rmSync(beside, { recursive: true, force: true })
    }
    return existsSync(cache) ? undefined : 'it could not be unpacked'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
