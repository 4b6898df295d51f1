// What a refusal costs: strangers ask for thousands of them a second.
import { expect, it } from 'vitest'
import { problems } from '../../server/contract/index.ts'
import type { ProblemCode } from '../../server/contract/index.ts'
import { CompanionError } from '../../server/errors.ts'

const framesOf = (error: Error) => (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at ')).length

it('a refusal takes no stack, a fault of ours or of the service does', () => {
  const before = Error.stackTraceLimit
  for (const code of Object.keys(problems) as ProblemCode[]) {
    const error = new CompanionError(code, { detail: 'What to do.' })
    expect({ code, hasFrames: framesOf(error) > 0 }).toEqual({ code, hasFrames: problems[code].status >= 500 })
    expect(error.message).toBe('What to do.')
  }
  expect(Error.stackTraceLimit).toBe(before)
  expect(framesOf(new Error('another'))).toBeGreaterThan(0)
})
