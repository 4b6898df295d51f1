// What waits for a person is told once more each day: an alert lives in memory, so one may have been lost in a crash or before its chat was set.
import { isWaiting } from '../clock.ts'
import type { Store } from '../store/store.ts'
import type { Alerts } from './alerts.ts'

export interface Reminders {
  /** Raises `review` and `notice_dead` for what has not been dealt with: with the first look, then once a day. Call it now and then. */
  look(): Promise<void>
}

const DAY = 86_400_000

/** See {@link Reminders}. */
export function createReminders(options: {
  readonly store: Pick<Store, 'stats'>
  readonly alerts: Alerts
  readonly now: () => number
}): Reminders {
  const { store, alerts, now } = options
  let quietUntil = -Infinity

  return {
    async look() {
      if (isWaiting(quietUntil, now(), DAY)) return
      const { depositsByPhase, noticesDead } = await store.stats()
      // By the day and not by the count: what is new has its own alert at once, and would be told twice.
      quietUntil = now() + DAY
      const inReview = depositsByPhase.review ?? 0
      if (inReview > 0) alerts.raise('review', `Waiting for a decision now: ${inReview}. You hear this once a day.`)
      if (noticesDead > 0)
        alerts.raise('notice_dead', `Given up and not sent again: ${noticesDead}. You hear this once a day.`)
    },
  }
}
