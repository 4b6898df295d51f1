// A TCP proxy for one link between two programs that simulates bad networks: slow, fragmented, cut,
// stalled, half closed, gone.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** `request`: from the connecting side. `answer`: back to it. */
export type Way = 'request' | 'answer'

export type Fault =
  /** Every chunk is delayed, both ways. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Every byte in a packet of its own, both ways. */
  | { readonly kind: 'slice' }
  /** After that many bytes one way, both ends get a reset. */
  | { readonly kind: 'cut'; readonly way: Way; readonly after: number; readonly times?: number }
  /**
   * After that many bytes one way, that direction is closed (FIN) and the rest is lost; the other
   * stays open.
   */
  | { readonly kind: 'half-close'; readonly way: Way; readonly after: number; readonly times?: number }
  /**
   * After that many bytes one way nothing gets through, without any error. What was held back is
   * delivered after `heal`.
   */
  | { readonly kind: 'stall'; readonly way: Way; readonly after: number; readonly times?: number }
  /** Nobody listens, and existing connections are reset. */
  | { readonly kind: 'gone' }

export interface TcpProxy {
  /** `127.0.0.1:port` */
  readonly address: string
  readonly port: number
  /** Sets a fault. Bytes are counted from now on, on each connection, old or new. */
  suffer(fault: Fault): Promise<void>
  /** Back to a good network; what a stall held back is delivered. */
  heal(): Promise<void>
  /** Resets all connections. */
  cutAll(): void
  /** Sets the target port of new connections; existing ones stay. */
  lead(port: number): void
  /** How often the current fault has struck. */
  struck(): number
  /**
   * The ports from which it speaks to the target on open connections that the current fault has
   * struck.
   */
  struckPorts(): number[]
  connections(): number
  close(): Promise<void>
}

interface Pipe {
  passed: number
  struck: boolean
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  readonly pipes: Record<Way, Pipe>
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let to = target
  let fault: Fault | undefined
  let strikes = 0
  let healed = Promise.withResolvers<void>()
  const links = new Set<Link>()
  let server: Server | undefined

  function reset(link: Link): void {
    links.delete(link)
    link.client.resetAndDestroy()
    link.server.resetAndDestroy()
  }

  /**
   * How many bytes of a chunk still pass before the fault strikes; undefined if it does not strike
   * here.
   */
  function room(link: Link, way: Way, length: number): number | undefined {
    if (fault === undefined || !('way' in fault) || fault.way !== way) return undefined
    const pipe = link.pipes[way]
    if (pipe.struck) return 0
    if (pipe.passed + length <= fault.after || strikes >= (fault.times ?? Infinity)) return undefined
    pipe.struck = true
    strikes += 1
    return fault.after - pipe.passed
  }

  async function write(socket: Socket, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0 && !socket.destroyed && !socket.write(bytes))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }

  /** Forwards a chunk; false if nothing more may pass this way. */
  async function pass(link: Link, way: Way, chunk: Buffer, out: Socket): Promise<boolean> {
    const present = fault
    if (present?.kind === 'delay') {
      strikes += 1
      await pause(present.ms)
    }
    if (present?.kind === 'slice') {
      strikes += 1
      for (let i = 0; i < chunk.length; i++) {
        await write(out, chunk.subarray(i, i + 1))
        await new Promise((resolve) => setImmediate(resolve))
      }
      return true
    }
    const some = room(link, way, chunk.length)
    const first = some === undefined ? chunk : chunk.subarray(0, some)
    await write(out, first)
    link.pipes[way].passed += first.length
    if (some === undefined || present === undefined) return true
    if (present.kind === 'cut') {
      // Let the forwarded bytes leave before the reset overtakes them.
      await pause(5)
      reset(link)
      return false
    }
    if (present.kind === 'half-close') {
      out.end()
      return false
    }
    await healed.promise
    await write(out, chunk.subarray(some))
    return true
  }

  async function pump(link: Link, way: Way, from: Socket, out: Socket): Promise<void> {
    try {
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        if (!(await pass(link, way, chunk as Buffer, out))) return
      }
      // A stalled direction hides the end as well.
      if (fault?.kind === 'stall' && fault.way === way && link.pipes[way].struck) await healed.promise
      out.end()
    } catch {
      reset(link)
    }
  }

  function join(client: Socket): void {
    const upstream = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true })
    const link: Link = {
      client,
      server: upstream,
      pipes: { request: { passed: 0, struck: false }, answer: { passed: 0, struck: false } },
    }
    links.add(link)
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      socket.on('error', () => reset(link))
      socket.on('close', () => {
        if (client.destroyed && upstream.destroyed) links.delete(link)
      })
    }
    void pump(link, 'request', client, upstream)
    void pump(link, 'answer', upstream, client)
  }

  async function listen(): Promise<void> {
    const made = createServer({ allowHalfOpen: true, noDelay: true }, join)
    made.listen(port, '127.0.0.1')
    await once(made, 'listening')
    server = made
  }

  async function deafen(): Promise<void> {
    const ending = server
    server = undefined
    if (ending === undefined) return
    const closed = once(ending, 'close')
    ending.close()
    cutAll()
    await closed
  }

  function cutAll(): void {
    for (const link of links) reset(link)
  }

  async function heal(): Promise<void> {
    fault = undefined
    healed.resolve()
    healed = Promise.withResolvers()
    if (server === undefined) await listen()
  }

  // It comes back to its port.
  const port = await freePort()
  await listen()
  return {
    address: `127.0.0.1:${port}`,
    port,
    async suffer(next) {
      await heal()
      strikes = 0
      for (const { pipes } of links)
        for (const pipe of Object.values(pipes)) Object.assign(pipe, { passed: 0, struck: false })
      fault = next
      if (next.kind === 'gone') {
        strikes += 1
        await deafen()
      }
    },
    heal,
    cutAll,
    lead: (next) => void (to = next),
    struck: () => strikes,
    struckPorts: () =>
      [...links].flatMap(({ server: { localPort }, pipes }) =>
        localPort !== undefined && (pipes.request.struck || pipes.answer.struck) ? [localPort] : [],
      ),
    connections: () => links.size,
    async close() {
      fault = undefined
      healed.resolve()
      await deafen()
    },
  }
}
