// A machine with a wrong clock: after it is set back nothing waits for the length of the step;
// after it jumps ahead nothing is ended or erased by it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCallbacks } from '../../server/deposits/settle/callbacks.ts'
import { createClockWatch, LONGEST_WAITS } from '../../server/operations/clock-watch.ts'
import type { ClockWatch } from '../../server/operations/clock-watch.ts'
import { decide } from '../../server/deposits/machine/decide.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { nextAskIn } from '../../server/deposits/machine/schedule.ts'
import { createScheduler } from '../../server/operations/scheduler.ts'
import { DepositPhase } from '../../server/contract/index.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { nextAttempt } from '../../server/notices/schedule.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import {
  creation,
  depositRecord,
  idempotencyRecord,
  inboxRecord,
  noticeRecord,
  START,
} from '../helpers/deposit-record.ts'
import { quietTools } from '../helpers/quiet-tools.ts'
import { createStage } from './stage.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let store: Store
let clock: number
beforeEach(() => {
  store = sqliteStore({ path: ':memory:' })
  clock = START
})
afterEach(() => store.close())

/** A companion that starts, as far as its clock goes. */
const start = (): ClockWatch => createClockWatch({ store, now: () => clock, logger: silentLogger })
async function started(): Promise<ClockWatch> {
  const watch = start()
  await watch.look()
  return watch
}
async function run(watch: ClockWatch, ms: number): Promise<void> {
  for (const until = clock + ms; clock < until; clock += MINUTE) await watch.look()
}

