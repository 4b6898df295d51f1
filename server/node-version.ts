// Checks for the oldest supported Node. An older one crashes in the SQLite driver with a segmentation fault and no message.

/** `version` as in `process.versions.node`. @returns an error message, or undefined if it is new enough. */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) return undefined
  return `hc-checkout-server needs Node 22.13 or newer, and this is Node ${version}. Start it with a newer one: https://nodejs.org/en/download`
}
