// The one rule of which hosts are this machine.

/** Whether a host, as `URL.hostname` gives it, is this machine under every resolver. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]'
}