describe('set back by a day', () => {
  const at = {
    asked: START + MINUTE,
    told: START + 30 * MINUTE,
    matched: START + 40 * SECOND,
    leased: START + 45 * SECOND,
  }
  const dues = async (id: string) => [(await store.deposit(id))?.dueAt, (await store.notices(id))[0]?.dueAt]

  async function waiting(): Promise<string> {
    const row = depositRecord({ phase: 'open', dueAt: at.asked })
    await store.apply({
      ...creation(row),
      notices: [noticeRecord(row.id, { attempts: 3, dueAt: at.told })],
      inbox: inboxRecord({ verdict: 'unmatched', dueAt: at.matched }),
    })
    return row.id
  }

  it('what is due comes as soon as it would have, and what was leased stays leased', async () => {
    const id = await waiting()
    const leased = depositRecord({ phase: 'open', dueAt: at.leased })
    await store.apply(creation(leased))
    const watch = await started()
    clock -= DAY
    expect(await watch.look()).toBe(4)
    expect(await dues(id)).toEqual([at.asked - DAY, at.told - DAY])
    expect(await store.leaseInbox(at.matched - DAY, at.matched, 9)).toHaveLength(1)
    expect((await store.deposit(leased.id))?.dueAt).toBe(at.leased - DAY)
    // Once for each step.
    expect(await watch.look()).toBe(0)
    expect(await dues(id)).toEqual([at.asked - DAY, at.told - DAY])
  })

  it('by a step that others met before the system looked, and while the store did not answer', async () => {
    const id = await waiting()
    let isDown = true
    const flaky: Store = {
      ...store,
      hasten: (...given) => (isDown ? Promise.reject(new Error()) : store.hasten(...given)),
    }
    const watch = createClockWatch({ store: flaky, now: () => clock, logger: silentLogger })
    await expect(watch.look()).rejects.toThrow()
    clock -= DAY
    watch.trustedNow()
    await expect(watch.look()).rejects.toThrow()
    isDown = false
    await watch.look()
    expect(await dues(id)).toEqual([at.asked - DAY, at.told - DAY])
  })

  it('in two steps between two looks: comes sooner by both, and the clock is believed at once', async () => {
    const id = await waiting()
    const watch = await started()
    for (let step = 0; step < 2; step++) {
      clock -= HOUR
      // Nothing is ended or erased by the time before.
      expect(watch.trustedNow()).toBe(clock)
    }
    await watch.look()
    expect(await dues(id)).toEqual([at.asked - 2 * HOUR, at.told - 2 * HOUR])
  })

  it('again while the store was moving what was due: that step is made up for by the next look', async () => {
    const id = await waiting()
    let steps = 1
    const slow: Store = {
      ...store,
      async hasten(...given) {
        const hastened = await store.hasten(...given)
        if (clock < START && steps++ === 1) {
          clock -= HOUR
          watch.trustedNow()
        }
        return hastened
      },
    }
    const watch = createClockWatch({ store: slow, now: () => clock, logger: silentLogger })
    await watch.look()
    clock -= HOUR
    await watch.look()
    await watch.look()
    expect(await dues(id)).toEqual([at.asked - 2 * HOUR, at.told - 2 * HOUR])
  })

  it('leaves alone what another machine has leased by the right time', async () => {
    const watch = await started()
    const row = depositRecord({ phase: 'open', dueAt: START - DAY + 45 * SECOND })
    await store.apply(creation(row))
    clock -= DAY
    expect(await watch.look()).toBe(0)
    expect((await store.deposit(row.id))?.dueAt).toBe(row.dueAt)
  })

  it('is not made up for once more by a restart soon after', async () => {
    const id = await waiting()
    const watch = await started()
    clock -= DAY
    await watch.look()
    expect(await start().look()).toBe(0)
    expect(await dues(id)).toEqual([at.asked - DAY, at.told - DAY])
  })

  it('while the companion was stopped', async () => {
    const id = await waiting()
    await started()
    clock -= DAY
    await started()
    expect(await dues(id)).toEqual([at.asked - DAY, at.told - DAY])
  })

  it('machines that share a database and differ by a few minutes bring nothing of each other forward', async () => {
    const id = await waiting()
    const behind = () => createClockWatch({ store, now: () => clock - 4 * MINUTE, logger: silentLogger })
    const watches = [await started(), behind()]
    for (const until = clock + 3 * HOUR; clock < until; clock += MINUTE) {
      for (const watch of watches) expect(await watch.look()).toBe(0)
      // It restarts now and then, and finds the time of the other.
      if (clock % HOUR === 0) watches[1] = behind()
    }
    expect(await dues(id)).toEqual([at.asked, at.told])
  })

  it('by a restart, which the other machines of the database have not made it forget', async () => {
    const other = await started()
    const ahead = createClockWatch({ store, now: () => clock + DAY, logger: silentLogger })
    await ahead.look()
    const row = depositRecord({ phase: 'open', dueAt: clock + DAY + MINUTE })
    await store.apply(creation(row))
    await run(other, HOUR)
    await started()
    expect((await store.deposit(row.id))?.dueAt).toBe(clock + MINUTE)
    // Once.
    expect(await start().look()).toBe(0)
  })

  it('of another machine that was ahead: what it leaves behind when it stops is due within two hours, and nothing is moved before', async () => {
    const other = await started()
    const ahead = createClockWatch({ store, now: () => clock + DAY, logger: silentLogger })
    const id = await waiting()
    const row = depositRecord({ phase: 'open', dueAt: START + 2 * DAY })
    await store.apply(creation(row))
    for (const until = clock + 5 * HOUR; clock < until; clock += MINUTE)
      for (const watch of [ahead, other]) expect(await watch.look()).toBe(0)
    await run(other, 2 * HOUR + MINUTE)
    const [stoppedAt, { dueAt = Infinity }] = [START + 5 * HOUR, (await store.deposit(row.id))!]
    // A day sooner but for the hours that have passed since.
    expect(dueAt).toBeGreaterThan(START + DAY)
    expect(dueAt).toBeLessThanOrEqual(START + DAY + (clock - stoppedAt))
    // What was due at once by the right time stays so; once is enough.
    expect(await dues(id)).toEqual([at.asked, at.told])
    expect(await run(other, 5 * HOUR)).toBeUndefined()
    expect((await store.deposit(row.id))?.dueAt).toBe(dueAt)
  })

  it('a few minutes are no step', async () => {
    const id = await waiting()
    const watch = await started()
    clock -= 4 * MINUTE
    expect(await watch.look()).toBe(0)
    await started()
    clock += 8 * MINUTE
    await watch.look()
    expect(await dues(id)).toEqual([at.asked, at.told])
  })

  it('what another machine put off further than anything waits is due within the hour', async () => {
    const watch = await started()
    const row = depositRecord({ phase: 'open', dueAt: START + 15 * DAY })
    const proper = depositRecord({ phase: 'failed', settledAt: START, dueAt: START + 13 * DAY })
    await store.apply({ ...creation(row), notices: [noticeRecord(row.id, { dueAt: START + 3 * DAY })] })
    await store.apply(creation(proper))
    await run(watch, HOUR + 2 * MINUTE)
    const [asked, told] = await dues(row.id)
    expect([asked, told]).toEqual([START + HOUR, START + HOUR])
    expect((await store.deposit(proper.id))?.dueAt).toBe(START + 13 * DAY)
  })

  it('and that is further than any schedule has it', () => {
    const days = Array.from({ length: 31 * 24 }, (_hour, hour) => hour * HOUR)
    for (const phase of DepositPhase.options)
      for (const age of [-400 * DAY, -DAY, ...days])
        for (const asks of [0, 9]) {
          const row = depositRecord({ phase, asks, createdAt: START, settledAt: START })
          const wait = nextAskIn(row, START + age, false) ?? 0
          expect(wait).toBeLessThanOrEqual(LONGEST_WAITS.deposits - DAY)
        }
    for (let attempts = 1; attempts < 40; attempts++) {
      const due = nextAttempt({ createdAt: START, attempts }, { now: START, trustedNow: START }, 1, 99 * DAY) ?? 0
      expect(due - START).toBeLessThanOrEqual(LONGEST_WAITS.notices - 12 * HOUR)
    }
  })

  it.each(['query-missing', 'not-found'] as const)('%s leads to a review after fifteen minutes', (kind) => {
    const before = depositRecord({ phase: 'open', queryMissingSince: START })
    const at = (ms: number, deposit: Deposit) => {
      const now = START - DAY + ms
      return decide(deposit, { kind }, { now, trustedNow: now, watched: false, paidElsewhere: false }).deposit
    }
    const first = at(0, before)
    expect(first.phase).toBe('open')
    expect(at(14 * MINUTE, first).phase).toBe('open')
    expect(at(15 * MINUTE, first).phase).toBe('review')
  })

  it('an end that lies ahead is asked about within fifteen minutes', () => {
    const row = depositRecord({ phase: 'failed', createdAt: START, settledAt: START })
    const at = (ms: number) => nextAskIn(row, START + ms, false)
    expect([at(-SECOND), at(-DAY), at(-400 * DAY)]).toEqual([2 * MINUTE + SECOND, 15 * MINUTE, 15 * MINUTE])
  })
})

