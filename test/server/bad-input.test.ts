// Every kind of bad input from a browser, a stranger or a broken service gets its own clear answer,
// and nothing is lost.
import { createHmac } from 'node:crypto'
import { Hono } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type {
  CreatedDeposit,
  CreatedSession,
  DepositView,
  PaymentDetail,
  Problem,
} from '../../server/contract/index.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { Env } from '../../server/http/http.ts'
import { cors } from '../../server/http/cors.ts'
import { randomKey } from '../../widget/base/random-key.ts'
import {
  COMPANION_URL,
  createSession,
  createTestSystem,
  kenyanDeposit,
  keys,
  newKey,
  SANDBOX_URL,
  SHOP_URL,
} from '../helpers/create-test-system.ts'
import type { TestSystem, TestSystemOptions } from '../helpers/create-test-system.ts'

let system: TestSystem
const open = async (options: TestSystemOptions = {}) => (system = await createTestSystem(options))
afterEach(() => system.close())

async function post(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; problem: Problem; deposit: CreatedDeposit }> {
  const response = await system.browser('/v1/deposits', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'idempotency-key': newKey(), ...headers },
  })
  const json = (await response.json()) as Problem & CreatedDeposit
  if (response.status >= 400) expect(response.headers.get('content-type')).toBe('application/problem+json')
  return { status: response.status, problem: json, deposit: json }
}

/** A logger, and what of CORS it was told. */
function listening() {
  const told: string[] = []
  const warn = (fields: object, text = '') => void ('origin' in fields && told.push(text))
  return { told, logger: { ...silentLogger, warn } }
}

