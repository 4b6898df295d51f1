// The connections of undici-transport.ts: a pool for each host, or tunnels through a proxy, opened so that none outlives its use.
import type { LookupFunction, Socket } from 'node:net'
import type { Dispatcher } from 'undici'
// These parts alone: the whole library takes 10 MB more memory, and installs its own global dispatcher.
import connectMethod from 'undici/lib/api/api-connect.js'
import createConnector from 'undici/lib/core/connect.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'
import { credentialsOf } from '../decode.ts'
import { EACH_ADDRESS_MS } from '../each-address.ts'
import type { Deadlines } from './transport.ts'

/** We close idle connections before most servers do: a request sent into a closing one would end as `reset`. */
const IDLE_IN_MS = 3_000

/** undici's code when a proxy answers CONNECT with anything but 200: there is no connection to the service. */
export const TUNNEL_REFUSED = 'UND_ERR_ABORTED'

/**
 * A proxy that closes the connection in place of an answer refuses the tunnel too. undici takes that for the end of an idle connection, and would
 * send CONNECT again at once and without end: a thousand times a second.
 */
function asRefusal(error: NodeJS.ErrnoException): never {
  if (error.code !== 'UND_ERR_SOCKET') throw error
  throw Object.assign(new Error('The proxy closed the connection.'), { code: TUNNEL_REFUSED })
}

/**
 * A server speaks only when it is asked: bytes right behind the proxy's 200 are no service's. undici would close the tunnel for them, and open the next
 * for the same call, without end.
 */
function mustBeSilent<T>(opened: Dispatcher.ConnectData<T>): Dispatcher.ConnectData<T> {
  if (opened.socket.readableLength === 0) return opened
  opened.socket.destroy()
  throw Object.assign(new Error('The proxy sent more than the tunnel.'), { code: TUNNEL_REFUSED })
}

/** The connections to one host, or through the proxy to all. */
export interface HostConnections {
  readonly dispatcher: Dispatcher
  /** Calls that have no connection yet. */
  waiting: number
}

export interface Target {
  readonly host: HostConnections
  readonly origin: string
  readonly path: string
}

/** @param options.proxy and `lookup`: see undici-transport.ts */
export function createTargets({
  deadlines,
  proxy,
  lookup,
}: {
  readonly deadlines: Deadlines
  readonly proxy?: string | undefined
  readonly lookup?: LookupFunction | undefined
}): { of(url: string): Target; close(): void } {
  /** By origin, or one for all that goes through the proxy. */
  const hosts = new Map<string, HostConnections>()
  const sockets = new Set<Socket>()
  /** The service has four addresses, and parsing them for each call costs as much as a database row. */
  const known = new Map<string, Target>()
  const connection = {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    timeout: deadlines.total,
    autoSelectFamilyAttemptTimeout: EACH_ADDRESS_MS,
    ...(lookup === undefined ? {} : { lookup }),
  } as const
  const poolOptions = {
    connections: null,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: IDLE_IN_MS,
    keepAliveMaxTimeout: IDLE_IN_MS,
    // Ours cover the whole call, and the tests' clock drives them.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const createSocket = createConnector(connection)

  const connect: typeof createSocket = (...call) => {
    const socket = createSocket(...call)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  function poolOf(origin: string): HostConnections {
    const dispatcher = new Pool(origin, {
      ...poolOptions,
      connect(target, connected) {
        // undici opens a new connection for a call that was given up: many at once where a service hangs, and nothing to send on them.
        if (host.waiting === 0) connected(new Error('nothing to send'), null)
        else connect(target, connected)
      },
    })
    const host = { dispatcher, waiting: 0 }
    return host
  }

  function tunnelsThrough(uri: string): HostConnections {
    const { user, password } = credentialsOf(uri)
    const dispatcher = new ProxyAgent({
      ...poolOptions,
      uri,
      // undici sends none without a password, and throws at a bare percent sign.
      ...(user === '' ? {} : { token: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
      requestTls: connection,
      clientFactory(url) {
        const toProxy = new Pool(url, { connect, headersTimeout: deadlines.headers })
        // The whole library would give the pool this method.
        const openTunnel = (wanted: Dispatcher.ConnectOptions) =>
          connectMethod.call(toProxy, wanted).then(mustBeSilent, asRefusal)
        return Object.assign(toProxy, { connect: openTunnel })
      },
    })
    return { dispatcher, waiting: 0 }
  }

  function hostOf(origin: string): HostConnections {
    const key = proxy ?? origin
    const present = hosts.get(key)
    if (present !== undefined) return present
    const host = proxy === undefined ? poolOf(origin) : tunnelsThrough(proxy)
    hosts.set(key, host)
    return host
  }

  return {
    of(text) {
      const present = known.get(text)
      if (present !== undefined) return present
      const { origin, pathname, search } = new URL(text)
      const target = { host: hostOf(origin), origin, path: pathname + search }
      if (known.size < 16) known.set(text, target)
      return target
    },
    close() {
      for (const { dispatcher } of hosts.values()) void dispatcher.destroy()
      // undici leaves those that are still being opened.
      for (const socket of sockets) socket.destroy()
    },
  }
}
