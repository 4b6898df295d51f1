// Finds a Chromium for browser tests: the machine's own, or the one from npm.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
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

/** Path of a Chromium to run: `HC_CHROMIUM`, an installed one, else `@sparticuz/chromium` (unpacks once, 1.5 s). */
export async function chromiumPath(): Promise<string> {
  const named = process.env['HC_CHROMIUM']
  if (named) return named
  return installed.find((path) => existsSync(path)) ?? unpackedChromium(join(root, 'node_modules/.cache/chromium'))
}

/**
 * The one from npm, unpacked into `folder`. The package itself takes whatever is in its place for whole: who looked while another unpacked, or
 * after that was interrupted, would start half a browser. So it unpacks elsewhere, and what is whole is renamed.
 */
export async function unpackedChromium(folder: string): Promise<string> {
  if (!existsSync(folder)) {
    mkdirSync(join(folder, '..'), { recursive: true })
    const beside = mkdtempSync(`${folder}-`)
    const unpack = new URL('unpack-chromium.ts', import.meta.url).pathname
    const { code, output } = await run(process.execPath, [unpack], { env: { TMPDIR: beside, NODE_OPTIONS: '' } })
    if (code !== 0) throw new Error(`Chromium could not be unpacked:\n${output}`)
    try {
      renameSync(beside, folder)
    } catch {
      // Another process was faster.
      rmSync(beside, { recursive: true, force: true })
    }
  }
  return join(folder, 'chromium')
}
