// The trace of a request, by W3C Trace Context: in its log lines, and in the notices of the payment
// that it began. What is none costs nobody a payment.
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../server/platform/logging/log.ts'
import {
  createSession,
  createTestSystem,
  kenyanDeposit,
  newKey,
  SHOP_URL,
  type TestSystem,
} from '../helpers/create-test-system.ts'

const OF_SHOP = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const OF_CUSTOMER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'

let system: TestSystem
/** Every line of the log. */
let lines: { readonly msg: string; readonly requestId?: string; readonly traceparent?: string }[]
/** That of each notice that came. */
let told: (string | null)[]
afterEach(() => system.close())

async function open(): Promise<void> {
  lines = []
  told = []
  const output = { write: (line: string) => void lines.push(JSON.parse(line)) }
  system = await createTestSystem({
    companion: { logger: createLog({ level: 'debug', output }) },
    network: async (request, next) => {
      if (request.url.startsWith(SHOP_URL)) told.push(request.headers.get('traceparent'))
      return next()
    },
  })
}

/** A payment that succeeds, to the delivery of its notice. */
async function paid(headers: Record<string, string>, changes: Record<string, unknown> = {}): Promise<Response> {
  const payer = { name: 'Achieng Otieno', phone: '254700000001' }
  const answer = await system.browser('/v1/deposits', {
    method: 'POST',
    headers: { 'idempotency-key': newKey(), ...headers },
    body: JSON.stringify(kenyanDeposit({ payer, ...changes })),
  })
  await system.advance(20)
  return answer
}

const linesOf = (message: string) => lines.filter(({ msg }) => msg === message)

describe('the trace of a request', () => {
  it('is in each of its log lines, in the notice of its payment, and in what is logged of that', async () => {
    await open()
    const answer = await paid({ traceparent: OF_CUSTOMER })
    const requestId = answer.headers.get('x-request-id')
    const own = lines.filter((line) => line.requestId === requestId)
    expect(own.map(({ msg }) => msg)).toContain('deposit moved')
    for (const line of own) expect(line.traceparent).toBe(OF_CUSTOMER)
    expect(told).toEqual([OF_CUSTOMER])
    expect(linesOf('notice delivered')).toMatchObject([{ traceparent: OF_CUSTOMER }])
  })

  it('of the shop, which made the session, goes with the notice before that of the customer', async () => {
    await open()
    const { token } = await system
      .backend('/v1/sessions', {
        method: 'POST',
        headers: { traceparent: OF_SHOP },
        body: JSON.stringify({ amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp' }),
      })
      .then((answer) => answer.json() as Promise<{ token: string }>)
    await paid({ traceparent: OF_CUSTOMER }, { session: token })
    expect(told).toEqual([OF_SHOP])
    expect(linesOf('deposit moved').some(({ traceparent }) => traceparent === OF_CUSTOMER)).toBe(true)
  })

  it('of the customer goes with the notice where the shop gave none', async () => {
    await open()
    await paid({ traceparent: OF_CUSTOMER }, { session: (await createSession(system)).token })
    expect(told).toEqual([OF_CUSTOMER])
  })

  it('is the same when the notice is sent again', async () => {
    await open()
    const { id } = (await (await paid({ traceparent: OF_CUSTOMER })).json()) as { id: string }
    const headers = { traceparent: OF_SHOP }
    expect((await system.backend(`/v1/payments/${id}/notices`, { method: 'POST', headers })).status).toBe(202)
    await system.advance(20)
    expect(told).toEqual([OF_CUSTOMER, OF_CUSTOMER])
  })

  it('is told to a handler in the same process', async () => {
    await open()
    const heard: unknown[] = []
    system.companion.notices.on('*', (_notice, { traceparent }) => void heard.push(traceparent))
    await paid({ traceparent: OF_SHOP })
    expect(heard).toEqual([OF_SHOP])
  })

  it('is in the line of a refusal', async () => {
    await open()
    await system.browser('/v1/session', { headers: { traceparent: OF_CUSTOMER } })
    expect(linesOf('a request was refused')).toMatchObject([{ code: 'bearer_missing', traceparent: OF_CUSTOMER }])
  })

  it('of a later version is passed on as far as this version goes', async () => {
    await open()
    await paid({ traceparent: `cc${OF_SHOP.slice(2)}-and-more` })
    expect(told).toEqual([OF_SHOP])
  })
})

it.each([
  undefined,
  '',
  'x',
  OF_SHOP.toUpperCase(),
  `ff${OF_SHOP.slice(2)}`,
  `${OF_SHOP}-more`,
  `cc${OF_SHOP.slice(2)}more`,
  `${OF_SHOP}, ${OF_CUSTOMER}`,
  OF_SHOP.slice(0, -1),
  OF_SHOP.replace(/-01$/, '-0g'),
  OF_SHOP.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
  OF_SHOP.replace('00f067aa0ba902b7', '0'.repeat(16)),
  OF_SHOP.replaceAll('-', '\t'),
  '\u00e9\u009b[31m',
  `00-${'a'.repeat(7000)}-00f067aa0ba902b7-01`,
])('without a trace, as with the header %j, the payment goes its way, and nothing of it is kept', async (header) => {
  await open()
  const headers: Record<string, string> = header === undefined ? {} : { traceparent: header }
  const session = await system.backend('/v1/sessions', {
    method: 'POST',
    headers,
    body: JSON.stringify({ amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp' }),
  })
  expect(session.status).toBe(201)
  const { token } = (await session.json()) as { token: string }
  expect((await paid(headers, { session: token })).status).toBe(201)
  expect(system.notices).toMatchObject([{ body: { type: 'payment.succeeded' } }])
  expect(told).toEqual([null])
  expect(lines.filter((line) => 'traceparent' in line)).toEqual([])
})
