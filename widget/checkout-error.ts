// What went wrong, in a stable word.

/** `network`: no answer came; whether the companion acted is not known. Other codes are the companion's problem codes. */
export class CheckoutError extends Error {
  override readonly name = 'CheckoutError'
  readonly code: string
  /** Body field the fault concerns, e.g. `payer.name`. */
  readonly path: string | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(code: string, message: string, path?: string, retryAfter?: number) {
    super(message)
    this.code = code
    this.path = path
    this.retryAfter = retryAfter
  }
}
