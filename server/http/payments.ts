// The merchant backend's routes: sessions, payments, export, refresh, notices, decision. With
// HC_MERCHANT_KEY, and all but the sessions for users of the console too (staff.ts).
import { type Context, Hono } from 'hono'
import { type ActKind, CreateSession, Decision, PaymentQuery, PaymentTableQuery, Reason } from '../contract/index.ts'
import type { Acts } from '../deposits/merchant/acts.ts'
import type { Payments } from '../deposits/merchant/payments.ts'
import type { Sessions } from '../deposits/merchant/sessions.ts'
import { csvAnswer } from './csv-answer.ts'
import type { Env } from './http.ts'
import { keyOfAct, keyOfShop } from './idempotency-key.ts'
import type { ReportProblem } from './problem-answers.ts'
import { queryOf, readJson, readJsonIfAny } from './read-request.ts'
import type { Staff } from './staff.ts'

export function paymentRoutes(parts: {
  readonly payments: Payments
  readonly sessions: Sessions
  readonly acts: Acts
  readonly staff: Staff
  readonly report: ReportProblem
}): Hono<Env> {
  const { payments, sessions, acts, staff } = parts
  const app = new Hono<Env>()
  for (const path of ['/sessions', '/sessions/*']) app.use(path, staff.merchant)
  const viewer = staff.atLeast('viewer')
  const operator = staff.atLeast('operator')

  app.post('/sessions', async (c) => {
    const key = keyOfShop(c)
    const { isNew, session } = await sessions.create(await readJson(c, CreateSession, 32 * 1024), key)
    c.header('location', `/v1/sessions/${session.id}`)
    return c.json(session, isNew ? 201 : 200)
  })
  app.get('/sessions/:id', async (c) => c.json(await sessions.detail(c.req.param('id'))))

  app.get('/payments', viewer, queryOf(PaymentQuery), async (c) => c.json(await payments.list(c.req.valid('query'))))

  app.get('/payments.csv', operator, queryOf(PaymentTableQuery), (c) =>
    csvAnswer(c, parts, 'payments.csv', payments.csv(c.req.valid('query'))),
  )

  app.get('/payments/:id', viewer, async (c) => c.json(await payments.detail(c.req.param('id'))))

  /** What a person does with one payment, and why. */
  async function recorded<T>(c: Context<Env>, act: ActKind, why: string | undefined, work: (id: string) => Promise<T>) {
    const { id: depositId } = await payments.find(c.req.param('id') ?? '')
    return acts.record(c.get('actor'), { act, depositId, why }, () => work(depositId))
  }

  /** A backend may send no body at all. */
  const reasonOf = async (c: Context<Env>): Promise<string | undefined> => (await readJsonIfAny(c, Reason))?.why

  app.post('/payments/:id/refresh', operator, async (c) =>
    c.json(await recorded(c, 'refresh', await reasonOf(c), payments.refresh)),
  )
  app.post('/payments/:id/notices', operator, async (c) =>
    c.json({ requeued: await recorded(c, 'resend', await reasonOf(c), payments.resend) }, 202),
  )
  app.post('/payments/:id/decision', operator, async (c) => {
    const given = await readJson(c, Decision)
    // Nobody signs with the name of another.
    const decision = c.get('actor').role === 'key' ? given : { ...given, by: c.get('actor').name }
    const { id: depositId } = await payments.find(c.req.param('id'))
    const what = { act: 'decision', depositId, why: given.reason, key: keyOfAct(c, given) } as const
    const decided = await acts.record(c.get('actor'), what, () => payments.decide(depositId, decision), {
      async repeat(isDone) {
        const payment = await payments.read(depositId)
        return isDone || payment.phase === given.outcome ? payment : undefined
      },
    })
    return c.json(decided)
  })
  return app
}