async function view(deposit: CreatedDeposit, token = deposit.token): Promise<{ status: number; view: DepositView }> {
  const response = await system.browser(`/v1/deposits/${deposit.id}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, view: (await response.json()) as DepositView }
}

it('a page whose session is missing, wrong or over tells its developer what the backend has to do', async () => {
  await open({ settings: { mode: 'sessions' } })
  const opened = await system.backend('/v1/sessions', {
    method: 'POST',
    body: JSON.stringify({ amount: 4900, currency: 'KES', orderId: 'A-9', description: 'Solar lamp', expiresIn: 60 }),
  })
  const { token } = (await opened.json()) as CreatedSession
  await system.advance(60)
  for (const [code, session] of [
    ['session_required', {}],
    ['session_invalid', { session: 'undefined' }],
    ['session_expired', { session: token }],
  ] as const) {
    const { problem } = await post(kenyanDeposit({ amount: 4900, ...session }))
    expect(problem).toMatchObject({ code, detail: expect.stringContaining('POST /v1/sessions') })
  }
})

describe('a deposit', () => {
  it.each([
    ['an amount of 0', { amount: 0 }, 'invalid_request', 'amount'],
    ['a negative amount', { amount: -5 }, 'invalid_request', 'amount'],
    ['a fractional amount', { amount: 2500.5 }, 'invalid_request', 'amount'],
    ['an amount with separators', { amount: '2,500' }, 'invalid_request', 'amount'],
    ['an amount as text', { amount: '2500' }, 'invalid_request', 'amount'],
    ['an amount below the limit', { amount: 9 }, 'amount_out_of_range', 'amount'],
    ['an amount above the limit', { amount: 150_001 }, 'amount_out_of_range', 'amount'],
    ['a country not offered', { country: 'FR' }, 'country_not_offered', 'country'],
    ['the currency of another country', { currency: 'XOF' }, 'currency_mismatch', 'currency'],
    ['a bank in no list', { bankCode: 'NOPE' }, 'bank_unknown', 'bankCode'],
    ['a name of one letter', { payer: { name: 'A' } }, 'invalid_request', 'payer.name'],
    ['no name', { payer: {} }, 'invalid_request', 'payer.name'],
    ['no payer', { payer: undefined }, 'invalid_request', 'payer.name'],
    ['a name with a line break', { payer: { name: 'A\nB' } }, 'invalid_request', 'payer.name'],
    ['a wrong e-mail address', { payer: { name: 'Achieng', email: 'x@' } }, 'invalid_request', 'payer.email'],
    ['a field of its own', { status: 'SUCCESS' }, 'invalid_request', ''],
    [
      'a payer with a field of its own',
      { payer: { name: 'Achieng', fullName: 'Achieng' } },
      'invalid_request',
      'payer',
    ],
    // As the widget sends what its page names and nobody offers.
    ['no country', { country: '', currency: 'UGX' }, 'country_not_offered', 'country'],
    ['a country in words', { country: 'Kenya' }, 'country_not_offered', 'country'],
    // What PostgreSQL and most readers of JSON refuse would go into every notice of the payment.
    ['half a character in the reference', { clientReference: 'a\ud800' }, 'invalid_request', 'clientReference'],
    ['a NUL in the reference', { clientReference: 'a\u0000' }, 'invalid_request', 'clientReference'],
    ['a NUL in the bank', { bankCode: '\u0000' }, 'invalid_request', 'bankCode'],
    ['a NUL in the language', { locale: '\u0000' }, 'invalid_request', 'locale'],
    ['a NUL in what it replaces', { replaces: '\u0000' }, 'invalid_request', 'replaces'],
  ])('with %s is refused at its field', async (_what, change, code, path) => {
    await open()
    const { status, problem } = await post(kenyanDeposit(change))
    expect(status).toBe(422)
    expect(problem).toMatchObject({ code, issues: [{ path }] })
    expect(problem.detail).not.toBe('')
    expect(await system.store.payments({ limit: 10 })).toEqual([])
  })

  it('with a currency that no country has is refused for both, by the code that the widget has words for', async () => {
    await open()
    const { status, problem } = await post(kenyanDeposit({ country: '', currency: 'kes' }))
    expect(status).toBe(422)
    expect(problem).toMatchObject({ code: 'invalid_request', issues: [{ path: 'country' }, { path: 'currency' }] })
    // To a developer it is one sentence, in which the one ends before the other begins.
    expect(problem.detail.split('; ').map((part) => part.split(': ')[0])).toEqual(['country', 'currency'])
  })

  it('from a country for whose currency the shop has no wallet is refused, as its banks and its market are not shown', async () => {
    await open({ settings: { wallets: { TZS: '4559494902' } } })
    const { status, problem } = await post(kenyanDeposit())
    expect([status, problem.code]).toEqual([422, 'country_not_offered'])
    const banks = await system.browser('/v1/banks?country=KE')
    expect([banks.status, await banks.json()]).toMatchObject([
      422,
      { code: 'country_not_offered', issues: [{ path: 'country', code: 'country_not_offered' }] },
    ])
    expect(await (await system.browser('/v1/markets')).json()).toMatchObject({ markets: [{ country: 'TZ' }] })
  })

  it('without a session of the shop is refused where only those are taken, which the markets say beforehand', async () => {
    await open()
    expect(await (await system.browser('/v1/markets')).json()).not.toHaveProperty('sessionsOnly')
    await system.close()
    await open({ settings: { mode: 'sessions' } })
    expect(await (await system.browser('/v1/markets')).json()).toMatchObject({ sessionsOnly: true })
    const { status, problem } = await post(kenyanDeposit())
    expect([status, problem.code]).toEqual([403, 'session_required'])
    expect(await system.store.payments({ limit: 1 })).toEqual([])
  })

  it('says the limits when the amount is outside them', async () => {
    await open()
    const { problem } = await post(kenyanDeposit({ amount: 9 }))
    expect(problem.issues?.[0]).toMatchObject({ minimum: 10, maximum: 150_000 })
  })

  it('cannot smuggle a prototype', async () => {
    await open()
    const { status } = await post(
      '{"__proto__":{"amount":1},"country":"KE","currency":"KES","amount":2500,"payer":{"name":"Achieng"},"wallet_no":"1"}',
    )
    expect(status).toBe(422)
  })

  it.each([
    ['missing', '', 400, 'idempotency_key_missing'],
    ['short', 'abc', 400, 'idempotency_key_invalid'],
    ['too long', 'x'.repeat(256), 400, 'idempotency_key_invalid'],
    ['with spaces', 'a b c d e f g h i j k l m n', 400, 'idempotency_key_invalid'],
  ])('with a key that is %s is refused', async (_what, key, status, code) => {
    await open()
    const response = await system.browser('/v1/deposits', {
      method: 'POST',
      body: JSON.stringify(kenyanDeposit()),
      ...(key === '' ? {} : { headers: { 'idempotency-key': key } }),
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
  })

  it.each([
    ['an order number', '2026-000123', /fewer than 22/],
    ['one character sixteen times', 'a'.repeat(16), /fewer than 22/],
    ['random, of 21 characters', 'q7W_x2Kd9fLm0ZbT5vRyA', /fewer than 22/],
    ['one character forty times', 'a'.repeat(40), /fewer than 8 different/],
    ['a number with zeros before it', '0000000000000000000000001234567'.replace('7', ''), /fewer than 8 different/],
    ['seven characters in turn', 'abcdefg'.repeat(5), /fewer than 8 different/],
    ['with a space', 'q7W_x2Kd9fLm 0ZbT5vRyAc', /spaces/],
    ['beyond ASCII', 'q7W_x2Kd9fLm0ZbT5vRyAcé', /printable/],
    ['too long', 'q7W_x2Kd'.repeat(32), /more than 255/],
  ])('with a key that can be guessed or not be used (%s) is refused with the reason', async (_what, key, reason) => {
    await open()
    const headers = { 'idempotency-key': key }
    const create = await system.browser('/v1/deposits', {
      method: 'POST',
      body: JSON.stringify(kenyanDeposit()),
      headers,
    })
    for (const answer of [create, await system.browser('/v1/attempt', { headers })]) {
      expect(answer.status).toBe(400)
      const { code, detail } = (await answer.json()) as { code: string; detail: string }
      expect(code).toBe('idempotency_key_invalid')
      expect(detail).toMatch(reason)
      expect(detail).toMatch(/secret/)
      expect(detail).not.toContain(key)
    }
    expect(await system.store.payments({ limit: 1 })).toEqual([])
  })

  it.each([
    ['a UUID of version 4', '11111111-1111-4111-8111-111111111111'],
    ['one in capitals', 'F47AC10B-58CC-4372-A567-0E02B2C3D479'],
    ['one in quotes', '"f47ac10b-58cc-4372-a567-0e02b2c3d479"'],
    ['22 characters, 8 of them different', 'abcdefghabcdefghabcdef'],
    ['as the widget makes it', randomKey()],
  ])('with a key that is %s is taken', async (_what, key) => {
    await open()
    const headers = { 'idempotency-key': key }
    const init = { method: 'POST', body: JSON.stringify(kenyanDeposit()), headers }
    expect((await system.browser('/v1/deposits', init)).status).toBe(201)
    expect((await system.browser('/v1/attempt', { headers })).status).toBe(200)
  })

  it('repeated with its key is the same deposit to the letter; with another body it is refused', async () => {
    await open()
    const headers = { 'idempotency-key': newKey() }
    const first = await post(kenyanDeposit(), headers)
    await system.advance(5)
    const second = await post(kenyanDeposit(), headers)
    expect(second.status).toBe(201)
    expect(second.deposit).toEqual(first.deposit)
    const other = await post(kenyanDeposit({ amount: 2501 }), headers)
    expect(other).toMatchObject({ status: 422, problem: { code: 'idempotency_key_reused' } })
  })

  it('from a foreign origin is refused before anything happens, and the origin may not read', async () => {
    await open()
    const response = await system.browser('/v1/deposits', {
      method: 'POST',
      body: JSON.stringify(kenyanDeposit()),
      headers: { origin: 'https://evil.example', 'idempotency-key': newKey() },
    })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      code: 'origin_not_allowed',
      detail: 'Add https://evil.example, the origin of this page, to HC_ALLOWED_ORIGINS of the companion.',
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    for (const origin of [
      'null',
      'http://127.0.0.1:8080.evil.example',
      'http://localhost.evil.example',
      'http://evil.example#localhost',
      'capacitor://localhost',
      'http://127.0.0.1:80800',
    ]) {
      const markets = await system.browser('/v1/markets', { headers: { origin } })
      expect(markets.headers.get('access-control-allow-origin')).toBeNull()
      expect(markets.headers.get('vary')).toContain('Origin')
    }
  })

  it('no cache takes the answer to one token or key for that to another', async () => {
    const headers = { origin: SHOP_URL, authorization: 'Bearer ses_1.secret', 'idempotency-key': newKey() }
    for (const path of ['/v1/session', '/v1/attempt', '/v1/deposits/dep_1', '/v1/deposits/dep_1/events']) {
      const names = (await system.browser(path, { headers })).headers.get('vary')?.split(', ')
      expect(names, path).toEqual(expect.arrayContaining(['Origin', 'Authorization', 'Idempotency-Key']))
    }
  })

  it('from any port of this machine is taken in test mode, and in live mode from the named ones alone', async () => {
    const pages = ['http://localhost:5173', 'http://127.0.0.1:3000', 'https://[::1]:8443', 'http://shop.localhost']
    const origins = new Set(['http://localhost:5173'])
    const taken = async (loopback: boolean) => {
      const app = new Hono<Env>().use(cors({ origins, loopback, logger: silentLogger })).get('/', (c) => c.text(''))
      const allowed = async (origin: string) =>
        (await app.request('/', { headers: { origin } })).headers.get('access-control-allow-origin')
      return Promise.all(pages.map(allowed))
    }
    expect(await taken(true)).toEqual(pages)
    expect(await taken(false)).toEqual([pages[0], null, null, null])
    await open()
    expect(system.settings.paymentMode).toBe('test')
    const init = { headers: { origin: 'http://localhost:5173', 'idempotency-key': newKey() } }
    const made = await system.browser('/v1/deposits', {
      ...init,
      method: 'POST',
      body: JSON.stringify(kenyanDeposit()),
    })
    expect([made.status, made.headers.get('access-control-allow-origin')]).toEqual([201, 'http://localhost:5173'])
  })

  it('from a foreign origin is told in the log, once for each origin and for twenty at most', async () => {
    const { told, logger } = listening()
    await open({ companion: { logger } })
    const ask = (origin: string, method = 'GET') => system.browser('/v1/markets', { method, headers: { origin } })
    for (const origin of [
      SHOP_URL,
      'https://shop.example',
      'https://shop.example',
      `https://${'x'.repeat(200)}.example`,
      // Clears the screen of some terminals.
      'https://evil.example\u009b2J',
    ])
      await ask(origin)
    // The request itself never comes.
    await ask('https://other.example', 'OPTIONS')
    expect(told).toEqual([
      expect.stringMatching(
        /^a page of https:\/\/shop\.example .* HC_ALLOWED_ORIGINS .* add it .*dev: --origin https:\/\/shop\.example\)$/,
      ),
      expect.stringMatching(/^a page of https:\/\/other\.example /),
    ])
    for (let n = 0; n < 30; n++) await ask(`https://shop${n}.example`)
    expect(told).toHaveLength(20)
    // With real payments no dev is meant.
    const live = listening()
    const app = new Hono<Env>().use(cors({ origins: new Set(), loopback: false, logger: live.logger }))
    await app.request('/', { headers: { origin: 'https://shop.example' } })
    expect(live.told).toEqual([expect.stringMatching(/add it there if the page is yours$/)])
  })

  it('may carry the headers of tracing tools; any other is named in the log, once and twenty at most', async () => {
    const { told, logger } = listening()
    await open({ companion: { logger } })
    const allowed = async (asked: string) => {
      const headers = { origin: SHOP_URL, 'access-control-request-headers': asked }
      const answer = await system.browser('/v1/deposits', { method: 'OPTIONS', headers })
      return answer.headers.get('access-control-allow-headers')?.split(', ').slice(4)
    }
    const traces = [
      'traceparent', 'tracestate', 'baggage', 'sentry-trace', 'x-datadog-trace-id', 'x-datadog-sampling-priority', 'b3', 'x-b3-traceid',
      'newrelic', 'x-request-id', 'x-correlation-id', 'x-cloud-trace-context', 'x-amzn-trace-id', 'elastic-apm-traceparent', 'uber-trace-id',
      'request-id', 'request-context', 'x-dtpc', 'adrum', 'x-posthog-session-id',
    ] // prettier-ignore
    expect(await allowed(traces.join(','))).toEqual(traces)
    expect(await allowed('Baggage, content-type,Sentry-Trace')).toEqual(['baggage', 'sentry-trace'])
    expect(told).toEqual([])
    for (let n = 0; n < 2; n++)
      expect(await allowed('x-shop-version, x-datadog, traceparent, bad name')).toEqual(['traceparent'])
    expect(told).toEqual([
      expect.stringMatching(/adds the header x-shop-version to its requests, which the companion does not allow/),
      expect.stringMatching(/adds the header x-datadog to its requests/),
    ])
    for (let n = 0; n < 30; n++) await allowed(`x-${n}`)
    expect(told).toHaveLength(20)
  })

  it('is announced by a preflight, which allows a shop what the widget sends and a stranger nothing', async () => {
    await open()
    const allowed = async (origin: string) => {
      const asked = await system.browser('/v1/deposits', { method: 'OPTIONS', headers: { origin } })
      expect([asked.status, asked.headers.get('vary')]).toEqual([204, 'Origin, Access-Control-Request-Headers'])
      return ['origin', 'methods', 'headers'].map((name) => asked.headers.get(`access-control-allow-${name}`))
    }
    const sent = 'authorization, content-type, idempotency-key, last-event-id'
    expect(await allowed(SHOP_URL)).toEqual([SHOP_URL, 'GET, POST', sent])
    expect(await allowed('https://evil.example')).toEqual([null, null, null])
  })

  it.each([
    ['text/plain', 415, 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    // What any page may send without asking first.
    ['text/plain; as=application/json', 415, 'unsupported_media_type'],
    ['application/jsonp', 415, 'unsupported_media_type'],
  ])('as %s is refused', async (type, status, code) => {
    await open()
    expect(await post(kenyanDeposit(), { 'content-type': type })).toMatchObject({ status, problem: { code } })
  })

  it('in an encoding is refused, but identity is none', async () => {
    await open()
    expect(await post(kenyanDeposit(), { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 })
    expect(await post(kenyanDeposit(), { 'content-encoding': 'Identity' })).toMatchObject({ status: 201 })
  })

  it('that is not JSON, or too large, is refused', async () => {
    await open()
    const latin1 = Buffer.from(JSON.stringify(kenyanDeposit({ payer: { name: 'Aïssata' } })), 'latin1')
    const init = { method: 'POST', headers: { 'idempotency-key': newKey() }, body: latin1 }
    expect(await (await system.browser('/v1/deposits', init)).json()).toMatchObject({ code: 'malformed_json' })
    expect(await post('{')).toMatchObject({ status: 400, problem: { code: 'malformed_json' } })
    expect(await post(JSON.stringify({ ...kenyanDeposit(), clientReference: 'x'.repeat(9000) }))).toMatchObject({
      status: 413,
      problem: { code: 'body_too_large' },
    })
  })

  it('is not shown to a wrong or missing token, nor to the token of another', async () => {
    await open()
    const { deposit } = await post(kenyanDeposit())
    const { deposit: other } = await post(kenyanDeposit())
    const address = `/v1/deposits/${deposit.id}`
    const refusal = async (authorization?: string, path = address): Promise<unknown> => {
      const answer = await system.browser(path, authorization === undefined ? {} : { headers: { authorization } })
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    for (const token of [other.token, 'x'.repeat(43)]) {
      expect(await refusal(`Bearer ${token}`)).toEqual([401, 'bearer_wrong'])
      // A guess learns nothing of whether there is such a payment.
      expect(await refusal(`Bearer ${token}`, '/v1/deposits/dep_00000000000000000000000000')).toEqual([
        401,
        'bearer_wrong',
      ])
    }
    expect(await refusal(`Bearer ${other.token}`, `${address}/events`)).toEqual([401, 'bearer_wrong'])
    for (const path of [address, `${address}/events`, '/v1/session']) {
      expect(await refusal(undefined, path)).toEqual([401, 'bearer_missing'])
      expect(await refusal('Basic c2hvcDpzZWNyZXQ=', path)).toEqual([401, 'bearer_malformed'])
    }
    expect((await view(deposit)).status).toBe(200)
  })

  it('that is in another database is not found, and its token is not called wrong', async () => {
    await open()
    const { deposit } = await post(kenyanDeposit())
    const session = await createSession(system)
    await system.close()
    // The same installation, for the time of a switch on an empty database.
    system = await createTestSystem()
    const code = async (path: string, token: string): Promise<unknown> =>
      (
        (await (await system.browser(path, { headers: { authorization: `Bearer ${token}` } })).json()) as {
          code: string
        }
      ).code
    expect(await code(`/v1/deposits/${deposit.id}`, deposit.token)).toBe('not_found')
    expect(await code('/v1/session', session.token)).toBe('not_found')
    expect(await code('/v1/session', `${session.token.slice(0, -1)}_`)).toBe('session_invalid')
  })
})

describe('a callback', () => {
  const hash = (values: readonly (string | number)[]) =>
    createHmac('sha256', keys.consumerKey).update(values.join('')).digest('hex')

  async function callbackOf(
    deposit: CreatedDeposit,
    changes: Record<string, unknown> = {},
  ): Promise<Record<string, unknown>> {
    const payment = (await (await system.backend(`/v1/payments/${deposit.id}`)).json()) as PaymentDetail
    const fields: Record<string, string | number> = {
      channel: '420001', reference: deposit.reference, transaction_id: payment.transactionId ?? '', third_party_id: 'SP1', currency: deposit.currency,
      amount: String(deposit.amount), fees: '50', acc_name: 'Achieng Otieno', result_code: 0, result_description: 'The service request is processed successfully.',
      ...(changes as Record<string, string>),
    } // prettier-ignore
    return { ...fields, hash: hash(Object.values(fields)) }
  }
  async function address(deposit: CreatedDeposit): Promise<string> {
    const { data: transactions } = (await (await system.service('/console/api/transactions')).json()) as {
      data: { reference: string; result_url: string }[]
    }
    return new URL(transactions.find(({ reference }) => reference === deposit.reference)?.result_url ?? '').pathname
  }
  const send = (path: string, body: unknown) =>
    system.companion.app.request(`${COMPANION_URL}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

  it('that claims success without a payment is answered 200 and changes nothing: the service says PENDING', async () => {
    await open({ agent: false })
    const { deposit } = await post(kenyanDeposit())
    expect((await send(await address(deposit), await callbackOf(deposit))).status).toBe(200)
    await system.companion.idle()
    expect((await view(deposit)).view.status).toBe('PENDING')
    await system.advance(200)
    expect((await view(deposit)).view).toMatchObject({ status: 'PENDING', phase: 'open' })
    expect(system.notices).toEqual([])
  })

  it('is a sign that callbacks come only when it is believed: a stranger cannot keep it from being told that none does', async () => {
    await open({ agent: false })
    const { deposit } = await post(kenyanDeposit())
    const heard = async (callback: unknown) => {
      await send(await address(deposit), callback)
      await system.companion.idle()
      return system.store.meta('callback_heard_at')
    }
    const genuine = await callbackOf(deposit)
    expect(await heard({ ...genuine, hash: '0'.repeat(64) })).toBeUndefined()
    expect(await heard(genuine)).toBe(String(Date.parse(deposit.createdAt)))
  })

  it.each([
    ['a wrong hash', { hash: '0'.repeat(64) }],
    ['no hash', { hash: undefined }],
    ['a short hash', { hash: 'ab' }],
  ])('with %s is answered 401 and moves nothing', async (_what, change) => {
    await open({ agent: false })
    const { deposit } = await post(kenyanDeposit())
    const response = await send(await address(deposit), { ...(await callbackOf(deposit)), ...change })
    expect(response.status).toBe(401)
    await system.companion.idle()
    expect((await view(deposit)).view).toMatchObject({ version: deposit.version, phase: 'open' })
  })

  it.each([
    ['amount', { amount: '250000' }],
    ['transaction', { transaction_id: 'CPXXXXXXXXX' }],
    ['channel', { channel: '420002' }],
  ])('with a genuine hash over another %s is answered 401 and moves nothing', async (_what, change) => {
    await open({ agent: false })
    const { deposit } = await post(kenyanDeposit())
    expect((await send(await address(deposit), await callbackOf(deposit, change))).status).toBe(401)
    await system.companion.idle()
    expect((await view(deposit)).view).toMatchObject({ version: deposit.version, phase: 'open' })
  })

  it('with a genuine hash over a sum of the service itself marks its payment once', async () => {
    await open({ agent: false })
    const { deposit } = await post(kenyanDeposit())
    const sent = await callbackOf(deposit, { currency: 'XOF' })
    expect((await send(await address(deposit), sent)).status).toBe(401)
    await system.companion.idle()
    const marked = { version: deposit.version + 1, phase: 'open', checkoutUrl: deposit.checkoutUrl }
    expect((await view(deposit)).view).toMatchObject(marked)
    // Once: whoever holds the callback could move the version without end.
    expect((await send(await address(deposit), sent)).status).toBe(401)
    await system.companion.idle()
    expect((await view(deposit)).view).toMatchObject(marked)
    expect((await system.store.deposit(deposit.id))?.disputedSum).toBe(true)
  })

  it("at another deposit's address is answered 401 and moves neither", async () => {
    await open({ agent: false })
    const { deposit } = await post(kenyanDeposit())
    const { deposit: other } = await post(kenyanDeposit())
    expect((await send(await address(other), await callbackOf(deposit))).status).toBe(401)
    expect((await send('/v1/webhook/guessed', await callbackOf(deposit))).status).toBe(401)
    await system.companion.idle()
    expect((await view(deposit)).view.version).toBe(deposit.version)
    expect((await view(other)).view.version).toBe(other.version)
  })
})

describe('the payment service', () => {
  it('that is down at the start costs nobody a long wait, and the shop works when it is back', async () => {
    let down = true
    await open({
      network: async (request, next) => {
        if (down && request.url.startsWith(SANDBOX_URL))
          throw new TypeError('fetch failed', {
            cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
          })
        return next()
      },
    })
    const waiting = post(kenyanDeposit({ bankCode: undefined }))
    await system.advance(30)
    const { status, deposit, problem } = await waiting
    if (status === 201)
      expect(deposit).toMatchObject({ phase: 'rejected', status: 'FAILED', result: { code: 'upstream_unavailable' } })
    else expect(problem.code).toBe('upstream_unavailable')
    down = false
    await system.advance(120)
    expect((await post(kenyanDeposit())).deposit.phase).toBe('open')
  })

  it('that goes down in the middle loses nothing: the result is found when it is back', async () => {
    let down = false
    await open({
      network: async (request, next) => {
        if (down && (request.url.startsWith(SANDBOX_URL) || request.url.startsWith(COMPANION_URL)))
          throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
        return next()
      },
    })
    const { deposit } = await post(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone: '254700000001' } }))
    down = true
    await system.advance(120)
    expect((await view(deposit)).view.status).toBe('PENDING')
    down = false
    await system.advance(300)
    expect((await view(deposit)).view).toMatchObject({ status: 'SUCCESS' })
    expect(system.notices.map(({ body }) => body.type)).toEqual(['payment.succeeded'])
  })

  it('that sends the customer to another host is not obeyed: the payment goes to review', async () => {
    await open({ settings: { checkoutOrigins: ['https://pay.example'] } })
    const { deposit } = await post(kenyanDeposit())
    expect(deposit).toMatchObject({ phase: 'review', status: 'PENDING' })
    expect(deposit.checkoutUrl).toBeUndefined()
    await system.advance(2)
    expect(system.notices[0]?.body).toMatchObject({ type: 'payment.review', data: { reason: 'redirect_origin' } })
    // Two people decide at once: the second hears that it was decided otherwise. The reason is
    // theirs, not the customer's.
    const decide = async (outcome: string) =>
      system.backend(`/v1/payments/${deposit.id}/decision`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ outcome, reason: 'Case 118', by: 'Amina' }),
      })
    const answers = await Promise.all([decide('failed'), decide('succeeded')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const decided = (await view(deposit)).view
    expect(decided.status).toBe(answers[0]?.status === 200 ? 'FAILED' : 'SUCCESS')
    expect(decided.result?.description).toBe('Looked up by the shop.')
    const detail = await system.backend(`/v1/payments/${deposit.id}`)
    expect(await detail.text()).toContain('by Amina: Case 118')
  })

  it('that sends the customer to an address that only looks like one of its host is not obeyed', async () => {
    await open({
      network: async (request, next) => {
        const response = await next()
        if (!request.url.startsWith(SANDBOX_URL)) return response
        const text = await response.text()
        return new Response(
          text.replace(/"https?:[^"]*\/checkout/, (found) => `"blob:${found.slice(1)}`),
          response,
        )
      },
    })
    const { deposit } = await post(kenyanDeposit())
    expect(deposit).toMatchObject({ phase: 'review', status: 'PENDING' })
  })
})

