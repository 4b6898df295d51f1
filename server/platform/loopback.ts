// The one rule of which hosts are this machine.

/**
 * Whether a host, as `URL.hostname` gives it, is this machine wherever names are resolved: plain
 * text to it stays here.
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]'
}
