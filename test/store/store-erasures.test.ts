// What a store erases, for every store: a person on request, payer details and old answers when
// their time is over.
import { describe, expect, test } from 'vitest'
import { depositRecord, idempotencyRecord, inboxRecord, move, sessionRecord, START } from '../helpers/deposit-record.ts'
import { bench, kept, onEveryStore, store } from './every-store.ts'

const HOUR = 3_600_000

onEveryStore((adapter) => {
  describe('forgetting', () => {
    test('payer details go after their time, money facts stay', async () => {
      const settled = await kept({ phase: 'succeeded', settledAt: START + 5, transactionId: 'tx' })
      const given = await kept({ phase: 'abandoned', updatedAt: START + 5 })
      const open = await kept()
      const recent = await kept({ phase: 'failed', settledAt: START + HOUR })
      await store.apply({ session: sessionRecord({ id: 'old', expiresAt: START + 5, payer: { name: 'A' } }) })
      await store.apply({ session: sessionRecord({ id: 'new', expiresAt: START + HOUR, payer: { name: 'B' } }) })
      expect(await store.purgePayers(START + 10)).toBe(2)
      expect(await store.purgePayers(START + 10)).toBe(0)
      const { payer: _, ...facts } = settled
      expect(await store.deposit(settled.id)).toEqual(facts)
      expect((await store.deposit(given.id))?.payer).toBeUndefined()
      expect((await store.deposit(open.id))?.payer).toBeDefined()
      expect((await store.deposit(recent.id))?.payer).toBeDefined()
      expect((await store.session('old'))?.payer).toBeUndefined()
      expect((await store.session('new'))?.payer).toEqual({ name: 'B' })
    })

    test('a person is forgotten by phone number, and a writer that knew them does not bring them back', async () => {
      const row = await kept({ payer: { name: 'Amina', phone: '254700000001' } })
      const other = await kept({ payer: { name: 'Otieno', phone: '254700000002' } })
      await store.apply({ session: sessionRecord({ id: 'hers', payer: { name: 'Amina', phone: '254700000001' } }) })
      const inbox = inboxRecord({ reference: row.reference, verdict: 'unmatched', dueAt: START })
      await store.apply({ inbox })
      expect(await store.forgetPhone('254700000001')).toBe(1)
      expect(await store.forgetPhone('254700000001')).toBe(0)
      await store.apply(move(row, { phase: 'confirming' }).change)
      expect((await store.deposit(row.id))?.phase).toBe('confirming')
      expect((await store.deposit(row.id))?.payer).toBeUndefined()
      expect((await store.session('hers'))?.payer).toBeUndefined()
      expect((await store.deposit(other.id))?.payer?.name).toBe('Otieno')
      expect((await store.leaseInbox(START, START + 1, 1))[0]?.body).toHaveLength(0)
    })

    test('payer details of more payments than one step erases go all the same', async () => {
      const rows = Array.from({ length: 1_500 }, () => depositRecord({ phase: 'succeeded', settledAt: START + 5 }))
      await Promise.all(rows.map((row) => store.apply({ deposit: { row, expect: 'new' } })))
      expect(await store.purgePayers(START + 10)).toBe(1_500)
      expect(await store.purgePayers(START + 10)).toBe(0)
    })

    test('who never came to an end is forgotten 30 days later than the others, for nobody asks about it any more', async () => {
      const MONTH = 30 * 24 * HOUR
      const review = await kept({ phase: 'review' })
      const open = await kept({ phase: 'open' })
      const younger = await kept({ phase: 'review', createdAt: START + HOUR })
      expect(await store.purgePayers(START + MONTH)).toBe(0)
      expect(await store.purgePayers(START + MONTH + 1)).toBe(2)
      for (const { id } of [review, open]) expect((await store.deposit(id))?.payer).toBeUndefined()
      expect((await store.deposit(review.id))?.phase).toBe('review')
      expect((await store.deposit(younger.id))?.payer).toBeDefined()
    })

    test('the answers of a forgotten payment go, the promise of its keys stays', async () => {
      const hers = { name: 'Amina', phone: '254700000001' }
      const row = await kept({ payer: hers })
      const other = await kept()
      const early = idempotencyRecord(row.id, { answer: '{"hers":1}', createdAt: START - 5000 })
      const late = idempotencyRecord(row.id, { answer: '{"hers":2}', createdAt: START + HOUR })
      const theirs = idempotencyRecord(other.id, { answer: '{}' })
      for (const idempotency of [early, late, theirs]) await store.apply({ idempotency })
      expect(await store.forgetPhone(hers.phone)).toBe(1)
      for (const { answer: _, ...promise } of [early, late])
        expect(await store.idempotency(promise.keyHash)).toEqual(promise)
      expect(await store.idempotency(theirs.keyHash)).toEqual(theirs)
    })

    test('a callback of a forgotten payment that comes again is still known', async () => {
      const row = await kept({ payer: { name: 'Amina', phone: '254700000001' } })
      const inbox = inboxRecord({ reference: row.reference, verdict: 'unmatched', dueAt: START })
      await store.apply({ inbox })
      await store.forgetPhone('254700000001')
      await store.apply({ inbox })
      const found = await store.leaseInbox(START, START + 1, 5)
      expect(found.map(({ id, body }) => [id, body.length])).toEqual([[inbox.id, 0]])
    })

    test('once payer details and callbacks went by their age, a phone number leads to nothing', async () => {
      const row = await kept({
        phase: 'succeeded',
        settledAt: START + 5,
        payer: { name: 'Amina', phone: '254700000001' },
      })
      await store.apply({
        inbox: inboxRecord({ reference: row.reference, receivedAt: START + 4, dueAt: START + 4 }),
      })
      const [inbox] = await store.leaseInbox(START + 4, START + 5, 1)
      await store.updateInbox(inbox?.id ?? '', 'rang', row.id)
      expect(await store.purgePayers(START + 10)).toBe(1)
      expect(await store.purgeOld(START + 10)).toBe(1)
      expect(await store.forgetPhone('254700000001')).toBe(0)
      if (!Number.isNaN(await bench.count('inbox'))) expect(await bench.count('inbox')).toBe(0)
    })

    test('a session that has the number as it is dialled at home is forgotten too', async () => {
      const phones = { zero: '0700999888', bare: '700999888', full: '254700999888', other: '0700999889' }
      for (const [id, phone] of Object.entries(phones))
        await store.apply({ session: sessionRecord({ id, payer: { name: 'A', phone } }) })
      await store.forgetPhone('254700999888')
      for (const id of ['zero', 'bare', 'full']) expect((await store.session(id))?.payer).toBeUndefined()
      expect((await store.session('other'))?.payer).toBeDefined()
    })

    test('a person with many payments is forgotten in all of them', async () => {
      await Promise.all(Array.from({ length: 200 }, (_, i) => kept({ createdAt: START + (i % 7) })))
      expect(await store.forgetPhone('254712345678')).toBe(200)
    })

    test('a person is forgotten also in payments that lie more than a window of rows apart', async () => {
      const hers = { name: 'Amina', phone: '254700000001' }
      const others = depositRecord().payer!
      // Many at once, so that the store writes them together.
      for (let n = 0; n < 10_500; n += 500) {
        const rows = Array.from({ length: 500 }, (_, i) =>
          depositRecord({ createdAt: START + n + i, payer: (n + i) % 5200 === 0 ? hers : others }),
        )
        await Promise.all(rows.map((row) => store.apply({ deposit: { row, expect: 'new' } })))
      }
      expect(await store.forgetPhone(hers.phone)).toBe(3)
    })

    // The others count in memory.
    test.runIf(adapter.name === 'PostgreSQL')('counters of windows that are over go', async () => {
      await store.take('calls', START, 1, 10)
      await store.take('calls', START + HOUR, 1, 10)
      await store.purgeOld(START + 10)
      expect(await bench.count('counters')).toBe(1)
    })

    test('old answers and callbacks go; the promise of a key and an unmatched callback stay', async () => {
      const old = idempotencyRecord('dep', { answer: '{}' })
      const recent = idempotencyRecord('dep', { answer: '{}', createdAt: START + HOUR })
      await store.apply({ idempotency: old })
      await store.apply({ idempotency: recent })
      const inbox = inboxRecord()
      await store.apply({ inbox })
      await store.apply({ inbox: inboxRecord({ verdict: 'unmatched', dueAt: START + HOUR }) })
      expect(await store.purgeOld(START + 10)).toBe(2)
      const { answer: _, ...promise } = old
      expect(await store.idempotency(old.keyHash)).toEqual(promise)
      expect((await store.idempotency(recent.keyHash))?.answer).toBe('{}')
      expect(await store.leaseInbox(START + HOUR, START + 2 * HOUR, 5)).toHaveLength(1)
    })
  })
})
