// The request budget: never above the limit in any minute, urgent requests first, patient ones
// spread over the minute.
import { describe, expect, it } from 'vitest'
import { createAfterRestore } from '../../server/operations/after-restore.ts'
import { createBudget } from '../../server/deposits/settle/budget.ts'
import { createBudgetMemory } from '../../server/deposits/settle/budget-memory.ts'
import type { Priority } from '../../server/deposits/settle/budget.ts'
import { decide } from '../../server/deposits/machine/decide.ts'
import { createHealthWatch } from '../../server/operations/health-watch.ts'
import { createReconciler } from '../../server/deposits/settle/reconcile.ts'
import { createScheduler } from '../../server/operations/scheduler.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import type { Mover } from '../../server/deposits/settle/mover.ts'
import type { Tools } from '../../server/deposits/ports/machine.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { createMemoryCounters } from '../../server/store/engine/memory-counters.ts'
import type { Upstream } from '../../server/deposits/ports/upstream.ts'
import { creation, depositRecord, START } from '../helpers/deposit-record.ts'
import { createTestSystem, SHOP_URL } from '../helpers/create-test-system.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import { quietTools } from '../helpers/quiet-tools.ts'
import { createChance } from '../sim/chance.ts'
import { simSettings } from '../sim/sim-settings.ts'

const SECOND = 1000

function budgetOf(rate: number) {
  let at = START
  const store = memoryStore()
  const budget = createBudget({ store, now: () => at, rate, shared: false })
  return {
    budget,
    move: (ms: number) => void (at += ms),
    async took(priority: Priority, times: number): Promise<number> {
      let granted = 0
      for (let i = 0; i < times; i++) if (await budget.take(priority)) granted += 1
      return granted
    },
  }
}

describe('the budget after a restart', () => {
  async function started(store = memoryStore(), at = START) {
    let clock = at
    const writes: Promise<unknown>[] = []
    const background = (work: () => Promise<unknown>) => void writes.push(work())
    const budget = createBudget({
      store,
      now: () => clock,
      rate: 100,
      shared: false,
      memory: (used) => createBudgetMemory({ store, used, background }),
    })
    return {
      store,
      move: (ms: number) => void (clock += ms),
      /** How many of 200 are granted; what is written of them may end. */
      async took(): Promise<number> {
        let granted = 0
        for (let i = 0; i < 200; i++) if (await budget.take('confirm')) granted += 1
        await Promise.all(writes)
        return granted
      },
    }
  }

  it('holds what was used before it, until that is a minute old', async () => {
    const first = await started()
    expect(await first.took()).toBe(100)
    const second = await started(first.store, START + 30 * SECOND)
    expect(await second.took()).toBe(0)
    second.move(29 * SECOND)
    expect(await second.took()).toBe(0)
    second.move(2 * SECOND)
    expect(await second.took()).toBe(100)
    expect(await (await started(first.store, START + 600 * SECOND)).took()).toBe(100)
  })

  it('is kept by a companion on SQLite: the next one on its file makes no call too many', async () => {
    const system = await createTestSystem({ agent: false, settings: { rate: 10 } })
    const shop = { headers: { origin: SHOP_URL } }
    for (let i = 0; i < 12; i++) await system.browser(`/v1/banks?country=${i % 2 ? 'KE' : 'TZ'}`, shop)
    await system.companion.idle()
    const kept = JSON.parse((await system.store.meta('upstream_calls')) ?? '[]') as [number, number][]
    expect(kept.reduce((sum, [, count]) => sum + count, 0)).toBe(2)
    expect(kept.every(([second]) => second === Math.floor(system.now() / 1000))).toBe(true)
    await system.close()
  })

  it('counts what lies ahead of a clock that was set back, and nothing that cannot be read', async () => {
    const first = await started()
    await first.took()
    expect(await (await started(first.store, START - 10 * SECOND)).took()).toBe(0)
    const { store } = first
    await store.setMeta('upstream_calls', 'none')
    expect(await (await started(store)).took()).toBe(100)
    const silent = Object.assign(memoryStore(), {
      meta: () => Promise.reject(new Error('The disk is full.')),
      setMeta: () => Promise.reject(new Error('The disk is full.')),
    })
    expect(await (await started(silent)).took()).toBe(100)
  })
})

