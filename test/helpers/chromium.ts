// Finds a Chromium for browser tests: the machine's own, or the one from npm.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './run-quietly.ts'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Flags without which Chromium hangs at start as root or without network access. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const HOUR_MS = 3_600_000

/**
 * Path of a Chromium to run: `HC_CHROMIUM`, an installed one, else `@sparticuz/chromium` (unpacks
 * once, 1.5 s).
 */
export async function chromiumPath(): Promise<string> {
  const named = process.env['HC_CHROMIUM']
  if (named) return named
  return installed.find((path) => existsSync(path)) ?? unpackedChromium(join(root, 'node_modules/.cache'))
}

/**
 * The one from npm, unpacked into a folder of `cache` that is named for its release. The package
 * itself takes whatever is in its place for whole: who looked while another unpacked, or after that
 * was interrupted, would start half a browser. So it unpacks elsewhere, and what is whole is
 * renamed.
 */
export async function unpackedChromium(cache: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) await unpack(cache, folder)
  return join(folder, 'chromium')
}

async function unpack(cache: string, folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  // 200 MB each: other releases, and what was interrupted. One that is being unpacked is younger.
  for (const name of readdirSync(cache).filter((other) => other.startsWith('chromium')))
    if (statSync(join(cache, name)).mtimeMs < Date.now() - HOUR_MS) rmSync(join(cache, name), { recursive: true })
  const beside = mkdtempSync(`${folder}-`)
  const program = join(import.meta.dirname, 'unpack-chromium.ts')
  try {
    const { code, output } = await run(process.execPath, [program], { env: { TMPDIR: beside, NODE_OPTIONS: '' } })
    if (code !== 0) throw new Error(`Chromium could not be unpacked:\n${output}`)
    renameSync(beside, folder)
  } catch (error) {
    // Unless another process was faster.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}
