// A person hears that callbacks have stopped, while payments are open and only then.
import { expect, it } from 'vitest'
import { createSilenceWatch } from '../../server/notices/silence.ts'
import { sqliteStore } from '../../server/store/sqlite.ts'
import { creation, depositRecord, move } from '../helpers/deposit-record.ts'

const MINUTE = 60_000

function world(silentMinutes = 30) {
  let clock = 1_000 * MINUTE
  const raised: string[] = []
  const store = sqliteStore({ path: ':memory:' })
  const make = () =>
    createSilenceWatch({ store, alerts: { raise: (kind) => void raised.push(kind) }, now: () => clock, silentMinutes })
  return { store, raised, make, pass: (minutes: number) => void (clock += minutes * MINUTE) }
}

it('silence is told after its minutes, counted from the last callback at any instance', async () => {
  const w = world()
  const [here, there] = [w.make(), w.make()]
  await w.store.apply(creation(depositRecord()))
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
  const deposit = depositRecord()
  await w.store.apply(creation(deposit))
  await watch.look()
  await w.store.apply(move(deposit, { phase: 'succeeded' }).change)
  w.pass(100)
  await watch.look()
  await w.store.apply(creation(depositRecord()))
  await watch.look()
  w.pass(29)
  await watch.look()
  expect(w.raised).toEqual([])
})

it('0 minutes means never', async () => {
  const w = world(0)
  const watch = w.make()
  await w.store.apply(creation(depositRecord()))
  await watch.look()
  w.pass(10_000)
  await watch.look()
  expect(w.raised).toEqual([])
})