describe('the budget', () => {
  it('gives no more than the rate in any 60 s, whoever asks, whenever', async () => {
    const chance = createChance(5)
    const { budget, move } = budgetOf(100)
    const granted: number[] = []
    let at = 0
    for (let i = 0; i < 20_000; i++) {
      const step = chance.happens(0.01) ? 5_000 : chance.between(0, 30)
      at += step
      move(step)
      if (await budget.take(chance.pick(['confirm', 'create', 'check', 'watch', 'sweep'] as const))) granted.push(at)
    }
    let most = 0
    for (let first = 0, last = 0; last < granted.length; last++) {
      while (granted[last]! - granted[first]! >= 60_000) first += 1
      most = Math.max(most, last - first + 1)
    }
    expect(granted.length).toBeGreaterThan(500)
    expect(most).toBeLessThanOrEqual(100)
    expect(most).toBeGreaterThan(90)
  })

  it('spreads what watches over the minute: who comes late in it is watched as well', async () => {
    const { budget, move, took } = budgetOf(1500)
    // 80 % of 1500 a minute are 20 a second; as many may come at once.
    expect(budget.left('watch')).toBe(20)
    expect(await took('watch', 1000)).toBe(20)
    expect(budget.left('watch')).toBe(0)
    for (let second = 1; second <= 55; second++) {
      move(SECOND)
      expect(await took('watch', 1000)).toBe(20)
    }
    // Nothing else has to wait for them.
    expect(budget.left('confirm')).toBe(1500 - 56 * 20)
    expect(await took('confirm', 1000)).toBe(380)
    expect(await took('confirm', 1)).toBe(0)
  })

  it('counts what is asked in vain: a crowd that sweeps cannot ask all the time', async () => {
    const { move, took } = budgetOf(1500)
    expect(await took('create', 1000)).toBe(1000)
    // Past 60 % of the minute a sweep gets its small part alone; each that tried has used up its
    // turn.
    expect(await took('sweep', 100)).toBe(5)
    expect(await took('watch', 100)).toBe(0)
    move(SECOND)
    expect(await took('watch', 100)).toBe(20)
  })

  it('keeps a part for those who left the page, while others look on without end', async () => {
    const { budget, move, took } = budgetOf(1500)
    let [swept, watched] = [0, 0]
    for (let second = 0; second < 180; second++) {
      const [sweeps, watches] = [await took('sweep', 5), await took('watch', 100)]
      // Once the first minute is full.
      if (second >= 120) [swept, watched] = [swept + sweeps, watched + watches]
      move(SECOND)
    }
    // An eighth of the 1200 that patient asks have in a minute, and never more than those.
    expect(swept).toBeGreaterThanOrEqual(145)
    expect(swept).toBeLessThanOrEqual(155)
    expect(watched + swept).toBeLessThanOrEqual(1200)
    // It is not taken from what is urgent.
    expect(budget.left('confirm')).toBeGreaterThanOrEqual(300)
  })

  it('gives a small budget its first asks at once, and fills nothing while the clock steps back', async () => {
    const { move, took } = budgetOf(10)
    expect(await took('watch', 100)).toBe(5)
    move(-10 * SECOND)
    expect(await took('watch', 100)).toBe(0)
    move(7.5 * SECOND)
    expect(await took('watch', 100)).toBe(1)
  })

  it.each([
    ['confirm', 1000, 0],
    ['create', 950, 0],
    ['check', 880, 0],
    ['watch', 800, 0],
    // And the first five of the part that is its own for ever.
    ['sweep', 600, 5],
  ] as const)(
    'leaves %s the first %i of 1000, so that what is more urgent has the rest',
    async (priority, share, more) => {
      const { budget, took } = budgetOf(1000)
      expect(await took('confirm', share - 1)).toBe(share - 1)
      expect(budget.left(priority)).toBe(1)
      expect(await took(priority, 12)).toBe(1 + more)
    },
  )

  it('begins anew when the clock was set back by an hour, and holds to the rate from there', async () => {
    const { budget, move, took } = budgetOf(100)
    expect(await took('confirm', 200)).toBe(100)
    move(-3600 * SECOND)
    expect(budget.left('confirm')).toBe(100)
    expect(await took('confirm', 200)).toBe(100)
    move(59 * SECOND)
    expect(await took('confirm', 200)).toBe(0)
    move(3 * SECOND)
    expect(await took('confirm', 200)).toBe(100)
    expect(budget.left('confirm')).toBe(0)
  })

  it('has room for new payments while no query of those that callbacks called paid is answered', async () => {
    const { budget, move } = budgetOf(150)
    const context = { watched: false, paidElsewhere: false }
    const rung = { kind: 'callback', reported: { kind: 'success', resultCode: '0', resultDescription: '' } } as const
    let waiting: Deposit[] = []
    let at = START
    for (let tick = 0; tick < 45 * 6; tick++) {
      const begun = { ...context, now: at, trustedNow: at }
      // One a minute for each 25 of the rate: 60 at the default.
      expect(await budget.take('create')).toBe(true)
      waiting.push(decide(depositRecord({ createdAt: at }), { ...rung, decides: false }, begun).deposit)
      for (let second = 0; second < 10; second++) {
        const now = { ...context, now: at, trustedNow: at }
        const asked: Deposit[] = []
        for (const deposit of waiting) {
          const isAsked = (deposit.dueAt ?? 0) <= at && (await budget.take('confirm'))
          asked.push(isAsked ? decide(deposit, { kind: 'query-failed' }, now).deposit : deposit)
        }
        waiting = asked
        at += SECOND
        move(SECOND)
      }
    }
    expect(waiting).toHaveLength(45 * 6)
  })
})

