// Builds the service's addresses: https, or http on this machine only.
import { isLoopbackHost } from '../platform/loopback.ts'
import { UpstreamSettingError } from '../platform/private-key.ts'

/**
 * Joins a setting's base address and a path of service.md.
 *
 * @throws UpstreamSettingError naming the setting; the message omits the address, which may contain
 *   a password.
 */
export function serviceUrl(setting: string, base: string, path: string): string {
  if (!URL.canParse(base))
    throw new UpstreamSettingError(setting, 'is not a web address; it must look like https://api.example.com.')
  const url = new URL(base)
  if (url.username !== '' || url.password !== '')
    throw new UpstreamSettingError(setting, 'holds a user name or password; the service takes none there.')
  if (url.search !== '' || url.hash !== '')
    throw new UpstreamSettingError(setting, 'holds a ? or #; give scheme, host and path only.')
  const plain = url.protocol === 'http:' && isLoopbackHost(url.hostname)
  if (url.protocol !== 'https:' && !plain) {
    throw new UpstreamSettingError(setting, 'must begin with https:// (http:// is for a sandbox on this machine only).')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
}
