// The types that `hc-checkout-server/node` takes and returns can be named by code that stores them
// in a variable or exports them.
import { expect, it } from 'vitest'
import type { createCompanion, openCompanion, openStore, readSettings, startCompanion } from '../../server/node.ts'
import type {
  Companion,
  CompanionOptions,
  OpenedCompanion,
  OpenOverrides,
  RunningCompanion,
  Settings,
  Store,
} from '../../server/node.ts'

/** The one may stand where the other is wanted, and the other way round. */
type Same<A, B> = [A, B] extends [B, A] ? true : false

const companions: Same<ReturnType<typeof createCompanion>, Companion> = true
const options: Same<Parameters<typeof createCompanion>[0], CompanionOptions> = true
const opened: Same<Awaited<ReturnType<typeof openCompanion>>, OpenedCompanion> = true
const overrides: Same<NonNullable<Parameters<typeof openCompanion>[1]>, OpenOverrides> = true
const running: Same<Awaited<ReturnType<typeof startCompanion>>, RunningCompanion> = true
const settings: Same<ReturnType<typeof readSettings>, Settings> = true
const stores: Same<Awaited<ReturnType<typeof openStore>>, Store> = true

it('the compiler finds a name for each', () => {
  expect([companions, options, opened, overrides, running, settings, stores]).toEqual(Array(7).fill(true))
})
