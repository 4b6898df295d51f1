// A daily reminder of what waits for a person, and none if nothing does.
import { expect, it } from 'vitest'
import { createReminders } from '../../server/operations/alerts/reminders.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import { creation, depositRecord, noticeRecord, START } from '../helpers/deposit-record.ts'

const HOUR = 3_600_000

function world() {
  let clock = START
  const raised: string[] = []
  const store = sqliteStore({ path: ':memory:' })
  const alerts = { raise: (kind: string, detail: string) => void raised.push(`${kind}: ${detail}`) }
  const make = () => createReminders({ store, alerts, now: () => clock })
  return {
    store,
    raised,
    make,
    pass: (hours: number) => void (clock += hours * HOUR),
    async wait(): Promise<void> {
      const row = depositRecord({ phase: 'review' })
      await store.apply(creation(row))
      await store.apply({ notices: [noticeRecord(row.id, { state: 'dead' }), noticeRecord(row.id, { state: 'dead' })] })
    },
  }
}

const waiting = [
  'review: Waiting for a decision now: 1. You hear this once a day.',
  'notice_dead: Given up and not sent again: 2. You hear this once a day.',
]

it('payments under review and notices that were given up are told of at the first look, then once a day', async () => {
  const w = world()
  await w.wait()
  const { look } = w.make()
  await look()
  expect(w.raised).toEqual(waiting)
  w.pass(23)
  await look()
  expect(w.raised).toEqual(waiting)
  w.pass(1)
  await look()
  expect(w.raised).toEqual([...waiting, ...waiting])
})

it('nothing is told of where nothing waits', async () => {
  const w = world()
  await w.store.apply(creation(depositRecord()))
  await w.make().look()
  expect(w.raised).toEqual([])
})

it('a new start tells again: the alert of before may never have come through', async () => {
  const w = world()
  await w.wait()
  await w.make().look()
  await w.make().look()
  expect(w.raised).toEqual([...waiting, ...waiting])
})

it('a database that cannot be asked is asked again at the next look', async () => {
  const w = world()
  await w.wait()
  const { stats } = w.store
  let failing = true
  const store = { stats: () => (failing ? Promise.reject(new Error('away')) : stats()) }
  const { look } = createReminders({
    store,
    alerts: { raise: (kind) => void w.raised.push(kind) },
    now: () => START,
  })
  await expect(look()).rejects.toThrow('away')
  failing = false
  await look()
  expect(w.raised).toEqual(['review', 'notice_dead'])
})
