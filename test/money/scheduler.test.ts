// The one scheduler of background work: the pace of its rounds, what a round that hangs or fails
// holds up, and what is erased when.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Tools } from '../../server/deposits/ports/machine.ts'
import { createScheduler } from '../../server/operations/scheduler.ts'
import { oneAtATime } from '../../server/platform/one-at-a-time.ts'
import { START } from '../helpers/deposit-record.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let at: number
let trustedNow: number
let sleepers: { readonly until: number; readonly wake: () => void }[]
/** When each kind of work ran, in milliseconds since the start. */
let ran: Record<'ask' | 'notices' | 'match' | 'beat' | 'system', number[]>
let errors: string[]
let purged: string[]
let askDue: () => Promise<number>
let deliverDue: () => Promise<number>
let beat: () => number
beforeEach(() => {
  at = START
  trustedNow = START
  sleepers = []
  ran = { ask: [], notices: [], match: [], beat: [], system: [] }
  errors = []
  purged = []
  askDue = async () => 0
  deliverDue = async () => 0
  beat = () => 0
})

function schedulerOf(retentionDays = 30) {
  const note = (work: keyof typeof ran) => void ran[work].push(at - START)
  const days = (before: number) => (trustedNow - before) / DAY
  const tools = {
    store: {
      purgePayers: async (before: number) => purged.push(`payers ${days(before)}`),
      purgeOld: async (before: number) => purged.push(`old ${days(before)}`),
    },
    now: () => at,
    sleep: (ms: number) => new Promise<void>((wake) => void sleepers.push({ until: at + ms, wake })),
    logger: { error: ({ work }: { work: string }) => errors.push(work) },
    background: (work: () => Promise<unknown>) => void work().catch(() => {}),
  } as unknown as Tools
  return createScheduler(tools, {
    reconciler: { askDue: () => (note('ask'), askDue()) },
    outbox: { deliverDue: () => (note('notices'), deliverDue()) },
    callbacks: { matchDue: async () => (note('match'), 0) },
    streams: { beat: () => (note('beat'), beat()) },
    clock: { look: async () => (note('system'), 0), trustedNow: () => trustedNow },
    health: { look: async () => {} },
    retentionDays,
  })
}

async function playTo(ms: number): Promise<void> {
  for (;;) {
    await new Promise(setImmediate)
    sleepers.sort((a, b) => a.until - b.until)
    const next = sleepers[0]
    if (next === undefined || next.until > START + ms) break
    sleepers.shift()
    at = Math.max(at, next.until)
    next.wake()
  }
  at = START + ms
}

describe('rounds', () => {
  it('follow each other quickly while there is work, and ever more slowly when there is none', async () => {
    let work = 3
    askDue = async () => ((work -= 1) >= 0 ? 1 : 0)
    const scheduler = schedulerOf()
    scheduler.start()
    scheduler.start()
    await playTo(3000)
    expect(ran.ask).toEqual([0, 20, 40, 60, 100, 180, 340, 660, 1160, 1660, 2160, 2660])
    expect(ran.beat).toEqual([0, 1000, 2000, 3000])
    expect(ran.match).toEqual([0])
  })

  it('of heartbeats follow each other sooner: each round is a few of them', async () => {
    let work = 3
    beat = () => ((work -= 1) >= 0 ? 4 : 0)
    schedulerOf().start()
    await playTo(40)
    expect(ran.beat).toEqual([0, 2, 4, 6, 10, 18, 34])
  })

  it('that fail are reported, and come again without haste', async () => {
    askDue = () => Promise.reject(new Error('The database is away.'))
    schedulerOf().start()
    await playTo(1000)
    expect(ran.ask).toEqual([0, 500, 1000])
    expect(errors).toEqual(['ask', 'ask', 'ask'])
    expect(ran.beat).toEqual([0, 1000])
  })

  it('that hang hold up neither the next of their kind nor other work', async () => {
    deliverDue = () => new Promise(() => {})
    schedulerOf().start()
    await playTo(3000)
    expect(ran.notices).toEqual([0, 1000, 2000, 3000])
    expect(ran.ask).toHaveLength(7)
  })

  it('do not ask a database again that has not answered the last one', async () => {
    const calls: PromiseWithResolvers<string>[] = []
    const lease = oneAtATime(() => {
      const call = Promise.withResolvers<string>()
      calls.push(call)
      return call.promise
    }, 'nothing')
    const first = lease()
    expect([await lease(), await lease()]).toEqual(['nothing', 'nothing'])
    calls[0]?.reject(new Error('timeout'))
    await expect(first).rejects.toThrow('timeout')
    const next = lease()
    calls[1]?.resolve('work')
    expect(await next).toBe('work')
    expect(calls).toHaveLength(2)
  })

  it('end at once when it is stopped, however long they would pause', async () => {
    const scheduler = schedulerOf()
    scheduler.start()
    await playTo(10)
    await scheduler.stop()
    await playTo(MINUTE)
    expect(ran.ask).toEqual([0])
  })
})

describe('erasing', () => {
  it.each([
    [30, ['payers 30', 'old 30']],
    [365, ['payers 365', 'old 60']],
  ])('with %i days of retention erases %j, once an hour', async (days, erased) => {
    const scheduler = schedulerOf(days)
    await scheduler.tick()
    at += 60 * MINUTE - 1
    await scheduler.tick()
    expect(purged).toEqual(erased)
    at += 1
    await scheduler.tick()
    expect(purged).toEqual([...erased, ...erased])
  })

  it('waits until the clock is trusted', async () => {
    trustedNow = -Infinity
    const scheduler = schedulerOf()
    await scheduler.tick()
    expect(purged).toEqual([])
    trustedNow = START
    await scheduler.tick()
    expect(purged).toHaveLength(2)
  })
})
