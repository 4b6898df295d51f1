// An HTTP server on loopback for one fetch handler, which can be disconnected.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

export type Answer = Response | Promise<Response>

export interface Listening {
  readonly url: string
  readonly port: number
  /** At once: what is open is cut. */
  close(): Promise<void>
}

/** Port 0: any free one. */
export async function listen(answer: (request: Request, env: HttpBindings) => Answer, port = 0): Promise<Listening> {
  const server = createServer()
  const listener = getRequestListener(async (request, env) => {
    try {
      return await answer(request, env as HttpBindings)
    } catch {
      // A handler that fails is a line that is cut, not an answer.
      ;(env as HttpBindings).outgoing.destroy()
      return RESPONSE_ALREADY_SENT
    }
  })
  server.on('request', (incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
