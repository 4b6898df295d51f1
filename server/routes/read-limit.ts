// Limits how often one caller may make reads that query the database.
import { bucketOf } from './address.ts'
import { createRateLimit } from './rate-limit.ts'

const MINUTE = 60_000
const MOST = 1200

export interface ReadLimit {
  /** Counts one public read; throws `rate_limited`. */
  read(address: string): void
  /**
   * Opens what a token or link leads to; throws `rate_limited`, and whatever `open` throws.
   * Thousands share a mobile operator's address, and one of them could use up its reads: so holders
   * of a genuine token are counted by what it opens, and only the others by address.
   */
  opened<Row extends { readonly id: string }>(address: string, open: () => Promise<Row>): Promise<Row>
}

export function createReadLimit(parts: { readonly now: () => number }): ReadLimit {
  const reads = createRateLimit({ most: MOST, windowMs: MINUTE, now: parts.now })
  const read = (address: string): void => reads.use(bucketOf(address))
  return {
    read,
    async opened(address, open) {
      const row = await open().catch((error: unknown) => {
        read(address)
        throw error
      })
      reads.use(row.id)
      return row
    },
  }
}
