// The error class of the widget, with a stable code.

/**
 * `network`: no answer of the companion came (a gateway's own is none), and it is unknown whether it acted. `deposit_unknown`: this
 * browser has no token of the payment to resume, or the page's token opens none. Other codes are the companion's problem codes.
 */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError'
  readonly code: string
  /** Field of the request body that is wrong, e.g. `payer.name`. */
  readonly path: string | undefined
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(code: string, message: string, path?: string, retryAfter?: number) {
    super(message)
    this.code = code
    this.path = path
    this.retryAfter = retryAfter
  }
}

/**
 * Codes after which it is unknown whether a payment was created: network, internal_error, store_unavailable, and of the key in_progress and reused. All
 * others mean that none was. What was asked may be answered in a moment. @internal
 */
export const unclear = /^(network|internal|store)|progress|reused/

/** A fault that passes by itself. @internal */
export const isPassing = ({ code }: CheckoutError): boolean => unclear.test(code) || code === 'rate_limited'
