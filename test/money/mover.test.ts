// What is written and sent with a move, and how another writer or another payment affects it (money
// rules 4 and 8).
import { beforeEach, describe, expect, it } from 'vitest'
import type { Notice } from '../../server/contract/index.ts'
import type { Input } from '../../server/deposits/machine/transition.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { createMover } from '../../server/deposits/settle/mover.ts'
import type { ConflictKind, Store } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord, fresh, idempotencyRecord, inboxRecord, START } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import { quietTools } from '../helpers/quiet-tools.ts'

const MINUTE = 60_000
const now = START + MINUTE

let store: Store
let alerts: string[]
let counted: string[]
let behind: Promise<unknown>[]
beforeEach(() => {
  store = memoryStore()
  alerts = []
  counted = []
  behind = []
})

/** @param changes to the store that the mover has */
function moverOn(changes: Partial<Store> = {}, isWatched = (_id: string) => false) {
  const tools = quietTools({
    store: { ...store, ...changes },
    now: () => now,
    isWatched,
    count: (name, labels) => void counted.push([name, ...Object.values(labels ?? {})].join(' ')),
    observe: (name, seconds, labels) => void counted.push([name, seconds, ...Object.values(labels ?? {})].join(' ')),
    alert: (kind, detail) => void alerts.push(`${kind} ${detail}`),
    background: (work) => void behind.push(work()),
  })
  return createMover(tools)
}

async function kept(given: Partial<Deposit> = {}): Promise<Deposit> {
  const row = depositRecord(given)
  await store.apply(creation(row))
  return row
}

const answer = (row: Deposit, status: 'SUCCESS' | 'FAILED' | 'PENDING', transactionId?: string): Input => ({
  kind: 'answered',
  status,
  reference: row.reference,
  description: 'As the service says.',
  ...(transactionId === undefined ? {} : { transactionId }),
})

/** Types and versions of what the backend is told, in the order of the versions. */
const told = async (row: Deposit) =>
  (await store.notices(row.id))
    .map(({ type, body }) => [type, (JSON.parse(body) as Notice).data.version] as const)
    .toSorted(([, a], [, b]) => a - b)

