// The comparisons of clock.ts when a clock that ran ahead is set back: nothing waits for the length
// of the step.
import { expect, it } from 'vitest'
import { isRecent, isWaiting } from '../../server/platform/clock.ts'

it.each([
  ['goes on', 1001, true],
  ['goes on to its last moment', 2000, true],
  ['is over', 1000, false],
  ['is over when it would last longer than it can', 2001, false],
  ['has never begun', -Infinity, false],
])('a wait that %s', (_name, until, expected) => {
  expect(isWaiting(until, 1000, 1000)).toBe(expected)
})

it.each([
  ['now', 1000, true],
  ['a moment too long ago', 0, false],
  ['just not too long ago', 1, true],
  ['ahead of the clock', 1001, false],
  ['never', -Infinity, false],
])('what was %s', (_name, at, expected) => {
  expect(isRecent(at, 1000, 1000)).toBe(expected)
})
