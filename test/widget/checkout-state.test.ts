// What the customer sees next, for each step of a checkout and each piece of news.
import { expect, it } from 'vitest'
import { CheckoutError } from '../../widget/base/checkout-error.ts'
import * as actions from '../../widget/base/checkout-state.ts'
import * as later from '../../widget/base/payment-actions.ts'
import { depositOf, initialState } from '../../widget/base/checkout-state.ts'
import type { Action, CheckoutState, Screen } from '../../widget/base/checkout-state.ts'
import type { Deposit } from '../../widget/base/types.ts'

const deposit = (changes: Partial<Deposit> = {}): Deposit => ({
  id: 'dep_1', reference: 'HCT0', mode: 'test', status: 'PENDING', phase: 'open', amount: 2500, currency: 'KES', country: 'KE',
  payer: { name: 'A•••' }, expiresAt: '2026-01-01T00:15:00Z', createdAt: '2026-01-01T00:00:00Z',
  version: 3, ...changes,
}) // prettier-ignore

const form: Screen = { step: 'form' }
const submitting: Screen = { step: 'submitting', tries: 3 }
const waiting: Screen = { step: 'waiting', deposit: deposit(), silent: true, resumed: true }
const paid = deposit({ status: 'SUCCESS', phase: 'succeeded' })
const ended: Screen = { step: 'ended', deposit: paid, resumed: false }
const every = [form, submitting, waiting, ended]

const from = (state: Partial<CheckoutState>, ...moves: readonly Action[]) =>
  moves.reduce<CheckoutState>((last, move) => move(last), { ...initialState, ...state })
const after = (screen: Screen, ...moves: readonly Action[]) => from({ screen }, ...moves).screen

it('a press on Pay sends for the first time, whatever was shown', () => {
  for (const state of every) expect(after(state, actions.submit)).toEqual({ step: 'submitting', tries: 1 })
})

it('only what is being sent is sent again, and refused', () => {
  expect(after(submitting, later.sendAgain)).toEqual({ step: 'submitting', tries: 4 })
  expect(after(submitting, later.refused)).toEqual(form)
  for (const state of [form, waiting, ended])
    for (const action of [later.sendAgain, later.refused]) expect(after(state, action)).toBe(state)
})

it.each<[string, Partial<Deposit>, Screen['step']]>([
  ['open', {}, 'waiting'],
  ['being confirmed', { phase: 'confirming' }, 'waiting'],
  ['being checked by a person', { phase: 'review' }, 'waiting'],
  ['paid', { status: 'SUCCESS', phase: 'succeeded' }, 'ended'],
  ['failed', { status: 'FAILED', phase: 'failed' }, 'ended'],
  ['given up, of which the service says nothing yet', { phase: 'abandoned' }, 'ended'],
])('a payment that is %s is shown so', (_what, changes, step) => {
  for (const state of [form, submitting])
    expect(after(state, later.hear(deposit(changes)))).toEqual({
      step,
      deposit: deposit(changes),
      resumed: false,
      ...(step === 'waiting' ? { silent: false } : {}),
    })
})

it('an older answer never replaces a newer one, also not one that has ended', () => {
  const older = deposit({ version: 2, phase: 'creating' })
  for (const state of [waiting, ended]) expect(after(state, later.hear(older))).toBe(state)
})

it('the same answer once more ends the silence', () => {
  expect(after(waiting, later.hear(deposit()))).toEqual({ ...waiting, silent: false })
})

it('what comes late after an end is shown', () => {
  const failed = deposit({ status: 'FAILED', phase: 'failed' })
  const late = { ...paid, version: 4, late: true }
  expect(after(form, later.hear(failed), later.hear(late))).toEqual({
    step: 'ended',
    deposit: late,
    resumed: false,
  })
})

it('a payment of an earlier visit stays one, and the next one is not', () => {
  const found = after(form, later.hear(deposit(), true))
  expect(found).toMatchObject({ resumed: true })
  expect(after(found, later.hear({ ...paid, version: 4 }))).toMatchObject({ resumed: true })
  // Of another payment the numbers of the versions say nothing.
  const next = deposit({ id: 'dep_2', version: 1 })
  expect(after(found, later.hear(next))).toMatchObject({ deposit: next, resumed: false })
  const begun = after(submitting, later.hear(deposit()))
  expect(after(begun, later.hear(deposit(), true))).toMatchObject({ resumed: false })
})