describe('a move', () => {
  it('writes row, timeline, notice, callback and first answer together, and is counted once', async () => {
    const row = await kept({ sessionId: fresh('ses') })
    const key = idempotencyRecord(row.id)
    await store.apply({ idempotency: key })
    const given = { keyHash: key.keyHash, of: (deposit: Deposit) => `at version ${deposit.version}` }
    const inbox = inboxRecord({ verdict: 'unmatched', dueAt: now })
    const moved = await moverOn().move(row, answer(row, 'SUCCESS'), { inbox, answer: given })
    expect(moved).toMatchObject({ phase: 'succeeded', version: 2, settledAt: now })
    expect(await store.deposit(row.id)).toEqual(moved)
    expect((await store.timeline(row.id)).at(-1)).toEqual({
      depositId: row.id,
      at: now,
      kind: 'query_success',
      phase: 'succeeded',
      version: 2,
      detail: 'As the service says.',
    })
    expect(await store.notices(row.id)).toMatchObject([
      { type: 'payment.succeeded', state: 'waiting', attempts: 0, createdAt: now, dueAt: now },
    ])
    expect((await store.idempotency(key.keyHash))?.answer).toBe('at version 2')
    expect(await store.leaseInbox(now, now, 9)).toMatchObject([{ id: inbox.id }])
    expect(counted).toEqual(['deposits_moved succeeded KES', 'settle 60 succeeded'])
    expect([alerts, behind]).toEqual([[], []])
  })

  it('keeps what the service answered as the evidence for what came of it', async () => {
    const row = await kept()
    const said = { ...answer(row, 'SUCCESS', 'T-1'), description: 'Completed' } as Input
    await moverOn().move(row, said)
    const other = await kept()
    await moverOn().move(other, { ...answer(other, 'SUCCESS', 'T-2'), otherSum: 'KES 1' } as Input)
    const details = async ({ id }: Deposit) =>
      (await store.timeline(id)).flatMap(({ kind, detail }) => (detail === undefined ? [] : [`${kind} ${detail}`]))
    expect(await details(row)).toEqual(['query_success transaction T-1: Completed'])
    // The reason of a review is a word that programs know: it stays.
    expect(await details(other)).toEqual(['query_sum KES 1 instead of KES 1500', 'review query_amount'])
  })

  it('has one notice of a success for ever, and one each time of what may come again', async () => {
    const row = depositRecord()
    const noticeOf = async (version: number, status: 'SUCCESS' | 'FAILED', credited = false) => {
      const ids: (string | undefined)[] = []
      const apply: Store['apply'] = async ({ notices }) => {
        ids.push(notices?.[0]?.id)
        return credited && ids.length === 1 ? { applied: false, conflict: 'credited' } : { applied: true }
      }
      const present = { ...row, version }
      await moverOn({ apply, deposit: async () => present }).move(present, answer(row, status))
      return ids.at(-1)
    }
    expect(await noticeOf(7, 'SUCCESS')).toBe(await noticeOf(1, 'SUCCESS'))
    expect(await noticeOf(7, 'SUCCESS', true)).toBe(await noticeOf(1, 'SUCCESS', true))
    expect(await noticeOf(1, 'SUCCESS', true)).not.toBe(await noticeOf(1, 'SUCCESS'))
    expect(await noticeOf(7, 'FAILED')).not.toBe(await noticeOf(1, 'FAILED'))
  })

  it('keeps why in the timeline', async () => {
    const row = await kept({ phase: 'review', reviewReason: 'query_reference' })
    await moverOn().move(row, { kind: 'reviewed', outcome: 'failed', reason: 'seen in the portal', by: 'Amina' })
    const line = (await store.timeline(row.id)).at(-1)
    expect(line).toMatchObject({ kind: 'decision', detail: 'failed by Amina: seen in the portal' })
  })

  it('that changes nothing visible writes when to ask next, and nothing else', async () => {
    const row = await kept()
    const moved = await moverOn().move(row, answer(row, 'PENDING'))
    expect(moved).toMatchObject({ phase: 'open', version: 1, asks: 1 })
    expect(moved.dueAt).toBeGreaterThan(now)
    expect(await store.deposit(row.id)).toEqual(moved)
    expect([await store.timeline(row.id), counted]).toMatchObject([[{ kind: 'created' }], []])
  })

  it('asks sooner again while the customer looks on', async () => {
    const dueAt = async (watched: boolean) => {
      const row = await kept()
      return (await moverOn({}, (id) => watched && id === row.id).move(row, answer(row, 'PENDING'))).dueAt ?? 0
    }
    expect(await dueAt(true)).toBeLessThan(await dueAt(false))
  })

  it('that only learns the transaction keeps it', async () => {
    const row = await kept()
    await moverOn().move(row, answer(row, 'PENDING', 'TX9'))
    expect(await store.deposit(row.id)).toMatchObject({ version: 1, transactionId: 'TX9' })
  })

  it('by a callback after an end is a line of the timeline and counts as no move', async () => {
    const row = await kept({ phase: 'failed', settledAt: START })
    const reported = { kind: 'success', resultCode: '0', resultDescription: '' } as const
    await moverOn().move(row, { kind: 'callback', reported, decides: false })
    expect((await store.timeline(row.id)).at(-1)).toMatchObject({ kind: 'callback', detail: 'success 0', version: 1 })
    expect(counted).toEqual([])
  })

  it('that ends nothing is no time of an end', async () => {
    const row = await kept()
    const reported = { kind: 'success', resultCode: '0', resultDescription: '' } as const
    await moverOn().move(row, { kind: 'callback', reported, decides: false })
    expect(counted).toEqual(['deposits_moved confirming KES'])
  })

  it('that has no business here writes nothing at all', async () => {
    const row = await kept({ phase: 'succeeded' })
    const nothing = async (): Promise<never> => Promise.reject(new Error('written'))
    expect(await moverOn({ apply: nothing, reschedule: nothing }).move(row, answer(row, 'FAILED'))).toBe(row)
  })

  it('raises an alert of what a person should know, whether anything visible moved or not', async () => {
    const ends = await kept({ queryMissingSince: now - 15 * MINUTE })
    await moverOn().move(ends, { kind: 'query-missing' })
    const told = [`review:query_missing ${ends.reference}`]
    expect(alerts).toEqual(told)
    const waits = await kept({ phase: 'review', reviewReason: 'query_amount' })
    const moved = await moverOn().move(waits, { kind: 'transaction-conflict' })
    expect([moved.version, alerts]).toEqual([
      waits.version,
      [...told, `review:transaction_conflict ${waits.reference}`],
    ])
  })
})

