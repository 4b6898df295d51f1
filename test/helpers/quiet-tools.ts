// The dependencies that are handed to the domain, for tests of one part of it: nothing is logged,
// counted or raised unless a test says so.
import { randomBytes } from 'node:crypto'
import type { Tools } from '../../server/deposits/ports/machine.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'

/**
 * @param given replaces the defaults: a trusted clock, nobody watching, no waiting, and background
 *   work that starts at once.
 */
export function quietTools(given: Pick<Tools, 'store' | 'now'> & Partial<Tools>): Tools {
  return {
    trustedNow: given.now,
    random: (bytes) => randomBytes(bytes),
    logger: silentLogger,
    count: () => {},
    observe: () => {},
    alert: () => {},
    hear: () => {},
    isWatched: () => false,
    sleep: async () => {},
    traceparent: () => undefined,
    background: (work) => void work(),
    ...given,
  }
}
