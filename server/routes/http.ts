// What all routes share: error responses, bodies limited in bytes, bearer tokens, ETags and headers.
import { createHash } from 'node:crypto'
import type { Context, ErrorHandler, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { Problem, ProblemCode, ProblemIssue } from '../contract/index.ts'
import { problems } from '../contract/index.ts'
import { CompanionError } from '../errors.ts'
import type { Count } from '../deposits/ports.ts'
import type { Logger } from '../logger.ts'
import type { Answer, EndpointRequest } from './endpoint.ts'

export type Env = { Variables: { requestId: string; address: string; corsOrigin: string | undefined } }

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
    if (body.code === 'rate_limited') count('rate_limited', { door: route })
    const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
    if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter)
    if (body.code === 'unauthorized') headers['www-authenticate'] = 'Bearer'
    return { status, text: JSON.stringify(body), headers }
  }
}

export function errorHandler(answerTo: ProblemAnswers): ErrorHandler<Env> {
  return function problem(error, c) {
    const { status, text, headers } = answerTo(error, c.get('requestId') ?? '', c.req.routePath)
    return c.body(text, status, headers)
  }
}

/** Default headers for every API response (the pages set their own policy on top). */
export function safeHeaders(options: { readonly https: boolean }): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(options.https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

export function securityHeaders(options: { readonly https: boolean }): MiddlewareHandler<Env> {
  const safe = Object.entries(safeHeaders(options))
  return async function secure(c, next) {
    await next()
    const { headers } = c.res
    for (const [name, value] of safe) if (!headers.has(name)) headers.set(name, value)
    headers.set('x-request-id', c.get('requestId'))
  }
}

export function tooLarge(limit: number): CompanionError {
  return new CompanionError('body_too_large', { detail: `At most ${limit} bytes.` })
}

/** The body as bytes, refused past `limit` while it is still arriving: Content-Length alone is never trusted. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? '0')
  if (declared > limit) throw tooLarge(limit)
  if ((request.headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity')
    throw new CompanionError('unsupported_media_type', { detail: 'Send the body without Content-Encoding.' })
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength
      if (size > limit) break
      chunks.push(chunk)
    }
  } catch {
    // The client left before its request was complete: not our fault, and nobody to answer.
    throw new CompanionError('invalid_request', { detail: 'The body broke off.' })
  }
  if (size > limit) throw tooLarge(limit)
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A JSON body checked against its schema; each issue names its field. */
export async function readJson<S extends z.ZodType>(c: Context<Env>, schema: S, limit = 8 * 1024): Promise<z.infer<S>> {
  const body = (most: number) => readBytes(c.req.raw, most)
  return readJsonOf({ header: (name) => c.req.header(name), body }, schema, limit)
}

/** `readJson` for an endpoint. */
export async function readJsonOf<S extends z.ZodType>(
  { header, body }: Pick<EndpointRequest, 'header' | 'body'>,
  schema: S,
  limit = 8 * 1024,
): Promise<z.infer<S>> {
  if (!/^application\/json\s*(;|$)/i.test(header('content-type') ?? ''))
    throw new CompanionError('unsupported_media_type', { detail: 'Send Content-Type: application/json.' })
  const bytes = await body(limit)
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    throw new CompanionError('malformed_json', { detail: 'The body could not be read as UTF-8 JSON.' })
  }
  return check(schema, value)
}

export function check<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues: ProblemIssue[] = result.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    code: issue.code,
    message: issue.message,
  }))
  const code: ProblemCode =
    issues.length === 1 && issues[0]?.path === 'country' && typeof (value as { country?: unknown }).country === 'string'
      ? 'country_not_offered'
      : 'invalid_request'
  throw new CompanionError(code, {
    detail: issues.map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`)).join('; '),
    issues,
  })
}

/** The bearer token of the Authorization header; never taken from the URL. */
export function bearer(c: Context<Env>): string {
  return bearerOf(c.req.header('authorization'))
}

export function bearerOf(authorization: string | undefined): string {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')
  if (!match?.[1]) throw new CompanionError('unauthorized', { detail: 'Send Authorization: Bearer <token>.' })
  return match[1]
}

/** Whether the caller already has this ETag; a proxy that compresses makes it a weak one (RFC 9110, 13.1.2). */
export function isHeld(c: Context<Env>, etag: string): boolean {
  const held = (c.req.header('if-none-match') ?? '').split(',').map((part) => part.trim().replace(/^W\//, ''))
  return held.includes(etag) || held.includes('*')
}

/** Answers with an ETag, or with 304 when the caller already has it. */
export function withEtag(c: Context<Env>, value: unknown, cacheControl: string): Response {
  const text = JSON.stringify(value)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  c.header('cache-control', cacheControl)
  c.header('etag', etag)
  if (isHeld(c, etag)) return c.body(null, 304)
  return c.body(text, 200, { 'content-type': 'application/json' })
}
