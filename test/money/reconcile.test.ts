// Which payments are asked about, when and how urgently, and what an answer or its absence does to
// them.
import { beforeEach, describe, expect, it } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import { createAfterRestore } from '../../server/operations/after-restore.ts'
import type { Budget, Priority } from '../../server/deposits/settle/budget.ts'
import { decide } from '../../server/deposits/machine/decide.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { createMover } from '../../server/deposits/settle/mover.ts'
import type { Tools } from '../../server/deposits/ports/machine.ts'
import { createReconciler } from '../../server/deposits/settle/reconcile.ts'
import { createAnswers } from '../../server/operations/answers.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import type { QueryOutcome, Upstream } from '../../server/deposits/ports/upstream.ts'
import { creation, depositRecord, START } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const LEASE = 45 * SECOND

let at: number
let store: Store
let watched: string
let taken: Priority[]
let allowed: boolean
let left: Partial<Record<Priority, number>>
let outcome: QueryOutcome | { readonly kind: 'pending' }
/** The wallet whose queries fail. */
let failing: string
let asked: string[]
let alerts: string[]
/** Queries that wait for their answer, while it is held. */
let held: (() => void)[] | undefined
beforeEach(() => {
  at = START + MINUTE
  store = memoryStore()
  watched = ''
  taken = []
  allowed = true
  left = {}
  outcome = { kind: 'pending' }
  failing = ''
  asked = []
  alerts = []
  held = undefined
})

function reconcilerOf({ callbacksDecide = false, shared = false } = {}) {
  const nothing = () => {}
  const alert = (kind: string, detail: string) => void alerts.push(`${kind} ${detail}`)
  const tools = {
    store,
    now: () => at,
    trustedNow: () => at,
    logger: silentLogger,
    isWatched: (id: string) => id === watched,
    count: nothing,
    observe: nothing,
    alert,
    hear: createAnswers({ now: () => at, alert, isDown: () => false, callbacksDecide }).hear,
    background: (work: () => Promise<unknown>) => void work(),
  } as unknown as Tools
  const upstream = {
    isDown: () => false,
    async query({ walletNo, reference }: Parameters<Upstream['query']>[0]): Promise<QueryOutcome> {
      asked.push(reference)
      if (walletNo === failing) return { kind: 'failed', reason: 'timeout' }
      if (held !== undefined) await new Promise<void>((resolve) => held?.push(resolve))
      return outcome.kind === 'pending' ? { kind: 'found', status: 'PENDING', reference } : outcome
    },
  } as unknown as Upstream
  const budget: Budget = {
    async take(priority) {
      taken.push(priority)
      return allowed
    },
    left: (priority) => left[priority] ?? 1000,
  }
  return createReconciler(tools, { upstream, mover: createMover(tools), budget, callbacksDecide, shared })
}

async function kept(given: Partial<Deposit> = {}): Promise<Deposit> {
  const row = depositRecord({ checkoutUrl: 'https://pay.example/x', dueAt: at, ...given })
  await store.apply(creation(row))
  return row
}
const read = async ({ id }: Deposit) => (await store.deposit(id))!

const context = () => ({ now: at, trustedNow: at, watched: false, paidElsewhere: false })
const reported = { kind: 'success', resultCode: '0', resultDescription: '' } as const

it.each([
  ['a callback', 'open', { kind: 'callback', reported, decides: false }],
  ['a create without an answer', 'creating', { kind: 'create-unknown', reason: 'timeout' }],
] as const)('after %s one companion asks; another does so only if that one has died', async (_, phase, input) => {
  const [first, second] = [reconcilerOf({ shared: true }), reconcilerOf({ shared: true })]
  const row = await kept(decide(depositRecord({ phase, createdAt: at, version: 1 }), input, context()).deposit)
  const waiting: (() => void)[] = []
  held = waiting
  const asking = first.ask(row, 'confirm')
  await expect.poll(() => asked.length).toBe(1)
  held = undefined
  at += SECOND
  expect([await second.askDue(), asked.length]).toEqual([0, 1])
  at += SECOND
  expect([await second.askDue(), asked.length]).toEqual([1, 2])
  for (const answer of waiting) answer()
  await asking
})

it('a callback of success that comes while an older answer is under way is not forgotten over that answer', async () => {
  const since = START - 40 * 24 * 60 * MINUTE
  const row = await kept({ phase: 'failed', createdAt: since, settledAt: since })
  const waiting: (() => void)[] = []
  held = waiting
  outcome = { kind: 'found', status: 'FAILED', reference: row.reference, transactionId: 'CP9' }
  const asking = reconcilerOf().ask(row, 'check')
  await expect.poll(() => asked.length).toBe(1)
  const called = decide(row, { kind: 'callback', reported, decides: false }, context()).deposit
  await store.apply({ deposit: { row: called, expect: row.version, before: row } })
  for (const answer of waiting) answer()
  await asking
  expect(await read(row)).toMatchObject({ transactionId: 'CP9', reportedCode: '0', dueAt: at + SECOND })
})

