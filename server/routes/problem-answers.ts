// How an error leaves the companion: logged, counted, and answered as RFC 9457 problem details;
// /pay shows a page of its own instead.
import type { ErrorHandler } from 'hono'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Problem } from '../contract/index.ts'
import { problems } from '../contract/index.ts'
import { CompanionError } from '../errors.ts'
import type { Count } from '../deposits/ports.ts'
import type { Logger } from '../logging/logger.ts'
import type { Env } from './http.ts'

/** Turns any error into RFC 9457 problem details; stack, cause and upstream text are never sent. */
export function toProblem(
  error: unknown,
  requestId: string,
): { body: Problem; status: ContentfulStatusCode; retryAfter: number | undefined } {
  const known =
    error instanceof CompanionError
      ? error
      : new CompanionError('internal_error', {
          detail: 'Nothing was lost that we had acknowledged. Try again, and give the request id to the operator.',
        })
  const { status, title } = problems[known.code]
  return {
    status,
    retryAfter: known.retryAfter,
    body: {
      type: `/problems/${known.code}`,
      title,
      status,
      detail: known.detail,
      code: known.code,
      requestId,
      ...(known.issues === undefined ? {} : { issues: [...known.issues] }),
      ...(known.retryAfter === undefined ? {} : { retryAfter: known.retryAfter }),
    },
  }
}

/** An answer before Hono sends it. */
export interface Answer {
  readonly status: ContentfulStatusCode
  /** JSON text. */
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** Builds problem details as an answer; unexpected errors are logged with their cause. */
export type ProblemAnswers = (error: unknown, requestId: string, route: string) => Answer

/** Handles every error that reaches the edge: one for all routes. */
export function problemAnswers(logger: Logger, count: Count): ProblemAnswers {
  return function problem(error, requestId, route) {
    const { body, status, retryAfter } = toProblem(error, requestId)
    const entry = { requestId, code: body.code, path: route }
    if (body.code === 'internal_error') logger.error({ ...entry, err: error }, 'a request failed')
    // Expected: an outage causes thousands of these, and a stack says no more than the code.
    else if (status >= 500) logger.warn({ ...entry, detail: body.detail }, 'a request was refused')
    // At debug level: strangers can cause any number of these.
    else logger.debug(entry, 'a request was refused')
    if (body.code === 'internal_error') count('faults', { where: 'http' })
    if (body.code === 'store_unavailable') count('store_failures', { call: 'http' })
    if (body.code === 'rate_limited') count('rate_limited', { route })
    const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
    if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
    if (body.code.startsWith('bearer_')) headers['www-authenticate'] = 'Bearer'
    return { status, text: JSON.stringify(body), headers }
  }
}

export function errorHandler(answerTo: ProblemAnswers): ErrorHandler<Env> {
  return function problem(error, c) {
    const { status, text, headers } = answerTo(error, c.get('requestId') ?? '', routePath(c, -1))
    return c.body(text, status, headers)
  }
}