describe('leapt ahead by a month', () => {
  it('is not believed for an hour, and not at all when it is put right meanwhile', async () => {
    const watch = await started()
    clock += 31 * DAY
    expect(watch.trustedNow()).toBe(START)
    await run(watch, HOUR)
    // The hour is measured from the leap.
    clock -= MINUTE
    await watch.look()
    expect(watch.trustedNow()).toBe(START + 59 * MINUTE)
    clock -= 31 * DAY
    await watch.look()
    expect(watch.trustedNow()).toBe(clock)
    clock += 31 * DAY
    await watch.look()
    // Another leap is no hour that it has run.
    clock += HOUR
    expect(watch.trustedNow()).toBe(clock - 31 * DAY)
    await run(watch, HOUR)
    expect(watch.trustedNow()).toBe(clock)
  })

  it('is told once', async () => {
    const told: string[] = []
    const logger = { ...silentLogger, warn: (_fields: object, message = '') => void told.push(message) }
    const watch = createClockWatch({ store, now: () => clock, logger })
    await watch.look()
    clock += 30 * DAY
    for (let look = 0; look < 3; look++) await watch.look()
    expect(told).toEqual([expect.stringContaining('more than a day ahead')])
  })

  it('is not believed after a restart, whether it leapt before or while the companion was stopped', async () => {
    const watch = await started()
    clock += 31 * DAY
    await watch.look()
    const again = start()
    expect(again.trustedNow()).toBe(-Infinity)
    await again.look()
    expect(again.trustedNow()).toBe(START)
    clock += 31 * DAY
    expect((await started()).trustedNow()).toBe(START)
    // A process for each minute.
    for (let minute = 1; minute < 60; minute++) {
      clock += MINUTE
      expect((await started()).trustedNow()).toBe(START + minute * MINUTE)
    }
    clock += MINUTE
    expect((await started()).trustedNow()).toBe(clock)
  })

  it('a first start believes its clock; one after less than a day, too', async () => {
    expect((await started()).trustedNow()).toBe(START)
    clock += DAY
    expect((await started()).trustedNow()).toBe(clock)
  })

  it('erases nobody until it has run for an hour', async () => {
    const row = depositRecord({ phase: 'succeeded', settledAt: START, payer: { name: 'Achieng Otieno' } })
    const key = idempotencyRecord(row.id, { answer: '{}' })
    await store.apply({ ...creation(row), idempotency: key })
    const nothing = () => Promise.resolve(0)
    const now = () => clock
    const watch = start()
    const believed: number[] = []
    const scheduler = createScheduler(quietTools({ store, now, background: () => {} }), {
      // In the first round already: a process may live for one alone.
      reconciler: { askDue: async () => believed.push(watch.trustedNow()) },
      callbacks: { matchDue: nothing },
      outbox: { deliverDue: nothing },
      streams: { beat: () => 0 },
      clock: watch,
      health: { look: () => Promise.resolve() },
      retentionDays: 7,
    })
    const kept = async () => [
      (await store.deposit(row.id))?.payer?.name,
      (await store.idempotency(key.keyHash))?.answer,
    ]
    await scheduler.tick()
    expect(believed).toEqual([START])
    clock += 31 * DAY
    for (let minute = 0; minute < 60; minute++, clock += MINUTE) await scheduler.tick()
    expect(await kept()).toEqual(['Achieng Otieno', '{}'])
    for (let minute = 0; minute < 60; minute++, clock += MINUTE) await scheduler.tick()
    expect(await kept()).toEqual([undefined, undefined])
  })

  it('goes on looking for the payment of a callback', async () => {
    await store.apply({ inbox: inboxRecord({ receivedAt: START, verdict: 'unmatched', dueAt: START }) })
    const watch = await started()
    clock += 31 * DAY
    const callbacks = createCallbacks(
      quietTools({ store, now: () => clock, trustedNow: watch.trustedNow }),
      {} as never,
    )
    expect(await callbacks.matchDue()).toBe(1)
    expect((await store.stats()).inboxUnmatched).toBe(1)
  })
})

