// Notices that callbacks have stopped: results still come by query, only later, so nobody would see it otherwise.
// What was heard last is kept in the store, because a callback may come to any instance.
import { isWaiting } from '../clock.ts'
import type { Store } from '../store/store.ts'
import type { Alerts } from './alerts.ts'

export interface SilenceWatch {
  /** A genuine callback came. Writes at most once a minute. */
  heard(): Promise<void>
  /**
   * Raises `silent` when payments were begun lately (in the last hour, or in twice `silentMinutes` if that is longer), are open, and nothing
   * was heard for `silentMinutes`; again after something was heard meanwhile, or a day later. Call it now and then.
   */
  look(): Promise<void>
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A payment is paid soon after it was begun, or hardly ever: an older one lets nobody expect a callback. At least that long. */
const LATELY_MINUTES = 60
/** Counted at most; beyond, the number says nothing more. */
const MOST_COUNTED = 50
const HEARD_AT = 'callback_heard_at'

/** See {@link SilenceWatch}. */
export function createSilenceWatch(options: {
  readonly store: Pick<Store, 'meta' | 'setMeta' | 'payments'>
  readonly alerts: Alerts
  readonly now: () => number
  /** 0: never. */
  readonly silentMinutes: number
}): SilenceWatch {
  const { store, alerts, now, silentMinutes } = options
  // Longer than the silence itself: where payments are few, the only open one must still count when its silence has lasted long enough.
  const latelyMinutes = Math.max(LATELY_MINUTES, 2 * silentMinutes)
  /** Until when hearing another callback is not written down. */
  let writtenUntil = -Infinity
  /** Since when payments have been open without a break, as far as this instance saw. */
  let openSince: number | undefined
  /** The silence that was told: since when nothing was heard, and until when it is not told again. */
  let told: { readonly heardAt: number; readonly until: number } | undefined

  /** Open payments that a customer may be paying just now. Found by the index of the payment list. */
  async function countOpen(): Promise<number> {
    const from = now() - latelyMinutes * MINUTE
    const open = await store.payments({ phase: 'open', from, limit: MOST_COUNTED })
    if (open.length > 0) return open.length
    // They stand among the open ones in the index: looked for where there are no others, or all of those would be read.
    return (await store.payments({ phase: 'confirming', from, limit: MOST_COUNTED })).length
  }

  return {
    async heard() {
      if (silentMinutes === 0 || isWaiting(writtenUntil, now(), MINUTE)) return
      const at = now()
      writtenUntil = at + MINUTE
      await store.setMeta(HEARD_AT, String(at))
    },
    async look() {
      if (silentMinutes === 0) return
      const open = await countOpen()
      if (open === 0) {
        openSince = undefined
        return
      }
      const at = now()
      // By a clock that was set back what comes later than now is as good as now.
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
