// When the disk fails under the database nothing can be promised any more: the companion says so in
// its log and ends, for its supervisor to start it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { openCompanion } from '../../server/open-companion.ts'
import type { OpenStoreOptions } from '../../server/store/open.ts'
import { environment } from '../helpers/create-test-system.ts'

const given = vi.hoisted(() => ({ options: [] as OpenStoreOptions[] }))
vi.mock('../../server/store/open.ts', async (original) => {
  const real = await original<typeof import('../../server/store/open.ts')>()
  return {
    ...real,
    openStore(url: string, options: OpenStoreOptions) {
      given.options.push(options)
      return real.openStore(url, options)
    },
  }
})

it('ends the process with 70, after the line that says why is written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-broken-'))
  const did: unknown[] = []
  const logger = {
    ...silentLogger,
    error: ({ err }: { readonly err?: unknown }, said?: string) => void did.push(err, said),
    flush: () => void did.push('flushed'),
  }
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => void did.push(code) as never)
  const { close } = await openCompanion(environment(folder), { logger })
  const fault = new Error('disk I/O error')
  given.options[0]?.onBroken?.(fault)
  expect(did).toEqual([fault, expect.stringContaining('the disk failed under the database'), 'flushed', 70])
  exit.mockRestore()
  await close()
  rmSync(folder, { recursive: true })
})
