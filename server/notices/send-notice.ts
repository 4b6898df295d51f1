// One delivery attempt to the merchant's backend: a POST signed by Standard Webhooks 1.0, and the
// meaning of its response.
import { Webhook } from 'standardwebhooks'
import { codeOf } from '../platform/error-code.ts'
import type { NoticeRow } from '../deposits/ports/store.ts'
import { readRetryAfter } from '../platform/retry-after.ts'
import { postOver } from './post.ts'

/**
 * `delivered`: any 2xx. `gone`: 410, the receiver wants no more. `failed`: anything else, to be
 * retried; with `retryAfterMs` not earlier, because the receiver is busy (429, 502, 503 or 504 with
 * a Retry-After).
 */
export type SendOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs?: number }

export interface SendOptions {
  /** Only ever from the settings, never from a request: https, or http to loopback. */
  readonly url: string
  /** Standard Webhooks secrets; each adds a signature, so that a receiver may hold any of them. */
  readonly secrets: readonly string[]
  readonly fetch: typeof fetch
  readonly now: () => number
  /** Ms until an attempt is given up. Standard Webhooks advises 15 to 30 s. */
  readonly timeoutMs: number
}

/** Sends one notice. Never rejects. */
export async function sendNotice(
  notice: Pick<NoticeRow, 'id' | 'body' | 'traceparent'>,
  options: SendOptions,
): Promise<SendOutcome> {
  const sentAt = options.now()
  try {
    const response = await postOver(options.fetch)(options.url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'hc-checkout',
        ...(notice.traceparent === undefined ? {} : { traceparent: notice.traceparent }),
        ...signatureHeaders(notice, options.secrets, sentAt),
      },
      body: notice.body,
      // No redirect is followed, which could lead the signed body anywhere: 3xx is a failure like
      // any other (money rule 9).
      signal: AbortSignal.timeout(options.timeoutMs),
    })
    return read(response, options.now())
  } catch (error) {
    return { kind: 'failed', reason: describe(error, options.timeoutMs) }
  }
}

/** The three headers of Standard Webhooks, section "Webhook metadata". */
export function signatureHeaders(
  notice: Pick<NoticeRow, 'id' | 'body'>,
  secrets: readonly string[],
  now: number,
): Record<string, string> {
  const at = new Date(now)
  return {
    'webhook-id': notice.id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(notice.id, at, notice.body)).join(' '),
  }
}

function read(response: Response, now: number): SendOutcome {
  const { status } = response
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const reason = `answered ${status}${hint(status)}`
  if (status !== 429 && status !== 502 && status !== 503 && status !== 504) return { kind: 'failed', reason }
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), now)
  return { kind: 'failed', reason, retryAfterMs }
}

function hint(status: number): string {
  if (status >= 300 && status < 400) return ', and redirects are not followed'
  // What stands before a receiver answers; 419 is Laravel's.
  if (status === 403 || status === 419) return ': does a CSRF check or a firewall refuse it before the receiver?'
  if (status === 500) return ': what does the log of the receiver say?'
  // What receivers answer to a signature that they do not accept.
  return status === 401 ? ': has the receiver HC_NOTIFY_SECRET, the raw body and the right time?' : ''
}

function describe(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'could not be reached'
  if (error.name === 'TimeoutError') return `gave no answer within ${timeoutMs / 1000} s`
  const code = codeOf(error.cause)
  return code === '' ? 'could not be reached' : `could not be reached (${code})`
}
