// The error class of the widget, with a stable code.

/**
 * `network`: no answer of the companion came (a gateway's own is none), and it is unknown whether
 * it acted. `blocked`: something in between, for example a firewall, refuses the request.
 * `deposit_unknown`: this browser has no token of the payment to resume, or the page's token opens
 * none. Other codes are the companion's problem codes.
 */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError'
  readonly code: string
  /** Field of the request body that is wrong, for example `payer.name`. */
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

/** This browser has no token of the payment, or one that opens nothing. */
export const unknownPayment = (): CheckoutError =>
  new CheckoutError('deposit_unknown', 'No such payment, or not its token: call resume(id, token).')
