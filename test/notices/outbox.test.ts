// The guarantee to the merchant's backend, on a clock that tests move: at least once, one id, the
// whole retry schedule, no notice lost.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, vi } from 'vitest'
import { createPayments } from '../../server/deposits/merchant/payments.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { silentMetrics } from '../../server/platform/metrics.ts'
import { createReached } from '../../server/notices/reached.ts'
import { WAITS } from '../../server/notices/schedule.ts'
import { readRetryAfter } from '../../server/platform/retry-after.ts'
import type { NoticeRow } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord, noticeRecord, START } from '../helpers/deposit-record.ts'
import { quietTools } from '../helpers/quiet-tools.ts'
import { DAY, HOUR, SECOND, URL_OF_SHOP, older, secret, world } from './outbox-world.ts'

describe('a delivered notice', () => {
  it('is a signed POST that the Standard Webhooks library accepts, and is sent once', async () => {
    // The library looks at the machine's clock.
    const w = await world()
    w.pass(Date.now() - w.now())
    const row = await w.write()
    expect(await w.outbox.deliverDue()).toBe(1)
    const [first] = w.sent
    const headers = {
      'webhook-id': first!.id,
      'webhook-timestamp': first!.timestamp,
      'webhook-signature': first!.signatures,
    }
    expect(new Webhook(secret).verify(first!.body, headers)).toEqual(JSON.parse(row.body))
    // By any other type the body parsers of most frameworks would leave the body unread.
    const contentType = 'application/json'
    expect(first).toMatchObject({ id: row.id, body: row.body, url: URL_OF_SHOP, contentType, redirect: 'manual' })
    w.pass(40 * DAY)
    expect(await w.outbox.deliverDue()).toBe(0)
    expect(await w.stored(row.id)).toMatchObject({ state: 'delivered', attempts: 1, deliveredAt: first!.at })
  })

  it('and each attempt before it stand in the log with the payment that they are about', async () => {
    const lines: object[] = []
    const log = (fields: object, message = '') => void lines.push({ ...fields, message })
    const w = await world((attempt) => new Response(null, { status: attempt === 1 ? 500 : 204 }), {
      logger: { ...silentLogger, info: log, warn: log },
    })
    const { id: noticeId } = await w.write()
    await w.outbox.deliverDue()
    const { dueAt } = (await w.stored(noticeId))!
    w.pass(60 * SECOND)
    await w.outbox.deliverDue()
    const about = { noticeId, depositId: w.deposit.id, type: 'payment.succeeded' }
    expect(lines).toEqual([
      {
        message: 'notice not delivered',
        ...about,
        attempts: 1,
        reason: 'answered 500: what does the log of the receiver say?',
        state: 'waiting',
        nextAttemptAt: new Date(dueAt).toISOString(),
        resend: `hc-checkout-server payments resend ${w.deposit.id}`,
      },
      { message: 'notice delivered', ...about, attempts: 2 },
    ])
  })

  it('goes to the same receiver once more when a person sends it again', async () => {
    const w = await world()
    const row = await w.write()
    await w.outbox.deliverDue()
    expect(await w.store.requeueNotices(w.deposit.id, w.now())).toBe(1)
    expect(await w.outbox.deliverDue()).toBe(1)
    expect(w.sent.map(({ id }) => id)).toEqual([row.id, row.id])
  })

  it('does so as well where another instance was told of it, a day later', async () => {
    const w = await world()
    const row = await w.write()
    await w.outbox.deliverDue()
    w.pass(DAY)
    await w.store.requeueNotices(w.deposit.id, w.now())
    expect(await w.outbox.deliverDue()).toBe(1)
    expect(w.sent.map(({ id }) => id)).toEqual([row.id, row.id])
  })

  it('carries one signature a secret during a rotation, so that a receiver may hold either', async () => {
    const w = await world(undefined, { settings: { notifyUrl: URL_OF_SHOP, notifySecrets: [secret, older] } })
    w.pass(Date.now() - w.now())
    await w.write()
    await w.outbox.deliverDue()
    const [first] = w.sent
    const headers = {
      'webhook-id': first!.id,
      'webhook-timestamp': first!.timestamp,
      'webhook-signature': first!.signatures,
    }
    expect(first!.signatures.split(' ')).toHaveLength(2)
    for (const held of [secret, older]) expect(() => new Webhook(held).verify(first!.body, headers)).not.toThrow()
    const stranger = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    expect(() => new Webhook(stranger).verify(first!.body, headers)).toThrow()
  })

  it.each([200, 201, 202, 204, 299])('is one that was answered %i', async (status) => {
    const w = await world(() => new Response(null, { status }))
    const row = await w.write()
    await w.outbox.deliverDue()
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })
})