describe('a method that an endpoint does not take', () => {
  it.each([
    ['GET', '/v1/deposits', 'POST'],
    ['DELETE', '/v1/deposits/dep_1', 'GET, HEAD'],
    ['GET', '/v1/deposits/dep_1/check', 'POST'],
    ['POST', '/v1/markets', 'GET, HEAD'],
    ['PUT', '/v1/webhook/key', 'POST'],
    ['POST', '/readyz', 'GET, HEAD'],
  ])('%s %s is told which ones it takes', async (method, path, allow) => {
    await open()
    const response = await system.companion.app.request(path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed', status: 405 })
  })

  it('and an address without an endpoint is still not found', async () => {
    await open()
    expect((await system.companion.app.request('/v1/nothing', { method: 'PUT' })).status).toBe(404)
    expect((await system.companion.app.request('/v1/sessions')).status).toBe(401)
  })

  it.each([
    ['PUT', '/v1/webhook/key', 405],
    ['GET', '/v1/nothing', 404],
    ['GET', '/%00', 404],
    ['PUT', '/pay', 405],
    ['PUT', '/v1/session', 405],
    ['GET', '/v1/payments', 401],
  ])('%s %s is answered with the headers of any other answer', async (method, path, status) => {
    await open()
    const { headers, ...answer } = await told(method, path)
    expect(answer.status).toBe(status)
    const right = (await told('GET', '/healthz')).headers
    for (const name of Object.keys(right)) expect(Object.keys(headers)).toContain(name)
    const isPage = headers['content-type']?.startsWith('text/html')
    expect(headers['cache-control']).toBe(isPage ? 'no-store, no-transform' : 'no-store')
    expect(isPage).toBe(path === '/pay')
  })

  async function told(method: string, path: string): Promise<{ status: number; headers: Record<string, string> }> {
    const { status, headers } = await system.companion.app.request(path, { method })
    return { status, headers: Object.fromEntries(headers) }
  }
})

describe('text that no reader takes', () => {
  it('is refused in a session and in a search, where PostgreSQL would fail', async () => {
    await open()
    const session = (change: object) =>
      system.backend('/v1/sessions', {
        method: 'POST',
        body: JSON.stringify({ amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp', ...change }),
      })
    for (const bad of ['\u0000', '\ud800'])
      for (const change of [
        { orderId: bad },
        { description: bad },
        { metadata: { [bad]: 1 } },
        { metadata: { note: bad } },
        { metadata: { lines: [{ note: bad }] } },
        { metadata: { lines: [{ [bad]: 1 }] } },
      ])
        expect((await session(change)).status).toBe(422)
    expect((await session({ description: 'A lamp\nof brass', metadata: { note: 'two\nlines' } })).status).toBe(201)
    for (const query of ['orderId=%00', 'reference=%00', 'sessionId=%00'])
      expect((await system.backend(`/v1/payments?${query}`)).status).toBe(422)
  })

  it('is no reason to refuse a payment: a description of several lines goes to the service on one line, a blank one is refused', async () => {
    await open()
    const session = (description: string) =>
      system.backend('/v1/sessions', {
        method: 'POST',
        body: JSON.stringify({ amount: 2500, currency: 'KES', orderId: 'A-1', description }),
      })
    const { token } = (await (await session(' A lamp\r\n\tof brass\u2028 ')).json()) as CreatedSession
    expect((await post(kenyanDeposit({ session: token }))).deposit).toMatchObject({
      phase: 'open',
      description: 'A lamp of brass',
    })
    for (const blank of ['   ', '\n', '\u007f']) expect((await session(blank)).status).toBe(422)
  })

  it('is what metadata may not hold; they are JSON of any kind, small and not deep', async () => {
    await open()
    const session = (metadata: object) =>
      system.backend('/v1/sessions', {
        method: 'POST',
        body: JSON.stringify({ amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp', metadata }),
      })
    const metadata = { cart: 'A-7', gift: null, lines: [{ sku: 'lamp', size: { cm: 42 } }] }
    const answer = await session(metadata)
    expect(answer.status).toBe(201)
    const { token } = (await answer.json()) as CreatedSession
    await post(kenyanDeposit({ session: token, payer: { name: 'Achieng Otieno', phone: '254700000001' } }))
    await system.advance(10)
    expect(system.notices.map(({ body }) => body.data.metadata)).toEqual([metadata])
    expect((await session({ a: [[[[[1]]]]] })).status).toBe(422)
    expect((await session({ a: ['x'.repeat(501)] })).status).toBe(422)
  })

  let orders = 0
  const withMetadata = (metadata: string): Promise<Response> =>
    system.backend('/v1/sessions', {
      method: 'POST',
      body: `{"amount":2500,"currency":"KES","orderId":"A-${(orders += 1)}","description":"Lamp","metadata":${metadata}}`,
    })

  it.each(['{"__proto__":"x"}', '{"a":{"__proto__":{}}}', '{"a":[{"b":{"\\u005f_proto__":1}}]}'])(
    'is a key that readers of JSON drop or obey, at any depth of metadata: %s',
    async (metadata) => {
      await open()
      const answer = await withMetadata(metadata)
      expect([answer.status, ((await answer.json()) as Problem).detail]).toEqual([
        422,
        'metadata: No key may be __proto__: give it another name.',
      ])
    },
  )

  it('is a number in metadata that comes back as another one', async () => {
    await open()
    const status = async (metadata: string): Promise<number> => (await withMetadata(metadata)).status
    for (const wrong of ['12345678901234567890', '[-12345678901234567890]', '{"b":1e400}'])
      expect([wrong, await status(`{"a":${wrong}}`)]).toEqual([wrong, 422])
    for (const right of ['9007199254740991', '-4.5', '0', '"12345678901234567890"'])
      expect([right, await status(`{"a":${right}}`)]).toEqual([right, 201])
  })

  it('is what a key may hold: every sign that the settings take', async () => {
    const merchantKey = 'mk_test-._~+/c0ffee00c0ffee00c0ffee00=='
    await open({ settings: { merchantKey } })
    const asked = await system.backend('/v1/payments', { headers: { authorization: `Bearer ${merchantKey}` } })
    expect(asked.status).toBe(200)
  })
})

it('a name copied from two cells of a table comes with a tab, which nobody sees in the field: it is a space', async () => {
  await open()
  const { status, deposit } = await post(kenyanDeposit({ payer: { name: 'Achieng\tOtieno\t' } }))
  expect(status).toBe(201)
  const answer = await system.backend(`/v1/payments/${deposit.id}`)
  expect(await answer.json()).toMatchObject({ payer: { name: 'Achieng Otieno' } })
})

describe('a phone number', () => {
  it.each(['12', '1', '+44 7911 123456', '0712-345.678'])('that looks odd stops nobody: %s', async (phone) => {
    await open()
    expect((await post(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone } }))).status).toBe(201)
  })

  it.each(['\u202a+254 712\u2011345\u2011678\u202c', '0712\u00a0345\u00a0678', '\u200e０７１２３４５６７８'])(
    'is taken as contacts and chats write it: %s',
    async (phone) => {
      await open()
      const { deposit } = await post(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone } }))
      const answer = await system.backend(`/v1/payments/${deposit.id}`)
      expect(await answer.json()).toMatchObject({ payer: { phone: '254712345678' } })
    },
  )

  it('of thousands of accents is refused without putting them in order, which would hold everybody up', async () => {
    await open()
    const normalize = vi.spyOn(String.prototype, 'normalize')
    try {
      const phone = `+254712345678${'\u0315'.repeat(1900)}${'\u0300'.repeat(1900)}`
      const { status, problem } = await post(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone } }))
      expect(status).toBe(422)
      expect(problem.issues?.map((issue) => issue.path)).toEqual(['payer.phone'])
      expect(normalize.mock.contexts.filter((text) => String(text).length > 1000)).toEqual([])
    } finally {
      normalize.mockRestore()
    }
  })

  it.each(['.....', '-- --', 'none'])('has a digit at least: %s', async (phone) => {
    await open()
    const { status, problem } = await post(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone } }))
    expect(status).toBe(422)
    expect(problem.issues?.map((issue) => issue.path)).toEqual(['payer.phone'])
  })
})

