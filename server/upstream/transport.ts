// Port for one POST to the service and its result: an answer, or a fault that says how sure we may be. Implemented by undici-transport.ts (the
// default) and fetch-transport.ts (where a `fetch` is handed in).
import { codeOf } from '../error-code.ts'

export interface Call {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body: string
}

/**
 * `refused_connection` (by the host, or by the proxy on the way) and `dns`: nothing reached the service; no other fault proves that (money rule 1).
 * `timeout`: a deadline passed. `reset`: the connection broke. `tls`: the service could not prove its identity.
 * `too_large`, `encoded`: an answer arrived but was not read. `network`: anything else.
 */
export type TransportFault =
  | 'refused_connection'
  | 'dns'
  | 'timeout'
  | 'reset'
  | 'tls'
  | 'too_large'
  | 'encoded'
  | 'network'

export type Sent =
  | { readonly ok: true; readonly status: number; readonly retryAfter: string | undefined; readonly text: string }
  | ({ readonly ok: false } & SendFault)

/** `code`: of a `tls` fault, what the system calls it, such as CERT_HAS_EXPIRED. Without it nobody could tell an expired certificate from a foreign one. */
export interface SendFault {
  readonly fault: TransportFault
  readonly code?: string
}

/** Sends once: no retry, no redirect, no cookie, no cache. Never rejects. */
export interface Transport {
  send(call: Call): Promise<Sent>
  close(): void
}

/** Timers that a test can control; the system's fit as they are. */
export interface Timers {
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
}

export const systemTimers: Timers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
}

/** Milliseconds. `headers`: until the response head has arrived. `total`: until its last byte has. */
export interface Deadlines {
  readonly headers: number
  readonly total: number
}

export interface TransportOptions {
  readonly deadlines: Deadlines
  readonly timers: Timers
  /** Most bytes of a response that are read. */
  readonly maxBytes: number
}

const REFUSED = new Set(['ECONNREFUSED'])
const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN'])
const RESET = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'HPE_INVALID_EOF_STATE',
])
const TIMEOUT = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
const TLS =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_PURPOSE$)/

/** Classifies an error of undici, fetch or ky. A name with several addresses is `refused_connection` only if every address refused. */
export function faultOf(error: unknown): SendFault {
  const codes = codesOf(error, 0)
  if (codes.length === 0) return { fault: 'network' }
  if (codes.every((code) => REFUSED.has(code))) return { fault: 'refused_connection' }
  if (codes.every((code) => DNS.has(code))) return { fault: 'dns' }
  const ofTls = codes.find((code) => TLS.test(code))
  if (ofTls !== undefined) return { fault: 'tls', code: ofTls }
  if (codes.some((code) => TIMEOUT.has(code))) return { fault: 'timeout' }
  if (codes.some((code) => RESET.has(code))) return { fault: 'reset' }
  return { fault: 'network' }
}

/** Codes at the ends of the cause chain: a wrapper's own code says less than what it wraps. */
function codesOf(error: unknown, depth: number): string[] {
  if (!(error instanceof Error) || depth > 5) return []
  if (error instanceof AggregateError) return error.errors.flatMap((one) => codesOf(one, depth + 1))
  const deeper = codesOf(error.cause, depth + 1)
  if (deeper.length > 0) return deeper
  const code = codeOf(error)
  return code === '' ? [] : [code]
}
