// The totals of `npm test` and `npm run test:engines`, read from a runner with cumulative counts.
import { expect, it } from 'vitest'
import { addCounts, countsLine, elementCounts } from '../helpers/test-counts.ts'

it('counts each element test once, however often the runner says how far it is', () => {
  const output = [
    'Chrome: |          | 0/4 test files | 0 passed, 0 failed',
    'Chrome: |█████     | 2/4 test files | 49 passed, 1 failed',
    'Chrome: |██████████| 4/4 test files | 83 passed, 1 failed, 2 skipped',
  ].join('\n')
  expect(elementCounts(output)).toEqual({ passed: 83, failed: 1, skipped: 2 })
})

it('counts nothing where the runner has said nothing', () => {
  expect(elementCounts('The browser did not start.')).toEqual({ passed: 0, failed: 0, skipped: 0 })
})

it('adds up the suites, and speaks of skipped tests only where there are some', () => {
  const total = { passed: 80, failed: 1, skipped: 0 }
  expect(countsLine(total)).toBe('80 passed, 1 failed')
  addCounts(total, { passed: 4, failed: 0, skipped: 2 })
  expect(countsLine(total)).toBe('84 passed, 1 failed, 2 skipped')
})
