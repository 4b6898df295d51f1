// Runs the companion on Node: opens it from the environment (open-companion.ts) and serves it over
// HTTP with limits.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Companion } from './companion.ts'
import { codeOf } from './platform/error-code.ts'
import { listen, urlOf } from './platform/listening.ts'
import { GRACE_MS, type OpenOverrides, type OpenedCompanion, openCompanion } from './open-companion.ts'
import type { Logger } from './platform/logging/logger.ts'
import { isLoopbackHost } from './platform/loopback.ts'
import { ownVersion } from './platform/own-version.ts'
import { mountedBelow } from './http/mounted-below.ts'
import { type Environment, meantEnvironment } from './settings/environment.ts'
import type { Settings } from './settings/settings.ts'
import type { ConsoleUser } from './settings/values.ts'

export { createCompanion, type Companion, type CompanionOptions } from './companion.ts'
export { flushLog, openCompanion, type OpenedCompanion, type OpenOverrides } from './open-companion.ts'
export { readSettings, type Settings, SettingsError } from './settings/settings.ts'
export { openStore } from './store/open.ts'
export type { Store } from './deposits/ports/store.ts'

/** Makes a user of the console: the line for HC_CONSOLE_USERS, and the password unless given. */
export async function makeConsoleUser(
  name: string,
  role: ConsoleUser['role'],
  password?: string,
): Promise<{ readonly line: string; readonly password: string }> {
  return (await import('./console/make-user.ts')).makeConsoleUser(name, role, password)
}

/** A companion that is listening and doing its background work. */
export interface RunningCompanion extends OpenedCompanion {
  /** Where it listens, on this machine. */
  readonly url: string
  /** Ends connections and streams, lets running work finish, closes the store. Idempotent. */
  close(): Promise<void>
}

/** Listening on HC_PORT failed. `code` is Node's own (`EADDRINUSE`, `EACCES`, …). */
export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code: string

  constructor(code: string, settings: Pick<Settings, 'host' | 'port'>) {
    const reasons: Record<string, string> = {
      EADDRINUSE:
        `port ${settings.port} is taken by another program: stop that one (perhaps a companion that still runs), ` +
        'or choose another HC_PORT.',
      EACCES: `this user may not listen on port ${settings.port}: choose an HC_PORT above 1023.`,
      EADDRNOTAVAIL: `this machine has no address ${settings.host}: correct HC_HOST.`,
      ENOTFOUND: `this machine has no address ${settings.host}: correct HC_HOST.`,
    }
    super(`The companion cannot start: ${reasons[code] ?? `HC_PORT ${settings.port} cannot be listened on (${code}).`}`)
    this.code = code
  }
}

/**
 * Starts a whole companion from environment variables (see the settings reference).
 *
 * @throws SettingsError, ListenError, or an Error that names HC_DATABASE_URL when the database
 *   cannot be used.
 */
export async function startCompanion(
  env: Readonly<Record<string, string | undefined>>,
  overrides: OpenOverrides = {},
): Promise<RunningCompanion> {
  const opened = await openCompanion(env, overrides)
  const { companion, settings, store, logger } = opened
  warnOfPlatform(env, settings, logger)

  const server = serverFor(companion)
  let address: AddressInfo
  try {
    address = await listen(server, settings.host, settings.port)
  } catch (error) {
    await companion.close()
    await store.close()
    throw new ListenError(codeOf(error) || 'unknown', settings)
  }
  companion.start()
  const url = urlOf(address.address, address.port)
  logger.info(
    { version: ownVersion(), url, mode: settings.paymentMode, publicUrl: settings.publicUrl, pid: process.pid },
    'companion is listening',
  )

  let closing: Promise<void> | undefined
  const answering = new Set<ServerResponse>()
  let noneAnswering = (): void => {}
  // Before the listener that answers.
  server.prependListener('request', (_request, response) => {
    if (closing !== undefined) response.shouldKeepAlive = false
    answering.add(response)
    response.once('close', () => {
      answering.delete(response)
      if (answering.size === 0) noneAnswering()
    })
  })

  async function close(): Promise<void> {
    logger.info({}, 'companion is stopping')
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    // A proxy would send its next request on a connection that is kept.
    for (const response of answering) response.shouldKeepAlive = false
    const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    await companion.close()
    // Node counts no connection as idle before its first request, and browsers keep such ones open.
    noneAnswering = () => server.closeAllConnections()
    if (answering.size === 0) noneAnswering()
    else server.closeIdleConnections()
    await closed
    clearTimeout(cut)
    await opened.close()
  }
  return { ...opened, url, close: () => (closing ??= close()) }
}

