// The default transport to the service: undici's pool of keep-alive connections, one request at a time on each. Not node:http, which costs twice the
// processor time of a call; and not fetch, for three measured reasons: fetch resends a POST by itself when it is answered 421, so a create would be
// repeated; NODE_TLS_REJECT_UNAUTHORIZED=0 would turn certificate checks off; and fetch costs a third of the deposits per second
// (test/bench/upstream.ts).
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
// These parts alone: the whole library takes 10 MB more memory, and installs its own global dispatcher.
import connectMethod from 'undici/lib/api/api-connect.js'
import createConnector from 'undici/lib/core/connect.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'
import { credentialsOf } from '../decode.ts'
import {
  faultOf,
  type Call,
  type Sent,
  type Transport,
  type TransportFault,
  type TransportOptions,
} from './transport.ts'

/** We close idle connections before most servers do: a request sent into a closing one would end as `reset`. */
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

interface Line {
  readonly dispatcher: Dispatcher
  /** Calls that have no connection yet. */
  waiting: number
}

interface Target {
  readonly line: Line
  readonly origin: string
  readonly path: string
}

function createTargets({ deadlines, proxy }: UndiciTransportOptions): { of(url: string): Target; close(): void } {
  /** By origin, or one for all that goes through the proxy. */
  const lines = new Map<string, Line>()
  const sockets = new Set<Socket>()
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
  const createSocket = createConnector(tls)

  const connect: typeof createSocket = (...call) => {
    const socket = createSocket(...call)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  function poolOf(origin: string): Line {
    const dispatcher = new Pool(origin, {
      ...connections,
      connect(target, connected) {
        // undici opens a new connection for a call that was given up: many at once where a service hangs, and nothing to send on them.
        if (line.waiting === 0) connected(new Error('nothing to send'), null)
        else connect(target, connected)
      },
    })
    const line = { dispatcher, waiting: 0 }
    return line
  }

  function tunnelsThrough(uri: string): Line {
    const { user, password } = credentialsOf(uri)
    const dispatcher = new ProxyAgent({
      ...connections,
      uri,
      // undici sends none without a password, and throws at a bare percent sign.
      ...(user === '' ? {} : { token: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
      requestTls: tls,
      // The whole library would give the pool this method.
      clientFactory: (url) =>
        Object.assign(new Pool(url, { connect, headersTimeout: deadlines.headers }), { connect: connectMethod }),
    })
    return { dispatcher, waiting: 0 }
  }

  function lineTo(origin: string): Line {
    const key = proxy ?? origin
    const present = lines.get(key)
    if (present !== undefined) return present
    const line = proxy === undefined ? poolOf(origin) : tunnelsThrough(proxy)
    lines.set(key, line)
    return line
  }

  return {
    of(text) {
      const present = known.get(text)
      if (present !== undefined) return present
      const { origin, pathname, search } = new URL(text)
      const target = { line: lineTo(origin), origin, path: pathname + search }
      if (known.size < 16) known.set(text, target)
      return target
    },
    close() {
      for (const { dispatcher } of lines.values()) void dispatcher.destroy()
      // undici leaves those that are still being opened.
      for (const socket of sockets) socket.destroy()
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

    const handlerOn = (line: Line): Dispatcher.DispatchHandler => ({
      /** Called when there is a connection, before anything is written to it. */
      onRequestStart(controller) {
        const isAgain = started !== undefined
        started = controller
        if (!isAgain) line.waiting -= 1
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
        if (started === undefined) line.waiting -= 1
        fail(error)
      },
    })
    try {
      const { line, origin, path } = targetOf(call.url)
      line.waiting += 1
      line.dispatcher.dispatch(
        { origin, path, method: 'POST', headers: headersOf(call), body: call.body },
        handlerOn(line),
      )
    } catch (error) {
      // For example a header that cannot be sent.
      fail(error)
    }
  })
}
