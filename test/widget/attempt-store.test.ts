// What the browser stores of a payment: for how long, under which names, and what happens where
// nothing can be stored.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keptNames, readKept, writeKept } from '../../widget/base/attempt-store.ts'
import { endKept } from '../../widget/base/end-kept.ts'
import { randomKey } from '../../widget/base/random-key.ts'
import type { Deposit } from '../../widget/base/types.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const ended = (id: string, status: 'FAILED' | 'SUCCESS', settledAt = new Date(START).toISOString()) =>
  ({ id, status, settledAt }) as Deposit
const stored = () => Object.keys(localStorage)
/** The page's entry in the history; an address given would lead elsewhere. */
const entry = {
  state: null as unknown,
  replaceState: (state: unknown, _: string, ...address: unknown[]) => {
    expect(address).toEqual([])
    entry.state = structuredClone(state)
  },
}

beforeEach(() => {
  vi.useFakeTimers({ now: START })
  const storage = {}
  const methods = {
    getItem: (name: string) => Reflect.get(storage, name) ?? null,
    setItem: (name: string, value: string) => Reflect.set(storage, name, value),
    removeItem: (name: string) => Reflect.deleteProperty(storage, name),
  }
  vi.stubGlobal('localStorage', Object.setPrototypeOf(storage, methods))
  entry.state = null
  vi.stubGlobal('history', entry)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a payment that has ended is erased a day after its first end, whatever is told of it later', () => {
  writeKept('hc', { id: 'dep_1', token: 'tok' })
  expect(endKept('hc', ended('dep_1', 'FAILED'))).toBe(false)
  vi.setSystemTime(START + DAY / 2)
  expect(endKept('hc', ended('dep_1', 'FAILED'))).toBe(true)
  expect(endKept('hc', ended('dep_1', 'SUCCESS'))).toBe(false)
  vi.setSystemTime(START + DAY)
  expect(readKept('hc')).toMatchObject({ id: 'dep_1', token: 'tok', told: 'SUCCESS' })
  vi.setSystemTime(START + DAY + 1)
  expect(readKept('hc')).toEqual({})
  expect(stored()).toEqual([])
})

it('what is erased does not come back from a history entry that takes no change just now', () => {
  writeKept('hc', { key: 'key-1' })
  const { replaceState } = entry
  entry.replaceState = () => {
    throw new Error('SecurityError: more than 100 times per 10 seconds')
  }
  try {
    writeKept('hc')
    expect(readKept('hc')).toEqual({})
  } finally {
    entry.replaceState = replaceState
  }
  writeKept('hc', { key: 'key-2' })
  // As by a shop that clears its storage.
  localStorage.removeItem('hc')
  expect(readKept('hc')).toMatchObject({ key: 'key-2' })
})

it('also on a phone whose clock was days behind when it ended, and is right now', () => {
  writeKept('hc', { id: 'dep_1', token: 'tok' })
  vi.setSystemTime(START - 5 * DAY)
  endKept('hc', ended('dep_1', 'FAILED'))
  vi.setSystemTime(START + DAY)
  expect(readKept('hc')).toMatchObject({ id: 'dep_1' })
  vi.setSystemTime(START + DAY + 1)
  expect(readKept('hc')).toEqual({})
})

it('and a day after it was heard of, if that was later, or is all that is known', () => {
  vi.setSystemTime(START + 3 * DAY)
  for (const settledAt of [undefined, new Date(START).toISOString()]) {
    writeKept('hc', { id: 'dep_1', token: 'tok' })
    endKept('hc', { ...ended('dep_1', 'FAILED'), settledAt })
    expect(readKept('hc')).toMatchObject({ eraseAt: START + 4 * DAY })
  }
})

it('one that runs is kept with the time of its request, and the end of another does not touch it', () => {
  writeKept('hc', { id: 'dep_1', token: 'tok' })
  const kept = { id: 'dep_1', token: 'tok', createdAt: '2026-01-01T00:00:00.000Z' }
  expect(endKept('hc', ended('dep_2', 'FAILED'))).toBe(false)
  vi.setSystemTime(START + 90 * DAY)
  expect(readKept('hc')).toEqual(kept)
  writeKept('hc')
  expect(stored()).toEqual([])
})