describe('the budget of several companions on one database', () => {
  function companions(count: number, rate = 1500) {
    let at = START
    const counters = createMemoryCounters()
    const granted: number[] = []
    const store = {
      async take(...taking: Parameters<typeof counters.take>) {
        const got = counters.take(...taking)
        granted.push(got)
        return got
      },
    }
    const make = () => createBudget({ store, now: () => at, rate, shared: true })
    return { budgets: Array.from({ length: count }, make), granted, move: (ms: number) => void (at += ms) }
  }
  const took = async (asked: readonly Promise<boolean>[]) => (await Promise.all(asked)).filter(Boolean).length

  it('is used to its end by more that is in doubt than may be asked about, minute after minute', async () => {
    const { budgets, granted, move } = companions(2)
    const minutes: number[] = []
    for (let minute = 0; minute < 3; minute++) {
      let confirmed = 0
      for (let round = 0; round < 60; round++) {
        for (const { left, take } of budgets) {
          const asked = Array.from({ length: Math.min(48, left('confirm')) }, () => take('confirm'))
          confirmed += await took(asked)
        }
        move(SECOND)
      }
      minutes.push(confirmed)
    }
    // Six whole windows of a seventh of the minute each.
    expect(minutes).toEqual([6 * 214, 6 * 214, 6 * 214])
    // Nobody asks the database for what is used up: it was asked once for each chunk, and once in
    // vain by each for each window.
    expect(granted.length).toBeLessThanOrEqual(18 * (22 + 2))
    // Nor is anybody held up by what was refused.
    expect(budgets[0]!.left('create')).toBeGreaterThanOrEqual(1425 - 1284)
  })

  it('leaves to the others what many requests of one do not need', async () => {
    const { budgets } = companions(2)
    const [one, other] = budgets
    const side = (budget: typeof one) => Array.from({ length: 48 }, () => budget!.take('confirm'))
    expect(await took(side(one))).toBe(48)
    expect(await took(side(other))).toBe(48)
  })

  it('is asked of the database by its share of a window; of the least of all rates, one for each purpose', async () => {
    const limits: number[] = []
    const store = { take: (...[, , , limit]: Parameters<Store['take']>) => (limits.push(limit), Promise.resolve(1)) }
    for (const rate of [1500, 10]) {
      const budget = createBudget({ store, now: () => START, rate, shared: true })
      for (const purpose of ['confirm', 'create', 'check', 'watch', 'sweep'] as const)
        expect(await budget.take(purpose)).toBe(true)
      expect(budget.left('confirm')).toBe(rate - 5)
    }
    expect(limits).toEqual([214, 203, 188, 171, 128, 1, 1, 1, 1, 1])
    // A sweep on its reserved part stands among those that are watched, also in the database.
    const budget = createBudget({ store, now: () => START, rate: 1500, shared: true })
    for (let i = 0; i < 1000; i++) await budget.take('create')
    limits.length = 0
    expect(await budget.take('sweep')).toBe(true)
    expect(limits).toEqual([171])
  })

  it('is not larger afterwards for what the others had used up', async () => {
    let at = START
    let limit = 0
    const store = { take: () => Promise.resolve(limit) }
    const budget = createBudget({ store, now: () => at, rate: 100, shared: true })
    for (let second = 0; second < 120; second++) {
      expect(await budget.take('confirm')).toBe(false)
      at += SECOND
    }
    limit = 10
    at += 10 * SECOND
    expect(budget.left('confirm')).toBe(100)
    expect(await took(Array.from({ length: 200 }, () => budget.take('confirm')))).toBe(100)
  })

  it('of a window is not spent in the next, nor is what is granted too late for it', async () => {
    let at = Math.ceil(START / 10_000) * 10_000
    const windows: number[] = []
    let grant: (granted: number) => void = () => undefined
    const store = {
      take: (_name: string, window: number) => {
        windows.push(window)
        return new Promise<number>((resolve) => (grant = resolve))
      },
    }
    const budget = createBudget({ store, now: () => at, rate: 1500, shared: true })
    const first = budget.take('confirm')
    await Promise.resolve()
    grant(10)
    expect(await first).toBe(true)
    at += 10 * SECOND
    const second = budget.take('confirm')
    await Promise.resolve()
    expect(windows).toHaveLength(2)
    at += 10 * SECOND
    // Somebody else has turned to the next window meanwhile.
    budget.left('confirm')
    grant(10)
    await new Promise((resolve) => setImmediate(resolve))
    expect(windows).toEqual([at - 20 * SECOND, at - 10 * SECOND, at])
    grant(0)
    expect(await second).toBe(false)
    expect(budget.left('confirm')).toBe(0)
  })

  it.each([-3600, 30, 120])(
    'is what it was when the database gives nothing and the clock has moved by %i s meanwhile',
    async (seconds) => {
      let at = START
      let refuse = () => {}
      let answer = new Promise<number>((_, reject) => (refuse = () => reject(new Error('no database'))))
      const store = { take: () => answer }
      const budget = createBudget({ store, now: () => at, rate: 10, shared: true })
      const early = budget.take('confirm')
      at += seconds * SECOND
      expect(budget.left('confirm')).toBe(Math.abs(seconds) < 60 ? 9 : 10)
      refuse()
      await expect(early).rejects.toThrow('no database')
      answer = Promise.resolve(100)
      expect(await took(Array.from({ length: 50 }, () => budget.take('confirm')))).toBe(10)
    },
  )

  it('counts nothing that the database did not answer', async () => {
    const store = { take: () => Promise.reject(new Error('no database')) }
    const budget = createBudget({ store, now: () => START, rate: 1500, shared: true })
    await expect(budget.take('confirm')).rejects.toThrow('no database')
    expect(budget.left('confirm')).toBe(1500)
  })
})

