// What a 422 says of each field: a sentence of ours that says what to do, for every field of every
// body and query that the companion reads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CreateDeposit, CreateSession, Decision, PaymentQuery } from '../../server/contract/index.ts'
import type { CreatedDeposit, Problem } from '../../server/contract/index.ts'
import { createTestSystem, kenyanDeposit, newKey } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
let payment = ''
beforeAll(async () => {
  system = await createTestSystem()
  const answer = await send('/v1/deposits', kenyanDeposit())
  payment = ((await answer.json()) as CreatedDeposit).id
})
afterAll(() => system.close())

type Body = Record<string, unknown>
const send = (path: string, body: unknown): Promise<Response> =>
  (path === '/v1/deposits' ? system.browser : system.backend)(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': newKey() },
  })

const right: Readonly<Record<string, Body>> = {
  '/v1/deposits': kenyanDeposit(),
  '/v1/sessions': { amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp' },
  decision: { outcome: 'failed', reason: 'The portal says so.', by: 'Ann' },
}
const wrongValues: readonly unknown[] = [
  null, '', ' ', 'x', 'x'.repeat(2000), '\u0000', '\ud800', '\u200b', 'a\u202eb', 0, -1, 1.5, 9e15, 1e300, true, [], ['x'], {}, { x: 1 },
  { ['k'.repeat(41)]: 1 }, { a: [[[[[1]]]]] },
  Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n])),
] // prettier-ignore

/** Words of zod's own, whatever the field. */
const RAW = /^Invalid|^Too (small|big)|^Unrecognized|expected|received/i

async function check(answer: Response): Promise<string[]> {
  if (answer.status !== 422) return []
  const { issues = [], detail } = (await answer.json()) as Problem
  expect(issues.length).toBeGreaterThan(0)
  expect(detail).not.toMatch(RAW)
  for (const { path, message } of issues) {
    expect(message, path).not.toMatch(RAW)
    // A whole sentence, not a word or a number.
    expect(message, path).toMatch(/^[A-Z].*[.)]$/su)
    expect(message.length, path).toBeGreaterThan(20)
  }
  return issues.map(({ path }) => path)
}

describe.each([
  ['/v1/deposits', CreateDeposit],
  ['/v1/sessions', CreateSession],
  ['decision', Decision],
] as const)('the body of %s', (name, schema) => {
  const path = name === 'decision' ? () => `/v1/payments/${payment}/decision` : () => name
  const fields = [
    ...Object.keys(schema.shape).map((field) => [field]),
    ...('payer' in schema.shape ? ['name', 'phone', 'email'].map((field) => ['payer', field]) : []),
  ]

  it.each(fields.map((field) => [field.join('.'), field] as const))(
    'says what to do about %s',
    async (_name, field) => {
      const bodies = [...wrongValues, undefined].map((value): Body => {
        const body: Body = structuredClone(right[name] ?? {})
        const [outer = '', inner] = field
        body[outer] = inner === undefined ? value : { name: 'Achieng', [inner]: value }
        return body
      })
      let told = 0
      for (const body of bodies) told += (await check(await send(path(), body))).length
      expect(told).toBeGreaterThan(0)
    },
  )

  it.each([[null], [[]], ['text'], [7], [{}], [{ surprise: 1 }], [{ ...right[name], a: 1, b: 2, c: 3 }]])(
    'says what to do about %j in its place',
    async (body) => {
      expect(await check(await send(path(), body))).not.toEqual([])
    },
  )
})

describe('a query', () => {
  it.each(Object.keys(PaymentQuery.shape))('of payments says what to do about %s', async (field) => {
    let told = 0
    for (const value of ['', 'x', '0', '-1', '1.5', '201', '1e9', '\u0000', 'x'.repeat(300)]) {
      const query = new URLSearchParams({ [field]: value })
      for (const path of ['/v1/payments', '/v1/payments.csv'])
        told += (await check(await system.backend(`${path}?${query}`))).length
    }
    expect(told).toBeGreaterThan(0)
  })

  it('of an unknown name, or given twice, is told as such', async () => {
    for (const query of ['surprise=1', 'limit=1&limit=2'])
      expect(await check(await system.backend(`/v1/payments?${query}`))).toHaveLength(1)
  })

  it('of banks says which countries there are', async () => {
    for (const query of ['', '?country=', '?country=XX', '?country=KE&country=UG']) {
      const answer = await system.browser(`/v1/banks${query}`)
      expect(await check(answer)).toEqual(['country'])
    }
  })
})

it.each([
  [{ currency: 'kes' }, 'currency', 'Capitals and small letters count: send KES.'],
  [{ currency: 'KES ' }, 'currency', /^It is not among the values that are taken: send KES, TZS/],
  [{ currency: 7 }, 'currency', /^It is not among the values that are taken: send KES, TZS/],
])('of %j it says how it is written', async (change, path, says) => {
  const answer = await send('/v1/sessions', { ...right['/v1/sessions'], ...change })
  const { issues } = (await answer.json()) as Problem
  expect(issues).toMatchObject([{ path, message: typeof says === 'string' ? says : expect.stringMatching(says) }])
})
