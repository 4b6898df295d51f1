// The handlers in this process that take notices: when one counts as told, and what a slow or
// failing one changes for the others.
import { describe, expect, it, vi } from 'vitest'
import type { Notice } from '../../server/contract/index.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { SECOND, world } from './outbox-world.ts'

describe('a handler in this process', () => {
  const alone = { settings: { notifySecrets: [] } } as const

  it('is told with the notice and its id, and the notice is delivered when it has resolved', async () => {
    const w = await world(undefined, alone)
    const row = await w.write()
    const told: [Notice, unknown][] = []
    let finish = () => {}
    w.outbox.on('payment.succeeded', async (notice, context) => {
      told.push([notice, context])
      await new Promise<void>((resolve) => (finish = resolve))
    })
    const round = w.outbox.deliverDue()
    await new Promise((resolve) => setImmediate(resolve))
    expect((await w.stored(row.id))?.state).toBe('waiting')
    finish()
    await round
    expect(told).toEqual([[JSON.parse(row.body), { id: row.id, attempt: 1 }]])
    expect((await w.stored(row.id))?.state).toBe('delivered')
    expect(w.sent).toEqual([])
  })

  it('that rejects is told again by the schedule, with the next attempt', async () => {
    const w = await world(undefined, alone)
    const row = await w.write()
    const attempts: number[] = []
    w.outbox.on('*', (_, { attempt }) => {
      attempts.push(attempt)
      if (attempts.length < 3) throw new Error('the shop is asleep')
    })
    for (const wait of [0, 5 * SECOND, 300 * SECOND]) {
      w.pass(wait)
      await w.outbox.deliverDue()
    }
    expect(attempts).toEqual([1, 2, 3])
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })

  it('that hangs counts as failed after its time', async () => {
    const lines: object[] = []
    const w = await world(undefined, {
      ...alone,
      handlerTimeoutMs: 20,
      logger: { ...silentLogger, warn: (fields, message = '') => void lines.push({ ...fields, message }) },
    })
    const row = await w.write()
    w.outbox.on('payment.succeeded', () => new Promise(() => {}))
    await w.outbox.deliverDue()
    expect(lines[0]).toEqual({
      err: new Error('it did not end within 0.02 s'),
      noticeId: row.id,
      depositId: w.deposit.id,
      type: 'payment.succeeded',
      message: 'a notice handler failed',
    })
    expect(await w.stored(row.id)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      lastError: 'a handler in this process failed',
    })
  })

  it('that has answered leaves no timer behind', async () => {
    let timers = 0
    const w = await world(undefined, {
      ...alone,
      later() {
        timers += 1
        return () => (timers -= 1)
      },
    })
    await w.write()
    const seen: number[] = []
    w.outbox.on('payment.succeeded', () => void seen.push(timers))
    expect(await w.outbox.deliverDue()).toBe(1)
    expect([seen, timers]).toEqual([[1], 0])
  })

  it('that has answered does not keep a process alive that is ending', async () => {
    const w = await world(undefined, { ...alone, handlerTimeoutMs: 12_345 })
    await w.write()
    w.outbox.on('payment.succeeded', () => {})
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
    expect(await w.outbox.deliverDue()).toBe(1)
    const timer: unknown = set.mock.results[set.mock.calls.findIndex(([, ms]) => ms === 12_345)]?.value
    expect(timer).toBeDefined()
    expect(cleared.mock.calls).toContainEqual([timer])
    vi.restoreAllMocks()
  })

  it('that is there for the type and for every type is told once', async () => {
    const w = await world(undefined, alone)
    await w.write()
    const told: string[] = []
    const credit = (_: Notice, { id }: { id: string }) => void told.push(id)
    const stop = w.outbox.on('payment.succeeded', credit)
    w.outbox.on('*', credit)
    await w.outbox.deliverDue()
    expect(told).toHaveLength(1)
    stop()
    await w.write()
    await w.outbox.deliverDue()
    expect(told).toHaveLength(2)
  })

  it.each([
    ['payment.success', () => {}, /no notice payment\.success: .*payment\.succeeded, .*\*/],
    [undefined, () => {}, /no notice undefined/],
    ['payment.succeeded', undefined, /needs a function/],
  ])('of type %s is refused at once where it could never be told', async (type, handler, says) => {
    const w = await world(undefined, alone)
    expect(() => w.outbox.on(type as never, handler as never)).toThrow(says)
    expect(w.outbox.health().receiver).toBe('none')
  })

  it('that two parts of a program have registered is told once, and goes on until both have unsubscribed it', async () => {
    const w = await world(undefined, alone)
    const told: number[] = []
    const handler = (notice: Notice) => void told.push(notice.data.version)
    const offs = [w.outbox.on('payment.succeeded', handler), w.outbox.on('payment.succeeded', handler)]
    await w.write()
    await w.outbox.deliverDue()
    expect(told).toHaveLength(1)
    offs[0]?.()
    offs[0]?.()
    await w.write()
    await w.outbox.deliverDue()
    expect(told).toHaveLength(2)
    offs[1]?.()
    expect(w.outbox.health().receiver).toBe('none')
  })

  it('beside an address: both must take it, and the one that has is not told twice', async () => {
    const w = await world()
    const row = await w.write()
    let calls = 0
    w.outbox.on('payment.succeeded', () => {
      if (++calls === 1) throw new Error('not yet')
    })
    await w.outbox.deliverDue()
    expect((await w.stored(row.id))?.state).toBe('waiting')
    w.pass(5 * SECOND)
    await w.outbox.deliverDue()
    expect([calls, w.sent.length]).toEqual([2, 1])
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })

  it('beside an address that fails: is not told again what it has taken', async () => {
    const w = await world((attempt) => new Response(null, { status: attempt === 1 ? 500 : 204 }))
    const row = await w.write()
    let calls = 0
    w.outbox.on('payment.succeeded', () => void (calls += 1))
    await w.outbox.deliverDue()
    w.pass(5 * SECOND)
    await w.outbox.deliverDue()
    expect([calls, w.sent.length]).toEqual([1, 2])
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })

  it('beside an address: sent again by a person, the address is told again though it had taken the notice', async () => {
    const w = await world()
    const row = await w.write()
    let failing = true
    w.outbox.on('payment.succeeded', () => {
      if (failing) throw new Error('not yet')
    })
    await w.outbox.deliverDue()
    expect(await w.store.requeueNotices(w.deposit.id, w.now())).toBe(1)
    failing = false
    await w.outbox.deliverDue()
    expect(w.sent.map(({ id }) => id)).toEqual([row.id, row.id])
    expect((await w.stored(row.id))?.state).toBe('delivered')
  })

  it('beside an address that asks for a pause: is told meanwhile of what comes next, once, and the address after the pause', async () => {
    const pause = { status: 503, headers: { 'retry-after': '300' } }
    const w = await world((attempt) => new Response(null, attempt === 1 ? pause : { status: 204 }))
    const told: string[] = []
    w.outbox.on('*', (_, { id }) => void told.push(id))
    const first = await w.write()
    await w.outbox.deliverDue()
    const second = await w.write({ lastError: 'answered 500' })
    await w.outbox.deliverDue()
    expect(told).toEqual([first.id, second.id])
    expect(w.sent).toHaveLength(1)
    // None of its attempts is used up, and it is not taken up again before the end of the pause.
    const dueAt = w.now() + 300 * SECOND
    const lastError = 'answered 500'
    expect(await w.stored(second.id)).toMatchObject({ state: 'waiting', attempts: 0, dueAt, lastError })
    w.pass(330 * SECOND)
    await w.outbox.deliverDue()
    expect(w.sent.map(({ id }) => id).toSorted()).toEqual([first.id, first.id, second.id].toSorted())
    expect(told).toEqual([first.id, second.id])
    expect([(await w.stored(first.id))?.state, (await w.stored(second.id))?.state]).toEqual(['delivered', 'delivered'])
  })

  it('beside an address that hangs: is told of what comes next while all places at the address are taken', async () => {
    const hung = Promise.withResolvers<Response>()
    const w = await world((attempt) => (attempt <= 2 ? hung.promise : new Response(null, { status: 204 })), {
      parallel: 2,
    })
    const told: string[] = []
    w.outbox.on('*', (_, { id }) => void told.push(id))
    const rows = [await w.write(), await w.write(), await w.write()]
    const round = w.outbox.deliverDue()
    await expect.poll(() => w.sent.length).toBe(2)
    // A burst takes all places too: the third goes to both once one is free.
    expect(await w.outbox.deliverDue()).toBe(0)
    w.pass(2 * SECOND)
    await w.outbox.deliverDue()
    expect(told.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
    expect(w.sent).toHaveLength(2)
    const third = rows.find(({ id }) => !w.sent.some((one) => one.id === id))
    expect(await w.stored(third?.id ?? '')).toMatchObject({
      state: 'waiting',
      attempts: 0,
      dueAt: w.now() + 15 * SECOND,
      lastError: 'waits for the receiver at HC_NOTIFY_URL; the handlers have it',
    })
    hung.resolve(new Response(null, { status: 204 }))
    await round
    w.pass(15 * SECOND)
    await w.outbox.deliverDue()
    expect(w.sent).toHaveLength(3)
    expect(told).toHaveLength(3)
    for (const { id } of rows) expect(await w.stored(id)).toMatchObject({ state: 'delivered', attempts: 1 })
  })

  it.each([SECOND, 100 * SECOND])(
    'beside an address that pauses: sent again by a person after %i ms, it is told again',
    async (wait) => {
      const w = await world(() => new Response(null, { status: 503, headers: { 'retry-after': '300' } }))
      const told: string[] = []
      w.outbox.on('*', (_, { id }) => void told.push(id))
      const first = await w.write()
      await w.outbox.deliverDue()
      const { id } = await w.write()
      await w.outbox.deliverDue()
      const timesTold = () => [first.id, id].map((one) => told.filter((each) => each === one).length)
      expect(timesTold()).toEqual([1, 1])
      // By another instance, so that this one hears of it from the row alone: soon, or once the
      // lease of the first attempt is long over.
      w.pass(wait)
      await w.store.requeueNotices(w.deposit.id, w.now())
      await w.outbox.deliverDue()
      expect(timesTold()).toEqual([2, 2])
    },
  )

  it('without any receiver notices wait untouched, and health says so', async () => {
    const w = await world(undefined, alone)
    const row = await w.write()
    expect(await w.outbox.deliverDue()).toBe(0)
    expect(w.outbox.health()).toEqual({ receiver: 'none', unheard: [] })
    expect(await w.stored(row.id)).toEqual(row)
    const stop = w.outbox.on('payment.succeeded', () => {})
    expect(w.outbox.health().receiver).toBe('ok')
    stop()
    expect(w.outbox.health().receiver).toBe('none')
  })

  it('of another type leaves a notice waiting, without counting attempts, until its own handler comes', async () => {
    const w = await world(undefined, alone)
    const row = await w.write()
    w.outbox.on('payment.failed', () => {})
    await w.outbox.deliverDue()
    expect(await w.stored(row.id)).toMatchObject({
      state: 'waiting',
      attempts: 0,
      dueAt: w.now() + 5 * 60 * SECOND,
      lastError: 'no handler for payment.succeeded',
    })
    expect(w.outbox.health().unheard).toEqual(['payment.succeeded'])
    const told: string[] = []
    w.outbox.on('payment.succeeded', (_, { id }) => void told.push(id))
    w.pass(5 * 60 * SECOND)
    await w.outbox.deliverDue()
    expect(told).toEqual([row.id])
    expect(w.outbox.health().unheard).toEqual([])
  })

  it('of another type makes an old notice wait for up to a day, so that years of them do not delay the others', async () => {
    const w = await world(undefined, alone)
    const row = await w.write()
    w.outbox.on('payment.failed', () => {})
    const waits: number[] = []
    for (const age of [3600.001, 7 * 86_400, 365 * 86_400]) {
      w.pass(row.createdAt + age * SECOND - w.now())
      await w.outbox.deliverDue()
      waits.push(((await w.stored(row.id))?.dueAt ?? 0) - w.now())
    }
    expect(waits).toEqual([15 * 60 * SECOND, 86_400 * SECOND, 86_400 * SECOND])
  })
})
