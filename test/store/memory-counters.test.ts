// What is counted in memory stays counted, however many names a stranger makes up.
import { expect, it } from 'vitest'
import { createMemoryCounters } from '../../server/store/engine/memory-counters.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE

it('keeps what is counted of a long window while shorter windows come and go', () => {
  const counters = createMemoryCounters()
  expect(counters.take('sign-in owner', 0, 9, 10)).toBe(9)
  for (let n = 1; n < 10_000; n++) counters.take(`sign-in ${n}`, 0, 1, 10)
  expect(counters.take('upstream', 10 * MINUTE, 5, 5)).toBe(5)
  expect(counters.take('sign-in owner', 0, 9, 10)).toBe(1)
})

it('counts at most 10,000 names of a kind in a window, and delays no other kind', () => {
  const counters = createMemoryCounters()
  for (let n = 0; n < 10_000; n++) expect(counters.take(`sign-in ${n}`, QUARTER, 1, 2)).toBe(1)
  expect(counters.take('sign-in another', QUARTER, 1, 2)).toBe(0)
  expect(counters.take('sign-in 0', QUARTER, 2, 2)).toBe(1)
  expect(counters.take('upstream', QUARTER, 5, 5)).toBe(5)
  // The next window has room again, and so has an earlier one after the clock was set back.
  expect(counters.take('sign-in another', 2 * QUARTER, 1, 2)).toBe(1)
  for (let n = 0; n < 9_999; n++) counters.take(`sign-in ${n}`, 2 * QUARTER, 1, 2)
  expect(counters.take('sign-in another', 0, 1, 2)).toBe(1)
})
