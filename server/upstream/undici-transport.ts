// The default transport to the service: undici's pool of keep-alive connections, one request at a time on each. Not node:http, which costs twice the
// processor time of a call; and not fetch, for three measured reasons: fetch resends a POST by itself when it is answered 421, so a create would be
// repeated; NODE_TLS_REJECT_UNAUTHORIZED=0 would turn certificate checks off; and fetch costs a third of the deposits per second
// (test/bench/upstream.ts).
import type { Dispatcher } from 'undici'
import {
  faultOf,
  type Call,
  type Sent,
  type Transport,
  type TransportFault,
  type TransportOptions,
} from './transport.ts'
import { createTargets, TUNNEL_REFUSED, type HostConnections, type Target } from './undici-connections.ts'

const ENCODINGS_WE_READ = new Set(['', 'identity'])

/** `proxy`: address of an HTTP proxy to go through, by CONNECT, with user and password in it if it asks for them. */
export interface UndiciTransportOptions extends TransportOptions {
  readonly proxy?: string | undefined
}

/** Creates the transport. Certificates are always checked; no option turns that off. */
export function undiciTransport(options: UndiciTransportOptions): Transport {
  const targets = createTargets(options)
  return {
    send: (call) => sendOnce(targets.of, call, options),
    close: targets.close,
  }
}

/** Names and values in turns, as undici writes them. Uncompressed: the limit counts the bytes that are read, and responses are small. */
function headersOf(call: Call): string[] {
  const headers = ['accept-encoding', 'identity']
  for (const [name, value] of Object.entries(call.headers)) headers.push(name, value)
  return headers
}

const isTunnelRefusal = (error: unknown) => (error as NodeJS.ErrnoException).code === TUNNEL_REFUSED

function sendOnce(targetOf: (url: string) => Target, call: Call, options: TransportOptions): Promise<Sent> {
  const { deadlines, timers, maxBytes } = options
  return new Promise((resolve) => {
    let started: Dispatcher.DispatchController | undefined
    let settled = false
    let status = 0
    let retryAfter: string | undefined
    const chunks: Buffer[] = []
    let length = 0
    const settle = (sent: Sent) => {
      if (settled) return
      settled = true
      timers.clearTimeout(headersTimer)
      timers.clearTimeout(totalTimer)
      resolve(sent)
    }
    const give = (fault: TransportFault) => {
      // Once settled, the connection belongs to the pool again.
      if (settled) return
      settle({ ok: false, fault })
      started?.abort(new Error(fault))
    }
    /** What was begun may have left this machine, whatever the error is called. */
    const fail = (error: unknown) => {
      const fault = started === undefined && isTunnelRefusal(error) ? 'refused_connection' : faultOf(error)
      give(started !== undefined && (fault === 'refused_connection' || fault === 'dns') ? 'network' : fault)
    }
    const headersTimer = timers.setTimeout(() => give('timeout'), deadlines.headers)
    const totalTimer = timers.setTimeout(() => give('timeout'), deadlines.total)

    const handlerOn = (host: HostConnections): Dispatcher.DispatchHandler => ({
      /** Called when there is a connection, before anything is written to it. */
      onRequestStart(controller) {
        const isAgain = started !== undefined
        started = controller
        if (!isAgain) host.waiting -= 1
        // The deadline passed while it waited for a connection, or undici means to send it again: it is never sent late or twice.
        if (settled) controller.abort(new Error('not sent'))
        else if (isAgain) give('reset')
      },
      onRequestUpgrade: () => give('network'),
      onResponseStart(_controller, statusCode, headers) {
        if (statusCode < 200) return
        timers.clearTimeout(headersTimer)
        status = statusCode
        // Of several, the first one: a list could not be read.
        retryAfter = [headers['retry-after']].flat()[0]
        const encoding = [headers['content-encoding'] ?? ''].flat().join()
        if (!ENCODINGS_WE_READ.has(encoding.trim().toLowerCase())) give('encoded')
      },
      onResponseData(_controller, chunk) {
        length += chunk.length
        if (length > maxBytes) give('too_large')
        else chunks.push(chunk)
      },
      onResponseEnd: () =>
        settle({ ok: true, status, retryAfter, text: Buffer.concat(chunks, length).toString('utf8') }),
      onResponseError(_controller, error) {
        if (started === undefined) host.waiting -= 1
        fail(error)
      },
    })
    try {
      const { host, origin, path } = targetOf(call.url)
      host.waiting += 1
      host.dispatcher.dispatch(
        { origin, path, method: 'POST', headers: headersOf(call), body: call.body },
        handlerOn(host),
      )
    } catch (error) {
      // For example a header that cannot be sent.
      fail(error)
    }
  })
}