describe('a notice that is not taken', () => {
  it.each([
    [300, 'answered 300, and redirects are not followed'],
    [399, 'answered 399, and redirects are not followed'],
    [400, 'answered 400'],
    [401, 'answered 401: has the receiver HC_NOTIFY_SECRET, the raw body and the right time?'],
    [403, 'answered 403: does a CSRF check or a firewall refuse it before the receiver?'],
    [419, 'answered 419: does a CSRF check or a firewall refuse it before the receiver?'],
    [500, 'answered 500: what does the log of the receiver say?'],
  ])('says why when it was answered %i', async (status, lastError) => {
    const w = await world(() => new Response(null, { status }))
    const row = await w.write()
    await w.outbox.deliverDue()
    expect(await w.stored(row.id)).toMatchObject({ state: 'waiting', attempts: 1, lastError })
  })

  it.each([
    [429, 'throttled'],
    [502, 'throttled'],
    [503, 'throttled'],
    [504, 'throttled'],
    [403, 'ok'],
    [500, 'ok'],
  ])('by %i with a Retry-After leaves the receiver %s', async (status, receiver) => {
    const w = await world(() => new Response(null, { status, headers: { 'retry-after': '120' } }))
    await w.write()
    await w.outbox.deliverDue()
    expect(w.outbox.health().receiver).toBe(receiver)
  })

  it('is tried ten times over 75 h 35 min, then daily to 30 days, with one id, then is dead and a person is told once', async () => {
    const w = await world(() => new Response('no', { status: 500 }))
    const row = await w.write()
    for (let step = 0; step < 20_000 && w.dead.length === 0; step++) {
      await w.outbox.deliverDue()
      const next = await w.stored(row.id)
      if (next?.state === 'waiting') w.pass(next.dueAt - w.now())
    }
    const waits = w.sent.slice(1).map(({ at }, index) => at - w.sent[index]!.at)
    expect(waits.slice(0, 9)).toEqual(WAITS)
    expect(waits.slice(0, 9).reduce((a, b) => a + b, 0)).toBe(75 * HOUR + 35 * 60 * SECOND + 5 * SECOND)
    expect(waits.slice(9).every((wait) => wait === DAY)).toBe(true)
    expect(w.sent).toHaveLength(10 + 26)
    expect(w.sent.at(-1)!.at).toBeLessThanOrEqual(START + 30 * DAY)
    expect(w.sent.at(-1)!.at).toBeGreaterThan(START + 29 * DAY)
    expect(new Set(w.sent.map(({ id, body }) => id + body)).size).toBe(1)
    expect(new Set(w.sent.map(({ timestamp }) => timestamp)).size).toBe(w.sent.length)
    expect(w.dead).toEqual([
      [expect.objectContaining({ id: row.id, state: 'dead' }), 'answered 500: what does the log of the receiver say?'],
    ])
    expect((await w.stored(row.id))?.state).toBe('dead')
  })

  it('is told to a person at each failed attempt once half an hour has passed, until it is dead', async () => {
    const w = await world(() => new Response(null, { status: 401 }))
    const row = await w.write()
    const told: number[] = []
    for (let failed = 1; failed <= 6; failed++) {
      const before = w.late.length
      await w.outbox.deliverDue()
      if (w.late.length > before) told.push((w.now() - START) / SECOND)
      w.pass((await w.stored(row.id))!.dueAt - w.now())
    }
    expect(told).toEqual([2105, 9305, 27_305])
    expect(w.late[0]).toEqual([4, expect.stringMatching(/^answered 401: /)])
    expect(w.dead).toEqual([])
  })

  it('has its waits spread by a tenth, never more, by four random bytes', async () => {
    for (const [byte, wait] of [
      [0, 4500],
      [255, 5498],
    ] as const) {
      const asked: number[] = []
      const random = (bytes: number) => {
        asked.push(bytes)
        return Uint8Array.of(byte, 0, 0, 0)
      }
      const w = await world(() => new Response(null, { status: 500 }), { random })
      const row = await w.write()
      await w.outbox.deliverDue()
      expect((await w.stored(row.id))!.dueAt - START).toBeGreaterThanOrEqual(wait - 10)
      expect((await w.stored(row.id))!.dueAt - START).toBeLessThanOrEqual(wait + 10)
      expect(asked).toEqual([4])
    }
  })

  it('makes its ten attempts even when we stood still for a month', async () => {
    const w = await world(() => new Response(null, { status: 500 }))
    const row = await w.write()
    w.pass(31 * DAY)
    await w.outbox.deliverDue()
    expect(await w.stored(row.id)).toMatchObject({ state: 'waiting', attempts: 1 })
    expect(w.dead).toEqual([])
  })

  it.each([301, 302, 307, 308])('%i is a failure: a redirect is not followed', async (status) => {
    const w = await world(() => new Response(null, { status, headers: { location: 'https://elsewhere.example/' } }))
    const row = await w.write()
    await w.outbox.deliverDue()
    expect(w.sent).toHaveLength(1)
    expect(await w.stored(row.id)).toMatchObject({
      state: 'waiting',
      lastError: expect.stringContaining('redirects are not followed'),
    })
  })

  it('waits as long as the receiver asks by Retry-After, and leaves it alone with the others for up to 5 minutes', async () => {
    const w = await world((attempt) =>
      attempt === 1 ? new Response(null, { status: 429, headers: { 'retry-after': '120' } }) : new Response(),
    )
    const row = await w.write()
    await w.outbox.deliverDue()
    expect(await w.stored(row.id)).toMatchObject({ dueAt: START + 120 * SECOND, lastError: 'answered 429' })
    expect(w.outbox.health().receiver).toBe('throttled')
    await w.write()
    w.pass(120 * SECOND - 1)
    expect(await w.outbox.deliverDue()).toBe(0)
    w.pass(1)
    expect(await w.outbox.deliverDue()).toBe(2)
    expect(w.outbox.health().receiver).toBe('ok')
  })

  it('a shorter Retry-After of another notice does not shorten the pause, and none is longer than 5 minutes', async () => {
    const asked = ['200', '60', '86400']
    const w = await world(() => {
      const text = asked.shift()
      return text === undefined ? new Response() : new Response(null, { status: 503, headers: { 'retry-after': text } })
    })
    await w.write()
    await w.write()
    expect(await w.outbox.deliverDue()).toBe(2)
    w.pass(199 * SECOND)
    expect(w.outbox.health().receiver).toBe('throttled')
    w.pass(SECOND)
    expect(await w.outbox.deliverDue()).toBe(2)
    // The third of the three, which waits for a day itself.
    await w.write()
    w.pass(299 * SECOND)
    expect(await w.outbox.deliverDue()).toBe(0)
    w.pass(SECOND)
    expect(await w.outbox.deliverDue()).toBe(1)
  })

  it('a failure of another notice that asks for no pause does not end the one that was asked for', async () => {
    const w = await world((attempt) =>
      attempt === 1
        ? new Response(null, { status: 429, headers: { 'retry-after': '120' } })
        : new Response(null, { status: 500 }),
    )
    await w.write()
    await w.write()
    expect(await w.outbox.deliverDue()).toBe(2)
    expect(w.outbox.health().receiver).toBe('throttled')
  })

  it('a person who sends a notice again ends the pause', async () => {
    const w = await world((attempt) =>
      attempt === 1 ? new Response(null, { status: 429, headers: { 'retry-after': '120' } }) : new Response(),
    )
    const row = await w.write()
    await w.outbox.deliverDue()
    await w.store.requeueNotices(w.deposit.id, w.now())
    expect(await w.outbox.deliverDue()).toBe(0)
    w.outbox.resume([])
    expect(w.outbox.health().receiver).toBe('ok')
    expect(await w.outbox.deliverDue()).toBe(1)
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })

  it('after a Retry-After, a clock that is set back a day does not keep the others waiting for the day', async () => {
    const w = await world((attempt) =>
      attempt !== 2 ? new Response(null, { status: 503, headers: { 'retry-after': '60' } }) : new Response(),
    )
    await w.write()
    await w.outbox.deliverDue()
    w.pass(-DAY)
    expect(w.outbox.health().receiver).toBe('ok')
    const row = await w.write()
    expect(await w.outbox.deliverDue()).toBe(1)
    expect((await w.stored(row.id))?.state).toBe('delivered')
    // The pause of before is no longer than the next.
    await w.write()
    await w.outbox.deliverDue()
    w.pass(59 * SECOND)
    expect(w.outbox.health().receiver).toBe('throttled')
    w.pass(SECOND)
    expect(w.outbox.health().receiver).toBe('ok')
  })

  it('never waits more than a day for a Retry-After, and not less than the schedule', async () => {
    const w = await world(
      (attempt) => new Response(null, { status: 503, headers: { 'retry-after': attempt === 1 ? '1' : '99999999' } }),
    )
    const row = await w.write()
    await w.outbox.deliverDue()
    expect((await w.stored(row.id))!.dueAt).toBe(START + 5 * SECOND)
    w.pass(5 * SECOND)
    await w.outbox.deliverDue()
    expect((await w.stored(row.id))!.dueAt).toBe(w.now() + DAY)
  })

  it.each([
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-5', undefined],
    ['soon', undefined],
    ['2 minutes', undefined],
    // Without a zone it would be read in that of this machine.
    ['Thu Jan  1 00:02:00 2026', undefined],
    [null, undefined],
  ])('reads Retry-After %s', (text, ms) => {
    expect(readRetryAfter(text, START)).toBe(ms)
  })

  it('that hangs is given up after its time and holds up no other', async () => {
    const never = new Promise<Response>(() => {})
    const w = await world(undefined, {
      timeoutMs: 30,
      fetch: async (input, init) => {
        const id = new Headers(init?.headers).get('webhook-id')
        if (id !== slow.id) return new Response()
        return Promise.race([
          never,
          new Promise<never>((_, reject) =>
            init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)),
          ),
        ])
      },
    })
    const slow = await w.write()
    const quick: NoticeRow[] = []
    const first = w.outbox.deliverDue()
    quick.push(await w.write(), await w.write())
    expect(await w.outbox.deliverDue()).toBe(2)
    for (const row of quick) expect((await w.stored(row.id))?.state).toBe('delivered')
    expect((await w.stored(slow.id))?.state).toBe('waiting')
    await first
    expect(await w.stored(slow.id)).toMatchObject({
      attempts: 1,
      lastError: expect.stringContaining('no answer within'),
    })
  })

  it('is never one of more than the allowed number at one time', async () => {
    const open: (() => void)[] = []
    const w = await world(() => new Promise((resolve) => open.push(() => resolve(new Response()))), { parallel: 3 })
    for (let index = 0; index < 5; index++) await w.write()
    const round = w.outbox.deliverDue()
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    expect(open).toHaveLength(3)
    expect(await w.outbox.deliverDue()).toBe(0)
    for (const release of open) release()
    expect(await round).toBe(3)
  })

  it('is by itself one of 32 at one time', async () => {
    const w = await world((attempt) => (attempt <= 32 ? new Promise(() => {}) : new Response()))
    for (let index = 0; index < 33; index++) await w.write()
    void w.outbox.deliverDue()
    await expect.poll(() => w.sent.length).toBe(32)
    expect(await w.make().deliverDue()).toBe(1)
  })

  it('with an answer that never ends is decided by its status, after 4 kB', async () => {
    let pulled = 0
    let cancelled = 0
    const endless = () =>
      new ReadableStream<Uint8Array>({
        cancel: () => void (cancelled += 1),
        pull(controller) {
          controller.enqueue(new Uint8Array(1024).fill((pulled += 1)))
        },
      })
    const w = await world(() => new Response(endless()))
    const row = await w.write()
    await w.outbox.deliverDue()
    expect((await w.stored(row.id))?.state).toBe('delivered')
    expect(pulled).toBeLessThan(10)
    // Its connection would otherwise stay open for as long as the receiver likes.
    expect(cancelled).toBe(1)
  })
})

