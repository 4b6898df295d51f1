// Which methods an address accepts: distinguishes 405 from 404.
import { endpoints } from './openapi-endpoints.ts'

const places = endpoints.map(({ method, path }) => ({
  method,
  at: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** For the Allow header (RFC 9110 section 10.2.1); empty when no route matches. */
export function methodsAt(path: string): readonly string[] {
  const found = places.filter(({ at }) => at.test(path)).map(({ method }) => method)
  return found.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : ['POST']))
}
