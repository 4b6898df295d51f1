// Builds the demo shop's pages (demo/app) unless they are fresh: after the widget, whose weight
// they tell.
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, stampOf } from './widget-bundle.ts'

const root = join(import.meta.dirname, '..')
/** Where Vite puts them. */
export const pageFolder = join(root, 'demo/dist/shop')
const stampFile = join(pageFolder, '.built-from')

function sources(): string[] {
  const patterns = [
    'demo/app/**/*.*',
    'demo/shop/catalogue.ts',
    'widget/hc-checkout.ts',
    'widget/locales/*.ts',
    'widget/dist/bundle/.built-from',
    'package-lock.json',
  ]
  return globSync(patterns, { cwd: root }).toSorted()
}

/**
 * @param say called with one line before a build starts.
 * @throws BuildError if the build fails.
 */
export async function buildPagesIfStale(say: (line: string) => void = () => {}): Promise<void> {
  const made = stampOf(sources())
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === made) return
  say('Building the shop’s pages (once, and again when their sources change) …')
  // In a folder of its own, then moved: two builds may run at once and must not mix their files.
  const making = `${pageFolder}-${process.pid}`
  await npm('shop’s pages', ['run', '--silent', 'build:demo', '--', '--outDir', making])
  writeFileSync(join(making, '.built-from'), made)
  rmSync(pageFolder, { recursive: true, force: true })
  renameSync(making, pageFolder)
}