describe('410 from the receiver', () => {
  it('tells a person once, stops no other notice, and is tried again by the schedule', async () => {
    const w = await world((attempt) => new Response(null, { status: attempt <= 2 ? 410 : 204 }), { parallel: 1 })
    const rows = [await w.write(), await w.write(), await w.write()]
    expect(await w.outbox.deliverDue()).toBe(1)
    expect(w.gone.map(({ id }) => id)).toEqual([w.sent[0]!.id])
    expect((await w.stored(w.sent[0]!.id))?.lastError).toContain('410')
    expect(await w.outbox.deliverDue()).toBe(1)
    expect(w.gone).toHaveLength(1)
    expect(w.outbox.health().receiver).toBe('gone')
    expect(await w.outbox.deliverDue()).toBe(1)
    expect(w.outbox.health().receiver).toBe('ok')
    w.pass(6 * SECOND)
    expect(await w.outbox.deliverDue()).toBe(1)
    expect(await w.outbox.deliverDue()).toBe(1)
    for (const row of rows) expect((await w.stored(row.id))?.state).toBe('delivered')
  })
})

it('a 410 is told once, not as a late notice too, and once more after a person has sent a notice again', async () => {
  const w = await world(() => new Response(null, { status: 410 }))
  await w.write({ attempts: 6 })
  await w.outbox.deliverDue()
  expect([w.gone.length, w.late, w.outbox.health().receiver]).toEqual([1, [], 'gone'])
  await w.store.requeueNotices(w.deposit.id, w.now())
  w.outbox.resume([])
  expect(w.outbox.health().receiver).toBe('ok')
  await w.outbox.deliverDue()
  expect([w.gone.length, w.outbox.health().receiver]).toEqual([2, 'gone'])
})

