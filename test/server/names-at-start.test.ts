// The names of the service are looked up before any other: behind a receiver's that nobody answers for, the first payment would wait until that is given up.
import dns from 'node:dns'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLogger } from '../../server/logging/logger.ts'
import { startCompanion } from '../../server/node.ts'
import { environment } from '../helpers/create-test-system.ts'

type Answer = (error: NodeJS.ErrnoException | null, addresses: []) => void

const system = dns.lookup
let folder: string
let asked: { readonly hostname: string; readonly fail: () => void }[]
/** Whether a lookup waits for its test. */
let hangs: boolean

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-names-'))
  asked = []
  hangs = true
  Object.assign(dns, {
    lookup(hostname: string, options: object, answer: Answer) {
      // A server that listens looks its own address up.
      if (isIP(hostname) !== 0) return system(hostname, options, answer as never)
      const fail = () => answer(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), [])
      asked.push({ hostname, fail })
      if (!hangs) fail()
    },
  })
  syncBuiltinESMExports()
})
afterEach(() => {
  Object.assign(dns, { lookup: system })
  syncBuiltinESMExports()
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  ['that for the login and that for payments', {}, ['auth.example', 'pay.example']],
  ['that of the proxy', { HC_UPSTREAM_PROXY: 'http://user:pass@proxy.example:3128' }, ['proxy.example']],
])('at the start of the companion: %s', async (_which, more, names) => {
  const urls = { HC_AUTH_URL: 'https://auth.example', HC_BASE_URL: 'https://pay.example' }
  const env = { ...environment(folder), ...urls, HC_CHECKOUT_ORIGINS: 'https://pay.example', ...more }
  const running = await startCompanion(env, { logger: silentLogger })
  await vi.waitFor(() => expect(asked.map(({ hostname }) => hostname)).toEqual(names))
  hangs = false
  for (const { fail } of asked) fail()
  await running.close()
})
