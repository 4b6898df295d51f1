// The browser of the tests, as a fresh machine gets it: two suites that begin at once have a whole one each.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { unpackedChromium } from '../helpers/chromium.ts'

it.skipIf(process.platform !== 'linux')(
  'who comes while the browser is unpacked gets no half of it, and one folder is left',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'hc-unpack-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    const folder = join(place, 'chromium')
    const first = unpackedChromium(folder)
    await expect.poll(() => globSync('*/chromium', { cwd: place })).toHaveLength(1)
    const runs = (path: string) => execFileSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8' })
    const second = await unpackedChromium(folder)
    expect(runs(second)).toMatch(/^Chromium \d/)
    expect(await first).toBe(second)
    expect(readdirSync(place)).toEqual(['chromium'])
  },
)
