// The default transport to the service: undici's pool of keep-alive connections, one request at a time on each. Not node:http, which costs twice the
// processor time of a call; and not fetch, for three measured reasons: fetch resends a POST by itself when it is answered 421, so a create would be
// repeated; NODE_TLS_REJECT_UNAUTHORIZED=0 would turn certificate checks off; and fetch costs a third of the deposits per second
// (test/bench/upstream.ts).
import type { Dispatcher } from 'undici'
// These parts alone: the whole library takes 10 MB more memory, and installs its own global dispatcher.
import connect from 'undici/lib/api/api-connect.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'
import {
  faultOf,
  type Call,
  type Sent,
  type Transport,
  type TransportFault,
  type TransportOptions,
} from './transport.ts'

/** We close idle connections before most servers do: a request sent into a closing one would end as `reset`. undici's own timers may be a second late. */
const IDLE_IN_MS = 3_000
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

interface Target {
  readonly dispatcher: Dispatcher
  readonly origin: string
  readonly path: string
}

function createTargets({ deadlines, proxy }: UndiciTransportOptions): { of(url: string): Target; close(): void } {
  /** By origin, or one for all that goes through the proxy. */
  const dispatchers = new Map<string, Dispatcher>()
  /** The service has four addresses, and parsing them for each call costs as much as a database row. */
  const known = new Map<string, Target>()
  const tls = { rejectUnauthorized: true, minVersion: 'TLSv1.2', timeout: deadlines.total } as const
  const connections = {
    connections: null,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: IDLE_IN_MS,
    keepAliveMaxTimeout: IDLE_IN_MS,
    // Ours cover the whole call, and the tests' clock drives them.
    headersTimeout: 0,
    bodyTimeout: 0,
  }

  function dispatcherOf(origin: string): Dispatcher {
    const key = proxy ?? origin
    const present = dispatchers.get(key)
    if (present !== undefined) return present
    const dispatcher =
      proxy === undefined
        ? new Pool(origin, { ...connections, connect: tls })
        : new ProxyAgent({
            ...connections,
            uri: proxy,
            requestTls: tls,
            proxyTls: tls,
            // The whole library would give the pool this method.
            clientFactory: (url, opts) =>
              Object.assign(new Pool(url, { ...opts, headersTimeout: deadlines.headers }), { connect }),
          })
    dispatchers.set(key, dispatcher)
    return dispatcher
  }

  return {
    of(text) {
      const present = known.get(text)
      if (present !== undefined) return present
      const { origin, pathname, search } = new URL(text)
      const target = { dispatcher: dispatcherOf(origin), origin, path: pathname + search }
      if (known.size < 16) known.set(text, target)
      return target
    },
    close() {
      for (const dispatcher of dispatchers.values()) void dispatcher.destroy()
    },
  }
}

/** Names and values in turns, as undici writes them. Uncompressed: the limit counts the bytes that are read, and responses are small. */
function headersOf(call: Call): string[] {
  const headers = ['accept-encoding', 'identity']
  for (const [name, value] of Object.entries(call.headers)) headers.push(name, value)
  return headers
}

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
      const fault = faultOf(error)
      give(started !== undefined && (fault === 'refused_connection' || fault === 'dns') ? 'network' : fault)
    }
    const headersTimer = timers.setTimeout(() => give('timeout'), deadlines.headers)
    const totalTimer = timers.setTimeout(() => give('timeout'), deadlines.total)

    const handler: Dispatcher.DispatchHandler = {
      /** Called when there is a connection, before anything is written to it. */
      onRequestStart(controller) {
        // The deadline passed while it waited for a connection, or undici means to send it again: it is never sent late or twice.
        if (settled || started !== undefined) controller.abort(new Error('not sent'))
        if (started !== undefined) give('reset')
        started = controller
      },
      onRequestUpgrade: () => give('network'),
      onResponseStart(_controller, statusCode, headers) {
        if (statusCode < 200) return
        timers.clearTimeout(headersTimer)
        status = statusCode
        retryAfter = textOf(headers['retry-after'])
        if (!ENCODINGS_WE_READ.has(textOf(headers['content-encoding'])?.trim().toLowerCase() ?? '')) give('encoded')
      },
      onResponseData(_controller, chunk) {
        length += chunk.length
        if (length > maxBytes) give('too_large')
        else chunks.push(chunk)
      },
      onResponseEnd: () =>
        settle({ ok: true, status, retryAfter, text: Buffer.concat(chunks, length).toString('utf8') }),
      onResponseError: (_controller, error) => fail(error),
    }
    try {
      const { dispatcher, origin, path } = targetOf(call.url)
      dispatcher.dispatch({ origin, path, method: 'POST', headers: headersOf(call), body: call.body }, handler)
    } catch (error) {
      // For example a header that cannot be sent.
      fail(error)
    }
  })
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}
