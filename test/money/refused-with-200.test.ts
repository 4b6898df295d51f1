// A service that refuses with HTTP 200 and `success: false`: its word decides nothing, and reaches
// everybody who has to know it.
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentDetail } from '../../server/contract/index.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createTestSystem, pay, type TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

async function open(answers: { create?: string; query?: string }) {
  const alerts: string[] = []
  const creates: string[] = []
  const lines: object[] = []
  system = await createTestSystem({
    agent: { afterSeconds: 1 },
    companion: {
      alerts: { raise: (kind, detail) => void alerts.push(`${kind} ${detail}`) },
      logger: { ...silentLogger, warn: (fields, message = '') => void lines.push({ ...fields, said: message }) },
    },
    async network(request, next) {
      const { pathname } = new URL(request.url)
      if (pathname.endsWith('/v2/payment/')) creates.push(pathname)
      const message = pathname.endsWith('/v2/payment/') ? answers.create : answers.query
      const isRefused = /\/v2\/payment\//.test(pathname) && message !== undefined
      return isRefused ? Response.json({ success: false, message }) : next()
    },
  })
  const answer = await pay(system, { bankCode: undefined })
  const { id } = (await answer.json()) as CreatedDeposit
  const payment = async () => (await (await system.backend(`/v1/payments/${id}`)).json()) as PaymentDetail
  return { alerts, creates, lines, payment, answers }
}

it('a create so refused is asked about, and the words reach a person, the log and the timeline', async () => {
  const { alerts, creates, lines, payment } = await open({ create: 'Wallet of +254 712 345 678 is closed.' })
  expect(await payment()).toMatchObject({ phase: 'unknown' })
  const said = 'refused_with_http_200: Wallet of [hidden] is closed.'
  expect(alerts).toEqual([`create_refused ${said}`])
  const { reference } = await payment()
  expect(lines).toContainEqual(
    expect.objectContaining({ call: 'create', reference, message: 'Wallet of [hidden] is closed.' }),
  )
  expect((await payment()).timeline).toContainEqual(expect.objectContaining({ kind: 'create_unknown', detail: said }))
  await system.advance(90)
  expect(await payment()).toMatchObject({ phase: 'abandoned' })
  expect(creates).toHaveLength(1)
})

it('a query so refused credits and fails nothing, and its words stand in the timeline once', async () => {
  const { payment, answers } = await open({ query: 'Signature is expired.' })
  await system.advance(900)
  const { phase, timeline } = await payment()
  // A callback has called it expired, which no query confirms.
  expect(phase).toBe('confirming')
  expect(timeline.filter(({ kind }) => kind === 'query_refused').map(({ detail }) => detail)).toEqual([
    'Signature is expired.',
  ])
  answers.query = 'Account is locked.'
  await system.advance(300)
  delete answers.query
  await system.advance(300)
  const later = await payment()
  expect(later.phase).toBe('expired')
  expect(later.timeline.filter(({ kind }) => kind === 'query_refused')).toHaveLength(2)
})
