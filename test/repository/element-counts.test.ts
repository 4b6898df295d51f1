// The totals of `npm test` and `npm run test:engines`, read from a runner with cumulative counts.
import { expect, it } from 'vitest'
import { elementCounts } from '../helpers/element-counts.ts'

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
