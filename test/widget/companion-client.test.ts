// What the widget sends to the companion: no cookies, nothing that needs a preflight of its own,
// and a token only in its header.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCompanionClient } from '../../widget/client/companion-client.ts'
import { paymentClient } from '../../widget/client/payment-client.ts'
import { sampleBanks, sampleMarkets, samplePayment } from '../helpers/sample-payment.ts'

let asked: { url: string; init: RequestInit }[]
let answer: () => Promise<Response>

const json = (status: number, value: unknown) => async () => new Response(JSON.stringify(value), { status })
/** What fits every door. */
const whole = { ...sampleMarkets, ...sampleBanks, ...samplePayment, token: 'tok', orderId: 'A-1' }

beforeEach(() => {
  asked = []
  answer = json(200, whole)
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return answer()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const client = createCompanionClient('https://pay.example/kasse')
const payments = paymentClient(client)
const body = { country: 'KE', currency: 'KES', amount: 2500 } as const
const authorization = 'Bearer tok'

it.each<[string, string, () => Promise<unknown>, RequestInit]>([
  ['GET', '/v1/markets', () => client.markets(), {}],
  ['GET', '/v1/banks?country=KE', () => client.banks('KE'), {}],
  [
    'GET',
    '/v1/session',
    () => client.session(`${samplePayment.id}.tok`),
    { headers: { authorization: `Bearer ${samplePayment.id}.tok` } },
  ],
  ['GET', '/v1/deposits/dep_1', () => payments.get('dep_1', 'tok'), { headers: { authorization } }],
  [
    'POST',
    '/v1/deposits/dep_1/check',
    () => payments.check('dep_1', 'tok'),
    // Without a type SvelteKit 3 and Astro would take it for the form of a foreign page.
    { headers: { 'content-type': 'application/json', authorization } },
  ],
  ['GET', '/v1/attempt', () => payments.recover('key'), { headers: { 'idempotency-key': 'key' } }],
  [
    'POST',
    '/v1/deposits',
    () => payments.create(body, 'key'),
    { headers: { 'content-type': 'application/json', 'idempotency-key': 'key' }, body: JSON.stringify(body) },
  ],
])('%s %s', async (method, path, ask, init) => {
  // The addresses of a payment are taken out.
  const shown: Record<string, unknown> = { ...whole }
  if (/deposits|attempt/.test(path)) for (const address of ['payUrl', 'checkoutUrl']) delete shown[address]
  await expect(ask()).resolves.toEqual(shown)
  const { method: sent = 'GET', ...rest } = asked[0]?.init ?? {}
  // No cache may have an answer for the address of an attempt: it is another one each time.
  const url = asked[0]?.url.replace(/(\/attempt)\?0\.\d+$/, '$1')
  expect([asked.length, url, sent]).toEqual([1, `https://pay.example/kasse${path}`, method])
  expect(rest).toEqual({ ...init, credentials: 'omit', signal: expect.any(AbortSignal) as AbortSignal })

  for (const foreign of [json(200, {}), json(200, 'ok'), json(200, null), json(200, { status: 'UP', version: 3 })]) {
    answer = foreign
    await expect(ask()).rejects.toMatchObject({ code: 'network' })
  }
})

it.each([
  ['read', () => payments.get('dep_2', 'tok')],
  ['check', () => payments.check('dep_2', 'tok')],
])('a view of another payment is no answer to a %s', async (_, ask) => {
  await expect(ask()).rejects.toMatchObject({ code: 'network' })
})

it('an answer about another session is none', async () => {
  const view = { amount: 2500, currency: 'KES', orderId: '7' }
  for (const own of [{ ...view, id: 'ses_1' }, view]) {
    answer = json(200, own)
    await expect(client.session('ses_1.secret')).resolves.toEqual(own)
  }
  answer = json(200, { ...view, id: 'ses_2' })
  await expect(client.session('ses_1.secret')).rejects.toMatchObject({
    code: 'network',
    message: expect.stringContaining('/v1/session was answered 200, but not by the companion'),
  })
})

it('a refusal that is not the companion’s names the address and the status', async () => {
  answer = async () => new Response('<h1>Forbidden', { status: 403 })
  await expect(payments.create(body, 'key')).rejects.toMatchObject({
    code: 'blocked',
    message: expect.stringContaining('https://pay.example/kasse/v1/deposits was answered 403') as string,
  })
})

it.each([
  [
    'of another origin names the address, the setting and the origin',
    'https://shop.example',
    true,
    /https:\/\/pay\.example\/kasse\. .*the address right \(https, port, path\).*HC_ALLOWED_ORIGINS .*https:\/\/shop\.example/,
  ],
  ['of the same origin names neither', 'https://pay.example', true, /^No answer\.$/],
  ['without a network names neither', 'https://shop.example', false, /^No answer\.$/],
])('a request that fails on a page %s', async (_, origin, onLine, message) => {
  vi.stubGlobal('location', { origin })
  vi.stubGlobal('navigator', { onLine })
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  await expect(client.markets()).rejects.toMatchObject({
    code: 'network',
    message: expect.stringMatching(message) as string,
  })
})

it.each([
  ['localhost:8787', /^No answer from localhost:8787\. .*the address right \(https/],
  ['', /^No answer\.$/],
  ['/pay', /^No answer\.$/],
])(
  'an address without its scheme is said to be wrong perhaps, one of the same site is not: %j',
  async (root, message) => {
    vi.stubGlobal('location', { origin: 'https://shop.example' })
    vi.stubGlobal('navigator', { onLine: true })
    answer = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(createCompanionClient(root).markets()).rejects.toThrow(message)
  },
)

it.each([
  ['the shop’s own page for what it does not have', 404, '<h1>Not found'],
  ['a page', 200, '<!doctype html>'],
  ['another server’s JSON', 200, '{}'],
])('%s in the companion’s place is said with its address and status', async (_, status, text) => {
  answer = async () => new Response(text, { status })
  await expect(client.markets()).rejects.toMatchObject({
    code: 'network',
    message: `https://pay.example/kasse/v1/markets was answered ${status}, but not by the companion: is its address right?`,
  })
})

it('the status stream is asked for without cookies too, and ends with its signal', async () => {
  const { signal } = new AbortController()
  await payments.events('dep_1', 'tok', signal)
  expect(asked).toEqual([
    {
      url: 'https://pay.example/kasse/v1/deposits/dep_1/events',
      init: { headers: { authorization }, credentials: 'omit', signal },
    },
  ])
})

it('a call that is not answered for 25 seconds counts as lost', async () => {
  answer = () => new Promise(() => {})
  const got = expect(client.markets()).rejects.toMatchObject({ code: 'network' })
  await vi.advanceTimersByTimeAsync(25_000)
  await got
})

it('a refusal has the code, the field and the wait; one that is not the companion’s is a lost answer', async () => {
  const issues = [{ path: 'amount' }, { path: 'country' }]
  const problem = {
    type: '/problems/amount_out_of_range',
    code: 'amount_out_of_range',
    detail: 'From 10.',
    issues,
    retryAfter: 7,
  }
  answer = json(422, problem)
  const told = { code: 'amount_out_of_range', message: 'From 10.', path: 'amount', retryAfter: 7 }
  await expect(client.markets()).rejects.toMatchObject(told)
  const foreign = (status: number, code: string) => async () =>
    Response.json({ code }, { status, headers: { 'content-type': 'application/problem+json; charset=utf-8' } })
  const page = async (): Promise<Response> => new Response('<h1>502', { status: 502 })
  const others = [{ code: 'not_found' }, { code: 'timeout', type: 'about:blank' }, { type: '/problems/timeout' }, null]
  for (const other of [
    page,
    foreign(504, 'timeout'),
    // In the same format, and with a code that the companion has, too.
    foreign(404, 'not_found'),
    foreign(404, 'NOT_FOUND'),
    ...others.map((body) => json(404, body)),
  ]) {
    answer = other
    await expect(client.markets()).rejects.toMatchObject({ code: 'network' })
  }
})
