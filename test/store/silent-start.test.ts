// PostgreSQL, or a pooler, that takes the connection and at some moment of a start answers no more:
// the start ends, and says so.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migratePostgresAt } from '../../server/store/postgres/migrate.ts'
import { openStore } from '../../server/store/open.ts'
import { postgresMissing, startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'

const missing = await postgresMissing()
/** Fewer than an answer has: no question is left out. */
const STEP = 40

describe.skipIf(missing !== undefined)(`PostgreSQL that goes silent${missing ? ` (${missing})` : ''}`, () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await server?.stop()
  })

  it.each([
    ['a start', async (url: string) => (await openStore(url)).close()],
    ['a start that may not migrate', async (url: string) => (await openStore(url, { migrate: false })).close()],
    ['migrate', async (url: string) => void (await migratePostgresAt(url, false))],
    ['migrate --check', async (url: string) => void (await migratePostgresAt(url, true))],
  ])('%s ends after whatever answer was the last', async (_name, begin) => {
    const address = new URL(await server.freshDatabase())
    await (await openStore(address.href)).close()
    const proxy = await startTcpProxy(Number(address.port))
    address.port = String(proxy.port)
    // The driver's waits pass at once where nothing comes any more.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const seen: string[] = []
    try {
      for (let after = 0, struck = 1; struck > 0; after += STEP) {
        await proxy.suffer({ kind: 'stall', way: 'answer', after })
        let outcome: unknown
        const ended = begin(address.href).then(
          () => (outcome = 'done'),
          (error: unknown) => (outcome = String(error)),
        )
        const waits = setInterval(() => {
          if (proxy.struck() > 0) vi.advanceTimersByTime(5000)
        }, 20)
        await expect.poll(() => outcome).toBeDefined()
        clearInterval(waits)
        await ended
        struck = proxy.struck()
        seen.push(`${after}: ${String(outcome)}`)
      }
      // A start goes on without the connection that listens, which may be the last one that has
      // gone silent.
      expect(seen.pop()).toContain('done')
      expect(seen.length).toBeGreaterThan(12)
      expect(seen.filter((one) => !/time ?out/i.test(one))).toEqual([])
    } finally {
      vi.useRealTimers()
      await proxy.close()
    }
  })
})
