// The conformance table over real HTTP: against the sandbox, or against the address in
// HC_CONFORMANCE_URL with its safe part.
//
//   HC_CONFORMANCE_URL=https://… HC_CONFORMANCE_AUTH_URL=https://… HC_CONSUMER_KEY=… \
//   HC_CONSUMER_SECRET=… HC_BUSINESS_ID=… HC_PRIVATE_KEY_FILE=privatekey.pem \
//   HC_WALLETS=KES:123,TZS:456 npx vitest run test/sandbox/conformance.test.ts
import { serve, type ServerType } from '@hono/node-server'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONFORMANCE, type ConformanceCase, type ConformanceTarget } from './conformance-cases.ts'
import {
  createSandboxFixture,
  MERCHANT,
  signed,
  WALLETS,
  type Envelope,
  type SandboxFixture,
} from './sandbox-fixture.ts'

const env = process.env
const elsewhere = env['HC_CONFORMANCE_URL']
const cases = elsewhere ? CONFORMANCE.filter(({ safe }) => safe) : CONFORMANCE

let target: ConformanceTarget
let token: string
let fixture: SandboxFixture | undefined
let server: ServerType | undefined

function targetFromSettings(baseUrl: string): ConformanceTarget {
  const key = readFileSync(env['HC_PRIVATE_KEY_FILE'] ?? '', 'utf8')
  return {
    baseUrl,
    authUrl: env['HC_CONFORMANCE_AUTH_URL'] ?? baseUrl,
    consumerKey: env['HC_CONSUMER_KEY'] ?? '',
    consumerSecret: env['HC_CONSUMER_SECRET'] ?? '',
    businessId: env['HC_BUSINESS_ID'] ?? '',
    wallets: Object.fromEntries(
      (env['HC_WALLETS'] ?? '').split(',').map((pair) => pair.split(':') as [string, string]),
    ),
    resultUrl: 'https://merchant.example/webhook',
    sign: (text) => signed(text, key),
  }
}

beforeAll(async () => {
  if (elsewhere) target = targetFromSettings(elsewhere)
  else {
    const made = createSandboxFixture()
    fixture = made
    server = serve({ fetch: made.sandbox.app.fetch, port: 0, hostname: '127.0.0.1' })
    await new Promise((ready) => server?.once('listening', ready))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { consumerKey, consumerSecret, businessId } = MERCHANT
    target = {
      baseUrl,
      authUrl: baseUrl,
      consumerKey,
      consumerSecret,
      businessId,
      wallets: WALLETS,
      resultUrl: 'https://merchant.example/webhook',
      sign: signed,
    }
  }
  token = (await send({ path: 'login' })).envelope.data.access_token as string
})
afterAll(async () => {
  server?.close()
  await fixture?.sandbox.close()
})

let count = 0
const unique = (): string => `CF${Date.now().toString(36)}${(count += 1)}`.toUpperCase()
type Request = ConformanceCase['request']

function goodBody({ path, fields = {} }: Request, reference: string): Record<string, unknown> {
  if (path === 'login') return { consumer_key: target.consumerKey, consumer_secret: target.consumerSecret, ...fields }
  if (path === 'banks') return { country_code: 'KE', ...fields }
  const wallet = (code: unknown): string | undefined => target.wallets[typeof code === 'string' ? code : '']
  const wallet_no = wallet(fields.wallet_no) ?? wallet(fields.currency) ?? target.wallets.KES
  const named = {
    ...fields,
    ...(wallet(fields.wallet_no) ? { wallet_no } : {}),
    ...(fields.reference === 'SAME' ? { reference } : {}),
  }
  if (path === 'query') return { wallet_no, reference, ...named }
  return {
    wallet_no,
    reference,
    acc_name: 'Achieng Otieno',
    acc_no: '254712345678',
    email: 'achieng@example.com',
    amount: 2500,
    currency: 'KES',
    channel: 420001,
    description: 'Deposit',
    result_url: target.resultUrl,
    ...named,
  }
}

async function send(request: Request, reference = unique()): Promise<{ response: Response; envelope: Envelope }> {
  const paths: Record<string, string> = {
    login: '/api/v2/auth/login',
    banks: '/api/v2/banks/get-by-country',
    create: '/api/v2/payment/',
    'create-without-slash': '/api/v2/payment',
    query: '/api/v2/payment/status-query',
  }
  const body = goodBody(request, reference)
  const text = (name: string): string =>
    typeof body[name] === 'string' || typeof body[name] === 'number' ? String(body[name]) : ''
  const toSign =
    request.signs ??
    (request.path === 'query'
      ? `${text('wallet_no')}${text('reference')}`
      : `${text('channel')}${text('reference')}${text('currency')}${text('amount')}`)
  const headers = new Headers({ Accept: 'application/json', 'Content-Type': 'application/json' })
  if (request.path !== 'login') headers.set('Authorization', `Bearer ${token}`)
  if (request.path.startsWith('create') || request.path === 'query') headers.set('Signature', target.sign(toSign))
  if (request.path.startsWith('create')) headers.set('x-hash', target.sign(target.businessId))
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (value === undefined) headers.delete(name)
    else headers.set(name, value)
  }
  const method = request.method ?? 'POST'
  const response = await fetch(
    (request.path === 'login' ? target.authUrl : target.baseUrl) + (paths[request.path] ?? request.path),
    {
      method,
      headers,
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: (request.raw as string | undefined) ?? JSON.stringify(body) }),
    },
  )
  return { response, envelope: (await response.json()) as Envelope }
}

describe.each(Object.entries(Object.groupBy(cases, ({ section }) => section)))('%s', (_section, list) => {
  test.each((list ?? []).map((one) => [one.name, one] as const))('%s', async (_name, { request, answer }) => {
    const reference = unique()
    if (request.afterCreate) {
      const first = await send(
        { path: 'create', ...(request.afterCreate === true ? {} : { fields: request.afterCreate }) },
        reference,
      )
      expect(first.response.status).toBe(200)
    }
    const { response, envelope } = await send(request, reference)
    expect([response.status, envelope.message]).toEqual([
      answer.status,
      answer.message === undefined
        ? expect.any(String)
        : answer.message instanceof RegExp
          ? expect.stringMatching(answer.message)
          : answer.message,
    ])
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(envelope.success).toBe(answer.status === 200)
    if (answer.status === 200) expect(envelope).toHaveProperty('data')
    if (answer.errors) expect(Object.keys(envelope.errors ?? {})).toEqual(answer.errors)
    for (const [name, pattern] of Object.entries(answer.headers ?? {}))
      expect(response.headers.get(name)).toMatch(pattern)
    if (answer.check) expect(answer.check(envelope, target), JSON.stringify(envelope).slice(0, 500)).toBe(true)
  })
})

test('the table has at least 150 cases, each with a section', () => {
  expect(CONFORMANCE.length).toBeGreaterThanOrEqual(150)
  expect(CONFORMANCE.every(({ section }) => /^(service|open-points)\.md /.test(section))).toBe(true)
})