describe('another writer', () => {
  it('that was first is read, and the move decided again on what it wrote', async () => {
    const row = await kept()
    const mover = moverOn()
    await mover.move(row, answer(row, 'FAILED'))
    // With the row as it was before.
    expect(await mover.move(row, answer(row, 'SUCCESS'))).toMatchObject({ phase: 'succeeded', version: 3, late: true })
    expect(await told(row)).toEqual([
      ['payment.failed', 2],
      ['payment.succeeded', 3],
    ])
    expect(counted).toContain('store_conflicts version')
  })

  it('that is always first ends in a refusal that may be tried again, and in nothing written', async () => {
    const row = await kept()
    let tries = 0
    const apply = async () => {
      tries += 1
      return { applied: false, conflict: 'version' } as const
    }
    const moving = moverOn({ apply }).move(row, answer(row, 'SUCCESS'))
    await expect(moving).rejects.toMatchObject({ code: 'store_unavailable', retryAfter: 1 })
    expect([tries, await store.deposit(row.id)]).toEqual([12, row])
  })

  it.each([
    ['has broken a rule that no move can break', 'live', 'internal_error'],
    ['has left no row', 'version', 'not_found'],
  ] as const)('that %s is no reason to go on', async (_, conflict: ConflictKind, code) => {
    const row = depositRecord()
    const apply = async () => ({ applied: false, conflict }) as const
    await expect(moverOn({ apply }).move(row, answer(row, 'SUCCESS'))).rejects.toMatchObject({ code })
  })
})