it('the names of one shop are found, and no others; without a name nothing is stored', () => {
  for (const name of ['hc', 'hc:order', 'hcx', 'x:hc', '']) writeKept(name, { key: 'k' })
  expect(keptNames('hc')).toEqual(['hc', 'hc:order'])
  expect(stored()).not.toContain('')
})

describe('where storage refuses, the history entry of the page', () => {
  const kept = { id: 'dep_1', token: 'tok' }
  const full = () =>
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => expect.fail('full'), removeItem() {} })

  it.each([
    ['missing', () => vi.stubGlobal('localStorage', null)],
    ['full', full],
  ])('keeps it beside what the page has there, and erases it, where storage is %s', (_, refuse) => {
    refuse()
    entry.state = { idx: 3 }
    writeKept('hc', kept)
    expect(entry.state).toMatchObject({ idx: 3, hc: kept })
    expect(readKept('hc')).toMatchObject(kept)
    expect(endKept('hc', ended('dep_1', 'SUCCESS'))).toBe(false)
    expect(endKept('hc', ended('dep_1', 'SUCCESS'))).toBe(true)
    vi.setSystemTime(START + DAY + 1)
    expect(readKept('hc')).toEqual({})
    expect(entry.state).toEqual({ idx: 3 })
  })

  it.each([[[1]], ['text'], [0], [new Date(START)], [new Map([[1, 2]])]])(
    'is left alone if it is the page’s %o',
    (own) => {
      full()
      entry.state = own
      writeKept('hc', kept)
      writeKept('hc')
      expect(entry.state).toBe(own)
      expect(readKept('hc')).toEqual({})
    },
  )

  it('keeps a copy also where storage works, for a shop that clears it, and erases both', () => {
    entry.state = { idx: 3 }
    writeKept('hc', kept)
    expect(entry.state).toMatchObject({ idx: 3, hc: kept })
    localStorage.removeItem('hc')
    expect(readKept('hc')).toMatchObject(kept)
    expect(keptNames('hc')).toEqual(['hc'])
    // What all tabs share says nothing of it: another tab may have erased it.
    expect(readKept('hc', true)).toEqual({})
    writeKept('hc', kept)
    writeKept('hc')
    expect([stored(), entry.state, readKept('hc')]).toEqual([[], { idx: 3 }, {}])
  })

  it('does not count where storage has another entry, as another tab has gone on', () => {
    writeKept('hc', kept)
    localStorage.setItem('hc', JSON.stringify({ id: 'dep_2', token: 'tok_2' }))
    expect(readKept('hc')).toMatchObject({ id: 'dep_2' })
  })

  it('counts in the place of an old entry that could not be replaced, for want of room', () => {
    writeKept('hc', kept)
    const { removeItem, getItem } = localStorage
    vi.stubGlobal('localStorage', { getItem, removeItem, setItem: () => expect.fail('full') })
    writeKept('hc', { key: 'k' })
    expect(readKept('hc')).toMatchObject({ key: 'k' })
  })
})

it('a browser that refuses storage, or has something else under our name, has no payment', () => {
  localStorage.setItem('hc', 'not ours')
  expect(readKept('hc')).toEqual({})
  vi.stubGlobal('localStorage', undefined)
  vi.stubGlobal('history', { state: null })
  writeKept('hc', { id: 'dep_1' })
  expect([readKept('hc'), keptNames('hc'), endKept('hc', ended('dep_1', 'FAILED'))]).toEqual([{}, [], false])
})

it('a key begins with the time and has 256 random bits, in characters that a header takes', () => {
  const before = Date.now()
  const [time, ...random] = randomKey().split('-')
  expect(Number(time)).toBeGreaterThanOrEqual(before)
  expect(Number(time)).toBeLessThanOrEqual(Date.now())
  expect(random).toHaveLength(8)
  expect(random.join()).toMatch(/^\d{1,10}(,\d{1,10}){7}$/)
  expect(randomKey()).not.toBe(randomKey())
})