describe('a create that is due, beside other companions', () => {
  it('is left alone while one of them may still be making it, whatever the clocks say', async () => {
    const row = await kept({ phase: 'creating', createdAt: START })
    const { askDue } = reconcilerOf({ shared: true })
    for (let second = 0; second < 20; second++, at += SECOND) {
      await askDue()
      expect([(await read(row)).phase, asked]).toEqual(['creating', []])
    }
    // Its process has died: what became of it is found out.
    await askDue()
    expect([(await read(row)).phase, asked]).toEqual(['abandoned', [row.reference]])
  })

  it('is asked about at once after a restore: who made it answers to another database', async () => {
    const row = await kept({ phase: 'creating', createdAt: START })
    const reconciler = reconcilerOf({ shared: true })
    const afterRestore = createAfterRestore({
      store,
      now: () => at,
      trustedNow: () => at,
      lookAtClock: async () => {},
      rounds: reconciler,
    })
    await store.setMeta('restored_at', String(at))
    await afterRestore.look()
    await reconciler.askDue()
    expect(asked).toEqual([row.reference])
    await afterRestore.look()
    expect(await afterRestore.isUnfinished()).toBe(false)
  })

  it('is open when its answer comes meanwhile', async () => {
    const row = await kept({ phase: 'creating', createdAt: START })
    const { askDue } = reconcilerOf({ shared: true })
    await askDue()
    const { version } = await read(row)
    const open = { ...row, phase: 'open' as const, version: version + 1, dueAt: at + MINUTE }
    await store.apply({ deposit: { row: open, expect: version } })
    at += 30 * SECOND
    await askDue()
    expect([(await read(row)).phase, asked]).toEqual(['open', []])
  })
})

describe('a payment that is due', () => {
  it.each([
    ['creating', false, 'confirm'],
    ['unknown', false, 'confirm'],
    ['confirming', true, 'confirm'],
    ['open', true, 'watch'],
    ['open', false, 'sweep'],
    ['failed', false, 'sweep'],
  ] as const)('that is %s (watched: %s) is asked about as %s', async (phase, isWatched, priority) => {
    const row = await kept({ phase })
    if (isWatched) watched = row.id
    expect(await reconcilerOf().askDue()).toBe(1)
    expect(taken).toEqual([priority])
  })

  it('and whose create call never ended is unknown, and soon asked about again when the service does not find it', async () => {
    const row = await kept({ phase: 'creating', createdAt: START })
    outcome = { kind: 'not_found' }
    await reconcilerOf().askDue()
    const unknown = await read(row)
    expect(unknown).toMatchObject({ phase: 'unknown', asks: 1, dueAt: at + 2 * SECOND })
    expect(unknown.queryMissingSince).toBeUndefined()
    expect((await store.timeline(row.id)).map(({ kind }) => kind)).toContain('create_unknown')
  })

  it('learns the transaction from the answer', async () => {
    const row = await kept({ phase: 'unknown' })
    outcome = { kind: 'found', status: 'SUCCESS', reference: row.reference, transactionId: 'TX1', description: 'Paid.' }
    await reconcilerOf().askDue()
    expect(await read(row)).toMatchObject({ phase: 'succeeded', transactionId: 'TX1', resultDescription: 'Paid.' })
  })
})

describe('a query', () => {
  it('that fails is repeated no sooner than the service allows', async () => {
    const row = await kept({ phase: 'confirming' })
    outcome = { kind: 'failed', reason: 'paused', retryAfterMs: 90 * SECOND }
    await reconcilerOf().askDue()
    expect(await read(row)).toMatchObject({ phase: 'confirming', asks: 1, dueAt: at + 90 * SECOND })
    outcome = { kind: 'failed', reason: 'reset' }
    at += 90 * SECOND
    await reconcilerOf().askDue()
    expect(await read(row)).toMatchObject({ asks: 2, dueAt: at + 2 * SECOND })
  })

  it('that fails for a quarter of an hour is told of for its wallet, though another answers and the clock steps back', async () => {
    const rows = [await kept({ walletNo: '1' }), await kept({ walletNo: '2', currency: 'TZS' })]
    const { ask } = reconcilerOf()
    failing = '1'
    const after = async (ms: number) => {
      at += ms
      alerts.length = 0
      for (const row of rows) await ask(await read(row), 'check')
      return alerts
    }
    const since = (ms: number) => `query_unanswered KES: no state since ${new Date(ms).toISOString()}; now timeout.`
    const first = at
    expect(await after(0)).toEqual([])
    expect(await after(15 * MINUTE - 1)).toEqual([])
    expect(await after(1)).toEqual([since(first)])
    expect(await after(-60 * MINUTE)).toEqual([])
    const second = at
    expect(await after(15 * MINUTE)).toEqual([since(second)])
    failing = '2'
    expect(await after(MINUTE)).toEqual([])
    failing = '1'
    expect(await after(MINUTE)).toEqual([])
  })

  it('is one for all who ask about a payment at once, and none for a payment that is over', async () => {
    const row = await kept()
    const { ask } = reconcilerOf()
    await Promise.all([ask(row, 'check'), ask(row, 'confirm'), ask(row, 'sweep')])
    expect(asked).toEqual([row.reference])
    await ask(row, 'check')
    expect(asked).toHaveLength(2)
    for (const phase of ['succeeded', 'rejected'] as const) await ask(await kept({ phase }), 'check')
    expect([asked.length, taken.length]).toEqual([2, 2])
  })
})

