// Builds the widget's bundles only if its sources have changed, so that a start without changes
// does not wait.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bundle = join(root, 'widget/dist/bundle/hc-checkout.js')
const stampFile = join(root, 'widget/dist/bundle/.built-from')

/** All files that are part of the bundles or affect how they are built. */
function sources(): string[] {
  return globSync(['widget/**/*.{ts,js,css,json}', 'server/contract/*.ts', 'package-lock.json'], {
    cwd: root,
    exclude: ['widget/dist', 'widget/dist/**', 'widget/node_modules/**', 'widget/custom-elements.json'],
  }).toSorted()
}

/** Changes with the name or the content of any of the files. */
export function stampOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/** True if `widget/dist` was built from the current sources. */
function widgetIsFresh(): boolean {
  return existsSync(bundle) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOf(sources())
}

/**
 * Builds the widget unless it is fresh.
 *
 * @param say called with one line before a build starts.
 * @throws BuildError if the build fails.
 */
export async function buildWidgetIfStale(say: (line: string) => void = () => {}): Promise<void> {
  if (widgetIsFresh()) return
  say('Building the widget (once, and again when its sources change) …')
  const made = stampOf(sources())
  await npm('widget', ['run', '--silent', 'build:widget', '--', '--bundles'])
  writeFileSync(stampFile, made)
}

/** Its message is the whole output of the build. */
class BuildError extends Error {
  override readonly name = 'BuildError'
}

/**
 * @throws BuildError if it does not end with 0; `what` is what the message says could not be built.
 */
export async function npm(what: string, args: string[]): Promise<void> {
  const child = spawn('npm', args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new BuildError(`The ${what} could not be built:\n${output}`)
}
