// Detects that callbacks have stopped: results still arrive by query, only later, so nobody would
// notice otherwise. The time of the last callback is kept in the store, because a callback may
// reach any instance.
import { isWaiting } from '../../platform/clock.ts'
import type { Store } from '../../deposits/ports/store.ts'
import type { Alerts } from './alerts.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** For so long at least a payment may bring a callback. Older ones are hardly ever paid. */
const LATELY_MINUTES = 60
/** Limit of the count; a larger number tells nothing more. */
const MOST_COUNTED = 50
const HEARD_AT = 'callback_heard_at'

export function createSilenceWatch(options: {
  readonly store: Pick<Store, 'meta' | 'setMeta' | 'payments'>
  readonly alerts: Alerts
  readonly now: () => number
  /** 0: never. */
  readonly silentMinutes: number
}) {
  const { store, alerts, now, silentMinutes } = options
  // Longer than the silence itself: where payments are few, the only open one must still count.
  const latelyMinutes = Math.max(LATELY_MINUTES, 2 * silentMinutes)
  /** Until when further callbacks are not stored. */
  let writtenUntil = -Infinity
  /** Since when there have always been open payments, as far as this instance saw. */
  let openSince: number | undefined
  /** The last alert: when the last callback before it came, and until when it is not repeated. */
  let told: { readonly heardAt: number; readonly until: number } | undefined

  /** Counts open payments that a customer may be paying now, by the index of the payment list. */
  async function countOpen(): Promise<number> {
    const from = now() - latelyMinutes * MINUTE
    const open = await store.payments({ phase: 'open', from, limit: MOST_COUNTED })
    if (open.length > 0) return open.length
    // `confirming` is only looked for if nothing is `open`: the index mixes them, and the query
    // would read all open rows.
    return (await store.payments({ phase: 'confirming', from, limit: MOST_COUNTED })).length
  }

  return {
    /** A genuine callback came. Writes at most once a minute. */
    async heard(): Promise<void> {
      if (silentMinutes === 0 || isWaiting(writtenUntil, now(), MINUTE)) return
      const at = now()
      writtenUntil = at + MINUTE
      await store.setMeta(HEARD_AT, String(at))
    },
    /**
     * Raises `silent` if recent payments are open (of the last hour, or of twice `silentMinutes`)
     * and no callback came for `silentMinutes`. Raises it again after another callback, or after a
     * day. Call it regularly.
     */
    async look(): Promise<void> {
      if (silentMinutes === 0) return
      const open = await countOpen()
      if (open === 0) {
        openSince = undefined
        return
      }
      const at = now()
      // After the clock was set back, a time in the future counts as now.
      openSince = Math.min(openSince ?? at, at)
      const heardAt = Number((await store.meta(HEARD_AT)) ?? 0)
      const since = heardAt > at ? openSince : Math.max(openSince, heardAt)
      const minutes = Math.floor((at - since) / MINUTE)
      if (minutes < silentMinutes) return
      if (told !== undefined && told.heardAt === heardAt && isWaiting(told.until, at, DAY)) return
      told = { heardAt, until: at + DAY }
      const many = open < MOST_COUNTED ? String(open) : `${MOST_COUNTED} or more`
      const of = `Open payments of the last ${latelyMinutes} minutes: ${many}`
      alerts.raise('silent', `${of}. No callback came for ${minutes} minutes.`)
    },
  }
}
