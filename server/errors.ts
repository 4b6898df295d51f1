// The one error class of the companion; the domain throws it and never sees HTTP.
import type { ProblemCode, ProblemIssue } from './contract/index.ts'

export interface CompanionErrorOptions {
  /** What happened and what to do; shown to the caller. No secrets. */
  readonly detail?: string
  readonly issues?: readonly ProblemIssue[]
  /** Seconds until another try makes sense. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** Faults of ours, of the store or of the service: a 5xx at the door, and worth a stack in the log. */
const FAULTS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'market_off',
  'upstream_unavailable',
  'upstream_rejected',
  'upstream_unreadable',
  'store_unavailable',
  'internal_error',
])

/**
 * A refusal (4xx) carries no stack: nobody is told it, it says no more than the code, and to take one costs more than the refusal, which
 * strangers can ask for thousands of times a second.
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
