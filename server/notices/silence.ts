// Notices that callbacks have stopped: results still come by query, only later, so nobody would see it otherwise.
// What was heard last is kept in the store, because a callback may come to any instance.
import type { Store } from '../store/store.ts'
import type { Alerts } from './alerts.ts'

export interface SilenceWatch {
  /** A genuine callback came. Writes at most once a minute. */
  heard(): Promise<void>
  /** Raises `silent` when payments are open and nothing was heard for `silentMinutes`; call it now and then. */
  look(): Promise<void>
}

const MINUTE = 60_000
const HEARD_AT = 'callback_heard_at'

export function createSilenceWatch(options: {
  readonly store: Pick<Store, 'meta' | 'setMeta' | 'stats'>
  readonly alerts: Alerts
  readonly now: () => number
  /** 0: never. */
  readonly silentMinutes: number
}): SilenceWatch {
  const { store, alerts, now, silentMinutes } = options
  let writtenAt = -Infinity
  /** Since when payments have been open without a break, as far as this instance saw. */
  let openSince: number | undefined

  return {
    async heard() {
      if (silentMinutes === 0 || now() - writtenAt < MINUTE) return
      writtenAt = now()
      await store.setMeta(HEARD_AT, String(writtenAt))
    },
    async look() {
      if (silentMinutes === 0) return
      const { depositsByPhase } = await store.stats()
      const open = (depositsByPhase.open ?? 0) + (depositsByPhase.confirming ?? 0)
      if (open === 0) {
        openSince = undefined
        return
      }
      openSince ??= now()
      const since = Math.max(openSince, Number((await store.meta(HEARD_AT)) ?? 0))
      const minutes = Math.floor((now() - since) / MINUTE)
      if (minutes >= silentMinutes)
        alerts.raise('silent', `${open} payments are open, and no callback came for ${minutes} minutes.`)
    },
  }
}
