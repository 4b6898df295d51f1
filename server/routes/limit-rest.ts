// What comes of a request body that is answered before its end: Node and Hono would read it on at the speed of the line.
//
// The answer says that the connection ends. Otherwise a proxy that has handed all of the body to its system sends the next customer's request behind it.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bytes that are read after the answer. A body that is declared to be as short is read to its end, and the connection is used again. */
const MOST_REST = 16 * 1024
/** How long the client has to read the answer: what we leave unread makes the system reset the connection, and an answer may be lost with it. */
const LINGER_MS = 1_000

/** To be called before the request is answered. */
export function limitRest(request: IncomingMessage, response: ServerResponse): void {
  // Streams of HTTP/2 end one by one, and their connection is not ours to end.
  if (request.httpVersionMajor > 1 || declaredLength(request) <= MOST_REST) return
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) {
      response.shouldKeepAlive = false
      lingerAtEnd(request)
    }
    return writeHead(...head)
  }
}

/** Node calls `destroySoon` once the answer is sent, which would cut the connection at once. */
function lingerAtEnd(request: IncomingMessage): void {
  const { socket } = request
  const destroySoon = socket.destroySoon.bind(socket)
  let lingers = false
  socket.destroySoon = () => {
    if (request.complete) destroySoon()
    // Hono calls it once more, half a second later.
    if (request.complete || lingers) return
    lingers = true
    socket.end()
    socket.setTimeout(LINGER_MS, () => socket.destroy())
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MOST_REST) return
      request.pause()
      socket.pause()
    })
    request.once('end', destroySoon)
    request.resume()
    socket.resume()
  }
}

/** Bytes; without end for a body in pieces. */
function declaredLength({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity
}
