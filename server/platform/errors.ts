// The one error class of the companion; the domain throws it and never sees HTTP.
import type { ProblemCode, ProblemIssue } from '../contract/index.ts'

export interface CompanionErrorOptions {
  /** What happened and what to do; shown to the caller, so no secrets. */
  readonly detail?: string
  readonly issues?: readonly ProblemIssue[]
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** Faults of companion, store or service: answered as 5xx, and worth a stack in the log. */
const FAULTS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'market_off',
  'upstream_unavailable',
  'upstream_unreadable',
  'store_unavailable',
  'internal_error',
])

/**
 * A refusal (4xx) captures no stack trace. It is not logged, says no more than the code, and costs
 * more than the refusal itself, of which strangers can cause thousands a second.
 */
export class CompanionError extends Error {
  override readonly name = 'CompanionError'
  readonly code: ProblemCode
  readonly detail: string
  readonly issues: readonly ProblemIssue[] | undefined
  readonly retryAfter: number | undefined

  constructor(code: ProblemCode, options: CompanionErrorOptions = {}) {
    const { stackTraceLimit } = Error
    if (!FAULTS.has(code)) Error.stackTraceLimit = 0
    super(options.detail ?? code, options.cause === undefined ? undefined : { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.detail = options.detail ?? ''
    this.issues = options.issues
    this.retryAfter = options.retryAfter
  }
}

/**
 * The detail as one more sentence; nothing of an error that is not ours, which may say anything.
 */
export const reasonOf = (error: unknown): string => (error instanceof CompanionError ? ` ${error.detail}` : '')
