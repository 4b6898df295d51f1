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

export class CompanionError extends Error {
  override readonly name = 'CompanionError'
  readonly code: ProblemCode
  readonly detail: string
  readonly issues: readonly ProblemIssue[] | undefined
  readonly retryAfter: number | undefined

  constructor(code: ProblemCode, options: CompanionErrorOptions = {}) {
    super(options.detail ?? code, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.detail = options.detail ?? ''
    this.issues = options.issues
    this.retryAfter = options.retryAfter
  }
}
