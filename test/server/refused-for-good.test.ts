// What the service refuses of the companion as a whole, while nobody pays: a red instance gets no
// customers, so its own calls must show the end of it.
import { afterEach, expect, it } from 'vitest'
import type { ReadyCheck } from '../../server/http/operations.ts'
import { createTestSystem, pay, type TestSystem, type TestSystemOptions } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

const alerts: string[] = []
let answer: ((path: string) => Response | undefined) | undefined
let asked: string[] = []

async function open(settings: TestSystemOptions['settings'] = {}): Promise<void> {
  alerts.length = 0
  asked = []
  system = await createTestSystem({
    agent: false,
    settings,
    companion: { alerts: { raise: (kind) => void alerts.push(kind) } },
    async network(request, next) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      return answer?.(pathname) ?? next()
    },
  })
}

async function press(): Promise<void> {
  await pay(system, { bankCode: undefined })
}

async function red(): Promise<string[]> {
  const { checks } = (await (await system.browser('/readyz')).json()) as { checks: ReadyCheck[] }
  return checks.filter(({ ok }) => !ok).map(({ name }) => name)
}

/** Within half a minute, in which its call is answered. */
async function getsReady(): Promise<void> {
  await system.advance(30)
  await expect
    .poll(async () => {
      await system.advance(1)
      return red()
    })
    .toEqual([])
}

const refusal = (status: number, message: string) => () => Response.json({ success: false, message }, { status })
const isCall = (path: string) => !path.endsWith('/login')
const isPayment = (path: string) => path.includes('/payment/')

it.each([
  ['its address', 'address', isCall, refusal(403, 'IP address not allowed.')],
  ['its signature', 'signature', isPayment, refusal(401, 'Invalid signature.')],
])(
  'a companion that is refused for %s is red, and says so, until it is taken again',
  async (_, name, where, refuse) => {
    await open()
    answer = (path) => (where(path) ? refuse() : undefined)
    await press()
    expect(await red()).toEqual([name])
    await system.advance(61)
    expect(await red()).toEqual([name])
    answer = undefined
    await getsReady()
    alerts.length = 0
    asked = []
    await system.advance(120)
    expect([alerts, asked.filter(isPayment)]).toEqual([[], []])
  },
)

it('a companion that is refused for its signature stays ready where there is no status query: only a payment would show the end of it', async () => {
  await open({ confirm: 'callback' })
  const missing = () => new Response('<h1>404</h1>', { status: 404 })
  answer = (path) =>
    path.endsWith('/status-query') ? missing() : isPayment(path) ? refusal(401, 'Invalid signature.')() : undefined
  await press()
  await getsReady()
  expect(alerts).toContain('create_refused')
})

it('a companion whose address is refused before its first payment gets ready without one', async () => {
  await open()
  answer = (path) => (isCall(path) ? refusal(403, 'IP address not allowed.')() : undefined)
  await system.browser('/v1/banks?country=KE')
  expect(await red()).toEqual(['address'])
  answer = undefined
  await getsReady()
})

it('a status query that was missing and is there again makes it ready, though none of its payments is to be asked about', async () => {
  await open()
  await press()
  answer = (path) => (path.endsWith('/status-query') ? new Response('<h1>404</h1>', { status: 404 }) : undefined)
  await system.advance(62)
  const [{ reference } = { reference: '' }] = await system.store.payments({ limit: 1 })
  expect(await red()).toEqual(['query'])
  await system.advance(16 * 60)
  const decision = { outcome: 'succeeded', reason: 'Seen in the portal.', by: 'Wanjiku' }
  const decided = await system.backend(`/v1/payments/${reference}/decision`, {
    method: 'POST',
    body: JSON.stringify(decision),
  })
  expect(decided.status).toBe(200)
  expect(await red()).toEqual(['query'])
  answer = undefined
  await getsReady()
})
