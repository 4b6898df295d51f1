// The version of this package.
import { readFileSync } from 'node:fs'

/** Of the package `hc-checkout-server`; undefined where it was bundled into another program. */
export function ownVersion(): string | undefined {
  try {
    const manifest = new URL(import.meta.resolve('hc-checkout-server/package.json'))
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
  } catch {
    return undefined
  }
}
