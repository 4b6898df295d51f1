// Builds the pages of the companion's console only if their sources have changed, so that a start
// without changes does not wait.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, stampOf } from './widget-bundle.ts'

const root = join(import.meta.dirname, '..')
const page = join(root, 'server/dist/console/web/index.html')
const stampFile = join(root, 'server/dist/console/web/.built-from')

/** All files that are part of the pages or affect how they are built. */
function sources(): string[] {
  return globSync(
    ['server/console/web/**/*.{ts,css,html}', 'server/console/build.ts', 'widget/base/format.ts', 'package-lock.json'],
    { cwd: root },
  ).toSorted()
}

/** True if they were built from the current sources. */
function pagesAreFresh(): boolean {
  return existsSync(page) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOf(sources())
}

/**
 * Builds the console unless it is fresh.
 *
 * @param say called with one line before a build starts.
 * @throws BuildError if the build fails.
 */
export async function buildConsoleIfStale(say: (line: string) => void = () => {}): Promise<void> {
  if (pagesAreFresh()) return
  say('Building the console (once, and again when its sources change) …')
  const made = stampOf(sources())
  await npm('console', ['run', '--silent', 'build:console'])
  writeFileSync(stampFile, made)
}
