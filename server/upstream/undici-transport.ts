// The default transport to the service: undici's pool of keep-alive connections, one request at a time on each. Not node:http, which costs twice the
// processor time of a call; and not fetch, for three measured reasons: fetch resends a POST by itself when it is answered 421, so a create would be
// repeated; NODE_TLS_REJECT_UNAUTHORIZED=0 would turn certificate checks off; and fetch costs a third of the deposits per second
// (test/bench/upstream.ts).
import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { codeOf } from '../error-code.ts'
import { codingsOf, decompress } from './decompress.ts'
import {
  faultOf,
  type Call,
  type SendFault,
  type Sent,
  type Timers,
  type Transport,
  type TransportFault,
  type TransportOptions,
} from './transport.ts'
import { createTargets, TUNNEL_REFUSED, type HostConnections, type Target } from './undici-connections.ts'

export interface UndiciTransportOptions extends TransportOptions {
  /** Address of an HTTP proxy to go through, by CONNECT, with user and password in it if it asks for them. Default: none. */
  readonly proxy?: string | undefined
  /** Of the names of the service and of the proxy. Default: Node's. */
  readonly lookup?: LookupFunction | undefined
}

/** Creates the transport. Certificates are always checked; no option turns that off. */
export function undiciTransport(options: UndiciTransportOptions): Transport {
  const targets = createTargets(options)
  return {
    send: (call) => new Promise((resolve) => new Exchange(options, resolve).dispatch(targets.of, call)),
    close: targets.close,
  }
}

/** Names and values in turns, as undici writes them. Uncompressed is asked for: responses are small. */
function headersOf(call: Call): string[] {
  const headers = ['accept-encoding', 'identity']
  for (const [name, value] of Object.entries(call.headers)) headers.push(name, value)
  return headers
}

/** As undici reads them: several of one name are a list. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

const isTunnelRefusal = (error: unknown) => codeOf(error) === TUNNEL_REFUSED

/** One call and its answer. undici calls the `on…` methods; whatever comes after the result is ignored. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #timers: Timers
  readonly #maxBytes: number
  readonly #resolve: (sent: Sent) => void
  readonly #headersTimer: unknown
  readonly #totalTimer: unknown
  #host: HostConnections | undefined
  #started: Dispatcher.DispatchController | undefined
  #isSettled = false
  #status = 0
  #retryAfter: string | undefined
  #codings: readonly string[] = []
  readonly #chunks: Buffer[] = []
  #length = 0

  constructor({ deadlines, timers, maxBytes }: TransportOptions, resolve: (sent: Sent) => void) {
    this.#timers = timers
    this.#maxBytes = maxBytes
    this.#resolve = resolve
    const onDeadline = () => this.#abort('timeout')
    this.#headersTimer = timers.setTimeout(onDeadline, deadlines.headers)
    this.#totalTimer = timers.setTimeout(onDeadline, deadlines.total)
  }

  dispatch(targetOf: (url: string) => Target, call: Call): void {
    try {
      const { host, origin, path } = targetOf(call.url)
      this.#host = host
      host.waiting += 1
      host.dispatcher.dispatch({ origin, path, method: 'POST', headers: headersOf(call), body: call.body }, this)
    } catch (error) {
      // For example a header that cannot be sent.
      this.#fail(error)
    }
  }

  /** Called when there is a connection, before anything is written to it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    const isAgain = this.#started !== undefined
    this.#started = controller
    if (!isAgain) this.#leaveQueue()
    // The deadline passed while it waited for a connection, or undici means to send it again: it is never sent late or twice.
    if (this.#isSettled) controller.abort(new Error('not sent'))
    else if (isAgain) this.#abort('reset')
  }

  onRequestUpgrade(): void {
    this.#abort('network')
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return
    this.#timers.clearTimeout(this.#headersTimer)
    this.#status = status
    // Of several, the first one: a list could not be read.
    this.#retryAfter = [headers['retry-after']].flat()[0]
    const codings = codingsOf([headers['content-encoding'] ?? ''].flat().join())
    if (codings === undefined) this.#abort('encoded')
    else this.#codings = codings
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length
    if (this.#length > this.#maxBytes) this.#abort('too_large')
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const read = decompress(Buffer.concat(this.#chunks, this.#length), this.#codings, this.#maxBytes)
    if ('fault' in read) this.#settle({ ok: false, ...read })
    else this.#settle({ ok: true, status: this.#status, retryAfter: this.#retryAfter, text: read.toString('utf8') })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#started === undefined) this.#leaveQueue()
    this.#fail(error)
  }

  #leaveQueue(): void {
    if (this.#host !== undefined) this.#host.waiting -= 1
  }

  #settle(sent: Sent): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#timers.clearTimeout(this.#headersTimer)
    this.#timers.clearTimeout(this.#totalTimer)
    this.#resolve(sent)
  }

  #abort(fault: TransportFault): void {
    this.#end({ fault })
  }

  #end(met: SendFault): void {
    // Once settled, the connection belongs to the pool again.
    if (this.#isSettled) return
    this.#settle({ ok: false, ...met })
    this.#started?.abort(new Error(met.fault))
  }

  /** What was begun may have left this machine, whatever the error is called. */
  #fail(error: unknown): void {
    const isBegun = this.#started !== undefined
    const met: SendFault = !isBegun && isTunnelRefusal(error) ? { fault: 'refused_connection' } : faultOf(error)
    this.#end(isBegun && (met.fault === 'refused_connection' || met.fault === 'dns') ? { fault: 'network' } : met)
  }
}
