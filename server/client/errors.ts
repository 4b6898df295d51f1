// The two errors of this package: a call that the companion did not do, and a notice that is not
// believed.
import type { ProblemCode, ProblemIssue } from './contract.ts'

/**
 * Why a call failed: the code of the companion's own refusal; or `network` and `timeout` (no
 * answer came), `redirected` and `not_the_companion` (something else answered).
 */
export type FailureCode = ProblemCode | 'network' | 'timeout' | 'redirected' | 'not_the_companion'

export interface FailureDetails {
  readonly status?: number | undefined
  readonly issues?: readonly ProblemIssue[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/**
 * A call that failed. The message says what happened and what to do; it has no key and no payer in
 * it.
 */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError'
  /** Branch on it: a code never changes its meaning. New ones may be added. */
  readonly code: FailureCode
  /** The HTTP status, where an answer came. */
  readonly status: number | undefined
  /** The first field that does not fit, as a path in what was sent, for example `payer.phone`. */
  readonly field: string | undefined
  /** Every field that does not fit. */
  readonly issues: readonly ProblemIssue[]
  /** By it the operator finds the request in the companion's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next call. */
  readonly retryAfter: number | undefined

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
    this.issues = details.issues ?? []
    this.field = this.issues.find(({ path }) => path !== '')?.path
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
  }
}

/**
 * `body_parsed`: it did not arrive as it was sent. `unsigned`, `forged`, `out_of_time`: answer
 * 401. `unreadable`: it is genuine, and no notice that this package knows how to read.
 */
export type NoticeFault = 'body_parsed' | 'unsigned' | 'forged' | 'out_of_time' | 'unreadable'

/**
 * A notice that must not be acted upon. The message says why, and what to do if it should have
 * been.
 */
export class NoticeError extends Error {
  override readonly name = 'NoticeError'
  readonly code: NoticeFault

  constructor(code: NoticeFault, message: string) {
    super(message)
    this.code = code
  }
}
