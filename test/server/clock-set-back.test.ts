// A machine whose clock ran ahead is set back: nothing may wait for the length of the step.
import { EventEmitter } from 'node:events'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { createCompanion } from '../../server/companion.ts'
import { createBankLists } from '../../server/deposits/create/banks.ts'
import { createSender } from '../../server/deposits/create/send.ts'
import type { Env } from '../../server/http/http.ts'
import { createStreams } from '../../server/http/deposit-events.ts'
import {
  COMPANION_URL,
  createTestSystem,
  kenyanDeposit,
  newKey,
  SHOP_URL,
  testSettings,
} from '../helpers/create-test-system.ts'
import { depositRecord, START } from '../helpers/deposit-record.ts'

const DAY = 86_400_000

it('a market that was off is tried again', async () => {
  let clock = START
  const sender = createSender(
    { now: () => clock, sleep: async () => {}, hear: () => {}, count: () => {}, observe: () => {} },
    {
      settings: testSettings(),
      capabilities: { webhookKey: () => 'key' } as never,
      budget: { take: async () => true } as never,
      upstream: {
        isDown: () => false,
        create: async () => ({ kind: 'refused', code: 'market_off', status: 403, message: 'not allocated' }),
      } as never,
    },
  )
  const deposit = depositRecord({ phase: 'creating' })
  await sender.send(deposit)
  expect(sender.isMarketOff(deposit.currency)).toBe(true)
  clock -= DAY
  expect(sender.isMarketOff(deposit.currency)).toBe(false)
})

it('readers go on getting their heartbeats', async () => {
  let clock = START
  const deposit = depositRecord()
  const streams = createStreams({
    deposits: { open: async () => deposit, view: () => ({}) } as never,
    hub: { listen: () => () => {} },
    now: () => clock,
    random: (bytes) => new Uint8Array(bytes),
    onWatch: () => {},
    mostStreams: 10,
    read: async () => deposit,
    onError: (error) => expect(error).toBeUndefined(),
    onCut: () => {},
  })
  const written: string[] = []
  const outgoing = Object.assign(new EventEmitter(), {
    writableLength: 0,
    writeHead: () => outgoing,
    flushHeaders: () => {},
    write: (text: string) => written.push(text) > 0,
    end: () => {},
  })
  const init = { headers: { authorization: 'Bearer t' } }
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    c.set('address', '192.0.2.1')
    c.set('requestId', 'r')
    await next()
  })
  app.route('/', streams.app)
  await app.request(`/deposits/${deposit.id}/events`, init, { outgoing })
  expect(streams.beat()).toBe(0)
  clock -= DAY
  expect(streams.beat()).toBe(1)
  expect(written.at(-1)).toBe(': still here\n\n')
  expect(streams.beat()).toBe(0)
  clock += 15_000
  expect(streams.beat()).toBe(1)
  streams.close()
})

it('a create that is tried again ends within its time', async () => {
  let clock = START
  let tries = 0
  const sender = createSender(
    {
      now: () => clock,
      sleep: async (ms) => void (clock += ms),
      hear: () => {},
      count: () => {},
      observe: () => {},
    },
    {
      settings: testSettings(),
      capabilities: { webhookKey: () => 'key' } as never,
      budget: { take: async () => true } as never,
      upstream: {
        isDown: () => false,
        async create() {
          tries += 1
          if (tries === 2) clock -= DAY
          return { kind: 'not_processed', reason: 'http_429' }
        },
      } as never,
    },
  )
  await sender.send(depositRecord({ phase: 'creating' }))
  expect(tries).toBe(2)
})

it('a bank list that could not be had is asked for again', async () => {
  let clock = START
  let asked = 0
  const lists = createBankLists({
    upstream: {
      async banks() {
        asked += 1
        throw new Error('away')
      },
    },
    budget: { take: async () => true } as never,
    now: () => clock,
    sleep: async () => {},
  })
  await expect(lists.list('KE')).rejects.toThrow('away')
  await expect(lists.list('KE')).rejects.toThrow('away')
  expect(asked).toBe(1)
  clock -= DAY
  await expect(lists.list('KE')).rejects.toThrow('away')
  expect(asked).toBe(2)
})

it('a customer whose create was cut off by a crash is answered', async () => {
  const cutOff = Promise.withResolvers<void>()
  const system = await createTestSystem({
    agent: false,
    network: async (request, next) => {
      if (request.url.endsWith('/api/v2/payment/')) await cutOff.promise
      return next()
    },
  })
  const { settings, store } = system
  const key = newKey()
  const init = { method: 'POST', headers: { 'idempotency-key': key }, body: JSON.stringify(kenyanDeposit()) }
  const first = system.browser('/v1/deposits', init)
  await system.advance(1)
  const [started] = await store.payments({ limit: 1 })
  // The companion after the restart, which knows nothing of that request.
  let clock = system.now() - DAY
  const next = createCompanion({ settings, store, now: () => clock, sleep: async (ms) => void (clock += ms) })
  const repeated = await next.app.request(`${COMPANION_URL}/v1/deposits`, {
    ...init,
    headers: { ...init.headers, 'content-type': 'application/json', origin: SHOP_URL },
  })
  expect(repeated.status).toBe(201)
  expect(await repeated.json()).toMatchObject({ id: started?.id, phase: 'creating' })
  cutOff.resolve()
  await first
  await next.close()
  await system.close()
})