describe('sent again by a person while an attempt is under way', () => {
  it.each([
    ['fails', 500],
    ['is taken', 204],
  ])('it is told anew, though that attempt %s', async (_, status) => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    const w = await world(async (attempt) => {
      if (attempt > 1) return new Response(null, { status: 204 })
      await gate
      return new Response(null, { status })
    })
    const row = await w.write({ attempts: 12 })
    const running = w.outbox.deliverDue()
    await expect.poll(() => w.sent.length).toBe(1)
    expect(await w.store.requeueNotices(w.deposit.id, w.now())).toBe(1)
    release()
    await running
    expect(await w.stored(row.id)).toMatchObject({ state: 'waiting', attempts: 0, dueAt: w.now() })
    expect(await w.outbox.deliverDue()).toBe(1)
    expect(w.sent).toHaveLength(2)
    expect(await w.stored(row.id)).toMatchObject({ state: 'delivered', attempts: 1 })
  })
})

it('what notices have reached is remembered for a bounded number of them', () => {
  const reached = createReached<string>(SECOND, 2)
  let dueAt = START
  reached.of({ id: 'a', attempts: 0, dueAt: (dueAt += SECOND) }).add('url')
  reached.of({ id: 'b', attempts: 0, dueAt: (dueAt += SECOND) }).add('url')
  expect(reached.of({ id: 'a', attempts: 0, dueAt: (dueAt += SECOND) })).toEqual(new Set(['url']))
  reached.of({ id: 'c', attempts: 0, dueAt: (dueAt += SECOND) }).add('url')
  expect(reached.of({ id: 'a', attempts: 0, dueAt: (dueAt += SECOND) })).toEqual(new Set(['url']))
  expect(reached.of({ id: 'b', attempts: 0, dueAt: (dueAt += SECOND) })).toEqual(new Set())
})

