// The merchant backend's routes: sessions, payments, export, refresh, notices, decision. Bearer HC_MERCHANT_KEY.
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { CreateSession, Decision, PaymentQuery } from '../contract/index.ts'
import type { Payments } from '../deposits/payments.ts'
import type { Sessions } from '../deposits/sessions.ts'
import { sameText } from '../deposits/identity.ts'
import { CompanionError } from '../errors.ts'
import type { Env } from './http.ts'
import { bearer, check, readJson } from './read-request.ts'

function merchantOnly(merchantKey: string): MiddlewareHandler<Env> {
  return async function merchant(c, next) {
    if (!sameText(bearer(c, '<the merchant key, HC_MERCHANT_KEY>, from a backend only'), merchantKey))
      throw new CompanionError('unauthorized', {
        detail: 'This endpoint takes the merchant key (HC_MERCHANT_KEY), from a backend only.',
      })
    await next()
  }
}

export function paymentRoutes(parts: {
  readonly payments: Payments
  readonly sessions: Sessions
  readonly merchantKey: string
}): Hono<Env> {
  const { payments, sessions, merchantKey } = parts
  const app = new Hono<Env>()
  const merchant = merchantOnly(merchantKey)
  app.use('/sessions', merchant)
  app.use('/payments', merchant)
  app.use('/payments.csv', merchant)
  app.use('/payments/*', merchant)

  app.post('/sessions', async (c) => c.json(await sessions.create(await readJson(c, CreateSession, 32 * 1024)), 201))

  app.get('/payments', async (c) => c.json(await payments.list(check(PaymentQuery, c.req.query()))))

  app.get('/payments.csv', async (c) => {
    const rows = payments.csv(check(PaymentQuery.omit({ cursor: true, limit: true }), c.req.query()))
    // Read before the status is sent: a database that does not answer is a 503, not a table that breaks off after its first line.
    const first = await rows.next()
    return c.body(Readable.toWeb(Readable.from(encoded(first.value ?? '', rows))) as ReadableStream<Uint8Array>, 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="payments.csv"',
    })
  })

  app.get('/payments/:id', async (c) => c.json(await payments.detail(c.req.param('id'))))
  app.post('/payments/:id/refresh', async (c) => c.json(await payments.refresh(c.req.param('id'))))
  app.post('/payments/:id/notices', async (c) => c.json({ requeued: await payments.resend(c.req.param('id')) }, 202))
  app.post('/payments/:id/decision', async (c) =>
    c.json(await payments.decide(c.req.param('id'), await readJson(c, Decision))),
  )
  return app
}

async function* encoded(first: string, rows: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(first)
  for await (const row of rows) yield encoder.encode(row)
}
