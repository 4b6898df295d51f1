// What the customer sees next, for each step of a checkout and each piece of news.
import { expect, it } from 'vitest'
import { type Action, type CheckoutState, transition } from '../../widget/checkout-state.ts'
import type { Deposit } from '../../widget/types.ts'

const deposit = (changes: Partial<Deposit> = {}): Deposit => ({
  id: 'dep_1', reference: 'HCT0', mode: 'test', status: 'PENDING', phase: 'open', amount: 2500, currency: 'KES', country: 'KE',
  payer: { name: 'A•••' }, expiresAt: '2026-01-01T00:15:00Z', createdAt: '2026-01-01T00:00:00Z',
  version: 3, ...changes,
}) // prettier-ignore

const form: CheckoutState = { step: 'form' }
const submitting: CheckoutState = { step: 'submitting', tries: 3 }
const waiting: CheckoutState = { step: 'waiting', deposit: deposit(), silent: true, resumed: true }
const paid = deposit({ status: 'SUCCESS', phase: 'succeeded' })
const ended: CheckoutState = { step: 'ended', deposit: paid, resumed: false }
const every = [form, submitting, waiting, ended]

const after = (state: CheckoutState, ...actions: readonly Action[]) => actions.reduce(transition, state)

it('a press on Pay sends for the first time, whatever was shown', () => {
  for (const state of every) expect(after(state, { type: 'submit' })).toEqual({ step: 'submitting', tries: 1 })
})

it('only what is being sent is sent again, and refused', () => {
  expect(after(submitting, { type: 'again' })).toEqual({ step: 'submitting', tries: 4 })
  expect(after(submitting, { type: 'refused' })).toEqual(form)
  for (const state of [form, waiting, ended])
    for (const type of ['again', 'refused'] as const) expect(after(state, { type })).toBe(state)
})

it.each<[string, Partial<Deposit>, CheckoutState['step']]>([
  ['open', {}, 'waiting'],
  ['being confirmed', { phase: 'confirming' }, 'waiting'],
  ['being checked by a person', { phase: 'review' }, 'waiting'],
  ['paid', { status: 'SUCCESS', phase: 'succeeded' }, 'ended'],
  ['failed', { status: 'FAILED', phase: 'failed' }, 'ended'],
  ['given up, of which the service says nothing yet', { phase: 'abandoned' }, 'ended'],
])('a payment that is %s is shown so', (_what, changes, step) => {
  for (const state of [form, submitting])
    expect(after(state, { type: 'deposit', deposit: deposit(changes) })).toEqual({
      step,
      deposit: deposit(changes),
      resumed: false,
      ...(step === 'waiting' ? { silent: false } : {}),
    })
})

it('an older answer never replaces a newer one, also not one that has ended', () => {
  const older = deposit({ version: 2, phase: 'creating' })
  for (const state of [waiting, ended]) expect(after(state, { type: 'deposit', deposit: older })).toBe(state)
})

it('the same answer once more ends the silence', () => {
  expect(after(waiting, { type: 'deposit', deposit: deposit() })).toEqual({ ...waiting, silent: false })
})

it('what comes late after an end is shown', () => {
  const failed = deposit({ status: 'FAILED', phase: 'failed' })
  const late = { ...paid, version: 4, late: true }
  const actions = [failed, late].map((one) => ({ type: 'deposit', deposit: one }) as const)
  expect(after(form, ...actions)).toEqual({ step: 'ended', deposit: late, resumed: false })
})

it('a payment of an earlier visit stays one, and the next one is not', () => {
  const found = after(form, { type: 'deposit', deposit: deposit(), resumed: true })
  expect(found).toMatchObject({ resumed: true })
  expect(after(found, { type: 'deposit', deposit: { ...paid, version: 4 } })).toMatchObject({ resumed: true })
  // Of another payment the numbers of the versions say nothing.
  const next = deposit({ id: 'dep_2', version: 1 })
  expect(after(found, { type: 'deposit', deposit: next })).toMatchObject({ deposit: next, resumed: false })
  const begun = after(submitting, { type: 'deposit', deposit: deposit() })
  expect(after(begun, { type: 'deposit', deposit: deposit(), resumed: true })).toMatchObject({ resumed: false })
})

it('that the companion is silent is told of a payment that waits, and ends nothing', () => {
  expect(after(waiting, { type: 'silent', silent: false })).toEqual({ ...waiting, silent: false })
  expect(after(waiting, { type: 'silent', silent: false }, { type: 'silent', silent: true })).toEqual(waiting)
  for (const state of [submitting, ended]) expect(after(state, { type: 'silent', silent: true })).toBe(state)
})

it('a payment of an earlier visit that cannot be loaded is being asked for: no form whose Pay button does nothing', () => {
  expect(after(form, { type: 'silent', silent: true })).toEqual({ step: 'submitting', tries: 2 })
  expect(after(form, { type: 'silent', silent: false })).toBe(form)
})

it('starting over shows the form', () => {
  for (const state of every) expect(after(state, { type: 'reset' })).toEqual(form)
})
