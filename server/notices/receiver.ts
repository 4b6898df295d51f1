// The receiver at HC_NOTIFY_URL: attempts to deliver to it, and what its answers mean for the next
// ones.
import { isRecent, isWaiting } from '../platform/clock.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { NoticeRow } from '../deposits/ports/store.ts'
import { type SendOptions, type SendOutcome, sendNotice } from './send-notice.ts'

export interface ReceiverOptions extends SendOptions {
  readonly metrics: Pick<Metrics, 'observe'>
  /** How many attempts may run at once; the caller sees to it. */
  readonly parallel: number
  /** Called when it answers 410; once, until it accepts a notice again. */
  readonly onGone: ((notice: NoticeRow) => void) | undefined
}

/** A busy receiver's Retry-After pauses all notices, but never longer than this. */
const LONGEST_PAUSE = 5 * 60_000
/** A burst of notices takes all places for a shorter time. */
const FULL_FOR_MS = 2000

export function createReceiver(options: ReceiverOptions) {
  const { now, metrics, onGone, parallel } = options
  let pausedUntil = 0
  let gone = false
  let posting = 0
  /** Since when as many wait as may. */
  let fullSince: number | undefined
  /** Ms until the time is over for which it asked us to wait (Retry-After); else 0. */
  const pausedFor = (): number => (isWaiting(pausedUntil, now(), LONGEST_PAUSE) ? pausedUntil - now() : 0)

  return {
    /** Makes one attempt. Never rejects. */
    async post(notice: NoticeRow): Promise<SendOutcome> {
      const startedAt = now()
      posting += 1
      if (posting >= parallel) fullSince ??= startedAt
      const outcome = await sendNotice(notice, options)
      posting -= 1
      fullSince = undefined
      metrics.observe('notice', (now() - startedAt) / 1000, { outcome: outcome.kind })
      if (outcome.kind === 'delivered') gone = false
      else if (outcome.kind === 'gone') {
        // Retries go on: the 410 may come from a proxy in front of the receiver, and a lost notice
        // is worse than a useless request.
        if (!gone) onGone?.(notice)
        gone = true
      } else if (outcome.retryAfterMs !== undefined) {
        const asked = now() + Math.min(outcome.retryAfterMs, LONGEST_PAUSE)
        pausedUntil = pausedFor() > 0 ? Math.max(pausedUntil, asked) : asked
      }
      return outcome
    },
    pausedFor,
    /** Attempts that wait for its answer. */
    posting: (): number => posting,
    /** It takes nothing: it pauses, or hangs at all places. */
    isStuck: (): boolean => pausedFor() > 0 || (fullSince !== undefined && !isRecent(fullSince, now(), FULL_FOR_MS)),
    /** It answered 410, and has accepted nothing since. */
    isGone: (): boolean => gone,
    /** Forgets the pause and the 410. */
    resume(): void {
      pausedUntil = 0
      gone = false
    },
  }
}

export type Receiver = ReturnType<typeof createReceiver>
