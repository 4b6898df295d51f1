// Daily reminders of what waits for a person: alerts live in memory, so one may be lost in a crash
// or before a channel was configured.
import { isWaiting } from '../../platform/clock.ts'
import type { Store } from '../../deposits/ports/store.ts'
import type { Alerts } from './alerts.ts'

const DAY = 86_400_000

export function createReminders(options: {
  readonly store: Pick<Store, 'stats'>
  readonly alerts: Alerts
  readonly now: () => number
}) {
  const { store, alerts, now } = options
  let quietUntil = -Infinity

  return {
    /** Raises `review` and `notice_dead` for what is unresolved, once a day. Call it regularly. */
    async look(): Promise<void> {
      if (isWaiting(quietUntil, now(), DAY)) return
      const { depositsByPhase, noticesDead } = await store.stats()
      // Once a day, not when the count changes: new cases raise their own alert at once.
      quietUntil = now() + DAY
      const inReview = depositsByPhase.review ?? 0
      if (inReview > 0) alerts.raise('review', `Waiting for a decision now: ${inReview}. You hear this once a day.`)
      if (noticesDead > 0)
        alerts.raise('notice_dead', `Given up and not sent again: ${noticesDead}. You hear this once a day.`)
    },
  }
}
