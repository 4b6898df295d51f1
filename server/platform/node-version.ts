// Checks for the oldest supported Node: the SQLite driver ends an older one (22.13 too) with a
// segmentation fault and no message.

/**
 * `version` as in `process.versions.node`. @returns an error message, or undefined if it is new
 * enough.
 */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 14)) return undefined
  return (
    `hc-checkout-server needs Node 22.14 or newer, and this is Node ${version}. Start it with a newer ` +
    'one: https://nodejs.org/en/download'
  )
}
