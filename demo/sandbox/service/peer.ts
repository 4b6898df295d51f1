// Who calls: the address of the socket behind a request.
import type { Context } from 'hono'

/** The caller's address; undefined when there is no real server behind the request. */
export function peerOf(c: Context): string | undefined {
  const env = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined
  return env?.incoming?.socket?.remoteAddress?.replace(/^::ffff:/, '')
}
