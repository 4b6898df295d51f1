// The service's envelope {success, message, data}, and the error class that is rendered in it.
// service.md "Resources and their fields" and "Errors".
import type { Context } from 'hono'

type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 501 | 504

/** An error in the service's own words. `errors` holds texts by field and goes with 422. */
export class ServiceError extends Error {
  readonly status: ErrorStatus
  readonly errors: Record<string, string[]> | undefined
  readonly headers: Record<string, string>

  constructor(
    status: ErrorStatus,
    message: string,
    options: { errors?: Record<string, string[]>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.status = status
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }
}

export function answer(c: Context, message: string, data: unknown): Response {
  return c.json({ success: true, message, data }, 200, { 'Cache-Control': 'no-store' })
}

export function refuse(c: Context, error: ServiceError): Response {
  const body = { success: false, message: error.message, ...(error.errors ? { errors: error.errors } : {}) }
  return c.json(body, error.status, { 'Cache-Control': 'no-store', ...error.headers })
}

/** 422 with a sentence for each invalid field (open-points.md: missing field). */
export function invalid(errors: Record<string, string[]>): ServiceError {
  return new ServiceError(422, 'The given data was invalid.', { errors })
}
