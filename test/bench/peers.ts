// Installs the peers' packages at pinned versions in a folder outside the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const VERSIONS = ['express@5.3.0', 'axios@1.21.1', 'express-validator@7.3.2']

/** Folder that is kept between runs: packages of peers, filled databases. */
export function cacheFolder(name: string): string {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'hc-checkout-bench', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Folder whose node_modules has express, axios and express-validator; installed on the first call.
 */
export function installPeers(): string {
  const folder = cacheFolder(VERSIONS.join('_'))
  if (!existsSync(join(folder, 'installed'))) {
    console.log(`Installing ${VERSIONS.join(', ')} into ${folder}`)
    execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', ...VERSIONS], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    writeFileSync(join(folder, 'installed'), '')
  }
  return folder
}
