// The connections to the service: undici's pools of kept connections, or tunnels through a proxy.
// Nothing is resent, redirected or decompressed here: an agent without interceptors does none of
// that.
import { Agent, ProxyAgent, type Dispatcher } from 'undici'
import { credentialsOf } from '../platform/decode.ts'
import { OUR_CODES } from './faults.ts'
import type { Deadlines } from './transport.ts'

/**
 * We close idle connections before most servers do: a request sent into a closing one would end as
 * `reset`.
 */
const IDLE_IN_MS = 3_000
/**
 * How long one address of a name that has several is tried before the next. Node's own 250 ms are
 * too short for a service on another continent, or for one lost packet: where the next was an IPv6
 * address and the machine had no IPv6, no call came through.
 */
const EACH_ADDRESS_MS = 2_500
/**
 * Of the time to the head of the answer, what the name, the connection and its handshake may take
 * together. Then the call has failed without a connection, which proves that nothing was sent; a
 * deadline that has passed proves nothing.
 */
const CONNECT_SHARE = 0.8

export interface AgentOptions {
  readonly deadlines: Deadlines
  /** Address of an HTTP proxy, with user and password in it if it asks for them. Default: none. */
  readonly proxy?: string
}

/**
 * Creates the agent. Certificates are always checked; no option turns that off. `destroy` ends all
 * connections; one that is still being opened ends with the time for that.
 */
export function createAgent({ deadlines, proxy }: AgentOptions): Dispatcher {
  const connect = {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    timeout: deadlines.headers * CONNECT_SHARE,
    autoSelectFamilyAttemptTimeout: EACH_ADDRESS_MS,
  } as const
  const options = {
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: IDLE_IN_MS,
    keepAliveMaxTimeout: IDLE_IN_MS,
    // Ours cover the whole call, and the tests' clock drives them.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  if (proxy === undefined) return new Agent({ ...options, connect })
  return new ProxyAgent({
    ...options,
    ...addressOf(proxy),
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (_, own) => new Agent({ ...own, headersTimeout: deadlines.headers }).compose(refuseOnce),
  })
}

function addressOf(proxy: string): { readonly uri: string; readonly token?: string } {
  const { user, password } = credentialsOf(proxy)
  // undici sends none without a password, and throws at a bare percent sign.
  const token = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return { uri: proxy, ...(user === '' ? {} : { token }) }
}

const refusal = (message: string) => Object.assign(new Error(message), { code: OUR_CODES.tunnelRefused })

/**
 * Asks the proxy for a tunnel once. undici takes a proxy that closes the connection in place of an
 * answer for the end of an idle connection, and would ask again at once and without end; so it
 * would where bytes follow the proxy's 200, which are no service's: a server speaks only when it is
 * asked.
 */
const refuseOnce: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (wanted, handler) =>
  dispatch(wanted, {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade(controller, status, headers, socket) {
      if (status === 200 && socket.readableLength === 0) {
        handler.onRequestUpgrade?.(controller, status, headers, socket)
        return
      }
      socket.on('error', () => {}).destroy()
      handler.onResponseError?.(controller, refusal(`The proxy opened no tunnel (HTTP ${status}).`))
    },
    onResponseError(controller, error: NodeJS.ErrnoException) {
      const closed = error.code === 'UND_ERR_SOCKET'
      handler.onResponseError?.(controller, closed ? refusal('The proxy closed the connection.') : error)
    },
  })
