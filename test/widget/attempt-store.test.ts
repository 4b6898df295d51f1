// What the browser stores of a payment: for how long, under which names, and what happens where nothing can be stored.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endKept, keptNames, randomKey, readKept, writeKept } from '../../widget/attempt-store.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const stored = () => Object.keys(localStorage)

beforeEach(() => {
  vi.useFakeTimers({ now: START })
  const storage = {}
  const methods = {
    getItem: (name: string) => Reflect.get(storage, name) ?? null,
    setItem: (name: string, value: string) => Reflect.set(storage, name, value),
    removeItem: (name: string) => Reflect.deleteProperty(storage, name),
  }
  vi.stubGlobal('localStorage', Object.setPrototypeOf(storage, methods))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a payment that has ended is erased a day after its first end, whatever is told of it later', () => {
  writeKept('hc', { id: 'dep_1', token: 'tok' })
  expect(endKept('hc', 'dep_1', 'failed')).toBe(false)
  vi.setSystemTime(START + DAY / 2)
  expect(endKept('hc', 'dep_1', 'failed')).toBe(true)
  expect(endKept('hc', 'dep_1', 'succeeded')).toBe(false)
  vi.setSystemTime(START + DAY)
  expect(readKept('hc')).toMatchObject({ id: 'dep_1', token: 'tok', told: 'succeeded' })
  vi.setSystemTime(START + DAY + 1)
  expect(readKept('hc')).toEqual({})
  expect(stored()).toEqual([])
})

it('one that runs is kept with the time of its request, and the end of another does not touch it', () => {
  writeKept('hc', { id: 'dep_1', token: 'tok' })
  const kept = { id: 'dep_1', token: 'tok', createdAt: '2026-01-01T00:00:00.000Z' }
  expect(endKept('hc', 'dep_2', 'failed')).toBe(false)
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

it('a browser that refuses storage, or has something else under our name, has no payment', () => {
  localStorage.setItem('hc', 'not ours')
  expect(readKept('hc')).toEqual({})
  vi.stubGlobal('localStorage', undefined)
  writeKept('hc', { id: 'dep_1' })
  expect([readKept('hc'), keptNames('hc'), endKept('hc', 'dep_1', 'failed')]).toEqual([{}, [], false])
})

it('a key has 192 random bits', () => expect(randomKey()).toMatch(/^[0-9a-f]{48}$/))