describe('between sending and writing it down', () => {
  it('a crash sends it again, by the same id and body', async () => {
    const w = await world()
    const row = await w.write()
    let crash = () => {}
    const crashed = new Promise<void>((resolve) => (crash = resolve))
    const crashing = w.make({
      store: {
        leaseNotices: w.store.leaseNotices.bind(w.store),
        updateNotice() {
          crash()
          return new Promise(() => {})
        },
      },
    })
    void crashing.deliverDue()
    await crashed
    expect(w.sent).toHaveLength(1)
    // The next process finds the lease and waits for its end.
    expect(await w.make().deliverDue()).toBe(0)
    w.pass(2 * 60 * SECOND)
    expect(await w.make().deliverDue()).toBe(1)
    expect(w.sent.map(({ id, body }) => [id, body])).toEqual([
      [row.id, row.body],
      [row.id, row.body],
    ])
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })

  it.each([
    ['the address', { timeoutMs: 100 * SECOND, handlerTimeoutMs: 10 * SECOND }],
    ['a handler', { timeoutMs: 10 * SECOND, handlerTimeoutMs: 100 * SECOND }],
  ])('no other instance takes it while %s has time to answer', async (_, deadlines) => {
    const w = await world(undefined, { ...deadlines, fetch: () => new Promise(() => {}) })
    await w.write()
    void w.outbox.deliverDue()
    expect(await w.make().deliverDue()).toBe(0)
    w.pass(100 * SECOND)
    expect(await w.make().deliverDue()).toBe(0)
  })

  it('by themselves they have 15 and 30 seconds, and another instance takes it 45 seconds after the longer', async () => {
    const w = await world((attempt) => (attempt === 1 ? new Promise(() => {}) : new Response()))
    await w.write()
    void w.outbox.deliverDue()
    w.pass(75 * SECOND - 1)
    expect(await w.make().deliverDue()).toBe(0)
    w.pass(1)
    expect(await w.make().deliverDue()).toBe(1)
  })

  it('a stop waits for it', async () => {
    let answer = () => {}
    const w = await world(() => new Promise((resolve) => (answer = () => resolve(new Response()))))
    const row = await w.write()
    void w.outbox.deliverDue()
    await expect.poll(() => w.sent.length).toBe(1)
    const settled = w.outbox.settled()
    answer()
    await settled
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })

  it('a store that fails makes the same process mark it later, without sending it twice', async () => {
    const w = await world()
    const row = await w.write()
    let failing = true
    const lines: object[] = []
    const full = new Error('disk full')
    const outbox = w.make({
      logger: { ...silentLogger, error: (fields, message = '') => void lines.push({ ...fields, message }) },
      store: {
        leaseNotices: w.store.leaseNotices.bind(w.store),
        updateNotice: async (...outcome) => {
          if (failing) throw full
          await w.store.updateNotice(...outcome)
        },
      },
    })
    await outbox.deliverDue()
    expect(lines).toEqual([
      {
        err: full,
        noticeId: row.id,
        depositId: w.deposit.id,
        message: 'the outcome of a notice could not be written down; it will be tried again',
      },
    ])
    failing = false
    w.pass(2 * 60 * SECOND)
    await outbox.deliverDue()
    expect(w.sent).toHaveLength(1)
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })

  it('what a person has sent again before a failing store is over goes out once more', async () => {
    const w = await world()
    const row = await w.write()
    const { leaseNotices } = w.store
    const failing = { leaseNotices, updateNotice: vi.fn(w.store.updateNotice).mockRejectedValueOnce(new Error('full')) }
    const outbox = w.make({ store: failing })
    await outbox.deliverDue()
    w.pass(10 * SECOND)
    await w.store.requeueNotices(w.deposit.id, w.now())
    expect(await outbox.deliverDue()).toBe(1)
    expect(w.sent.map(({ id }) => id)).toEqual([row.id, row.id])
    expect(await w.stored(row.id)).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  it('what a person has sent again just when its lease ends goes out once more, and nothing else does', async () => {
    const w = await world()
    const row = await w.write()
    const other = depositRecord()
    await w.store.apply({
      ...creation(other),
      notices: [noticeRecord(other.id, { createdAt: w.now(), dueAt: w.now() })],
    })
    const updateNotice = vi.fn(w.store.updateNotice)
    for (let n = 0; n < 2; n++) updateNotice.mockRejectedValueOnce(new Error('full'))
    const outbox = w.make({ store: { leaseNotices: w.store.leaseNotices, updateNotice } })
    expect(await outbox.deliverDue()).toBe(2)
    w.pass(75 * SECOND)
    const tools = quietTools({ store: w.store, now: w.now })
    await createPayments(tools, { resumeNotices: outbox.resume } as never).resend(w.deposit.id)
    expect(await outbox.deliverDue()).toBe(2)
    expect(w.sent.map(({ id }) => id).filter((id) => id === row.id)).toHaveLength(2)
    expect(w.sent).toHaveLength(3)
  })

  it('a database that does not answer is asked once, however many rounds are due meanwhile', async () => {
    const w = await world()
    const row = await w.write()
    const answers: (() => void)[] = []
    let asked = 0
    const silent = {
      updateNotice: w.store.updateNotice,
      async leaseNotices(...due: Parameters<typeof w.store.leaseNotices>) {
        asked += 1
        await new Promise<void>((resolve) => void answers.push(resolve))
        return w.store.leaseNotices(...due)
      },
    }
    const outbox = w.make({ store: silent })
    const first = outbox.deliverDue()
    expect(await Promise.race([outbox.deliverDue(), outbox.deliverDue()])).toBe(0)
    expect(asked).toBe(1)
    answers.shift()?.()
    expect(await first).toBe(1)
    expect(w.sent.map(({ id }) => id)).toEqual([row.id])
    void outbox.deliverDue()
    expect(asked).toBe(2)
  })

  it('two companions on one store do not both send it', async () => {
    const w = await world()
    for (let index = 0; index < 8; index++) await w.write()
    const others = [w.make(), w.make()]
    await Promise.all(others.map((outbox) => outbox.deliverDue()))
    expect(new Set(w.sent.map(({ id }) => id)).size).toBe(8)
    expect(w.sent).toHaveLength(8)
  })
})

it('figures count how each attempt ended: delivered, failed or dead, and what could not be written down', async () => {
  const counted: string[] = []
  const took: string[] = []
  const answer = (attempt: number) => {
    w.pass(1500)
    return new Response(null, { status: attempt === 2 ? 204 : 500 })
  }
  const w = await world(answer, {
    metrics: {
      ...silentMetrics,
      observe: (name, seconds, labels) => void took.push([name, seconds, ...Object.values(labels ?? {})].join(' ')),
      count: (name, labels) => void counted.push([name, ...Object.values(labels ?? {})].join(' ')),
    },
  })
  await w.write()
  await w.outbox.deliverDue()
  w.pass(5 * SECOND)
  await w.outbox.deliverDue()
  await w.write({ attempts: 40, createdAt: w.now() - 31 * DAY })
  await w.outbox.deliverDue()
  expect(counted).toEqual(['notices failed', 'notices delivered', 'notices dead'])
  expect(took).toEqual(['notice 1.5 failed', 'notice 1.5 delivered', 'notice 1.5 failed'])
  const lastError = 'answered 500: what does the log of the receiver say?'
  expect(w.dead).toMatchObject([[{ state: 'dead', attempts: 41, lastError }, lastError]])
  await w.write()
  const failing = { leaseNotices: w.store.leaseNotices, updateNotice: () => Promise.reject(new Error('no disk')) }
  await w.make({ store: failing }).deliverDue()
  expect(counted.at(-1)).toBe('store_failures updateNotice')
})
