// What a decision writes: its row as the difference from the row before, and the inputs of the
// tests that compare it.
import { expect } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import { decide } from '../../server/deposits/machine/decide.ts'
import type { Context, Input } from '../../server/deposits/machine/transition.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { depositRecord, START } from '../helpers/deposit-record.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
const URL_OF_IT = 'https://checkout.example/c/1'
export const GONE = Symbol('gone')

/** A deposit that waits for nothing in particular: its `dueAt` is one that no rule would make. */
export const inPhase = (phase: DepositPhase, given: Partial<Deposit> = {}): Deposit =>
  depositRecord({ id: 'dep_1', phase, version: 4, asks: 2, dueAt: START + 7, ...given })
export const known = { transactionId: 'CP1', checkoutUrl: URL_OF_IT } as const

/** Everything that a decision makes different; a field that is taken away reads GONE. */
export function outcome(
  before: Deposit,
  input: Input,
  ms = MINUTE,
  context: Partial<Context> = {},
): Record<string, unknown> {
  const { deposit, ...told } = decide(before, input, {
    now: START + ms,
    trustedNow: START + ms,
    watched: false,
    paidElsewhere: false,
    ...context,
  })
  const was = before as unknown as Record<string, unknown>
  const is = deposit as unknown as Record<string, unknown>
  const row: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (name in is && is[name] === undefined) row[name] = 'there, and empty'
    else if (!(name in is)) row[name] = GONE
    else if (was[name] !== is[name]) row[name] = is[name]
  }
  for (const line of told.timeline) expect(Object.values(line), 'an empty word in a line').not.toContain(undefined)
  return { ...told, row }
}

/** A visible move: the version rises, the time of change is noted. */
export const moved = (
  row: Readonly<Record<string, unknown>>,
  timeline: readonly unknown[],
  told: { readonly notice?: string; readonly alert?: string } = {},
  ms = MINUTE,
) => ({ moved: true, timeline, ...told, row: { version: 5, updatedAt: START + ms, ...row } })
export const asked = (row: Readonly<Record<string, unknown>>, told: { readonly alert?: string } = {}) => ({
  moved: false,
  timeline: [],
  ...told,
  row: { asks: 3, ...row },
})
export const nothing = { moved: false, timeline: [], row: {} }
export const after = (ms: number, from = MINUTE) => START + from + ms

export const created = { kind: 'created', urlAllowed: true, ...known } as const satisfies Input
export const success: Input & { kind: 'callback' } = {
  kind: 'callback',
  decides: false,
  reported: {
    kind: 'success',
    resultCode: '0',
    resultDescription: 'Paid',
    fees: '12.5',
    thirdPartyId: 'QX7',
  },
}
export const failure: Input & { kind: 'callback' } = {
  kind: 'callback',
  decides: false,
  reported: { kind: 'failed', resultCode: '1032', resultDescription: 'Cancelled' },
}
export const deciding = (input: Input): Input => ({ ...input, decides: true }) as Input
export const says = (status: 'PENDING' | 'SUCCESS' | 'FAILED', more: object = {}): Input => ({
  kind: 'answered',
  status,
  reference: 'HCTdep_1',
  transactionId: 'CP1',
  description: 'as the service says',
  ...more,
})
export const resolve = (outcomeOf: 'succeeded' | 'failed'): Input => ({
  kind: 'reviewed',
  outcome: outcomeOf,
  reason: 'seen in the portal',
  by: 'Amina',
})
