// The published OpenAPI description against the routes: every route is in it, and real answers fit
// it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CreatedDeposit, CreatedSession } from '../../server/contract/index.ts'
import * as contract from '../../server/contract/index.ts'
import { small } from '../../server/http/openapi-endpoints.ts'
import { operationsRoutes } from '../../server/http/operations.ts'
import { createTestSystem, COMPANION_URL, kenyanDeposit, newKey } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

type Schema = Parameters<typeof z.fromJSONSchema>[0]
interface Content {
  content?: Record<string, { schema?: Schema }>
  headers?: Record<string, { schema: Schema }>
}
interface Operation {
  operationId: string
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}
interface Description {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Partial<Record<string, Operation>>>
  webhooks: Record<string, { post: { requestBody: Content } }>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> }
}

interface Described {
  properties: Record<string, { description?: string } | undefined>
}

let system: TestSystem
let description: Description
let deposit: CreatedDeposit
let session: CreatedSession
beforeAll(async () => {
  system = await createTestSystem({
    companion: { widget: { folder: new URL('../vectors/', import.meta.url), version: '1.2.3' } },
  })
  description = (await (await system.browser('/openapi.json')).json()) as Description
  const phone = '254700000001'
  deposit = (await (
    await system.browser(
      '/v1/deposits',
      post(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone } }), { 'idempotency-key': newKey() }),
    )
  ).json()) as CreatedDeposit
  session = (await (
    await system.backend('/v1/sessions', post({ amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Shoes' }))
  ).json()) as CreatedSession
  await system.advance(20)
})
afterAll(() => system.close())

function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  }
}
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

function parse(schema: Schema, value: unknown): unknown {
  // The reader of schemas knows definitions beside a schema only.
  const local = JSON.stringify({ ...(schema as object), $defs: description.components.schemas }).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  )
  return z.fromJSONSchema(JSON.parse(local) as Schema).safeParse(value).error?.issues ?? []
}

/** The answer fits what the description says of this endpoint and status. */
async function fits(endpoint: string, response: Response, expected: number): Promise<void> {
  const [method = '', path = ''] = endpoint.split(' ')
  const described = description.paths[path]?.[method.toLowerCase()]?.responses[response.status]
  expect([endpoint, response.status, described !== undefined]).toEqual([endpoint, expected, true])
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const content = described?.content ?? {}
  const entry = content[type] ?? content['*/*']
  if (type === '') expect(Object.keys(content), endpoint).toEqual([])
  else expect([type, entry !== undefined], `${endpoint} ${response.status}`).toEqual([type, true])
  const acted = ['ETag', 'Location', 'Retry-After', 'WWW-Authenticate']
  const sent = acted.filter((name) => response.headers.has(name))
  // A 503 says when to come back only where that is known.
  const named = Object.keys(described?.headers ?? {}).filter((name) => response.headers.has(name) || expected !== 503)
  expect(named.filter((name) => acted.includes(name)).toSorted(), `${endpoint} ${expected}`).toEqual(sent)
  const text = await response.text()
  if (entry?.schema !== undefined)
    expect(parse(entry.schema, JSON.parse(text)), `${endpoint}: ${text.slice(0, 300)}`).toEqual([])
}

