// The cost of a refusal: strangers can trigger thousands of them a second.
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { problems } from '../../server/contract/index.ts'
import type { ProblemCode } from '../../server/contract/index.ts'
import { CompanionError } from '../../server/platform/errors.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { Env } from '../../server/http/http.ts'
import { createReportProblem, errorHandler } from '../../server/http/problem-answers.ts'
import { withToken } from '../../server/http/bearer.ts'
import { readBytes } from '../../server/http/read-request.ts'

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
    const problem = createReportProblem(silentLogger, () => {})(error, 'id-1', '/v1/deposits')
    expect(problem).toMatchObject({ type: `/problems/${code}`, code })
  }
})

it('the request id of a refusal leads to a line of the log, for who asks for such lines', () => {
  const lines: object[] = []
  const logger = { ...silentLogger, debug: (fields: object) => void lines.push(fields) }
  createReportProblem(logger, () => {})(
    new CompanionError('bearer_wrong', { detail: 'What to do.' }),
    'id-1',
    '/v1/sessions',
  )
  expect(lines).toEqual([{ requestId: 'id-1', code: 'bearer_wrong', path: '/v1/sessions' }])
})

/** An answer to an error, what the log says at each level, and what is counted. */
async function answered(error: Error) {
  const log: unknown[] = []
  const counted: unknown[] = []
  const level =
    (name: string) =>
    (fields: object): void =>
      void log.push({ level: name, ...fields })
  const logger = { ...silentLogger, debug: level('debug'), warn: level('warn'), error: level('error') }
  const app = new Hono<Env>()
  app.onError(errorHandler(createReportProblem(logger, (name, labels) => void counted.push([name, labels]))))
  app.get('/v1/deposits/:id', (c) => {
    c.set('requestId', 'id-1')
    throw error
  })
  const answer = await app.request('/v1/deposits/dep_1')
  const text = await answer.text()
  const headers = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, text, body: JSON.parse(text) as unknown, log, counted }
}
const known = { requestId: 'id-1', path: '/v1/deposits/:id' }

it('an error that nobody expected tells its cause to the log and not to the caller, and is counted', async () => {
  const error = new TypeError('mk_test_c0ffee at /srv/shop/server.ts')
  const { status, text, body, headers, log, counted } = await answered(error)
  expect(status).toBe(500)
  expect(headers).toEqual({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
  expect(body).toMatchObject({ code: 'internal_error', status: 500, requestId: 'id-1' })
  expect(text).not.toMatch(/c0ffee|srv|TypeError/)
  expect(log).toEqual([{ level: 'error', ...known, code: 'internal_error', err: error }])
  expect(counted).toEqual([['faults', { where: 'http' }]])
})

it('a store that cannot write is a warning to the operator and counted, and no fault of the program', async () => {
  const error = new CompanionError('store_unavailable', { detail: 'SQLITE_FULL', retryAfter: 3 })
  const { status, body, headers, log, counted } = await answered(error)
  expect([status, headers['retry-after']]).toEqual([503, '3'])
  expect(body).toMatchObject({ code: 'store_unavailable', detail: 'SQLITE_FULL', retryAfter: 3 })
  expect(log).toEqual([{ level: 'warn', ...known, code: 'store_unavailable', detail: 'SQLITE_FULL' }])
  expect(counted).toEqual([['store_failures', { call: 'http' }]])
})

it('who asks too often is counted by what was asked for, and who shows no token is told how to', async () => {
  const often = await answered(new CompanionError('rate_limited', { detail: 'Wait.', retryAfter: 20 }))
  expect([often.status, often.headers['retry-after']]).toEqual([429, '20'])
  expect(often.counted).toEqual([['rate_limited', { route: '/v1/deposits/:id' }]])
  const unknown = await answered(new CompanionError('bearer_wrong', { detail: 'Send a token.' }))
  expect([unknown.status, unknown.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  expect(unknown.counted).toEqual([])
})

function post(body: ReadableStream, headers: Record<string, string> = {}): Request {
  // Node asks for `duplex`, which the types of the web do not know.
  const init = { method: 'POST', headers, body, duplex: 'half' }
  return new Request('https://pay.shop.example/v1/deposits', init)
}

/** A request whose body comes in pieces of 1,000 bytes, a thousand if they are asked for. */
function inPieces(headers?: Record<string, string>) {
  const body = { pieces: 0 }
  const stream = new ReadableStream({
    pull(controller) {
      body.pieces += 1
      controller.enqueue(new Uint8Array(1000))
      if (body.pieces === 1000) controller.close()
    },
  })
  return { request: post(stream, headers), body }
}

/** Answers with the length of the body. */
function limitedTo(limit: number): Hono<Env> {
  const app = new Hono<Env>()
  app.onError(errorHandler(createReportProblem(silentLogger, () => {})))
  app.post('/v1/deposits', async (c) => c.json((await readBytes(c, limit)).byteLength))
  return app
}

it('a body without end is refused as soon as it is too long, and read no further', async () => {
  const { request, body } = inPieces()
  const answer = await limitedTo(8192).request(request)
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ code: 'body_too_large', detail: 'At most 8192 bytes.' })
  expect(body.pieces).toBeLessThan(12)
})

it('a body without end is refused so although it names a short length, which its server did not check', async () => {
  const { request, body } = inPieces({ 'content-length': '5' })
  expect((await limitedTo(8192).request(request)).status).toBe(413)
  expect(body.pieces).toBeLessThan(12)
})

it('a body is refused although it came in one piece below a short length, as a host may hand it over', async () => {
  const { request } = inPieces({ 'content-length': '5' })
  // As a platform looks that imitates Node's server and has read the body before.
  const outgoing = { writeHead() {} }
  expect((await limitedTo(8192).request(request, undefined, { outgoing })).status).toBe(413)
})

it('a body that comes in pieces is read whole, to the last byte that it may have', async () => {
  const pieces = ['{"a":', '"é', '"}'].map((text) => new TextEncoder().encode(text))
  const whole = Buffer.concat(pieces)
  const sent = () =>
    post(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece)
          controller.close()
        },
      }),
    )
  expect(await (await limitedTo(whole.length).request(sent())).json()).toBe(whole.length)
  expect((await limitedTo(whole.length - 1).request(sent())).status).toBe(413)
  expect(await (await limitedTo(1).request('/v1/deposits', { method: 'POST' })).json()).toBe(0)
})

it.each(['Bearer abc', 'bearer abc', 'Bearer   abc'])(
  'the token of %j is abc: RFC 9110 allows any case, and more than one space',
  async (authorization) => {
    const app = new Hono<Env>().get('/', withToken, (c) => c.text(c.get('token')))
    expect(await (await app.request('/', { headers: { authorization } })).text()).toBe('abc')
  },
)
