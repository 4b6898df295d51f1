// The published OpenAPI description against real answers: each answer in the conformance table fits
// the schema of its status.
import { CountryCode } from '../../server/contract/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createSandboxFixture, MERCHANT, signed, WALLETS, type SandboxFixture } from './sandbox-fixture.ts'

type Schema = Parameters<typeof z.fromJSONSchema>[0]
interface Description {
  openapi: string
  paths: Record<
    string,
    {
      post: {
        requestBody: { content: { 'application/json': { schema: Schema } } }
        responses: Record<string, { content: { 'application/json': { schema: Schema } } }>
      }
    }
  >
  webhooks: { result: { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } } }
}

let fixture: SandboxFixture
let description: Description
let auth: Record<string, string>
beforeAll(async () => {
  fixture = createSandboxFixture()
  description = (await (await fixture.request('/openapi.json')).json()) as Description
  auth = { Authorization: `Bearer ${await fixture.login()}` }
})
afterAll(() => fixture.sandbox.close())

const fits = (path: string, { status, json }: { status: number; json: unknown }): void => {
  const schema = description.paths[path]?.post.responses[status]?.content['application/json'].schema
  expect(schema, `${path} describes ${status}`).toBeDefined()
  const result = z.fromJSONSchema(schema!).safeParse(json)
  expect(result.error?.issues ?? [], JSON.stringify(json).slice(0, 300)).toEqual([])
}
const LOGIN = '/api/v2/auth/login'
const BANKS = '/api/v2/banks/get-by-country'
const PAY = '/api/v2/payment/'
const QUERY = '/api/v2/payment/status-query'
const credentials = { consumer_key: MERCHANT.consumerKey, consumer_secret: MERCHANT.consumerSecret }

