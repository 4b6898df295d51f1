// How often one session may try to pay: whoever has its link could otherwise use up the shop's
// requests to the service.
import { isRecent } from '../../platform/clock.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Store } from '../ports/store.ts'
import type { Session } from '../machine/deposit.ts'

/** Attempts of one session in all. */
export const MOST_ATTEMPTS = 20
const MOST_RECENT = 5
const RECENT_MS = 15 * 60_000

/**
 * Throws `too_many_attempts`, with the seconds until the next one is taken, or `attempts_used_up`.
 */
export async function mustMayTry({ id, starts = 0 }: Session, store: Store, now: () => number): Promise<void> {
  if (starts < MOST_RECENT) return
  if (starts >= MOST_ATTEMPTS)
    throw new CompanionError('attempts_used_up', {
      detail:
        `There were ${MOST_ATTEMPTS} attempts to pay in this session, the most that it takes. Open ` +
        'the payment from the shop again.',
    })
  const newest = await store.payments({ sessionId: id, limit: MOST_RECENT })
  const oldest = newest[MOST_RECENT - 1]
  if (oldest === undefined || !isRecent(oldest.createdAt, now(), RECENT_MS)) return
  // If the clock was set back, nobody waits for the length of the step.
  const waitMs = Math.min(oldest.createdAt + RECENT_MS - now(), RECENT_MS)
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  throw new CompanionError('too_many_attempts', {
    detail:
      `There were ${MOST_RECENT} attempts to pay in this session within 15 minutes. The next one can ` +
      `be made in ${retryAfter} s. Nothing was charged.`,
    retryAfter,
  })
}