it('that the companion is silent is told of a payment that waits, and ends nothing', () => {
  expect(after(waiting, later.fallSilent(false))).toEqual({ ...waiting, silent: false })
  expect(after(waiting, later.fallSilent(false), later.fallSilent(true))).toEqual(waiting)
  for (const state of [submitting, ended]) expect(after(state, later.fallSilent(true))).toBe(state)
  // Slow so far: the word would come and go with each slow question.
  const heard = { ...waiting, silent: false }
  expect(after(heard, later.fallSilent(true, true))).toBe(heard)
})

it('a payment of an earlier visit that cannot be loaded is being asked for: no form whose Pay button does nothing', () => {
  for (const isFirst of [false, true])
    expect(after(form, later.fallSilent(true, isFirst))).toEqual({ step: 'submitting', tries: 2 })
  expect(after(form, later.fallSilent(false))).toBe(form)
})

it('starting over shows the form', () => {
  for (const state of every) expect(after(state, actions.reset)).toEqual(form)
})

const own = { root: 'root', own: 'root:a' }
const wrong = new CheckoutError('session_expired', 'Over.')

it('a reset goes back to the storage name of the order’s own payment', () => {
  expect(from({ names: own, kept: 'root:other' }, actions.reset).kept).toBe('root:a')
})

it('an answer of an earlier run can be told from those of each new run', () => {
  const run = (action: Action) => from({ run: 7 }, action).run
  for (const action of [later.settle, actions.reset]) expect(run(action)).toBe(8)
  expect(run(actions.watch('dep_1'))).toBe(8)
  expect(run(later.hear(deposit()))).toBe(7)
  expect(run(later.sendAgain)).toBe(7)
})

it('a payment of the page’s gives way to what was shown before, unless the companion confirms its token', () => {
  const shown = { id: 'dep_1', kept: 'root:a', screen: waiting, names: own }
  const tried = from(shown, actions.resume('root:b', ''), actions.watch('dep_2'))
  expect(tried).toMatchObject({ id: 'dep_2', kept: 'root:b', screen: waiting })
  const two = from(tried, actions.resume('root:c', ''), actions.watch('dep_3'))
  for (const state of [tried, two])
    expect(later.goBack(state)).toMatchObject({ id: 'dep_1', kept: 'root:a', back: undefined, screen: waiting })
  const confirmed = from(tried, later.confirmed)
  expect(later.goBack(confirmed)).toBe(confirmed)
})

it('nor over a create whose outcome is unknown, which is asked for once more from the form', () => {
  const tried = from({ screen: submitting, kept: 'root:a' }, actions.resume('root:b', ''), actions.watch('dep_2'))
  expect(later.goBack(tried)).toMatchObject({ id: '', kept: 'root:a', screen: form })
  // From a form nothing can come back.
  expect(from({}, actions.resume('root:b', '')).back).toBeUndefined()
})

it('a fault is explained once its texts are there, a lost network at once; a payment that is shown ends it', () => {
  const failed = from({}, actions.fail(wrong))
  expect(failed).toMatchObject({ fault: wrong, isExplained: false })
  expect(from({}, actions.fail(new CheckoutError('network', ''))).isExplained).toBe(true)
  for (const action of [actions.watch('dep_1'), later.confirmed, actions.reset, actions.fail(undefined)])
    expect(action(failed).fault).toBeUndefined()
})

it('that a check found nothing new is said until there is news', () => {
  const checked = new Date()
  const said = from({ screen: waiting, checked })
  expect(later.hear(deposit())(said).checked).toBe(checked)
  expect(later.hear(deposit({ version: 4 }))(said).checked).toBeUndefined()
  expect(later.hear(deposit({ id: 'dep_2' }))(said).checked).toBeUndefined()
})

it('the payment on the screen is that of the step that shows one', () => {
  expect(every.map((screen) => depositOf(from({ screen, id: 'dep_1' }))?.id)).toEqual([
    undefined,
    undefined,
    'dep_1',
    'dep_1',
  ])
})