/** A platform that sets PORT passes requests on from outside the container. */
function warnOfPlatform(env: Environment, { host }: Settings, logger: Logger): void {
  if (!meantEnvironment(env).isPortOfPlatform || !(isLoopbackHost(host) || host === '::1')) return
  logger.warn(
    { name: 'HC_HOST' },
    `The port is that of PORT, and HC_HOST is ${host}, which only this machine reaches: on a hosting platform ` +
      'set HC_HOST=0.0.0.0.',
  )
}

/**
 * A Node request listener: `createServer(nodeListener(companion))`. With `next`, as in Express
 * (`app.use(nodeListener(companion))`), it handles requests to the companion's own paths and passes
 * all others to the next handler. Mounted below a path it hands an error to the next handler
 * instead: the companion's links and its callback address begin at the root.
 */
export function nodeListener(
  companion: Pick<Companion, 'app'>,
): (request: IncomingMessage, response: ServerResponse, next?: (error?: Error) => void) => Promise<void> {
  refuseOther(companion)
  // In place of a missing Host header: health checks of HAProxy are HTTP/1.0 without one.
  const rest = getRequestListener(companion.app.fetch, { overrideGlobalObjects: false, hostname: 'localhost' })
  const areas = new Set(companion.app.routes.map(({ path }) => areaOf(path)))
  areas.delete('*')
  const isOurs = (url: string): boolean => areas.has(areaOf(url))
  return async (request, response, next) => {
    if (next !== undefined) {
      const below = pathOfMount(request, isOurs)
      if (below !== undefined) return next(new Error(mountedBelow(below)))
      if (!isOurs(request.url ?? '/')) return next()
      // The raw body is gone, and signatures are computed over its bytes.
      if (request.readableDidRead)
        return next(
          new Error('The companion must be mounted before anything that reads bodies, such as express.json().'),
        )
    }
    await rest(request, response)
  }
}

/** For plain JavaScript, where no type says so. */
function refuseOther(companion: Partial<Pick<Companion, 'app'>> | undefined): void {
  if (companion?.app === undefined)
    throw new TypeError('nodeListener takes the companion: const { companion } = await openCompanion(process.env).')
}

/**
 * What Express, and Connect without `baseUrl`, know of the path that they have taken from the front
 * of the address.
 */
type Mounted = IncomingMessage & { readonly baseUrl?: unknown; readonly originalUrl?: unknown }

/** The path that the listener is mounted below; undefined at the root. */
function pathOfMount(
  { url = '/', baseUrl, originalUrl }: Mounted,
  isOurs: (url: string) => boolean,
): string | undefined {
  if (typeof baseUrl === 'string') return baseUrl === '' ? undefined : baseUrl
  // A shop may itself shorten addresses of its own, for example by the language in front.
  if (typeof originalUrl !== 'string' || originalUrl === url || !isOurs(url)) return undefined
  return originalUrl.endsWith(url) ? originalUrl.slice(0, -url.length) : undefined
}

/** The first segment of a path: `v1`, `pay`, `healthz`. */
function areaOf(path: string): string | undefined {
  return /^\/([^/?]*)/.exec(path)?.[1]
}

/**
 * A connection without a byte for so long is cut; with an answer under way, after twice as long.
 * Event streams and the slowest downloads send far more often.
 */
const LONGEST_STILLNESS_MS = 120_000

/**
 * An HTTP server with limits against slow and huge requests. `requestTimeout` covers the request
 * only, so it ends no event stream. `timeout` covers a client who does not take his answer.
 */
function serverFor(companion: Companion): Server {
  const isTooFast = createPipelineGuard()
  const answer = nodeListener(companion)
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      // Above nginx's 60 s, so that a proxy never sends a request on a connection that we are just
      // closing.
      keepAliveTimeout: 65_000,
      maxHeaderSize: 8192,
      noDelay: true,
    },
    (request, response) => {
      if (isTooFast(request, response)) request.socket.destroy()
      else void answer(request, response)
    },
  )
  server.timeout = LONGEST_STILLNESS_MS
  return server
}

/** Most pipelined requests of one connection. Few clients pipeline at all, and no proxy does. */
const MOST_PIPELINED = 32

/**
 * True for each request beyond the limit. Otherwise 60 kB could hold 1,500 requests for one turn of
 * the event loop, and delay all others.
 */
function createPipelineGuard(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const pipelined = new WeakMap<Socket, number>()
  return function isTooFast({ socket }, response) {
    // Node assigns the socket to a response only when the previous response has ended.
    if (response.socket !== null) return false
    const count = (pipelined.get(socket) ?? 0) + 1
    pipelined.set(socket, count)
    return count > MOST_PIPELINED
  }
}