describe('the description', () => {
  it('is OpenAPI 3.1 for this companion, and every reference in it leads somewhere', () => {
    expect(description).toMatchObject({ openapi: '3.1.0', servers: [{ url: COMPANION_URL }] })
    const text = JSON.stringify(description)
    const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '')
    expect(named.length).toBeGreaterThan(30)
    expect([...new Set(named)].filter((name) => description.components.schemas[name] === undefined)).toEqual([])
    // Each schema can be read by itself; an `$id` with a fragment would be invalid in JSON Schema
    // 2020-12.
    expect(text).not.toContain('"$id"')
    const ids = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation?.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has every endpoint of the companion, and no endpoint that is not there', () => {
    // With a slash at its end it is the same endpoint, for whoever types or stores it so: the
    // description names it once.
    const routed = system.companion.app.routes
      .filter(({ method, path }) => method !== 'ALL' && path !== '/pay/page.js' && !path.endsWith('/'))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(new Set(described)).toEqual(new Set(routed))
  })

  it('has one schema for each name, those of the endpoints beside those of the contract', () => {
    const shared = Object.keys(small).filter((name) => name in contract)
    expect(shared).toEqual([])
    expect(description.components.schemas['Health']).toHaveProperty('properties.checks')
  })

  it('explains fields, such as their unit', () => {
    const { CreateSession, PaymentView } = description.components.schemas as Record<string, Described | undefined>
    expect(CreateSession?.properties['expiresIn']?.description).toMatch(/^Seconds/)
    expect(PaymentView?.properties['reviewReason']?.description).toMatch(/^Why a person/)
  })

  it('names each part of a path as a parameter', () => {
    for (const [path, methods] of Object.entries(description.paths)) {
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const operation of Object.values(methods))
        expect(operation?.parameters?.filter((one) => one.in === 'path').map(({ name }) => name) ?? [], path).toEqual(
          parts,
        )
    }
  })

  it('leaves answers open to new fields, and closes bodies to fields that are refused', () => {
    const schemas = description.components.schemas as Record<string, { additionalProperties?: false } | undefined>
    const closed = Object.keys(schemas).filter((name) => schemas[name]?.additionalProperties === false)
    expect(closed.toSorted()).toEqual([
      'CloseLink',
      'CreateDeposit',
      'CreateLink',
      'CreateSession',
      'Decision',
      'NewNote',
      'NewPaidBack',
      'Payer',
      'Reason',
      'SessionShop',
      'SignIn',
    ])
  })

  it('has only patterns that readers in other languages can compile', () => {
    const patterns = [...JSON.stringify(description).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text = '']) => JSON.parse(text) as string,
    )
    expect(patterns.length).toBeGreaterThan(20)
    expect(patterns.filter((pattern) => /\\[pPu]|\(\?[^:]/.test(pattern))).toEqual([])
  })

  it('takes the bodies that the endpoints take, and refuses what they refuse', () => {
    const body = description.paths['/v1/deposits']?.['post']?.requestBody?.content?.['application/json']?.schema
    if (body === undefined) throw new Error('POST /v1/deposits has no body')
    for (const right of [
      {},
      { payer: { name: 'Aïssata Ñ 👩🏾', phone: '+254 (700) 000-001' } },
      { clientReference: 'Cups, plates', replaces: 'dep_1', locale: 'sw', bankCode: 'ZECCL' },
    ])
      expect(parse(body, kenyanDeposit(right))).toEqual([])
    for (const wrong of [
      { amount: 2.5 },
      { amount: 0 },
      { country: 'XX' },
      { currency: 'USD' },
      { surprise: true },
      { bankCode: '' },
      { clientReference: 'Cups\nplates' },
      { payer: { name: 'A' } },
      { payer: { name: 'Achieng', phone: '+()' } },
      { payer: { name: 'Achieng', phone: '7'.repeat(26) } },
      { payer: { name: 'Achieng\nOtieno' } },
      { payer: { name: 'Achieng\u2028Otieno' } },
    ])
      expect(parse(body, kenyanDeposit(wrong)), JSON.stringify(wrong)).not.toEqual([])
    const order = description.components.schemas['CreateSession'] ?? {}
    const metadata = { 'Size, cm': 42 }
    for (const text of ['Cups, plates', 'Cups\n\tplates'])
      expect(parse(order, { amount: 1, currency: 'KES', orderId: 'Cups-1', description: text, metadata })).toEqual([])
    expect(parse(order, { amount: 1, currency: 'KES', orderId: 'Cups-1', description: 'Cups\0' })).not.toEqual([])
    expect(description.paths['/v1/payments']?.['get']?.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['cursor', 'limit', 'status', 'from', 'to']),
    )
    expect(description.paths['/v1/payments.csv']?.['get']?.parameters?.map(({ name }) => name)).not.toContain('cursor')
  })
})

