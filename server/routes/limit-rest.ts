// What comes of a request body that is answered before its end: Node and Hono would read it on at the speed of the line.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bytes that are let in after the answer, so that the connection can be used again. */
const MOST_REST = 16 * 1024
/** How long the rest may pause, and how long a client has to read the answer to a longer one, before the connection is cut. */
const LINGER_MS = 1_000

/** To be called before the request is answered. A body that is declared to be short is read to its end. */
export function limitRest(request: IncomingMessage, response: ServerResponse): void {
  if (declaredLength(request) <= MOST_REST) return
  // Node's own listener comes first, and sets how long the connection may be idle.
  response.once('finish', () => {
    if (request.complete) return
    const { socket } = request
    const { timeout: idleMs = 0 } = socket
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_REST) socket.pause()
    })
    request.once('end', () => socket.setTimeout(idleMs))
    request.resume()
    socket.resume()
    socket.setTimeout(LINGER_MS)
  })
}

/** Bytes; without end for a body in pieces. */
function declaredLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
}
