// The browser of the tests, as a fresh machine gets it: two suites that begin at once have a whole
// one each.
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { unpackedChromium } from '../helpers/chromium.ts'
import type * as quietly from '../helpers/run-quietly.ts'

const run = vi.hoisted(() => vi.fn<typeof quietly.run>())
vi.mock('../helpers/run-quietly.ts', async (load) => {
  const real = await load<typeof quietly>()
  run.mockImplementation(real.run)
  return { ...real, run }
})

let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'hc-unpack-'))
})
afterEach(() => rmSync(cache, { recursive: true, force: true }))

it.skipIf(process.platform !== 'linux')(
  'who comes while the browser is unpacked gets no half of it, and one folder is left',
  async () => {
    const first = unpackedChromium(cache)
    await expect.poll(() => globSync('*/chromium', { cwd: cache })).toHaveLength(1)
    const runs = (path: string) => execFileSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8' })
    const second = await unpackedChromium(cache)
    expect(runs(second)).toMatch(/^Chromium \d/)
    expect(await first).toBe(second)
    expect(readdirSync(cache)).toEqual([basename(dirname(second))])
  },
)

it('one that cannot be unpacked is no browser, and takes no room', async () => {
  run.mockResolvedValueOnce({ code: 1, output: 'ENOSPC', seconds: 1 })
  await expect(unpackedChromium(cache)).rejects.toThrow('ENOSPC')
  expect(readdirSync(cache)).toEqual([])
})

it('another release is not taken for it, and makes room with what was interrupted; one that is being unpacked stays', async () => {
  run.mockResolvedValueOnce({ code: 0, output: '', seconds: 1 })
  for (const name of ['chromium-1.0.0', 'chromium-2.0.0-interrupted', 'chromium-2.0.0-now', 'nginx']) {
    mkdirSync(join(cache, name))
    if (!name.endsWith('now')) utimesSync(join(cache, name), 0, 0)
  }
  const release = basename(dirname(await unpackedChromium(cache)))
  expect(readdirSync(cache).toSorted()).toEqual(['chromium-2.0.0-now', 'nginx', release].toSorted())
})