describe('real answers fit it', () => {
  it('for browsers', async () => {
    const markets = await system.browser('/v1/markets')
    const etag = markets.headers.get('etag') ?? ''
    await fits('GET /v1/markets', markets, 200)
    await fits('GET /v1/markets', await system.browser('/v1/markets', { headers: { 'if-none-match': etag } }), 304)
    await fits('GET /v1/banks', await system.browser('/v1/banks?country=KE'), 200)
    await fits('GET /v1/banks', await system.browser('/v1/banks?country=XX'), 422)
    await fits('GET /v1/session', await system.browser('/v1/session', bearer(session.token)), 200)
    await fits('GET /v1/session', await system.browser('/v1/session'), 401)
    await fits('GET /v1/session', await system.browser('/v1/session', bearer('ses_nothing')), 404)
    const key = newKey()
    await fits(
      'POST /v1/deposits',
      await system.browser('/v1/deposits', post(kenyanDeposit(), { 'idempotency-key': key })),
      201,
    )
    await fits(
      'POST /v1/deposits',
      await system.browser('/v1/deposits', post(kenyanDeposit({ amount: 9 }), { 'idempotency-key': newKey() })),
      422,
    )
    await fits('POST /v1/deposits', await system.browser('/v1/deposits', post(kenyanDeposit())), 400)
    await fits(
      'POST /v1/deposits',
      await system.browser('/v1/deposits', post('{', { 'idempotency-key': newKey() })),
      400,
    )
    await fits(
      'POST /v1/deposits',
      await system.browser('/v1/deposits', post('x'.repeat(10_000), { 'idempotency-key': newKey() })),
      413,
    )
    await fits(
      'POST /v1/deposits',
      await system.browser(
        '/v1/deposits',
        post(kenyanDeposit(), { 'idempotency-key': newKey(), 'content-type': 'text/plain' }),
      ),
      415,
    )
    await fits(
      'POST /v1/deposits',
      await system.browser(
        '/v1/deposits',
        post(kenyanDeposit(), { 'idempotency-key': newKey(), origin: 'https://evil.example' }),
      ),
      403,
    )
    await fits('GET /v1/attempt', await system.browser('/v1/attempt', { headers: { 'idempotency-key': key } }), 200)
    await fits(
      'GET /v1/attempt',
      await system.browser('/v1/attempt', { headers: { 'idempotency-key': newKey() } }),
      404,
    )
    await fits('GET /v1/deposits/{id}', await system.browser(`/v1/deposits/${deposit.id}`, bearer(deposit.token)), 200)
    await fits('GET /v1/deposits/{id}', await system.browser(`/v1/deposits/${deposit.id}`, bearer('wrong')), 401)
    await fits(
      'GET /v1/deposits/{id}/events',
      await system.browser(`/v1/deposits/${deposit.id}/events`, bearer(deposit.token)),
      200,
    )
    await fits(
      'POST /v1/deposits/{id}/check',
      await system.browser(`/v1/deposits/${deposit.id}/check`, { method: 'POST', ...bearer(deposit.token) }),
      200,
    )
    await fits('GET /widget/{version}/{file}', await system.browser('/widget/1.2.3/vectors.json'), 200)
    await fits('GET /widget/{version}/{file}', await system.browser('/widget/v1/nothing.js'), 404)
  })

  it('for people', async () => {
    const form = {
      method: 'POST',
      headers: { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' },
    }
    const own = new URL(deposit.payUrl).pathname
    await fits('GET /pay', await system.browser('/pay'), 200)
    await fits(
      'POST /pay',
      await system.browser('/pay', {
        ...form,
        body: new URLSearchParams({ key: 'k'.repeat(32), country: 'KE', amount: '2500', name: 'Achieng' }).toString(),
      }),
      303,
    )
    await fits('POST /pay', await system.browser('/pay', { ...form, body: 'country=KE' }), 422)
    await fits(
      'POST /pay',
      await system.browser('/pay', { ...form, headers: { ...form.headers, origin: 'https://evil.example' }, body: '' }),
      403,
    )
    await fits('GET /pay/{link}', await system.browser(own), 200)
    await fits('GET /pay/{link}', await system.browser('/pay/nothing'), 404)
    await fits('POST /pay/{link}', await system.browser(own, { ...form, body: 'action=check' }), 303)
  })

  it('for the shop’s backend', async () => {
    const own = `/v1/payments/${deposit.id}`
    await fits(
      'POST /v1/sessions',
      await system.backend(
        '/v1/sessions',
        post({
          amount: 2500,
          currency: 'KES',
          orderId: 'A-2',
          description: 'Shoes',
          metadata: { size: 42, gift: true },
        }),
      ),
      201,
    )
    await fits('POST /v1/sessions', await system.backend('/v1/sessions', post({ amount: 2500 })), 422)
    await fits(
      'POST /v1/sessions',
      await system.backend('/v1/sessions', post({}, { authorization: 'Bearer wrong' })),
      401,
    )
    await fits('GET /v1/payments', await system.backend('/v1/payments?limit=1&status=SUCCESS'), 200)
    await fits('GET /v1/payments', await system.backend('/v1/payments?limit=0'), 422)
    await fits('GET /v1/payments.csv', await system.backend('/v1/payments.csv'), 200)
    await fits('GET /v1/payments/{id}', await system.backend(own), 200)
    await fits('GET /v1/payments/{id}', await system.backend('/v1/payments/dep_nothing'), 404)
    await fits('POST /v1/payments/{id}/refresh', await system.backend(`${own}/refresh`, { method: 'POST' }), 200)
    await fits('POST /v1/payments/{id}/notices', await system.backend(`${own}/notices`, { method: 'POST' }), 202)
    await fits(
      'POST /v1/payments/{id}/decision',
      await system.backend(`${own}/decision`, post({ outcome: 'failed', reason: 'x', by: 'y' })),
      409,
    )
  })

  it('for the service and those who run it', async () => {
    await fits('POST /v1/webhook/{key}', await system.browser('/v1/webhook/nothing', post({})), 401)
    await fits('GET /healthz', await system.browser('/healthz'), 200)
    const ready = await system.browser('/readyz')
    await fits('GET /readyz', ready, ready.status)
    await fits('GET /metrics', await system.browser('/metrics'), 200)
    await fits('GET /metrics', await system.browser('/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } }), 401)
    // Nobody knows whose request it is: no figures for a stranger.
    await fits('GET /metrics', await system.companion.app.request('/metrics'), 401)
    await fits('GET /openapi.json', await system.browser('/openapi.json'), 200)
  })

  it('for everyone whose request needs a database that does not answer', async () => {
    const gone = await createTestSystem()
    const payUrl = new URL(deposit.payUrl).pathname
    await gone.store.close()
    const page = { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' }
    const form = new URLSearchParams({ key: 'k'.repeat(32), country: 'KE', amount: '2500', name: 'Achieng' }).toString()
    const order = { amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Shoes' }
    const decision = { outcome: 'failed', reason: 'x', by: 'y' }
    for (const [endpoint, answer] of Object.entries({
      'POST /v1/deposits': gone.browser('/v1/deposits', post(kenyanDeposit(), { 'idempotency-key': newKey() })),
      'GET /v1/session': gone.browser('/v1/session', bearer(session.token)),
      'GET /v1/attempt': gone.browser('/v1/attempt', { headers: { 'idempotency-key': newKey() } }),
      'GET /v1/deposits/{id}': gone.browser('/v1/deposits/dep_1', bearer('t')),
      'GET /v1/deposits/{id}/events': gone.browser('/v1/deposits/dep_1/events', bearer('t')),
      'POST /v1/deposits/{id}/check': gone.browser('/v1/deposits/dep_1/check', { method: 'POST', ...bearer('t') }),
      'POST /pay': gone.browser('/pay', { method: 'POST', headers: page, body: form }),
      'GET /pay/{link}': gone.browser(payUrl),
      'POST /pay/{link}': gone.browser(payUrl, { method: 'POST', headers: page, body: 'action=check' }),
      'POST /v1/sessions': gone.backend('/v1/sessions', post(order)),
      'GET /v1/payments': gone.backend('/v1/payments'),
      'GET /v1/payments.csv': gone.backend('/v1/payments.csv'),
      'GET /v1/payments/{id}': gone.backend('/v1/payments/dep_1'),
      'POST /v1/payments/{id}/refresh': gone.backend('/v1/payments/dep_1/refresh', { method: 'POST' }),
      'POST /v1/payments/{id}/notices': gone.backend('/v1/payments/dep_1/notices', { method: 'POST' }),
      'POST /v1/payments/{id}/decision': gone.backend('/v1/payments/dep_1/decision', post(decision)),
    }))
      await fits(endpoint, await answer, 503)
    await gone.close()
  })

  it('and so do the notices that the shop’s backend received', () => {
    expect(system.notices.length).toBeGreaterThan(0)
    for (const { body } of system.notices) {
      const schema = description.webhooks[body.type]?.post.requestBody.content?.['application/json']?.schema
      if (schema === undefined) throw new Error(`${body.type} is not described`)
      expect(parse(schema, body)).toEqual([])
    }
  })
})

it('the description is made once, however often strangers ask for it', async () => {
  let made = 0
  const app = operationsRoutes({
    isTrusted: () => false,
    readiness: () => Promise.resolve([]),
    metrics: () => Promise.resolve(''),
    openapi: () => ({ made: (made += 1) }),
  })
  for (let n = 0; n < 3; n++) expect(await (await app.request('/openapi.json')).json()).toEqual({ made: 1 })
})
