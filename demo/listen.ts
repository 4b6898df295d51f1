// Starts an HTTP server for a fetch handler, and closes it without waiting for streams that never
// end.
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'

export interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
}

/**
 * The port is in use by another program; the message names the port and the variable that changes
 * it.
 */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'

  constructor(port: number, who: string, variable: string) {
    super(
      `Port ${port} for the ${who} is taken by another program. Stop that one, or choose another port: ` +
        `${variable}=${port + 100} npm start`,
    )
  }
}

export interface ListenOptions {
  readonly fetch: (request: Request, env: object) => Promise<Response> | Response
  readonly host: string
  readonly port: number
  /** The server's name, and the variable that sets its port; both for the error message. */
  readonly who: string
  readonly variable: string
}

/** @throws PortTakenError if the port is in use. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const answer = getRequestListener((request, env) => options.fetch(request, env))
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.off('error', reject)
      resolve()
    })
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new PortTakenError(options.port, options.who, options.variable) : error
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () => close(server),
  }
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // Event streams stay open as long as a page does: give running responses a moment, then cut.
  const cut = setTimeout(() => server.closeAllConnections(), 500)
  await closed
  clearTimeout(cut)
}
