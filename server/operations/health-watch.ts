// Looks at store, service and what waits for a person at regular intervals, and raises the alerts
// of the one list of checks (health.ts).
import { isRecent } from '../platform/clock.ts'
import { reasonOf } from '../platform/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../deposits/ports/store.ts'
import type { Upstream } from '../deposits/ports/upstream.ts'
import type { AfterRestore } from './after-restore.ts'
import type { Others } from './others.ts'
import type { Budget } from '../deposits/settle/budget.ts'
import { offeredCountries } from '../deposits/markets.ts'
import type { Alert } from '../deposits/ports/machine.ts'
import { type HealthAlert, healthChecks, lookAtStore as judgeStore } from './health.ts'

const LOOK_EVERY_MS = 30_000
/** A database failure shorter than this is a hiccup: a restart, a failover. */
const STORE_FAILS_MS = 10_000

export function createHealthWatch(parts: {
  readonly settings: Pick<Settings, 'confirm' | 'queryPath' | 'wallets'>
  readonly store: Pick<Store, 'ping' | 'payments'>
  readonly upstream: Pick<Upstream, 'health' | 'warmUp' | 'banks' | 'query'>
  readonly budget: Pick<Budget, 'take'>
  readonly now: () => number
  readonly alert: Alert
  /** Raises an alert when callbacks have stopped. */
  readonly lookForSilence: () => Promise<void>
  /** Sends reminders of what waits for a person. */
  readonly remind: () => Promise<void>
  readonly afterRestore: Pick<AfterRestore, 'look' | 'isWaking'>
  readonly others: Pick<Others, 'look' | 'seen'>
}) {
  const { settings, store, upstream, budget, now, alert, lookForSilence, remind, afterRestore, others } = parts
  let lookedAt = -Infinity
  let storeFailsSince: number | undefined
  let isStoreTold = false
  /** Kinds of alerts that the last look at the service found a reason for. */
  let found: ReadonlySet<string> = new Set()

  function tell(raised: HealthAlert | undefined): void {
    if (raised === undefined) return
    const { kind, detail, when } = raised
    if (when === undefined || (when === 'lasting') === found.has(kind)) alert(kind, detail)
  }

  async function lookAtStore(): Promise<void> {
    const at = now()
    try {
      await store.ping()
    } catch (error) {
      storeFailsSince = Math.min(storeFailsSince ?? at, at)
      if (now() - storeFailsSince >= STORE_FAILS_MS) {
        isStoreTold = true
        tell(judgeStore({ store: { failsSince: storeFailsSince, why: reasonOf(error).trim() } })?.alert)
      }
      throw error
    }
    storeFailsSince = undefined
    isStoreTold = false
  }

  /** Finds out whether a refusal still holds: a balancer sends nobody to a red instance. */
  async function askAgain(what: 'banks' | 'query'): Promise<void> {
    const [country] = offeredCountries(settings.wallets)
    const [newest] = what === 'query' ? await store.payments({ limit: 1 }) : []
    if (!(await budget.take('check'))) return
    if (newest !== undefined) await upstream.query(newest)
    else if (country !== undefined) await upstream.banks(country)
  }

  function judge(): void {
    const health = upstream.health()
    const seen = { settings, upstream: health, others: others.seen() }
    const alerts = healthChecks.flatMap(({ look }) => look(seen)?.alert ?? [])
    for (const raised of alerts) tell(raised)
    found = new Set(alerts.map(({ kind }) => kind))
    // While nobody pays, nothing else would notice that it is back.
    if (found.has('login_unanswered')) upstream.warmUp().catch(() => {})
    if (health.addressRefused) askAgain('banks').catch(() => {})
    else if (found.has('query_path_missing') || health.signatureRefused) askAgain('query').catch(() => {})
  }

  return {
    /**
     * Looks at what is due, and raises alerts. Call it about every second. Rejects when a look
     * failed, after all of them were taken.
     */
    async look(): Promise<void> {
      const isDue = !isRecent(lookedAt, now(), LOOK_EVERY_MS)
      // A database fault is checked more often, to see whether it lasts.
      const isStoreDoubted = storeFailsSince !== undefined && !isStoreTold
      if (isDue) {
        lookedAt = now()
        judge()
      }
      const faults: unknown[] = []
      // So is the progress after a restore: the load balancer waits for it.
      const sooner = [...(isStoreDoubted ? [lookAtStore] : []), ...(afterRestore.isWaking() ? [afterRestore.look] : [])]
      // One failing check must not prevent the others.
      for (const look of isDue ? [lookAtStore, afterRestore.look, lookForSilence, remind, others.look] : sooner)
        await look().catch((error: unknown) => faults.push(error))
      if (faults.length > 0) throw faults[0]
    },
  }
}
