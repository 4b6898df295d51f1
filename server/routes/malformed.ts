// Requests that Node's parser takes and RFC 9112 refuses. Hono's adapter refuses most of them with a bare 400 or a 500, and the endpoints on Node would
// answer them.
import type { IncomingMessage } from 'node:http'

/** Nearly every one; the others are parsed. */
const USUAL_HOST = /^[a-z0-9._-]+(?::\d{1,4})?$/
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/
/** Browsers read it as a slash. */
const BACKSLASH_IN_PATH = /^[^?]*\\/

/** A target that is neither a path nor a whole address, an address with credentials in it, a Host that is none, or two of them. */
export function isMalformed(request: IncomingMessage): boolean {
  const { headers, url = '' } = request
  return !isTarget(url) || !isHost(headers.host ?? '') || isRepeated(request, 'host')
}

/** Whether a header comes more than once. Node keeps the first of those that are no lists, and drops the others. */
export function isRepeated({ rawHeaders }: IncomingMessage, name: string): boolean {
  let times = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1
  }
  return times > 1
}

function isTarget(target: string): boolean {
  if (BACKSLASH_IN_PATH.test(target)) return false
  return target.startsWith('/') || (ABSOLUTE.test(target) && URL.canParse(target))
}

/** A name or address, with or without a port, and nothing else. Empty or missing, as in HTTP/1.0, it may be. */
function isHost(host: string): boolean {
  if (host === '' || USUAL_HOST.test(host)) return true
  return URL.parse(`http://${host}`)?.hostname === host.replace(/:\d+$/, '').toLowerCase()
}
