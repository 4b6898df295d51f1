// The default transport to the service: undici's pool of keep-alive connections, one request at a time on each. Not node:http, which costs twice the
// processor time of a call; and not fetch, for three measured reasons: fetch resends a POST by itself when it is answered 421, so a create would be
// repeated; NODE_TLS_REJECT_UNAUTHORIZED=0 would turn certificate checks off; and fetch costs a third of the deposits per second
// (test/bench/upstream.ts).
import type { Dispatcher, Pool } from 'undici'
// The pool alone: the whole library takes 10 MB more memory, and installs its own global dispatcher.
import PoolOfConnections from 'undici/lib/dispatcher/pool.js'
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

/** Creates the transport. Certificates are always checked; no option turns that off. */
export function undiciTransport(options: TransportOptions): Transport {
  const targets = createTargets(options)
  return {
    send: (call) => sendOnce(targets.of, call, options),
    close: targets.close,
  }
}

interface Target {
  readonly pool: Pool
  readonly path: string
}

function createTargets({ deadlines }: TransportOptions): { of(url: string): Target; close(): void } {
  const pools = new Map<string, Pool>()
  /** The service has four addresses, and parsing them for each call costs as much as a database row. */
  const known = new Map<string, Target>()

  function poolOf(origin: string): Pool {
    const present = pools.get(origin)
    if (present !== undefined) return present
    const pool = new PoolOfConnections(origin, {
      connections: null,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: IDLE_IN_MS,
      keepAliveMaxTimeout: IDLE_IN_MS,
      // Ours cover the whole call, and the tests' clock drives them.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { rejectUnauthorized: true, minVersion: 'TLSv1.2', timeout: deadlines.total },
    })
    pools.set(origin, pool)
    return pool
  }

  return {
    of(text) {
      const present = known.get(text)
      if (present !== undefined) return present
      const url = new URL(text)
      const target = { pool: poolOf(url.origin), path: url.pathname + url.search }
      if (known.size < 16) known.set(text, target)
      return target
    },
    close() {
      for (const pool of pools.values()) void pool.destroy()
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
      const { pool, path } = targetOf(call.url)
      pool.dispatch({ path, method: 'POST', headers: headersOf(call), body: call.body }, handler)
    } catch (error) {
      // For example a header that cannot be sent.
      fail(error)
    }
  })
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}
