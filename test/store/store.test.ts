// The contract of the store port (server/deposits/ports/store.ts), for every store: what is
// written, refused, counted and found. What is leased is in store-work.test.ts, what is erased in
// store-erasures.test.ts.
import { describe, expect, test } from 'vitest'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import type { PaymentFilter, Store } from '../../server/deposits/ports/store.ts'
import {
  creation,
  depositRecord,
  fresh,
  idempotencyRecord,
  inboxRecord,
  move,
  noticeRecord,
  sessionRecord,
  START,
  timelineRecord,
} from '../helpers/deposit-record.ts'
import { bench, kept, onEveryStore, store } from './every-store.ts'

const HOUR = 3_600_000

onEveryStore((adapter) => {
  test('keeps what a session says of the shop, and its return address', async () => {
    const shop = { name: 'Asha Crafts', accent: '#0b6e4f', logo: 'https://shop.example/asha.png' }
    const session = sessionRecord({ shop, returnUrl: 'https://shop.example/orders/B-1' })
    await store.apply({ session })
    expect(await (await bench.another()).session(session.id)).toMatchObject({ shop, returnUrl: session.returnUrl })
  })

  test('reads the same when a later release changes the tables beside it', async () => {
    const row = await kept({ phase: 'succeeded' })
    const [session, key, late] = [
      sessionRecord(),
      idempotencyRecord(row.id),
      inboxRecord({ verdict: 'unmatched', dueAt: START }),
    ]
    await store.apply({ session, idempotency: key, notices: [noticeRecord(row.id)], inbox: late })
    const reads = async () => [
      await store.session(session.id),
      await store.idempotency(key.keyHash),
      await store.notices(row.id),
      await store.timeline(row.id),
    ]
    // Leased until now, so that the next may have them.
    const leases = async () => [
      (await store.leaseNotices(START + HOUR, START, 9)).map(({ id, body }) => [id, body]),
      (await store.leaseInbox(START + HOUR, START, 9)).map(({ id, body }) => [id, String(body)]),
    ]
    const before = await reads()
    const leased = await leases()
    expect([before.flat().length, leased.flat().length]).toEqual([4, 2])
    for (const table of ['sessions', 'idempotency', 'notices', 'inbox', 'timeline']) {
      // On SQLite as a rebuilding would leave it: the new column first.
      const changes = adapter.name.startsWith('SQLite')
        ? [
            `CREATE TABLE rebuilt AS SELECT 'later' AS later, * FROM ${table}`,
            `DROP TABLE ${table}`,
            `ALTER TABLE rebuilt RENAME TO ${table}`,
          ]
        : [`ALTER TABLE ${table} ADD COLUMN later TEXT NOT NULL DEFAULT ''`]
      for (const change of changes) await bench.write(change)
    }
    // On each connection of a pool.
    const after = await Promise.all(Array.from({ length: 20 }, reads))
    for (const read of after) expect(read).toEqual(before)
    for (let i = 0; i < 10; i++) expect(await leases()).toEqual(leased)
  })

  test('a key with a NUL, which no row has, finds nothing and spoils no read beside it', async () => {
    const row = await kept()
    const bad = `${row.id.slice(0, -1)}\0`
    const found = await Promise.all([
      store.deposit(row.id),
      store.deposit(bad),
      store.depositByReference(`${row.reference}\0`),
      store.session('\0'),
      store.deposit(row.id),
    ])
    expect(found.map((one) => one?.id)).toEqual([row.id, undefined, undefined, undefined, row.id])
  })

  describe('writing', () => {
    test('a deposit comes back as it was written, with every field and without inventing one', async () => {
      const full: Deposit = {
        ...depositRecord(),
        phase: 'confirming',
        bankCode: '0001',
        bankName: 'Équité « bank »',
        sessionId: 'ses_1',
        orderId: 'order-1',
        clientReference: 'cart/1',
        locale: 'sw',
        transactionId: '20451990',
        checkoutUrl: 'https://pay.example/x',
        settledAt: START + 5,
        resultCode: '0',
        resultDescription: 'Success',
        late: true,
        reviewReason: 'query_missing',
        reportedFees: '25',
        reportedThirdPartyId: 'MP1',
        reportedCode: '0',
        queryMissingSince: START + 1,
        asks: 3,
        dueAt: START + 9,
      }
      const bare = depositRecord({ id: fresh('bare') })
      const { payer: _, ...withoutPayer } = bare
      await store.apply(creation(full))
      await store.apply(creation(withoutPayer))
      expect(await store.deposit(full.id)).toEqual(full)
      expect(await store.deposit(bare.id)).toEqual(withoutPayer)
      expect(await store.depositByReference(full.reference)).toEqual(full)
      expect(await store.liveDeposit('ses_1')).toEqual(full)
      expect(await store.creditedDeposit('ses_1')).toBeUndefined()
      expect(await store.deposit('nobody')).toBeUndefined()
    })

    test('everything of one change is there together', async () => {
      const row = depositRecord({ sessionId: 'ses_9' })
      const session = sessionRecord({ id: 'ses_9', payer: { name: 'Juma', phone: '255700000000' }, country: 'TZ' })
      const notice = noticeRecord(row.id, { lastError: '503', deliveredAt: START })
      const key = idempotencyRecord(row.id)
      const inbox = inboxRecord({
        reference: row.reference,
        depositId: row.id,
        dueAt: START + 1,
        verdict: 'unmatched',
      })
      const change = { ...creation(row), session, notices: [notice], idempotency: key, inbox }
      expect(await store.apply(change)).toEqual({ applied: true })
      expect(await store.session('ses_9')).toEqual(session)
      expect(await store.notices(row.id)).toEqual([notice])
      expect(await store.idempotency(key.keyHash)).toEqual(key)
      expect(await store.timeline(row.id)).toEqual([timelineRecord(row)])
      expect(await store.leaseInbox(START + 1, START + 2, 5)).toEqual([{ ...inbox, dueAt: START + 2 }])
    })

    test('the timeline keeps the order in which things happened, also at one instant', async () => {
      const row = await kept()
      const kinds = Array.from({ length: 20 }, (_, i) => `step-${i}`)
      const deposit = { row, expect: row.version, before: row }
      for (const kind of kinds) await store.apply({ deposit, timeline: [timelineRecord(row, kind)] })
      expect((await store.timeline(row.id)).map(({ kind }) => kind)).toEqual(['created', ...kinds])
    })

    test('a line of timeline keeps its detail, whatever it says, and goes with a deposit of its change only', async () => {
      const row = await kept()
      const line = { ...timelineRecord(row, 'review'), detail: 'a\nb "c" \\ \u2028 \0 d', at: START + 7 }
      const other = await kept()
      const deposit = { row, expect: row.version }
      await store.apply({ deposit, timeline: [line] })
      expect((await store.timeline(row.id)).at(-1)).toEqual(line)
      expect(await store.timeline(other.id)).toHaveLength(1)
      expect(await store.timeline('dep_none')).toEqual([])
      await expect(store.apply({ deposit, timeline: [timelineRecord(other)] })).rejects.toThrow(TypeError)
    })

    test('only the first answer of a key is kept', async () => {
      const key = idempotencyRecord('dep')
      await store.apply({ idempotency: key })
      await store.apply({ answer: { keyHash: key.keyHash, answer: 'first' } })
      expect(await store.apply({ answer: { keyHash: key.keyHash, answer: 'second' } })).toEqual({ applied: true })
      expect((await store.idempotency(key.keyHash))?.answer).toBe('first')
    })

    test('a callback that comes twice is one row, and no conflict', async () => {
      const inbox = inboxRecord({ dueAt: START, verdict: 'unmatched' })
      expect(await store.apply({ inbox })).toEqual({ applied: true })
      expect(await store.apply({ inbox: { ...inbox, verdict: 'rang' } })).toEqual({ applied: true })
      expect((await store.leaseInbox(START, START + 1, 5)).map(({ verdict }) => verdict)).toEqual(['unmatched'])
    })

    test.each<[what: string, from: Partial<Deposit>, to: Partial<Deposit>]>([
      ['its transaction', {}, { transactionId: 'tx-late' }],
      ['its end', { phase: 'failed', settledAt: START }, { settledAt: START + 5 }],
      ['that it is a second success', { phase: 'succeeded' }, { duplicate: true }],
      ['its success', {}, { phase: 'succeeded', transactionId: 'tx', settledAt: START + 5, resultCode: '0' }],
      ['its failure', { phase: 'confirming' }, { phase: 'failed', settledAt: START + 5, dueAt: START + 6 }],
      ['that it was given up', {}, { phase: 'abandoned', replacedBy: 'dep_next' }],
      ['a callback', {}, { phase: 'confirming', reportedCode: '0', updatedAt: START + 5, dueAt: START + 6 }],
      ['the time of a change', {}, { overdue: true, updatedAt: START + 5 }],
      ['a phase at one instant', {}, { phase: 'confirming' }],
      ['what was reported', {}, { reportedFees: '25', dueAt: START + 6, asks: 3, queryMissingSince: START + 2 }],
    ])('a move that is told what was there before keeps %s', async (_what, from, to) => {
      const sessionId = fresh('ses')
      const before = await kept({ sessionId, ...from })
      const row = { ...before, ...to, version: 2 }
      expect(await store.apply({ deposit: { row, expect: 1, before } })).toEqual({ applied: true })
      expect(await store.deposit(row.id)).toEqual(row)
      const isCredited = row.phase === 'succeeded' && !row.duplicate
      expect((await store.creditedDeposit(sessionId))?.id).toBe(isCredited ? row.id : undefined)
      const isOpen = row.phase === 'open' || row.phase === 'confirming'
      expect((await store.liveDeposit(sessionId))?.id).toBe(isOpen ? row.id : undefined)
    })

    test('what the money is about can never change after the first write', async () => {
      const row = await kept({ orderId: 'order-1' })
      const { change } = move(row, {
        amount: 1,
        currency: 'UGX',
        reference: 'other',
        orderId: 'order-2',
        createdAt: 5,
      })
      await store.apply(change)
      const { amount, currency, reference, orderId, createdAt } = (await store.deposit(row.id)) as Deposit
      expect({ amount, currency, reference, orderId, createdAt }).toEqual({
        amount: row.amount,
        currency: row.currency,
        reference: row.reference,
        orderId: 'order-1',
        createdAt: row.createdAt,
      })
    })
  })

  describe('refusing', () => {
    test('the second of two writers who read the same version is told so', async () => {
      const row = await kept()
      const first = move(row, { phase: 'confirming' })
      const second = move(row, { phase: 'failed' })
      expect(await store.apply(first.change)).toEqual({ applied: true })
      expect(await store.apply(second.change)).toEqual({ applied: false, conflict: 'version' })
      expect((await store.deposit(row.id))?.phase).toBe('confirming')
    })

    test('a deposit that is not there cannot be moved', async () => {
      expect(await store.apply(move(depositRecord(), {}).change)).toEqual({ applied: false, conflict: 'version' })
    })

    test('of many writers at once exactly one moves the deposit', async () => {
      const row = await kept()
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, () => store.apply(move(row, { phase: 'succeeded' }).change)),
      )
      expect(outcomes.filter(({ applied }) => applied)).toHaveLength(1)
      expect(await store.timeline(row.id)).toHaveLength(2)
    })

    test('each broken rule is told by its own name', async () => {
      const live = await kept({ sessionId: 'live' })
      const paid = await kept({ sessionId: 'paid', phase: 'succeeded', transactionId: 'tx-1' })
      const key = idempotencyRecord(live.id)
      const session = sessionRecord()
      const notice = noticeRecord(live.id)
      await store.apply({ idempotency: key, session, notices: [notice] })
      const refused = async (change: Parameters<Store['apply']>[0]) => {
        const outcome = await store.apply(change)
        return outcome.applied ? 'applied' : outcome.conflict
      }
      expect(await refused({ idempotency: { ...key, fingerprint: 'other' } })).toBe('idempotency')
      expect(await refused(creation(depositRecord({ sessionId: 'live' })))).toBe('live')
      expect(await refused(creation(depositRecord({ sessionId: 'paid', phase: 'succeeded' })))).toBe('credited')
      expect(await refused(creation(depositRecord({ transactionId: 'tx-1' })))).toBe('transaction')
      expect(await refused(creation(depositRecord({ id: paid.id })))).toBe('duplicate_id')
      expect(await refused(creation(depositRecord({ reference: paid.reference })))).toBe('duplicate_id')
      expect(await refused({ session: { ...session, orderId: 'other' } })).toBe('duplicate_id')
      expect(await refused({ session: sessionRecord({ orderId: session.orderId }) })).toBe('order')
      expect(await refused({ notices: [notice] })).toBe('duplicate_id')
      // The same rules when a deposit moves into them.
      const other = await kept({ sessionId: 'paid', phase: 'failed' })
      expect(await refused(move(other, { phase: 'succeeded' }).change)).toBe('credited')
      expect(await refused(move(other, { phase: 'succeeded', duplicate: true }).change)).toBe('applied')
      const late = await kept({ sessionId: 'live', phase: 'abandoned' })
      expect(await refused(move(late, { phase: 'open' }).change)).toBe('live')
      expect(await refused(move(late, { transactionId: 'tx-1' }).change)).toBe('transaction')
    })

    test('an order has one session, and another only in the change that closes the first', async () => {
      const first = sessionRecord()
      const { orderId } = first
      await store.apply({ session: first })
      const many = await Promise.all(
        Array.from({ length: 20 }, () => store.apply({ session: sessionRecord({ orderId }) })),
      )
      expect(many.filter(({ applied }) => applied)).toEqual([])
      const second = sessionRecord({ orderId })
      const closing = { close: { session: first, at: START + 5 }, session: second }
      expect(await store.apply(closing)).toEqual({ applied: true })
      expect(await store.sessionOfOrder(orderId)).toEqual(second)
      expect(await store.session(first.id)).toEqual({ ...first, closedAt: START + 5 })
      // Once only: what was closed holds nothing any more.
      const third = { ...closing, session: sessionRecord({ orderId }) }
      expect(await store.apply(third)).toEqual({ applied: false, conflict: 'version' })
      expect(await store.sessionOfOrder('another')).toBeUndefined()
    })

    test('an attempt and the end of its session cannot both be written', async () => {
      const session = sessionRecord()
      await store.apply({ session })
      const row = depositRecord({ sessionId: session.id, orderId: session.orderId, phase: 'failed' })
      const idempotency = idempotencyRecord(row.id)
      const start = { ...creation(row), idempotency, startIn: session }
      const close = { close: { session, at: START }, session: sessionRecord({ orderId: session.orderId }) }
      const outcomes = await Promise.all([store.apply(start), store.apply(close)])
      expect(outcomes.filter(({ applied }) => applied)).toHaveLength(1)
      expect(outcomes).toContainEqual({ applied: false, conflict: 'version' })
      const isStarted = (await store.session(session.id))?.starts === 1
      expect((await store.deposit(row.id)) !== undefined).toBe(isStarted)
      expect((await store.idempotency(idempotency.keyHash)) !== undefined).toBe(isStarted)
      const present = (await store.session(session.id))!
      const later = { close: { session: present, at: START }, session: sessionRecord({ orderId: session.orderId }) }
      expect(await store.apply(later)).toEqual(isStarted ? { applied: true } : { applied: false, conflict: 'version' })
      const another = depositRecord({ sessionId: session.id, orderId: session.orderId, phase: 'failed' })
      const closed = (await store.session(session.id))!
      expect(await store.apply({ ...creation(another), startIn: closed })).toEqual({
        applied: false,
        conflict: 'version',
      })
    })

    test('an order is credited once, in whatever session; a test payment does not pay the live one', async () => {
      const orderId = 'twice'
      await kept({ sessionId: 'one', orderId, phase: 'succeeded' })
      const second = await kept({ sessionId: 'two', orderId, phase: 'confirming' })
      expect(await store.apply(move(second, { phase: 'succeeded' }).change)).toEqual({
        applied: false,
        conflict: 'credited',
      })
      expect(await store.apply(move(second, { phase: 'succeeded', duplicate: true }).change)).toEqual({ applied: true })
      const live = await kept({ sessionId: 'three', orderId, phase: 'confirming', reference: 'HCL-1', mode: 'live' })
      expect(await store.apply(move(live, { phase: 'succeeded' }).change)).toEqual({ applied: true })
    })

    test('where an order stands is said by a success, else by what can still be paid', async () => {
      const orderId = 'stands'
      const standing = async () => (await store.orderPayment(orderId, 'test'))?.phase
      for (const phase of ['failed', 'expired', 'rejected'] as const) await kept({ orderId, phase, dueAt: START })
      // Nobody asks about it any more.
      await kept({ orderId, phase: 'abandoned' })
      await kept({ orderId, phase: 'open', reference: 'HCL-2', mode: 'live' })
      expect(await standing()).toBeUndefined()
      await kept({ orderId, phase: 'abandoned', dueAt: START })
      expect(await standing()).toBe('abandoned')
      const open = await kept({ orderId, sessionId: 'four', phase: 'confirming' })
      expect((await store.liveOfOrder(orderId, 'test')).map(({ id }) => id)).toEqual([open.id])
      await store.apply(move(open, { phase: 'succeeded' }).change)
      expect(await standing()).toBe('succeeded')
      expect(await store.liveOfOrder(orderId, 'test')).toEqual([])
    })

    test('a known key says more than the live attempt it made', async () => {
      const row = await kept({ sessionId: 'ses' })
      const idempotency = idempotencyRecord(row.id)
      await store.apply({ idempotency })
      const again = { ...creation(depositRecord({ sessionId: 'ses' })), idempotency }
      expect(await store.apply(again)).toEqual({ applied: false, conflict: 'idempotency' })
    })

    test('a refused change leaves nothing behind, whichever part was refused', async () => {
      const row = await kept({ sessionId: 'ses' })
      const unanswered = idempotencyRecord(row.id)
      await store.apply({ idempotency: unanswered })
      const before = await Promise.all(
        ['deposits', 'notices', 'idempotency', 'sessions', 'inbox'].map((table) => bench.count(table)),
      )
      const fresher = depositRecord({ sessionId: 'ses' })
      const key = idempotencyRecord(fresher.id)
      await store.apply({
        ...creation(fresher),
        idempotency: key,
        notices: [noticeRecord(row.id)],
        session: sessionRecord(),
        inbox: inboxRecord(),
      })
      const stale = move({ ...row, version: 7 }, { phase: 'failed' })
      await store.apply({
        ...stale.change,
        notices: [noticeRecord(row.id)],
        idempotency: idempotencyRecord(row.id),
        answer: { keyHash: unanswered.keyHash, answer: 'no' },
        inbox: inboxRecord(),
        session: sessionRecord(),
      })
      const after = await Promise.all(
        ['deposits', 'notices', 'idempotency', 'sessions', 'inbox'].map((table) => bench.count(table)),
      )
      expect(after).toEqual(before)
      expect(await store.deposit(row.id)).toEqual(row)
      expect(await store.deposit(fresher.id)).toBeUndefined()
      expect(await store.idempotency(key.keyHash)).toBeUndefined()
      // One that says what never came to be would be repeated to the customer.
      expect(await store.idempotency(unanswered.keyHash)).toEqual(unanswered)
      expect(await store.timeline(row.id)).toHaveLength(1)
      expect(await store.notices(row.id)).toEqual([])
    })

    test('a refused change does no harm to the ones written beside it', async () => {
      const row = await kept({ sessionId: 'ses' })
      const good = Array.from({ length: 10 }, () => depositRecord())
      const outcomes = await Promise.all(
        good.flatMap((each) => [
          store.apply(creation(each)),
          store.apply({ ...creation(depositRecord({ sessionId: 'ses' })), idempotency: idempotencyRecord(row.id) }),
        ]),
      )
      expect(outcomes.map(({ applied }) => applied)).toEqual(good.flatMap(() => [true, false]))
      for (const each of good) expect(await store.deposit(each.id)).toEqual(each)
    })

    test('a refused change leaves nothing behind where one beside it moved its deposit', async () => {
      const [moved, stays] = [await kept(), await kept()]
      const unanswered = idempotencyRecord(stays.id)
      await store.apply({ idempotency: unanswered })
      const stale = move({ ...stays, version: 7 }, { phase: 'failed' }).change
      const outcomes = await Promise.all([
        store.apply({ ...move(moved, { phase: 'succeeded' }).change, notices: [noticeRecord(moved.id)] }),
        store.apply({
          ...stale,
          notices: [noticeRecord(stays.id)],
          answer: { keyHash: unanswered.keyHash, answer: 'no' },
        }),
      ])
      expect(outcomes).toEqual([{ applied: true }, { applied: false, conflict: 'version' }])
      expect(await store.notices(moved.id)).toHaveLength(1)
      expect(await store.notices(stays.id)).toEqual([])
      expect(await store.timeline(stays.id)).toHaveLength(1)
      expect(await store.idempotency(unanswered.keyHash)).toEqual(unanswered)
    })
  })

  describe('many writers', () => {
    test('a thousand changes at once are all there, each once', async () => {
      const made = Array.from({ length: 1000 }, (_, i) => depositRecord({ createdAt: START + i }))
      const outcomes = await Promise.all(made.map((row) => store.apply(creation(row))))
      expect(outcomes.every(({ applied }) => applied)).toBe(true)
      const found: Deposit[] = []
      for (let after: PaymentFilter['after']; ;) {
        const page = await store.payments({ limit: 200, ...(after ? { after } : {}) })
        found.push(...page)
        const last = page.at(-1)
        if (page.length < 200 || !last) break
        after = { createdAt: last.createdAt, id: last.id }
      }
      expect(found).toEqual(made.toReversed())
    })
  })

  describe('counting', () => {
    test('no more is granted than the limit of the window, however many ask at once', async () => {
      const granted = await Promise.all(Array.from({ length: 30 }, () => store.take('upstream', START, 7, 100)))
      expect(granted.reduce((sum, each) => sum + each, 0)).toBe(100)
      expect(Math.max(...granted)).toBe(7)
      expect(await store.take('upstream', START, 1, 100)).toBe(0)
      expect(await store.take('upstream', START + 60_000, 5, 100)).toBe(5)
      expect(await store.take('other', START, 5, 100)).toBe(5)
      expect(await store.take('none', START, 5, 0)).toBe(0)
      expect(await store.take('upstream', START, 5, 50)).toBe(0)
    })

    test('the figures tell what waits', async () => {
      expect(await store.stats()).toEqual({
        depositsByPhase: {},
        noticesWaiting: 0,
        noticesDead: 0,
        inboxUnmatched: 0,
      })
      await kept({ dueAt: START + 5 })
      await kept({ dueAt: START + 7, phase: 'confirming' })
      await kept({ phase: 'review' })
      await kept({ phase: 'succeeded' })
      expect(await store.stats()).toMatchObject({
        depositsByPhase: { open: 1, confirming: 1, review: 1 },
        oldestDueAt: START + 5,
      })
      await kept({ dueAt: START + 3, phase: 'unknown' })
      expect(await store.stats()).toMatchObject({
        depositsByPhase: { open: 1, confirming: 1, review: 1, unknown: 1 },
        oldestDueAt: START + 3,
      })
    })

    test('small facts are kept and replaced', async () => {
      expect(await store.meta('restored_at')).toBeUndefined()
      await store.setMeta('restored_at', '1')
      await store.setMeta('restored_at', '2')
      expect(await store.meta('restored_at')).toBe('2')
    })
  })

  describe('the payment list', () => {
    const phases = [
      'creating',
      'open',
      'confirming',
      'review',
      'abandoned',
      'succeeded',
      'failed',
      'expired',
      'rejected',
    ] as const
    const markets = [
      ['KE', 'KES'],
      ['SN', 'XOF'],
      ['CI', 'XOF'],
      ['UG', 'UGX'],
    ] as const

    async function many(): Promise<Deposit[]> {
      const rows = Array.from({ length: 120 }, (_, i) => {
        const [country, currency] = markets[i % markets.length] as (typeof markets)[number]
        return depositRecord({
          // Several at one instant: the id decides.
          createdAt: START + Math.floor(i / 3) * 1000,
          phase: phases[i % phases.length] as Deposit['phase'],
          country,
          currency,
          ...(i % 5 === 0 ? { orderId: `order-${i % 10}` } : {}),
          sessionId: `ses-${i}`,
        })
      })
      for (const row of rows) await store.apply(creation(row))
      return rows
    }

    const filters: readonly Partial<PaymentFilter>[] = [
      {},
      ...phases.map((phase) => ({ phase })),
      { status: 'PENDING' },
      { status: 'SUCCESS' },
      { status: 'FAILED' },
      { status: 'SUCCESS', phase: 'succeeded' },
      { status: 'SUCCESS', phase: 'failed' },
      { currency: 'XOF' },
      { country: 'SN' },
      { currency: 'XOF', country: 'CI', status: 'FAILED' },
      { orderId: 'order-5' },
      { orderId: 'order-0', status: 'PENDING' },
      { sessionId: 'ses-7' },
      { sessionId: 'ses-7', status: 'FAILED' },
      { reference: 'nothing' },
      { from: START + 10_000 },
      { to: START + 10_000 },
      { from: START + 5000, to: START + 30_000, currency: 'KES', phase: 'open' },
      { from: START + 5000, to: START + 30_000, status: 'PENDING' },
    ]

    test('each filter finds what it says, newest first, page by page, nothing twice or left out', async () => {
      const rows = await many()
      const model = (await import('../helpers/memory-store.ts')).memoryStore()
      for (const row of rows) await model.apply(creation(row))
      for (const filter of [...filters, { reference: rows[3]?.reference as string }]) {
        const expected = (await model.payments({ ...filter, limit: 1000 })).map(({ id }) => id)
        for (const limit of [7, 200]) {
          const found: string[] = []
          for (let after: PaymentFilter['after']; ;) {
            const page = await store.payments({ ...filter, limit, ...(after ? { after } : {}) })
            found.push(...page.map(({ id }) => id))
            const last = page.at(-1)
            if (page.length < limit || !last) break
            after = { createdAt: last.createdAt, id: last.id }
          }
          expect({ filter, found }).toEqual({ filter, found: expected })
        }
      }
    })
  })

  describe('the listeners of changes', () => {
    test('are called for each deposit of an applied change, after it can be read, and for no refused one', async () => {
      const rang: string[] = []
      const seen: Promise<Deposit | undefined>[] = []
      const given: (Deposit | undefined)[] = []
      const stop = store.onChange((id, version, written) => {
        rang.push(`${id}@${version}`)
        seen.push(store.deposit(id))
        given.push(written)
      })
      const row = await kept()
      await store.apply(move(row, { phase: 'confirming' }).change)
      await store.apply(move(row, { phase: 'failed' }).change)
      expect(rang).toEqual([`${row.id}@1`, `${row.id}@2`])
      expect((await Promise.all(seen)).map((each) => each?.version)).toContain(2)
      // What is given is what can be read, so that nobody has to.
      if (adapter.name !== 'the model') expect(given).toEqual([row, await store.deposit(row.id)])
      stop()
      await kept()
      expect(rang).toHaveLength(2)
    })

    test('a listener that throws harms neither the writer nor the others', async () => {
      if (adapter.name === 'the model') return
      let heard = 0
      store.onChange(() => {
        throw new Error('boom')
      })
      store.onChange(() => (heard += 1))
      await kept()
      expect(heard).toBe(1)
    })
  })

  test('what was acknowledged is there when the store is opened again', async () => {
    const row = await kept({ sessionId: 'ses' })
    await store.setMeta('fact', 'x')
    if (adapter.name !== 'the model') await store.close()
    const next = await bench.another()
    expect(await next.deposit(row.id)).toEqual(row)
    expect(await next.meta('fact')).toBe('x')
    await next.ping()
  })

  test('a closed store says so', async () => {
    await store.close()
    await expect(store.apply(creation(depositRecord()))).rejects.toThrow()
    await expect(store.deposit('x')).rejects.toThrow()
    await expect(store.ping()).rejects.toThrow()
  })
})
