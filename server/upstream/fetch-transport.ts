// Transport to the service over an injected `fetch`: of a test, a simulation, or a merchant's proxy. Built on ky with all its retries off, because a
// create must not be repeated blindly (money rule 1).
import ky from 'ky'
import { faultOf, type Sent, type Transport, type TransportFault, type TransportOptions } from './transport.ts'

/** Creates the transport over `fetch`. A fetch that ignores its abort signal does not hold up the caller. */
export function fetchTransport(fetch: typeof globalThis.fetch, options: TransportOptions): Transport {
  const { deadlines, timers, maxBytes } = options
  const api = ky.create({
    fetch: (input, init) => fetch(input, init),
    retry: 0,
    timeout: false,
    totalTimeout: false,
    throwHttpErrors: false,
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
  })

  return {
    async send(call) {
      const controller = new AbortController()
      let late: ((sent: Sent) => void) | undefined
      const tooLate = new Promise<Sent>((resolve) => {
        late = resolve
      })
      const giveUp = () => {
        late?.({ ok: false, fault: 'timeout' })
        controller.abort()
      }
      const headersTimer = timers.setTimeout(giveUp, deadlines.headers)
      const totalTimer = timers.setTimeout(giveUp, deadlines.total)
      const exchange = async (): Promise<Sent> => {
        try {
          const headers = { ...call.headers, 'accept-encoding': 'identity' }
          const response = await api.post(call.url, { body: call.body, headers, signal: controller.signal })
          timers.clearTimeout(headersTimer)
          const text = await readText(response, maxBytes)
          if (typeof text !== 'string') return { ok: false, fault: text.fault }
          return {
            ok: true,
            status: response.status,
            retryAfter: response.headers.get('retry-after') ?? undefined,
            text,
          }
        } catch (error) {
          return { ok: false, ...(controller.signal.aborted ? { fault: 'timeout' } : faultOf(error)) }
        }
      }
      try {
        return await Promise.race([exchange(), tooLate])
      } finally {
        timers.clearTimeout(headersTimer)
        timers.clearTimeout(totalTimer)
      }
    },
    close() {},
  }
}

/** The body as text, limited to `maxBytes` after decompression. */
async function readText(response: Response, maxBytes: number): Promise<string | { readonly fault: TransportFault }> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (length > maxBytes) return { fault: 'too_large' }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length).toString('utf8')
}