describe('the whole companion, with every callback lost', () => {
  const lost = { faults: { callbackWaits: () => [] } }

  it('learns of a payment within two minutes though its clock was set back by a day', async () => {
    const stage = createStage(lost)
    const deposit = await stage.create()
    await stage.playTo(5 * MINUTE)
    stage.time.turnWall(-DAY)
    await stage.playTo(6 * MINUTE)
    stage.service.lock(deposit.checkoutUrl ?? '')
    stage.service.confirm(deposit.checkoutUrl ?? '')
    await stage.playTo(8 * MINUTE)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'succeeded' })
    expect(stage.notices).toHaveLength(1)
  })

  it('proves a payment of a time when its clock was two months behind by its callback, though it has stopped asking', async () => {
    const stage = createStage()
    await stage.playTo(MINUTE)
    stage.time.turnWall(-61 * DAY)
    await stage.playTo(2 * MINUTE)
    const deposit = await stage.create()
    stage.service.lock(deposit.checkoutUrl ?? '')
    await stage.playTo(5 * MINUTE)
    stage.time.turnWall(61 * DAY)
    await stage.playTo(HOUR)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'open' })
    await stage.playTo(3 * HOUR)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'abandoned' })
    stage.service.confirm(deposit.checkoutUrl ?? '')
    await stage.playTo(3 * HOUR + MINUTE)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'succeeded', late: true })
    expect(stage.notices).toHaveLength(1)
  })

  it('still asks after its clock was a month ahead for five minutes', async () => {
    const stage = createStage(lost)
    const deposit = await stage.create()
    await stage.playTo(5 * MINUTE)
    stage.time.turnWall(31 * DAY)
    await stage.playTo(10 * MINUTE)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'open' })
    stage.time.turnWall(-31 * DAY)
    await stage.playTo(11 * MINUTE)
    stage.service.lock(deposit.checkoutUrl ?? '')
    stage.service.confirm(deposit.checkoutUrl ?? '')
    await stage.playTo(13 * MINUTE)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'succeeded' })
  })

  it('gives no notice up after a leap, before it has run for an hour', async () => {
    const stage = createStage({ extra: { fetch: async () => new Response(null, { status: 500 }) } })
    const deposit = await stage.create()
    stage.service.lock(deposit.checkoutUrl ?? '')
    stage.service.confirm(deposit.checkoutUrl ?? '')
    await stage.playTo(MINUTE)
    const told = () => [...stage.disk.notices.values()][0]
    const again = () => {
      const notice = told()
      if (notice !== undefined) stage.disk.put(stage.disk.notices, notice.id, { ...notice, attempts: 12, dueAt: 0 })
    }
    again()
    stage.time.turnWall(31 * DAY)
    await stage.playTo(2 * MINUTE)
    expect(told()).toMatchObject({ state: 'waiting', attempts: 13 })
    await stage.playTo(2 * HOUR)
    again()
    await stage.playTo(2 * HOUR + MINUTE)
    expect(told()).toMatchObject({ state: 'dead', attempts: 13 })
  })

  it('ends its asking after 30 days, an hour later when it stood still meanwhile', async () => {
    const stage = createStage(lost)
    const deposit = await stage.create()
    stage.service.lock(deposit.checkoutUrl ?? '')
    await stage.playTo(5 * MINUTE)
    stage.time.turnWall(31 * DAY)
    await stage.playTo(HOUR)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'open' })
    await stage.playTo(3 * HOUR)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'abandoned' })
  })
})