describe('the amount of a session', () => {
  it.each(['1,000', '1000', 1000.5, null])(
    'that is not a whole number is refused with how to write it: %s',
    async (amount) => {
      await open()
      const answer = await system.backend('/v1/sessions', {
        method: 'POST',
        body: JSON.stringify({ amount, currency: 'KES', orderId: 'A-1', description: 'Lamp' }),
      })
      expect(answer.status).toBe(422)
      const issue = { path: 'amount', message: expect.stringMatching(/whole number in major units, such as 2300/) }
      expect(await answer.json()).toMatchObject({ code: 'invalid_request', issues: [issue] })
    },
  )
})

describe('the longest name and description that the contract takes', () => {
  const session = (change: object) =>
    system.backend('/v1/sessions', {
      method: 'POST',
      body: JSON.stringify({ amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp', ...change }),
    })

  it('may be longer than ours', async () => {
    await open({ settings: { maxName: 150, maxDescription: 400 } })
    expect((await post(kenyanDeposit({ payer: { name: 'N'.repeat(120) } }))).status).toBe(201)
    expect((await post(kenyanDeposit({ payer: { name: 'N'.repeat(151) } }))).status).toBe(422)
    expect((await session({ description: 'd'.repeat(400) })).status).toBe(201)
  })

  it.each([
    ['payer.name', { payer: { name: 'N'.repeat(21) } }],
    ['description', { description: 'd'.repeat(31) }],
  ])('is held to when the session is made, not when its customer pays: %s', async (path, change) => {
    await open({ settings: { maxName: 20, maxDescription: 30 } })
    const answer = await session(change)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 'invalid_request', issues: [{ path }] })
    expect((await session({ payer: { name: '😀'.repeat(20) }, description: '😀'.repeat(30) })).status).toBe(201)
  })
})

