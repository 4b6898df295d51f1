// The way to the companion: one call, repeated where that is safe, and what its answer or its
// absence means.
import ky, { isHTTPError, isTimeoutError, type HTTPError } from 'ky'
import type { ProblemCode, ProblemIssue } from './contract.ts'
import { CheckoutError } from './errors.ts'

export interface AskOptions {
  /** The companion's address, with the path that it is mounted at, if any. */
  readonly url: string
  /** The companion's HC_MERCHANT_KEY. */
  readonly key: string
  /** Milliseconds that one try may take. */
  readonly timeoutMs: number
  /** How often a call that may be repeated is tried again. */
  readonly retries: number
  readonly fetch: typeof fetch
}

export interface CallOptions {
  /** Ends the call; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /**
   * The trace of what you are doing, by W3C Trace Context: of `sessions.create` it comes back with
   * the notices of the payment. Most tracing tools add it to each call by themselves. What is none
   * is not sent.
   */
  readonly traceparent?: string | null | undefined
}

export interface Call extends CallOptions {
  readonly method: 'get' | 'post'
  /** Below the companion's address, for example `v1/payments`. */
  readonly path: string
  /**
   * A field of each answer of the companion to this call: what does not have it comes from
   * something else.
   */
  readonly answersWith: string
  /** True where a second one does no more than the first. */
  readonly repeatable: boolean
  readonly body?: object
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

export type Ask = <Answer>(call: Call) => Promise<Answer>

/** A longer pause is the caller's to wait out: the error says how long it is. */
const LONGEST_PAUSE_S = 20

/** Enough to be a header; the companion looks closer. */
const TRACEPARENT = /^[0-9a-f]{2}(-[0-9a-f]+){3}$/

const PASSING = [408, 429, 500, 502, 503, 504]

export function createAsk({ url, key, timeoutMs, retries, fetch }: AskOptions): Ask {
  const client = ky.create({
    prefix: url,
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    timeout: timeoutMs,
    fetch,
    // Followed, a redirect would lead the key to another place.
    redirect: 'manual',
    retry: {
      limit: retries,
      methods: ['get', 'post'],
      jitter: true,
      // Anything but an answer and a timeout is a connection that failed, which each runtime calls
      // by another name.
      shouldRetry: ({ error }) => !isHTTPError(error) || isPassing(error.response),
    },
  })

  return async function ask<Answer>(call: Call): Promise<Answer> {
    const { method, path, body, query, headers, signal, traceparent, repeatable } = call
    const trace = TRACEPARENT.test(traceparent ?? '') ? { traceparent: String(traceparent) } : {}
    let answer: unknown
    try {
      const text = await client(path, {
        method,
        ...(body === undefined ? {} : { json: body }),
        ...(query === undefined ? {} : { searchParams: query }),
        headers: { ...headers, ...trace },
        ...(signal === undefined ? {} : { signal }),
        ...(repeatable ? {} : { retry: 0 }),
      }).text()
      answer = parsed(text)
    } catch (error) {
      // The caller's own wish.
      signal?.throwIfAborted()
      throw failure(error, { url, repeatable })
    }
    if (!isRecord(answer) || !(call.answersWith in answer))
      throw notTheCompanion(url, 'has answered with something else')
    return answer as Answer
  }
}

function isPassing({ status, headers }: Response): boolean {
  return PASSING.includes(status) && Number(headers.get('retry-after') ?? '0') <= LONGEST_PAUSE_S
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The cause is never an error of ky: that holds the request, and with it the key. */
function failure(error: unknown, { url, repeatable }: { url: string; repeatable: boolean }): CheckoutError {
  if (isHTTPError(error)) return refusal(error, url)
  const done = repeatable
    ? 'The same call can be made again.'
    : 'It may have been done: read the payment before you call again.'
  if (isTimeoutError(error))
    return new CheckoutError(
      'timeout',
      `${url} gave no answer in time. ${done} See whether the companion is busy or down.`,
    )
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return new CheckoutError(
    'network',
    `${url} could not be reached. See whether the companion runs there, and whether that is its address. ${done}`,
    { cause },
  )
}

function refusal({ response, data }: HTTPError, url: string): CheckoutError {
  const { status, headers } = response
  if (status >= 300 && status < 400)
    return new CheckoutError(
      'redirected',
      `${url} leads to another address (${headers.get('location') ?? status}): give createClient ` +
        'that one as url, without the path /v1.',
      { status },
    )
  const problem = problemIn(data)
  if (problem === undefined) return notTheCompanion(url, `has answered ${status} without a reason`, status)
  const { code, detail, issues, requestId, retryAfter } = problem
  const sentence = [detail, ADVICE[code]].filter(Boolean).join(' ')
  return new CheckoutError(code, sentence, { status, issues, requestId, retryAfter })
}

interface ReadProblem {
  readonly code: ProblemCode
  readonly detail: string
  readonly issues?: readonly ProblemIssue[]
  readonly requestId?: string
  readonly retryAfter?: number
}

/** The type tells the companion's own word from that of a gateway before it. */
function problemIn(data: unknown): ReadProblem | undefined {
  const isProblem =
    isRecord(data) && typeof data['detail'] === 'string' && data['type'] === `/problems/${String(data['code'])}`
  return isProblem ? (data as unknown as ReadProblem) : undefined
}

function notTheCompanion(url: string, what: string, status?: number): CheckoutError {
  return new CheckoutError(
    'not_the_companion',
    `${url} ${what}. That is not the companion, or a proxy before it: see whether that is its address, and ` +
      'that the companion is up.',
    { status },
  )
}

const KEY_ADVICE = 'Use the key that the companion has as HC_MERCHANT_KEY.'

/** Where the companion says what happened, and what to do is to be done here. */
const ADVICE: Readonly<Partial<Record<ProblemCode, string>>> = {
  bearer_missing: KEY_ADVICE,
  bearer_malformed: KEY_ADVICE,
  bearer_wrong: KEY_ADVICE,
  not_found: 'See whether the id is right, and whether it was made by this companion.',
  decision_not_open: 'Read the payment again: there is nothing more to decide.',
  store_unavailable: 'Call again in a moment.',
}
