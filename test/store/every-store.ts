// The stores that the suite runs over, one after the other: each test has an empty database of its
// own.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { type Adapter, adapters, type Bench } from './adapters.ts'

/** The database of the running test, and the store on it. */
export let bench: Bench
export let store: Store

/** Runs the tests on every store. One that is missing here is skipped, and says why. */
export function onEveryStore(tests: (adapter: Adapter) => void): void {
  for (const adapter of adapters) {
    const missing = adapter.missing ? ` (${adapter.missing})` : ''
    describe.skipIf(adapter.missing)(`a store on ${adapter.name}${missing}`, () => {
      beforeAll(() => adapter.start())
      afterAll(() => adapter.stop())
      beforeEach(async () => {
        bench = await adapter.fresh()
        store = bench.store
      })
      afterEach(() => bench.end())
      tests(adapter)
    })
  }
}

/** A new deposit that the store has. */
export async function kept(given: Partial<Deposit> = {}): Promise<Deposit> {
  const row = depositRecord(given)
  expect(await store.apply(creation(row))).toEqual({ applied: true })
  return row
}
