// What becomes of a request for a payment whose answer is unknown, case by case: whether it is sent
// again, when it counts as refused, what is shown then.
import { describe, expect, it } from 'vitest'
import { givesWay, isRefused, maySend, mayStore } from '../../widget/controller/attempt-decisions.ts'
import type { Attempt } from '../../widget/controller/attempt-decisions.ts'

const MINUTE = 60_000
const first: Attempt = { key: 'k', isResumed: false, tries: 0, code: undefined, ageMs: MINUTE * 1e6, missing: 0 }
const again: Attempt = { ...first, tries: 1, code: 'network', ageMs: 1000 }
const resumed: Attempt = { ...first, isResumed: true, ageMs: 1000 }

describe('a request', () => {
  it.each<[string, Partial<Attempt>, object, boolean]>([
    ['the first time, whatever is stored', first, { id: 'dep_1' }, true],
    ['again, while its key is stored', again, { key: 'k' }, true],
    ['again, however long ago, while its key is stored', { ...again, ageMs: 60 * MINUTE }, { key: 'k' }, true],
    ['again, where nothing can be stored', again, {}, true],
    ['not again a minute later, where nothing is stored', { ...again, ageMs: MINUTE + 1 }, {}, false],
    ['not again once another tab has its answer', again, { id: 'dep_1' }, false],
    ['not again once another tab has begun another', again, { key: 'other' }, false],
    ['not again to a companion that reads its body in another way', { ...again, code: 'idempotency_key_reused' }, { key: 'k' }, false],
    ['never after a reload, for its body is lost', resumed, { key: 'k' }, false],
  ])('is sent %s', (_, attempt, shared, isSent) => {
    expect(maySend({ ...first, ...attempt }, shared)).toBe(isSent)
  }) // prettier-ignore
})

describe('no payment was made', () => {
  it('where the companion refuses the request that was sent, and for no other answer to it', () => {
    expect(isRefused(again, true, 'refused', { key: 'k' })).toBe(true)
    for (const meaning of ['ask', 'none', 'forget'] as const) expect(isRefused(again, true, meaning, {})).toBe(false)
  })

  it.each<[string, Attempt, object, boolean]>([
    ['after a reload, a minute after it was sent', { ...resumed, ageMs: MINUTE }, { key: 'k' }, true],
    ['not before', { ...resumed, ageMs: MINUTE - 1 }, { key: 'k' }, false],
    ['where the time that is stored is none', { ...resumed, ageMs: NaN }, { key: 'k' }, true],
    ['seven answers later, where the clock was set back', { ...resumed, ageMs: -MINUTE, missing: 7 }, { key: 'k' }, true],
    ['not after six', { ...resumed, ageMs: -MINUTE, missing: 6 }, { key: 'k' }, false],
    ['where another tab has gone on', again, { id: 'dep_1' }, true],
    ['not where it may have been given up elsewhere, or not', { ...again, ageMs: 2 * MINUTE }, {}, false],
    ['seven answers later there', { ...again, ageMs: 2 * MINUTE, missing: 7 }, {}, true],
  ])('where its key is unknown %s', (_, attempt, shared, isOver) => {
    expect(isRefused(attempt, false, 'none', shared)).toBe(isOver)
    expect(isRefused(attempt, false, 'ask', shared)).toBe(false)
  }) // prettier-ignore
})

it.each<[string, boolean, object, boolean]>([
  ['the form', false, { key: 'k' }, false],
  ['the form, also beside what it was to replace', false, { key: 'k', id: 'dep_1' }, false],
  ['after a reload what it was to replace', true, { key: 'k', id: 'dep_1' }, true],
  ['after a reload the form, where it was to replace nothing', true, { key: 'k' }, false],
  ['what another tab has begun', false, { key: 'other' }, true],
  ['what another tab has created', false, { id: 'dep_2' }, true],
  ['the form where nothing is stored', true, {}, false],
])('after a refusal is shown: %s', (_, isResumed, stored, isStored) => {
  expect(givesWay('k', isResumed, stored)).toBe(isStored)
})

it.each<[string, string | undefined, object, boolean]>([
  ['its key is stored', undefined, { key: 'k' }, true],
  ['its key is stored with what it replaces', 'dep_1', { key: 'k', id: 'dep_1' }, true],
  ['nothing can be stored', undefined, {}, true],
  ['another tab has begun another since', undefined, { key: 'other' }, false],
  ['another tab has gone on to a newer payment', 'dep_1', { id: 'dep_2' }, false],
  ['another tab has gone back to what it replaces', 'dep_1', { id: 'dep_1' }, true],
])('a new payment is stored, or what is there stays: %s', (_, replaced, stored, isStored) => {
  expect(mayStore('k', replaced, stored)).toBe(isStored)
})
