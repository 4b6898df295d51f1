// /console/api: everything the console shows and does, as JSON in the service's envelope. Who may
// call it: see guard.ts.
import { Hono, type Context } from 'hono'
import { Bodies, createConsoleActions, parseBody, TRANSACTION_ACTIONS, type ConsoleParts } from './actions.ts'
import { deliveryView, merchantView, time, timelineView, tokenView, transactionView, walletView } from './views.ts'
import { answer, ServiceError } from '../engine/envelope.ts'
import { readBody } from '../service/request-body.ts'
import { phoneOf, SCENARIOS } from '../engine/scenarios.ts'

/**
 * A JSON body, or an empty object; other sites' forms cannot send this content type without a
 * preflight.
 */
async function body(c: Context): Promise<unknown> {
  const bytes = await readBody(c)
  if (bytes.length === 0) return {}
  if (!/^application\/json\b/i.test(c.req.header('Content-Type') ?? ''))
    throw new ServiceError(415, 'Unsupported media type.')
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (cause) {
    throw new ServiceError(400, 'Malformed JSON.', { cause })
  }
}

/** Number of rows in a list; `?limit=`, 1 to 1000, default 200. */
function limitOf(c: Context): number {
  const limit = Number(c.req.query('limit') ?? 200)
  return Number.isInteger(limit) ? Math.min(Math.max(limit, 1), 1000) : 200
}

function deliveryId(c: Context): number {
  const id = Number(c.req.param('id'))
  if (!Number.isSafeInteger(id)) throw new ServiceError(404, 'Delivery not found.')
  return id
}

export function consoleApi(parts: ConsoleParts): Hono {
  const { now, advance, publicUrl, merchants, tokens, transactions, deliveries, faults } = parts
  const actions = createConsoleActions(parts)
  const app = new Hono()

  app.get('/scenarios', (c) =>
    answer(
      c,
      'Scenarios',
      SCENARIOS.map((scenario) => ({
        ...scenario,
        phone_ends_with: `0000${scenario.number}`,
        phone: phoneOf(scenario),
      })),
    ),
  )

  app.get('/transactions', (c) =>
    answer(
      c,
      'Transactions',
      transactions.list(limitOf(c)).map((one) => transactionView(one, publicUrl)),
    ),
  )
  app.get('/inbox', (c) =>
    answer(
      c,
      'Orders that wait for an agent',
      transactions.inbox().map((one) => transactionView(one, publicUrl)),
    ),
  )
  app.get('/transactions/:id', (c) => {
    const transaction = transactions.get(c.req.param('id'))
    return answer(c, 'Transaction', {
      ...transactionView(transaction, publicUrl),
      timeline: timelineView(transaction, transactions),
      deliveries: deliveries.of(transaction.transaction_id).map((one) => deliveryView(one, deliveries)),
    })
  })
  app.get('/transactions/:id/callback', (c) => {
    const last = deliveries
      .of(transactions.get(c.req.param('id')).transaction_id)
      .findLast(({ kind }) => kind === 'result')
    if (!last) throw new ServiceError(404, 'No callback was made yet.')
    return c.body(last.body, 200, { 'Content-Type': 'application/json' })
  })
  for (const action of TRANSACTION_ACTIONS) {
    app.post(`/transactions/:id/${action}`, (c) =>
      answer(c, `Done: ${action}`, transactionView(actions.act(c.req.param('id'), action), publicUrl)),
    )
  }
  app.post('/transactions/:id/scenario', async (c) => {
    const { scenario } = parseBody(Bodies.scenario, await body(c))
    return answer(c, 'Scenario set', transactionView(actions.play(c.req.param('id'), scenario), publicUrl))
  })

  app.get('/deliveries', (c) =>
    answer(
      c,
      'Deliveries',
      deliveries.list(limitOf(c)).map((one) => deliveryView(one, deliveries)),
    ),
  )
  app.get('/deliveries/:id', (c) => answer(c, 'Delivery', deliveryView(deliveries.get(deliveryId(c)), deliveries)))
  app.post('/deliveries/:id/resend', (c) =>
    answer(c, 'Sent again', deliveryView(deliveries.resend(deliveryId(c)), deliveries)),
  )

  app.get('/clock', (c) => answer(c, 'Clock', { now: time(now()) }))
  app.post('/clock', async (c) => {
    const seconds = parseBody(Bodies.clock, await body(c)).advance
    await advance(seconds)
    return answer(c, 'Clock moved', { now: time(now()), advanced: seconds })
  })

  app.get('/merchants', (c) =>
    answer(
      c,
      'Merchants',
      merchants.list().map((one) => merchantView(one, merchants)),
    ),
  )
  app.post('/merchants', async (c) => {
    const { name, email, public_key } = parseBody(Bodies.merchant, await body(c))
    const merchant = merchants.create({
      name,
      email,
      publicKey: public_key,
    })
    return answer(c, 'Merchant created', merchantView(merchant, merchants))
  })
  app.get('/merchants/:id', (c) => answer(c, 'Merchant', merchantView(merchants.get(c.req.param('id')), merchants)))
  app.post('/merchants/:id/rotate', (c) =>
    answer(c, 'Keys rotated', merchantView(actions.rotate(c.req.param('id')), merchants)),
  )
  app.post('/merchants/:id/disable', (c) =>
    answer(c, 'Merchant disabled', merchantView(actions.enable(c.req.param('id'), false), merchants)),
  )
  app.post('/merchants/:id/enable', (c) =>
    answer(c, 'Merchant enabled', merchantView(actions.enable(c.req.param('id'), true), merchants)),
  )
  app.post('/merchants/:id/public-key', async (c) => {
    const { public_key } = parseBody(Bodies.publicKey, await body(c))
    return answer(
      c,
      'Public key uploaded',
      merchantView(merchants.uploadPublicKey(c.req.param('id'), public_key), merchants),
    )
  })

  app.get('/wallets', (c) => answer(c, 'Wallets', merchants.wallets(c.req.query('business_id')).map(walletView)))
  app.post('/wallets', async (c) =>
    answer(c, 'Wallet saved', walletView(actions.putWallet(parseBody(Bodies.wallet, await body(c))))),
  )

  app.get('/tokens', (c) =>
    answer(
      c,
      'Tokens',
      tokens.list(limitOf(c), c.req.query('business_id')).map((one) => tokenView(one, now())),
    ),
  )
  app.post('/tokens', async (c) =>
    answer(c, 'Tokens revoked', { revoked: actions.revoke(parseBody(Bodies.token, await body(c))) }),
  )
  app.post('/tokens/:id/revoke', (c) =>
    answer(c, 'Token revoked', { revoked: actions.revoke({ revoke: c.req.param('id') }) }),
  )

  app.get('/faults', (c) => answer(c, 'Faults', faults.get()))
  app.post('/faults', async (c) => {
    const changes = parseBody(Bodies.faults, await body(c))
    const given = Object.entries(changes).filter(([, value]) => value !== undefined)
    return answer(c, 'Faults set', faults.set(Object.fromEntries(given)))
  })
  return app
}