test('login', async () => {
  fits(LOGIN, await fixture.post(LOGIN, credentials))
  fits(LOGIN, await fixture.post(LOGIN, { ...credentials, consumer_secret: 'x' }))
  fits(LOGIN, await fixture.post(LOGIN, {}))
  fits(LOGIN, await fixture.post(LOGIN, '{'))
  fits(LOGIN, await fixture.post(LOGIN, {}, { 'Content-Type': 'text/plain' }))
  fits(LOGIN, await fixture.post(LOGIN, {}, { Accept: 'text/html' }))
  fits(LOGIN, await fixture.post(LOGIN, 'x'.repeat(70_000)))
})
test('bank list, of every country', async () => {
  for (const country_code of [...CountryCode.options, 'XX']) {
    fits(BANKS, await fixture.post(BANKS, { country_code }, auth))
  }
  fits(BANKS, await fixture.post(BANKS, { country_code: 'KE' }))
})
test('deposits, in every currency and refused in every way', async () => {
  for (const currency of Object.keys(WALLETS)) fits(PAY, await fixture.create({ currency }))
  const wishes = [
    { currency: 'USD', wallet_no: '4559494901' },
    { amount: 'x' },
    { wallet_no: '1' },
    { acc_no: '254700000015' },
    { acc_no: '254700000016' },
    { acc_no: '254700000017' },
    { acc_no: '254700000018' },
  ]
  for (const wish of wishes) fits(PAY, await fixture.create(wish))
  fits(PAY, await fixture.create({}, 'wrong'))
  await fixture.console('POST', 'wallets', { wallet_no: WALLETS.BIF, allocated: false })
  fits(PAY, await fixture.create({ currency: 'BIF' }))
})
test.each([
  ['reference', 'r'.repeat(65)],
  ['acc_name', 'A'],
  ['acc_name', 'a'.repeat(101)],
  ['acc_no', '2'.repeat(33)],
  ['acc_no', '+254712345678'],
  ['email', 'achieng'],
  ['email', `${'a'.repeat(243)}@example.com`],
  ['amount', 1_000_000_000_000],
  ['amount', '1000000000000'],
  ['amount', 0],
  ['channel', 1],
  ['description', 'd'.repeat(256)],
  ['result_url', `https://merchant.example/${'p'.repeat(2048)}`],
])('a %s that the service refuses is refused by the description too: %j', async (field, value) => {
  const refused = await fixture.create({ [field]: value })
  expect([refused.status, Object.keys(refused.json.errors ?? {})]).toEqual([422, [field]])
  const good = {
    wallet_no: WALLETS.KES,
    reference: 'GOOD',
    acc_name: 'Achieng Otieno',
    acc_no: '',
    email: '',
    amount: 2500,
    currency: 'KES',
    channel: 420001,
    description: 'Deposit',
    result_url: 'https://merchant.example/webhook',
  }
  const schema = z.fromJSONSchema(description.paths[PAY]!.post.requestBody.content['application/json'].schema)
  expect(schema.safeParse(good).success).toBe(true)
  expect(schema.safeParse({ ...good, [field]: value }).success).toBe(false)
})
test('a field that the service ignores is not refused by the description, and a query may name either id', async () => {
  const body = (path: string) =>
    z.fromJSONSchema(description.paths[path]!.post.requestBody.content['application/json'].schema)
  const login = { ...credentials, surprise: 1 }
  expect((await fixture.post(LOGIN, login)).status).toBe(200)
  expect(body(LOGIN).safeParse(login).success).toBe(true)
  const { transaction_id } = (await fixture.create({ reference: 'BY-ID' })).json.data as { transaction_id: string }
  const query = { wallet_no: WALLETS.KES, transaction_id }
  const signature = { ...auth, Signature: signed(`${WALLETS.KES}${transaction_id}`) }
  expect((await fixture.post(QUERY, query, signature)).status).toBe(200)
  expect(body(QUERY).safeParse(query).success).toBe(true)
  expect(body(QUERY).safeParse({ wallet_no: WALLETS.KES }).success).toBe(false)
})
test('status queries in every state, and the callbacks of each ending', async () => {
  for (const [index, acc_no] of ['254712345678', '254700000001', '254700000003', '254700000019'].entries()) {
    await fixture.create({ reference: `Q${index}`, acc_no })
  }
  await fixture.sandbox.clock.advance(4)
  const states = new Set<string>()
  for (const index of [0, 1, 2, 3]) {
    const answer = await fixture.query(`Q${index}`)
    states.add(answer.json.data.status as string)
    fits(QUERY, answer)
  }
  expect(states).toEqual(new Set(['PENDING', 'SUCCESS', 'FAILED', 'PROCESSING']))
  fits(QUERY, await fixture.query('NOWHERE'))
  fits(QUERY, await fixture.post(QUERY, { wallet_no: 'x', reference: 'y' }, { ...auth, Signature: signed('no') }))
  const callback = z.fromJSONSchema(description.webhooks.result.post.requestBody.content['application/json'].schema)
  expect(fixture.callbacks.length).toBeGreaterThan(1)
  for (const { body } of fixture.callbacks) {
    expect(callback.safeParse(body).success).toBe(true)
    expect(callback.safeParse({ ...(body as object), surprise: 1 }).success).toBe(true)
  }
})
test('refusals that any endpoint can give: an address that is not allowed, and each fault of the console', async () => {
  const token = await fixture.login()
  const known = { wallet_no: WALLETS.KES, reference: 'Q0' }
  const bearer = { Authorization: `Bearer ${token}` }
  const calls = [
    ['login', LOGIN, () => fixture.post(LOGIN, credentials)],
    ['banks', BANKS, () => fixture.post(BANKS, { country_code: 'KE' }, bearer)],
    ['create', PAY, () => fixture.create({}, token)],
    ['query', QUERY, () => fixture.post(QUERY, known, { ...bearer, Signature: signed(`${WALLETS.KES}Q0`) })],
  ] as const
  const faults = [
    [403, { ip_allow_list: ['203.0.113.9'] }],
    [429, { rate_limited: 1 }],
    [500, { server_error: 1 }],
    [504, { timeout: 1 }],
  ] as const
  for (const [endpoint, path, call] of calls) {
    for (const [status, fault] of faults) {
      await fixture.console('POST', 'faults', { on: [endpoint], ...fault })
      const answering = call()
      // Its half minute of silence begins some turns of the event loop after the call.
      for (let turns = 0; turns < (status === 504 ? 5 : 0); turns++) {
        await new Promise((resolve) => setImmediate(resolve))
        await fixture.sandbox.clock.advance(30)
      }
      const answer = await answering
      expect([path, answer.status]).toEqual([path, status])
      fits(path, answer)
      await fixture.console('POST', 'faults', { ip_allow_list: [] })
    }
  }
})
test('each body and each answer has named examples, which fit its schema, and messages that are said', async () => {
  type Content = { content?: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }> }
  const { paths, webhooks } = description as unknown as Record<
    'paths' | 'webhooks',
    Record<string, { post: { requestBody: Content; responses: Record<string, Content> } }>
  >
  let seen = 0
  for (const [name, { post }] of Object.entries({ ...paths, ...webhooks }))
    for (const [place, { content }] of [['body', post.requestBody] as const, ...Object.entries(post.responses)])
      for (const { schema, examples = {} } of Object.values(content ?? {})) {
        expect(Object.keys(examples).length, `${name} ${place}`).toBeGreaterThan(0)
        for (const [title, { value }] of Object.entries(examples)) {
          const read = z.fromJSONSchema(schema).safeParse(value)
          expect(read.error?.issues ?? [], `${name} ${place} ${title}`).toEqual([])
          seen++
        }
      }
  expect(seen).toBeGreaterThan(40)
  const example = (path: string, title: string) =>
    paths[path]?.post.requestBody.content?.['application/json']?.examples?.[title]?.value ?? {}
  const banks = await fixture.post(BANKS, example(BANKS, 'kenya'), auth)
  expect(banks.status).toBe(200)
  // Signed for another text; but it has passed the check of its fields.
  const deposit = await fixture.post(PAY, example(PAY, 'deposit'), { ...auth, Signature: signed('x') })
  expect(deposit).toMatchObject({ status: 401, json: { message: 'Invalid signature.' } })
  const missing = await fixture.post(BANKS, {}, auth)
  expect(missing.json).toEqual(
    paths[BANKS]?.post.responses['422']?.content?.['application/json']?.examples?.['field_missing']?.value,
  )
})
test('the schemas refuse what the service never says', () => {
  const schema = description.paths[PAY]!.post.responses['200']!.content['application/json'].schema
  expect(z.fromJSONSchema(schema).safeParse({ success: true, message: 'x', data: {} }).success).toBe(false)
  expect(description.openapi).toBe('3.1.0')
})
