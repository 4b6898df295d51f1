// Which methods an address takes: distinguishes 405 from 404.
import type { Hono } from 'hono'

/** For the Allow header (RFC 9110 section 10.2.1); empty when no route has this path. */
export function methodsAt({ routes }: Hono, path: string): readonly string[] {
  const methods = new Set(
    // ALL is middleware.
    routes.filter((route) => route.method !== 'ALL' && isAt(route.path, path)).map(({ method }) => method),
  )
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

function isAt(pattern: string, path: string): boolean {
  const parts = path.split('/')
  const names = pattern.split('/')
  return (
    names.length === parts.length &&
    names.every((name, at) => (name.startsWith(':') ? parts[at] !== '' : name === parts[at]))
  )
}
