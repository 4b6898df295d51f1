// How an error leaves the companion: logged, counted, and answered as RFC 9457 problem details;
// /pay shows a page of its own instead.
import type { ErrorHandler } from 'hono'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Problem } from '../contract/index.ts'
import { problems } from '../contract/index.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Count } from '../deposits/ports/machine.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Env } from './http.ts'

interface Reported extends Problem {
  readonly status: ContentfulStatusCode
}

/** Turns any error into RFC 9457 problem details; stack, cause and upstream text are never sent. */
function toProblem(error: unknown, requestId: string): Reported {
  const known =
    error instanceof CompanionError
      ? error
      : new CompanionError('internal_error', {
          detail: 'Nothing was lost that we had acknowledged. Try again, and give the request id to the operator.',
        })
  const { status, title } = problems[known.code]
  return {
    type: `/problems/${known.code}`,
    title,
    status,
    detail: known.detail,
    code: known.code,
    requestId,
    issues: known.issues && [...known.issues],
    retryAfter: known.retryAfter,
  }
}

/** Logs and counts an error, and says what to answer. */
export type ReportProblem = (error: unknown, requestId: string, route: string) => Reported

/** For every error of every route. Unexpected ones are logged with their cause. */
export function createReportProblem(logger: Logger, count: Count): ReportProblem {
  return function reportProblem(error, requestId, route) {
    const reported = toProblem(error, requestId)
    const { code, detail } = reported
    const entry = { requestId, code, path: route }
    if (code === 'internal_error') logger.error({ ...entry, err: error }, 'a request failed')
    // Expected: an outage causes thousands of these, and a stack says no more than the code.
    else if (reported.status >= 500) logger.warn({ ...entry, detail }, 'a request was refused')
    // At debug level: strangers can cause any number of these.
    else logger.debug(entry, 'a request was refused')
    if (code === 'internal_error') count('faults', { where: 'http' })
    if (code === 'store_unavailable') count('store_failures', { call: 'http' })
    if (code === 'rate_limited') count('rate_limited', { route })
    return reported
  }
}

export function errorHandler(report: ReportProblem): ErrorHandler<Env> {
  return function answerProblem(error, c) {
    const problem = report(error, c.get('requestId') ?? '', routePath(c, -1))
    const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
    if (problem.retryAfter !== undefined) headers['retry-after'] = String(problem.retryAfter)
    if (problem.code.startsWith('bearer_')) headers['www-authenticate'] = 'Bearer'
    return c.body(JSON.stringify(problem), problem.status, headers)
  }
}