describe('many payments that are due', () => {
  it('are leased as far as the budget goes: the rest stay due', async () => {
    for (let n = 0; n < 10; n++) await kept({ phase: 'confirming' })
    for (let n = 0; n < 10; n++) await kept()
    left = { confirm: 12, watch: 1 }
    await reconcilerOf().askDue()
    expect(taken.toSorted()).toEqual([...Array.from({ length: 10 }, () => 'confirm'), 'sweep'])
    left = { confirm: 0 }
    expect(await reconcilerOf().askDue()).toBe(0)
  })

  it('are asked about 192 at once and 48 in a round, while answers are slow', async () => {
    held = []
    for (let n = 0; n < 250; n++) await kept({ phase: 'confirming' })
    const { askDue } = reconcilerOf()
    const rounds: Promise<number>[] = []
    for (let round = 1; round <= 6; round++) {
      rounds.push(askDue())
      await expect.poll(() => asked.length).toBe(Math.min(48 * round, 192))
    }
    held.shift()?.()
    await new Promise(setImmediate)
    rounds.push(askDue())
    await expect.poll(() => asked.length).toBe(193)
    const waiting = held
    held = undefined
    for (const answer of waiting) answer()
    await Promise.all(rounds)
  })
})

describe('a query that the budget refuses', () => {
  const due = async (row: Deposit) => (await read(row)).dueAt

  it('is due again in two seconds when it is urgent, at once when it is patient', async () => {
    allowed = false
    const urgent = await kept({ phase: 'confirming', asks: 3 })
    const patient = await kept()
    await reconcilerOf().askDue()
    expect(asked).toEqual([])
    // Refused, so not counted as asked either.
    expect((await read(urgent)).asks).toBe(3)
    expect([await due(urgent), await due(patient)]).toEqual([at + 2 * SECOND, at])
  })

  it('is brought forward when a customer asked, and left alone when it is due already', async () => {
    allowed = false
    const { ask } = reconcilerOf()
    const later = await kept({ dueAt: at + LEASE })
    await ask(later, 'check')
    expect(await due(later)).toBe(at + 2 * SECOND)
    const never = depositRecord()
    await store.apply(creation(never))
    await ask(never, 'check')
    expect(await due(never)).toBe(at + 2 * SECOND)
    const already = await kept({ dueAt: at - MINUTE })
    await ask(already, 'check')
    expect(await due(already)).toBe(at - MINUTE)
  })
})

describe('a service without a status query', () => {
  const phases: readonly DepositPhase[] = ['open', 'confirming', 'unknown']

  async function after16Minutes(options: { callbacksDecide?: boolean }): Promise<DepositPhase[]> {
    outcome = { kind: 'path_missing', status: 404 }
    const rows = await Promise.all(phases.map((phase) => kept({ phase })))
    const { ask } = reconcilerOf(options)
    for (const wait of [0, 16 * MINUTE]) {
      at += wait
      for (const row of rows) await ask(await read(row), 'check')
    }
    return Promise.all(rows.map(async (row) => (await read(row)).phase))
  }

  it('leaves what waits for a proof to a person, who is told of each query', async () => {
    expect(await after16Minutes({})).toEqual(['review', 'review', 'review'])
    const kinds = alerts.map((text) => text.split(' ')[0])
    expect(kinds).toEqual([
      ...phases.map(() => 'query_path_missing'),
      ...phases.flatMap(() => ['query_path_missing', 'review:query_missing']),
    ])
  })

  it('where callbacks decide leaves only what is in doubt to a person: the rest wait for their callback', async () => {
    expect(await after16Minutes({ callbacksDecide: true })).toEqual(['open', 'review', 'review'])
    // Nobody is told of the query, which the contract may not have.
    expect(alerts.map((text) => text.split(' ')[0])).toEqual(['review:query_missing', 'review:query_missing'])
  })
})