describe("a customer's words in the export", () => {
  it.each([
    ['=1+1', `'=1+1`],
    ['+254 1', `'+254 1`],
    ['-2', `'-2`],
    [' @SUM(A1)', `' @SUM(A1)`],
    ['＝1+1', `'＝1+1`],
    // Where the list separator is a semicolon, quotes in the middle of a line are letters like
    // others.
    ['A-1;=HYPERLINK("//x")', `"A-1;'=HYPERLINK(""//x"")"`],
    ['A-1; =1', `A-1;' =1`],
    // There a cell that begins with two quotes is what stands behind them.
    ['A-1;"=1+1;', `"A-1;'""=1+1;"`],
    ['A-1;" =1+1;', `"A-1;'"" =1+1;"`],
    ['A-1;B-2', 'A-1;B-2'],
    ['2026-11-21', '2026-11-21'],
    ['Otieno & Sons, "Ltd"', '"Otieno & Sons, ""Ltd"""'],
  ])('starts no formula in any spreadsheet: %s', async (clientReference, cell) => {
    await open()
    await post(kenyanDeposit({ clientReference }))
    const [head = '', row = ''] = (await (await system.backend('/v1/payments.csv')).text()).split('\r\n')
    expect(head.split(',').indexOf('client_reference')).toBe(18)
    expect(row).toContain(`,${cell},Duka la Jua,`)
  })
})