describe('more payments due than may be asked about', () => {
  it('are asked about a few at a time, not many at each round: nobody else is held up by them', async () => {
    let at = START
    const sleepers: { readonly until: number; readonly wake: () => void }[] = []
    const sleep = (ms: number) => new Promise<void>((wake) => void sleepers.push({ until: at + ms, wake }))
    const { left, take } = createBudget({ store: memoryStore(), now: () => at, rate: 1500, shared: false })
    const rounds: number[] = []
    const nothing = async () => 0
    const tools = quietTools({ store: memoryStore(), now: () => at, sleep, background: () => {} })
    const scheduler = createScheduler(tools, {
      reconciler: {
        async askDue() {
          const asked = left('watch')
          for (let i = 0; i < asked; i++) await take('watch')
          rounds.push(asked)
          return asked
        },
      },
      callbacks: { matchDue: nothing },
      outbox: { deliverDue: nothing },
      streams: { beat: () => 0 },
      clock: { trustedNow: () => at, look: nothing },
      health: { look: async () => {} },
      retentionDays: 90,
    })
    scheduler.start()
    while (at < START + 30 * SECOND) {
      await new Promise(setImmediate)
      sleepers.sort((a, b) => b.until - a.until)
      const next = sleepers.pop()!
      at = next.until
      next.wake()
    }
    const stopping = scheduler.stop()
    for (const { wake } of sleepers) wake()
    await stopping
    // A second's worth may come at once after a calm time; all the rest, 20 a second, is spread.
    expect(rounds[0]).toBe(20)
    expect(Math.max(...rounds.slice(1))).toBeLessThanOrEqual(4)
    expect(rounds.reduce((sum, asked) => sum + asked, 0)).toBeGreaterThanOrEqual(30 * 20)
  })

  function system(rate: number) {
    let at = START
    const written: string[] = []
    const asked: string[] = []
    const kept = memoryStore()
    /** While `held`, a lease is answered when its turn in `waiting` is called. */
    const leases = { held: false, waiting: [] as (() => void)[] }
    const store = new Proxy(kept, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (name === 'reschedule') written.push((args[0] as Deposit).id)
          const call = () => (value as (...all: unknown[]) => unknown).apply(target, args)
          if (name !== 'leaseDeposits' || !leases.held) return call()
          return new Promise<void>((resolve) => void leases.waiting.push(resolve)).then(call)
        }
      },
    })
    const budget = createBudget({ store, now: () => at, rate, shared: false })
    const answers: (() => void)[] = []
    const held = { on: false }
    const line = { isDown: false }
    const upstream = {
      isDown: () => line.isDown,
      async query({ reference }: { readonly reference: string }) {
        asked.push(reference)
        if (held.on) await new Promise<void>((resolve) => void answers.push(resolve))
        return { kind: 'found', status: 'PENDING', reference }
      },
    } as unknown as Upstream
    const tools: Tools = {
      store,
      now: () => at,
      trustedNow: () => at,
      random: (bytes) => new Uint8Array(bytes),
      logger: silentLogger,
      count: () => {},
      observe: () => {},
      alert: () => {},
      hear: () => {},
      isWatched: () => true,
      sleep: async () => {},
      traceparent: () => undefined,
      background: (work) => void work(),
    }
    const mover = {
      // As the mover does for an answer that changed nothing: asked again in twelve seconds.
      async move(deposit: Deposit) {
        await kept.reschedule(deposit, { dueAt: at + 12 * SECOND, asks: deposit.asks + 1 })
        return deposit
      },
    } as unknown as Mover
    const reconciler = createReconciler(tools, { upstream, mover, budget })
    return { store, kept, reconciler, budget, line, asked, written, held, leases, answer: () => answers.shift()?.(), move: (ms: number) => void (at += ms), now: () => at } // prettier-ignore
  }

  it('stay due where they are, and one whose callback waits for its proof is queried before them', async () => {
    const { kept, reconciler, asked, written, move } = system(60)
    for (let i = 0; i < 300; i++) await kept.apply(creation(depositRecord({ dueAt: START - 300 + i })))
    for (let round = 0; round < 20; round++) await reconciler.askDue()
    expect(asked).toHaveLength(5)
    expect(written).toEqual([])
    // Neither the crowd before it nor what the crowd has used up keeps these waiting.
    for (const phase of ['confirming', 'unknown'] as const) {
      const row = depositRecord({ phase, dueAt: START })
      await kept.apply(creation(row))
      await reconciler.askDue()
      expect(asked.at(-1)).toBe(row.reference)
    }
    move(10 * SECOND)
    for (let round = 0; round < 20; round++) await reconciler.askDue()
    // Eight in ten seconds at 48 a minute, but no more than five at once; the first have not come
    // round again.
    expect(asked).toHaveLength(12)
    expect(new Set(asked).size).toBe(12)
    expect(written).toEqual([])
  })

  it('of a database that does not answer are leased once, however many rounds are due meanwhile', async () => {
    const { kept, reconciler, asked, leases } = system(1500)
    await kept.apply(creation(depositRecord({ dueAt: START })))
    leases.held = true
    const first = reconciler.askDue()
    expect(await Promise.all([reconciler.askDue(), reconciler.askDue()])).toEqual([0, 0])
    expect(leases.waiting).toHaveLength(1)
    leases.held = false
    leases.waiting[0]!()
    expect(await first).toBe(1)
    expect(asked).toHaveLength(1)
    await kept.apply(creation(depositRecord({ dueAt: START })))
    expect(await reconciler.askDue()).toBe(1)
  })

  it('stay due while the service is left alone, and use up nothing: whoever comes when it is back finds it all', async () => {
    const { kept, reconciler, budget, line, asked, move } = system(60)
    const rows = Array.from({ length: 30 }, (_each, n) =>
      depositRecord({ phase: n < 15 ? 'confirming' : 'open', dueAt: START }),
    )
    for (const row of rows) await kept.apply(creation(row))
    line.isDown = true
    for (let second = 0; second < 20; second++) {
      await reconciler.askDue()
      // A customer who wants to know it now, too.
      await reconciler.ask((await kept.deposit(rows[0]!.id)) ?? rows[0]!, 'check')
      move(SECOND)
    }
    expect(asked).toEqual([])
    expect(budget.left('confirm')).toBe(60)
    line.isDown = false
    await reconciler.askDue()
    expect(asked.slice(0, 15)).toEqual(rows.slice(0, 15).map(({ reference }) => reference))
  })

  it.each(['a callback', 'a create without an answer'])(
    'after %s it is not written again that it waits',
    async (what) => {
      const { kept, reconciler, line, asked, written, now } = system(60)
      const reported = { kind: 'success', resultCode: '0', resultDescription: 'Processed' } as const
      const { deposit } = decide(
        depositRecord({ phase: what === 'a callback' ? 'open' : 'creating' }),
        what === 'a callback'
          ? { kind: 'callback', reported, decides: false }
          : { kind: 'create-unknown', reason: 'cut' },
        { now: now(), trustedNow: now(), watched: false, paidElsewhere: false },
      )
      await kept.apply(creation(deposit))
      line.isDown = true
      await reconciler.ask(deposit, 'confirm')
      expect([asked, written]).toEqual([[], []])
    },
  )

  it('a restored database is not called reconciled while the last are being asked about', async () => {
    const { store, kept, reconciler, asked, held, answer, move, now } = system(1500)
    const watch = createHealthWatch({
      settings: simSettings(1500),
      store,
      upstream: {
        health: () => ({
          login: 'ok',
          hasToken: true,
          queryPath: 'ok',
          breaker: 'closed',
          addressRefused: false,
          signatureRefused: false,
          paused: false,
        }),
        warmUp: async () => {},
        banks: async () => [],
        query: async () => ({ kind: 'not_found' }),
      },
      budget: { take: async () => true },
      now,
      alert: () => {},
      lookForSilence: async () => {},
      others: { look: async () => {}, seen: () => ({ sharesFile: false, heardElsewhere: [] }) },
      remind: async () => {},
      afterRestore: createAfterRestore({
        store,
        now,
        trustedNow: now,
        lookAtClock: async () => {},
        rounds: reconciler,
      }),
    })
    await kept.apply(creation(depositRecord({ createdAt: START - SECOND })))
    await kept.setMeta('restored_at', 'today')
    await watch.look()
    expect(await kept.meta('waking_after_restore')).toBe('today')
    held.on = true
    const round = reconciler.askDue()
    await expect.poll(() => asked.length).toBe(1)
    // Looked at each time, not with the rest of the system every 30 s: the balancer waits for it.
    move(SECOND)
    await watch.look()
    // Its lease has made it look as if nothing were due.
    expect(await kept.meta('reconciled_after_restore')).toBeUndefined()
    // Of a shop that is never quiet: another is asked about by then, and one more is due.
    await kept.apply(creation(depositRecord({ dueAt: now() })))
    void reconciler.askDue()
    await expect.poll(() => asked.length).toBe(2)
    await kept.apply(creation(depositRecord({ dueAt: now() })))
    answer()
    await round
    move(SECOND)
    await watch.look()
    expect(await kept.meta('reconciled_after_restore')).toBe('today')
  })
})
