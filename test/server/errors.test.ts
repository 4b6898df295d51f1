// The cost of a refusal: strangers can trigger thousands of them a second.
import { expect, it } from 'vitest'
import { problems } from '../../server/contract/index.ts'
import type { ProblemCode } from '../../server/contract/index.ts'
import { CompanionError } from '../../server/errors.ts'
import { silentLogger } from '../../server/logger.ts'
import { problemAnswers } from '../../server/routes/http.ts'

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

it('the type of a refusal names its code: no gateway’s answer is taken for the companion’s', () => {
  for (const code of Object.keys(problems) as ProblemCode[]) {
    const error = new CompanionError(code, { detail: 'What to do.' })
    const { text } = problemAnswers(silentLogger, () => {})(error, 'id-1', '/v1/deposits')
    expect(JSON.parse(text)).toMatchObject({ type: `/problems/${code}`, code })
  }
})

it('the request id of a refusal leads to a line of the log, for who asks for such lines', () => {
  const lines: object[] = []
  const logger = { ...silentLogger, debug: (fields: object) => void lines.push(fields) }
  problemAnswers(logger, () => {})(
    new CompanionError('unauthorized', { detail: 'What to do.' }),
    'id-1',
    '/v1/sessions',
  )
  expect(lines).toEqual([{ requestId: 'id-1', code: 'unauthorized', path: '/v1/sessions' }])
})
