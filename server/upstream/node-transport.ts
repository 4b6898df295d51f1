// The default transport to the service: node:http and node:https with one keep-alive agent. Not fetch, for three measured reasons: fetch resends a
// POST by itself when it is answered 421, so a create would be repeated; NODE_TLS_REJECT_UNAUTHORIZED=0 would turn certificate checks off; and fetch
// costs a third of the deposits per second (test/bench/upstream.ts).
import * as http from 'node:http'
import * as https from 'node:https'
import {
  faultOf,
  type Call,
  type Sent,
  type Transport,
  type TransportFault,
  type TransportOptions,
} from './transport.ts'

/** We close idle connections before most servers do: a request sent into a closing one would end as `reset`. */
const IDLE_IN_MS = 4_000
const ENCODINGS_WE_READ = new Set(['', 'identity'])

/** Creates the transport. Certificates are always checked; no option turns that off. */
export function nodeTransport(options: TransportOptions): Transport {
  const idle = { keepAlive: true, timeout: IDLE_IN_MS, scheduling: 'lifo' } as const
  const plain = new http.Agent(idle)
  const secure = new https.Agent({ ...idle, rejectUnauthorized: true, minVersion: 'TLSv1.2' })
  const targetOf = createTargets()
  const open = (call: Call): http.ClientRequest => {
    const { isSecure, ...target } = targetOf(call.url)
    const common = { ...target, method: 'POST', headers: headersOf(call), insecureHTTPParser: false }
    return isSecure
      ? https.request({ ...common, agent: secure, rejectUnauthorized: true })
      : http.request({ ...common, agent: plain })
  }
  return {
    send: (call) => sendOnce(open, call, options),
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

interface Target {
  readonly isSecure: boolean
  readonly hostname: string
  readonly port: string
  readonly path: string
}

/** Caches parsed URLs: the service has four, and parsing them for each call costs as much as a database row. */
function createTargets(): (url: string) => Target {
  const known = new Map<string, Target>()
  return (text) => {
    let target = known.get(text)
    if (target === undefined) {
      const url = new URL(text)
      const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
      target = { isSecure: url.protocol === 'https:', hostname, port: url.port, path: url.pathname + url.search }
      if (known.size < 16) known.set(text, target)
    }
    return target
  }
}

function headersOf(call: Call): Record<string, string | number> {
  // Uncompressed: the limit counts the bytes that are read, and responses are small.
  return { ...call.headers, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(call.body) }
}

function sendOnce(open: (call: Call) => http.ClientRequest, call: Call, options: TransportOptions): Promise<Sent> {
  const { deadlines, timers, maxBytes } = options
  return new Promise((resolve) => {
    let request: http.ClientRequest | undefined
    let settled = false
    const settle = (sent: Sent) => {
      if (settled) return
      settled = true
      timers.clearTimeout(headersTimer)
      timers.clearTimeout(totalTimer)
      resolve(sent)
    }
    const give = (fault: TransportFault) => {
      // Once settled, the connection belongs to the agent again.
      if (settled) return
      settle({ ok: false, fault })
      request?.destroy()
    }
    const headersTimer = timers.setTimeout(() => give('timeout'), deadlines.headers)
    const totalTimer = timers.setTimeout(() => give('timeout'), deadlines.total)

    try {
      request = open(call)
    } catch (error) {
      // For example a header that cannot be sent. Nothing was opened, but only `refused_connection` and `dns` may claim so.
      give(faultOf(error))
      return
    }
    request.on('error', (error) => give(faultOf(error)))
    request.on('upgrade', () => give('network'))
    request.on('response', (response) => {
      timers.clearTimeout(headersTimer)
      if (!ENCODINGS_WE_READ.has(response.headers['content-encoding']?.trim().toLowerCase() ?? ''))
        return give('encoded')
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxBytes) give('too_large')
        else chunks.push(chunk)
      })
      response.on('error', (error) => give(faultOf(error)))
      response.on('close', () => give('reset'))
      response.on('end', () => {
        if (!response.complete) return give('reset')
        settle({
          ok: true,
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          text: Buffer.concat(chunks, length).toString('utf8'),
        })
      })
    })
    request.end(call.body)
  })
}
