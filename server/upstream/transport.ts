// One POST to the service and its result: an answer, or a fault that says how sure we may be. ky
// over one `fetch`, that of service-fetch.ts or one that is handed in, with all retries off: a
// create must not be repeated blindly.
import ky from 'ky'
import { readBytes } from './answer-body.ts'
import { faultOf, type SendFault } from './faults.ts'

export interface Call {
  readonly url: string
  /** Beside those of JSON. */
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body: string
}

export type Sent =
  | { readonly ok: true; readonly status: number; readonly retryAfter: string | undefined; readonly text: string }
  | ({ readonly ok: false } & SendFault)

/** Timers that a test can control; the system's fit as they are. */
export interface Timers {
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
}

export const systemTimers: Timers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
}

/**
 * Milliseconds. `headers`: until the response head has arrived. `total`: until its last byte has.
 */
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

/** Uncompressed is asked for: answers are small. */
const HEADERS = { accept: 'application/json', 'content-type': 'application/json', 'accept-encoding': 'identity' }

/**
 * Creates the transport over `fetch`. A fetch that ignores its abort signal does not hold up the
 * caller.
 */
export function createTransport(fetch: typeof globalThis.fetch, options: TransportOptions) {
  const { deadlines, timers, maxBytes } = options
  const api = ky.create({
    fetch: (input, init) => fetch(input, init),
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
  })

  async function exchange({ url, body, headers }: Call, signal: AbortSignal, onHead: () => void): Promise<Sent> {
    try {
      const response = await api.post(url, { body, headers: { ...HEADERS, ...headers }, signal })
      onHead()
      const bytes = response.body === null ? Buffer.alloc(0) : await readBytes(response.body, maxBytes)
      const retryAfter = response.headers.get('retry-after') ?? undefined
      return { ok: true, status: response.status, retryAfter, text: bytes.toString('utf8') }
    } catch (error) {
      return { ok: false, ...faultOf(error) }
    }
  }

  return {
    async send(call: Call): Promise<Sent> {
      const controller = new AbortController()
      const late = Promise.withResolvers<Sent>()
      const giveUp = () => {
        late.resolve({ ok: false, fault: 'timeout' })
        controller.abort()
      }
      const headersTimer = timers.setTimeout(giveUp, deadlines.headers)
      const totalTimer = timers.setTimeout(giveUp, deadlines.total)
      const onHead = () => timers.clearTimeout(headersTimer)
      try {
        return await Promise.race([late.promise, exchange(call, controller.signal, onHead)])
      } finally {
        timers.clearTimeout(headersTimer)
        timers.clearTimeout(totalTimer)
      }
    },
  }
}

/** Sends once: no retry, no redirect, no cookie, no cache. Never rejects. */
export type Transport = ReturnType<typeof createTransport>
