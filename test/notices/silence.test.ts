// An alert when callbacks have stopped, but only while payments are open.
import { expect, it } from 'vitest'
import { createSilenceWatch } from '../../server/operations/alerts/silence.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import { creation, depositRecord, move } from '../helpers/deposit-record.ts'

const MINUTE = 60_000
/** In minutes. */
const DAY = 1440

function world(silentMinutes = 30) {
  let clock = 1_000 * MINUTE
  const raised: string[] = []
  const details: string[] = []
  const store = sqliteStore({ path: ':memory:' })
  const raise = (kind: string, detail: string): void => {
    raised.push(kind)
    details.push(detail)
  }
  const make = () => createSilenceWatch({ store, alerts: { raise }, now: () => clock, silentMinutes })
  return {
    store,
    raised,
    details,
    make,
    now: () => clock,
    pass: (minutes: number) => void (clock += minutes * MINUTE),
    /** A customer begins a payment now. */
    begin: () => store.apply(creation(depositRecord({ createdAt: clock }))),
  }
}

it('silence is told after its minutes, counted from the last callback at any instance', async () => {
  const w = world()
  const [here, there] = [w.make(), w.make()]
  await w.begin()
  await here.look()
  w.pass(29)
  await here.look()
  expect(w.raised).toEqual([])
  await there.heard()
  w.pass(29)
  await here.look()
  expect(w.raised).toEqual([])
  w.pass(1)
  await here.look()
  expect(w.raised).toEqual(['silent'])
})

it('without open payments silence is peace, and its minutes begin with the next payment', async () => {
  const w = world()
  const watch = w.make()
  const deposit = depositRecord({ createdAt: w.now() })
  await w.store.apply(creation(deposit))
  await watch.look()
  await w.store.apply(move(deposit, { phase: 'succeeded' }).change)
  w.pass(100)
  await watch.look()
  await w.begin()
  await watch.look()
  w.pass(29)
  await watch.look()
  expect(w.raised).toEqual([])
})

it('payments that have ended let nobody expect a callback, however recent they are', async () => {
  const w = world()
  const watch = w.make()
  for (let minute = 0; minute < 120; minute++) {
    if (minute % 10 === 0) {
      const deposit = depositRecord({ createdAt: w.now() })
      await w.store.apply(creation(deposit))
      await w.store.apply(move(deposit, { phase: 'failed' }).change)
    }
    await watch.look()
    w.pass(1)
  }
  expect(w.raised).toEqual([])
})

it('one customer who walked away is told of once, not until the payment is given up after 30 days', async () => {
  const w = world()
  const watch = w.make()
  await w.begin()
  for (let minute = 0; minute < 3 * DAY; minute += 10) {
    await watch.look()
    w.pass(10)
  }
  expect(w.raised).toEqual(['silent'])
})

it.each([
  [30, 61, 60],
  [60, 60, 120],
  [60, 61, 120],
  [60, 90, 120],
  [60, 1000, 120],
  [120, 300, 240],
])(
  'a silence of %i minutes is told to a shop with one payment in %i minutes, and the payments that it names are those of %i',
  async (silentMinutes, every, named) => {
    const w = world(silentMinutes)
    const watch = w.make()
    for (let minute = 0; minute < DAY; minute++) {
      if (minute % every === 0) await w.begin()
      // The looks are never at the very moment at which a payment was begun.
      w.pass(0.001)
      await watch.look()
      w.pass(0.999)
    }
    expect(w.raised).toEqual(['silent'])
    expect(w.details).toEqual([
      expect.stringMatching(`^Open payments of the last ${named} minutes: [12]\\. No callback`),
    ])
  },
)

it('a payment that nobody pays any more lets nobody expect a callback', async () => {
  const w = world(60)
  const watch = w.make()
  await w.begin()
  w.pass(121)
  await watch.look()
  w.pass(60)
  await watch.look()
  expect(w.raised).toEqual([])
})

it('while payments are begun a silence is told once a day, and at once when it is another one', async () => {
  const w = world()
  const watch = w.make()
  const until = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 10) {
      await w.begin()
      await watch.look()
      w.pass(10)
    }
  }
  await until(DAY)
  expect(w.raised).toHaveLength(1)
  await until(DAY)
  expect(w.raised).toHaveLength(2)
  await watch.heard()
  await until(60)
  expect(w.raised).toHaveLength(3)
})

it('a clock that is set back keeps neither a callback from being heard nor a silence from being told', async () => {
  const w = world()
  const watch = w.make()
  await watch.heard()
  await w.begin()
  await watch.look()
  w.pass(-DAY / 2)
  for (let round = 0; round < 4; round++) {
    await w.begin()
    await watch.look()
    w.pass(10)
  }
  expect(w.raised).toEqual(['silent'])
  await watch.heard()
  expect(await w.store.meta('callback_heard_at')).toBe(String(w.now()))
})

it('a payment whose success waits for its proof is as open as one that nobody has paid', async () => {
  const w = world()
  const watch = w.make()
  const deposit = depositRecord({ createdAt: w.now() })
  await w.store.apply(creation(deposit))
  await w.store.apply(move(deposit, { phase: 'confirming' }).change)
  await watch.look()
  w.pass(30)
  await watch.look()
  expect(w.raised).toEqual(['silent'])
})

it('one whose success waits for its proof since yesterday lets nobody expect a callback', async () => {
  const w = world()
  const watch = w.make()
  const deposit = depositRecord({ createdAt: w.now() })
  await w.store.apply(creation(deposit))
  await w.store.apply(move(deposit, { phase: 'confirming' }).change)
  w.pass(DAY)
  await watch.look()
  w.pass(100)
  await watch.look()
  expect(w.raised).toEqual([])
})

it('thousands of callbacks are written down once a minute', async () => {
  const w = world()
  const written: string[] = []
  const { setMeta } = w.store
  w.store.setMeta = (key, value) => {
    written.push(value)
    return setMeta(key, value)
  }
  const watch = w.make()
  for (let second = 0; second < 120; second++) {
    await watch.heard()
    w.pass(1 / 60)
  }
  expect(written).toEqual([String(1_000 * MINUTE), String(1_001 * MINUTE)])
})

it('0 minutes means never', async () => {
  const w = world(0)
  const watch = w.make()
  await w.begin()
  await watch.look()
  w.pass(10_000)
  await watch.look()
  expect(w.raised).toEqual([])
})
