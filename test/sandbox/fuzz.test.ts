// Generated requests at every endpoint: the answer is always the envelope, never a 5xx, never a
// hang. HC_FUZZ_RUNS sets how many; by default 20,000.
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createSandboxFixture,
  MERCHANT,
  signed,
  WALLETS,
  type Envelope,
  type SandboxFixture,
} from './sandbox-fixture.ts'

const RUNS = Number(process.env['HC_FUZZ_RUNS'] ?? 20_000)
let fixture: SandboxFixture
let token: string
let xHash: string
beforeAll(async () => {
  fixture = createSandboxFixture()
  token = await fixture.login()
  xHash = signed(MERCHANT.businessId)
})
afterAll(() => fixture.sandbox.close())

const PATHS = [
  '/api/v2/auth/login',
  '/api/v2/banks/get-by-country',
  '/api/v2/payment/',
  '/api/v2/payment',
  '/api/v2/payment/status-query',
  '/api/v2/nothing',
]
const FIELDS = [
  'wallet_no',
  'reference',
  'acc_name',
  'acc_no',
  'email',
  'amount',
  'currency',
  'channel',
  'description',
  'result_url',
  'country_code',
  'consumer_key',
  'consumer_secret',
  'transaction_id',
  '__proto__',
  'constructor',
]

/**
 * JSON texts, not values: numbers in every notation, escapes, duplicate keys, depth, and plain
 * breakage.
 */
const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '2500',
    '2500.0',
    '2500.00',
    '1e3',
    '1E+3',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1',
    '9007199254740993',
    '00',
    '.5',
    '5.',
    '+1',
    '0x1F',
    'NaN',
    'Infinity',
    '1_000',
    '٣',
  ),
  fc.double().map(String),
  fc.bigInt().map(String),
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: 'grapheme', maxLength: 300 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"KES"',
    '"KE"',
    '"420001"',
    '"2,500"',
    '"2500.00"',
    '"https://a.example/"',
    '"https://[::1"',
    '"\\ud800"',
    '"\\u0000"',
    '"\\x"',
    '"',
    `"${'a'.repeat(5000)}"`,
  ),
)
const value = fc.oneof(
  { depthSize: 'small' },
  number,
  text,
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '', 'undefined', '{"a":1,"a":2}'),
  fc
    .tuple(fc.constantFrom('[', '{"a":'), fc.integer({ min: 1, max: 400 }))
    .map(([open, depth]) => open.repeat(depth) + '1' + (open === '[' ? ']' : '}').repeat(depth)),
)
const member = fc
  .tuple(fc.oneof(fc.constantFrom(...FIELDS), fc.string({ maxLength: 12 })), value)
  .map(([name, content]) => `${JSON.stringify(name)}:${content}`)
const good = {
  wallet_no: WALLETS.KES,
  reference: 'F',
  acc_name: 'Achieng',
  amount: 2500,
  currency: 'KES',
  channel: 420001,
  description: 'D',
  result_url: 'https://a.example/',
}
/** A body that is good but for one field: it gets past the first checks. */
const nearlyGood = fc.tuple(fc.constantFrom(...FIELDS), value).map(([name, content]) => {
  const members = Object.entries(good)
    .filter(([field]) => field !== name)
    .map(([field, kept]) => `${JSON.stringify(field)}:${JSON.stringify(kept)}`)
  return `{${[...members, `${JSON.stringify(name)}:${content}`].join(',')}}`
})
const body = fc.oneof(
  { weight: 3, arbitrary: nearlyGood },
  { weight: 3, arbitrary: fc.array(member, { maxLength: 14 }).map((members) => `{${members.join(',')}}`) },
  { weight: 1, arbitrary: value },
  { weight: 1, arbitrary: fc.json({ maxDepth: 6 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
)
const headers = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'application/json',
      'application/json;charset=utf-8',
      'application/json; charset=latin1',
      'text/plain',
      'multipart/form-data',
      '',
    ),
    Authorization: fc.oneof(fc.constant('token'), fc.string({ unit: 'grapheme-ascii', maxLength: 60 })),
    Signature: fc.oneof(
      fc.constant('right'),
      fc.base64String({ maxLength: 400 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
    ),
    'x-hash': fc.oneof(fc.constant('right'), fc.base64String({ maxLength: 400 })),
    Accept: fc.constantFrom('application/json', '*/*', 'text/html', ';;'),
  },
  { requiredKeys: [] },
)

/** The right signature, so far as the body can be understood. */
function signatureFor(path: string, content: string | Uint8Array): string {
  if (typeof content !== 'string' || !path.includes('payment')) return ''
  let fields: Record<string, unknown>
  try {
    // Numbers as they stand in the text: that is what is signed.
    fields = JSON.parse(content.replaceAll(/:(-?\d[^,}"]*)/g, ':"$1"')) as Record<string, unknown>
  } catch {
    return ''
  }
  const of = (name: string): string => (typeof fields?.[name] === 'string' ? fields[name] : '')
  const order = path.endsWith('query') ? ['wallet_no', 'reference'] : ['channel', 'reference', 'currency', 'amount']
  return signed(order.map(of).join(''))
}

test(`${RUNS} generated requests give the envelope and no 5xx`, { timeout: 180_000 + RUNS }, async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS), body, headers, fc.boolean(), async (path, content, wish, honest) => {
      const base = honest
        ? { 'Content-Type': 'application/json', Authorization: 'token', Signature: 'right', 'x-hash': 'right' }
        : wish
      const sent = new Headers()
      for (const [name, given] of Object.entries(base)) {
        const real =
          given === 'token'
            ? `Bearer ${token}`
            : given !== 'right'
              ? given
              : name === 'x-hash'
                ? xHash
                : signatureFor(path, content)
        sent.set(name, (real ?? '').trim())
      }
      const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
      const response = await fixture.request(path, { method: 'POST', headers: sent, body: bytes })
      const envelope = (await response.json()) as Envelope
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
      expect(response.status).toBeLessThan(500)
      expect(typeof envelope.success).toBe('boolean')
      expect(typeof envelope.message).toBe('string')
      expect(envelope.success).toBe(response.status === 200)
      if (envelope.success) expect(envelope).toHaveProperty('data')
    }),
    { numRuns: RUNS },
  )
  // The generator reaches behind the first checks, or it proves little.
  for (const status of [200, 400, 401, 404, 415, 422])
    expect(seen.get(status), `answers with ${status}`).toBeGreaterThan(0)
})

test('a signed deposit with any texts that the rules allow is created and can be asked about', async () => {
  const allowed = (min: number, max: number) =>
    fc
      .string({ unit: 'grapheme', minLength: min, maxLength: max })
      .filter(
        (made) =>
          !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(made) &&
          Array.from(made.trim()).length >= min &&
          Array.from(made).length <= max,
      )
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      allowed(2, 20),
      allowed(1, 40),
      fc.integer({ min: 1, max: 999_999_999_999 }),
      async (acc_name, description, amount) => {
        const reference = `G${(count += 1)}`
        const created = await fixture.create({ reference, acc_name, description, amount }, token)
        expect([created.status, created.json.data?.amount]).toEqual([200, amount])
        const asked = await fixture.query(reference)
        expect(asked.json.data).toMatchObject({ acc_name, description, status: 'PENDING' })
      },
    ),
    { numRuns: 300 },
  )
})
