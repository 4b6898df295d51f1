// Finds a Chromium for browser tests: the machine's own, or the one from npm.
import { existsSync } from 'node:fs'

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
  const found = installed.find((path) => existsSync(path))
  if (found) return found
  const { default: chromium } = await import('@sparticuz/chromium')
  return chromium.executablePath()
}