describe('another payment', () => {
  it('of the session that is credited makes a second success a duplicate, told as one', async () => {
    const sessionId = fresh('ses')
    const first = await kept({ sessionId, phase: 'abandoned' })
    const second = await kept({ sessionId })
    // Before the second could be given up.
    await moverOn({ liveDeposit: async () => undefined }).move(first, answer(first, 'SUCCESS'))
    expect(await moverOn().move(second, answer(second, 'SUCCESS'))).toMatchObject({
      phase: 'succeeded',
      duplicate: true,
    })
    expect([await told(first), await told(second)]).toEqual([[['payment.succeeded', 2]], [['payment.duplicate', 2]]])
    expect(counted).toContain('store_conflicts credited')
  })

  it('that holds the transaction puts this one under review, and a person is told', async () => {
    await kept({ transactionId: 'TX1' })
    const row = await kept()
    expect(await moverOn().move(row, answer(row, 'SUCCESS', 'TX1'))).toMatchObject({
      phase: 'review',
      reviewReason: 'transaction_conflict',
    })
    expect((await store.deposit(row.id))?.transactionId).toBeUndefined()
    expect(await told(row)).toEqual([['payment.review', 2]])
    expect(alerts).toEqual([`review:transaction_conflict ${row.reference}`])
  })

  it.each(['failed', 'review'] as const)(
    'whose transaction a success has is an alert also in the phase %s',
    async (phase) => {
      await kept({ transactionId: 'TX1' })
      const row = await kept({
        phase,
        ...(phase === 'failed' ? { settledAt: START } : { reviewReason: 'query_missing' }),
      })
      expect(await moverOn().move(row, answer(row, 'SUCCESS', 'TX1'))).toMatchObject({ phase })
      expect(await told(row)).toEqual([])
      expect(alerts).toEqual([`review:transaction_conflict ${row.reference}`])
    },
  )

  it.each(['of its session', 'of no session'])(
    'that took the place of one %s is given up in the moment when that one is paid, whatever else is written',
    async (of) => {
      const session = of === 'of its session' ? { sessionId: fresh('ses') } : undefined
      const bystander = await kept({ dueAt: now + 10 * MINUTE })
      const last = await kept({ ...session, dueAt: now + 10 * MINUTE })
      const between = await kept({ phase: 'abandoned', replacedBy: last.id })
      const row = await kept({ phase: 'abandoned', ...(session ?? { replacedBy: between.id }) })
      // A lease, or the answer of a query that was under way, comes between reading it and giving
      // it up.
      const crossed = async (read: Promise<Deposit | undefined>) => {
        const found = await read
        if (found?.id === last.id && found.dueAt === last.dueAt)
          await store.reschedule(last, { ...last, dueAt: now + 12_000 })
        return found
      }
      await moverOn({
        deposit: (id) => crossed(store.deposit(id)),
        liveDeposit: (id) => crossed(store.liveDeposit(id)),
      }).move(row, answer(row, 'SUCCESS'))
      await Promise.all(behind)
      expect(await store.deposit(last.id)).toMatchObject({ phase: 'abandoned', resultCode: 'order_paid', version: 2 })
      expect(await store.deposit(bystander.id)).toEqual(bystander)
    },
  )

  it.each(['of its session', 'of no session'])('%s that is paid ends the waiting of this one', async (of) => {
    const session = of === 'of its session' ? { sessionId: fresh('ses') } : undefined
    const paid = await kept({ ...session, phase: 'succeeded' })
    const attempt = { ...(session ?? { replaces: [fresh('dep'), paid.id] }) }
    const created: Input = {
      kind: 'created',
      transactionId: 'TX9',
      checkoutUrl: 'https://pay.example/x',
      urlAllowed: true,
    }
    const ended = { phase: 'abandoned', resultCode: 'order_paid' }
    const open = await kept(attempt)
    expect(await moverOn().move(open, answer(open, 'PENDING'))).toMatchObject(ended)
    // Only one of a session is live at once: the row above has ended.
    expect(await moverOn().move(await kept(attempt), { kind: 'no-query' })).toMatchObject(ended)
    expect(await moverOn().move(await kept({ ...attempt, phase: 'creating' }), created)).toMatchObject(ended)
  })

  it.each(['replaced, of its session', 'failed, of its session', 'replaced, of no session'])(
    '%s, that is paid in the moment when this one opens has its address handed to nobody',
    async (of) => {
      const session = of.endsWith('its session') ? { sessionId: fresh('ses') } : undefined
      const next = fresh('dep')
      const paid = await kept(
        of.startsWith('failed')
          ? { ...session, phase: 'failed' }
          : { ...session, phase: 'abandoned', replacedBy: next },
      )
      const row = await kept({
        ...session,
        id: next,
        phase: 'creating',
        ...(of.startsWith('failed') ? {} : { replaces: [paid.id] }),
      })
      let isPaid = false
      async function apply(...[change]: Parameters<Store['apply']>) {
        if (!isPaid) {
          isPaid = true
          // Its success finds an attempt that is not open yet.
          await moverOn().move(paid, answer(paid, 'SUCCESS'))
          await Promise.all(behind)
        }
        return store.apply(change)
      }
      const opened = await moverOn({ apply }).move(row, {
        kind: 'created',
        transactionId: 'TX9',
        checkoutUrl: 'https://pay.example/x',
        urlAllowed: true,
      })
      await Promise.all(behind)
      expect(opened).toMatchObject({ phase: 'abandoned', resultCode: 'order_paid', transactionId: 'TX9' })
      expect(await store.deposit(row.id)).toEqual(opened)
    },
  )

  it.each(['of its session', 'of no session'])('%s that has failed lets this one go on', async (of) => {
    const session = of === 'of its session' ? { sessionId: fresh('ses') } : undefined
    const failed = await kept({ ...session, phase: 'failed' })
    const row = await kept({ ...(session ?? { replaces: [failed.id] }) })
    expect(await moverOn().move(row, answer(row, 'PENDING'))).toMatchObject({ phase: 'open' })
  })

  it('whose proof is on its way is left to it', async () => {
    const sessionId = fresh('ses')
    const rung = await kept({ sessionId, phase: 'confirming', dueAt: now + MINUTE })
    const row = await kept({ sessionId, phase: 'failed' })
    await moverOn().move(row, answer(row, 'SUCCESS'))
    await Promise.all(behind)
    expect([behind.length, await store.deposit(rung.id)]).toEqual([1, rung])
  })
})
