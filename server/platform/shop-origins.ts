// Whose pages are the shop's: the origins of HC_ALLOWED_ORIGINS, and in test mode any page of this
// machine.
import { isLoopbackHost } from './loopback.ts'

export interface ShopOrigins {
  /** Exact origins (HC_ALLOWED_ORIGINS), and the companion's own. */
  readonly origins: ReadonlySet<string>
  /** Whether pages of this machine are the shop's, at any port: in test mode. */
  readonly loopback: boolean
}

export const isShopOrigin = ({ origins, loopback }: ShopOrigins, origin: string): boolean =>
  origins.has(origin) || (loopback && isLoopbackPage(origin))

/** Browsers keep `*.localhost` on this machine too. */
function isLoopbackPage(origin: string): boolean {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin || !/^https?:$/.test(url.protocol)) return false
  return isLoopbackHost(url.hostname) || url.hostname.endsWith('.localhost')
}
