// Looks at store, service and what waits for a person at regular intervals, and raises alerts. routes/readiness.ts answers the same questions to who asks.
import { isRecent } from '../clock.ts'
import { reasonOf } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { AfterRestore } from './after-restore.ts'
import type { Budget } from './budget.ts'
import { offeredCountries } from './markets.ts'
import type { Alert } from './ports.ts'

const LOOK_EVERY_MS = 30_000
/** A database failure shorter than this is a hiccup: a restart, a failover. */
const STORE_FAILS_MS = 10_000

export interface HealthWatch {
  /** Looks at what is due, and raises alerts. Call it about every second. Rejects when a look failed, after all of them were taken. */
  look(): Promise<void>
}

export function createHealthWatch(parts: {
  readonly settings: Pick<Settings, 'confirm' | 'wallets'>
  readonly store: Pick<Store, 'ping' | 'payments'>
  readonly upstream: Pick<Upstream, 'health' | 'warmUp' | 'banks' | 'query'>
  readonly budget: Pick<Budget, 'take'>
  readonly now: () => number
  readonly alert: Alert
  /** Raises an alert when callbacks have stopped. */
  readonly lookForSilence: () => Promise<void>
  /** Raises an alert when another companion has other settings. */
  readonly lookAtSettings: () => Promise<void>
  /** Sends reminders of what waits for a person. */
  readonly remind: () => Promise<void>
  readonly afterRestore: Pick<AfterRestore, 'look' | 'isWaking'>
}): HealthWatch {
  const { settings, store, upstream, budget, now, alert, lookForSilence, lookAtSettings, remind, afterRestore } = parts
  let lookedAt = -Infinity
  let storeFailsSince: number | undefined
  let isStoreTold = false
  /** At the last look. */
  let wasUnanswered = false
  let wasBroken = false

  async function lookAtStore(): Promise<void> {
    const at = now()
    try {
      await store.ping()
    } catch (error) {
      storeFailsSince = Math.min(storeFailsSince ?? at, at)
      if (now() - storeFailsSince >= STORE_FAILS_MS) {
        isStoreTold = true
        const since = new Date(storeFailsSince).toISOString()
        alert('store_failing', `Writing to the database has failed since ${since}.${reasonOf(error)}`)
      }
      throw error
    }
    storeFailsSince = undefined
    isStoreTold = false
  }

  /** A balancer that sends nobody to a red instance would keep it red for good: the answer shows whether it is refused still. */
  async function askAgain(what: 'banks' | 'query'): Promise<void> {
    const [country] = offeredCountries(settings.wallets)
    const [newest] = what === 'query' ? await store.payments({ limit: 1 }) : []
    if (!(await budget.take('check'))) return
    if (newest !== undefined) await upstream.query(newest)
    else if (country !== undefined) await upstream.banks(country)
  }

  function lookAtUpstream(): void {
    const health = upstream.health()
    const { queryPath, breaker, addressRefused, signatureRefused, paused, pausedUntil, login, detail, fault } = health
    // A refusal of our address has an alert of its own, and no key mends it.
    if (login === 'refused' && !addressRefused) alert('login_refused', detail ?? '')
    // A pause is no trouble with the login.
    const isUnanswered = login === 'unreachable' && breaker !== 'open' && pausedUntil === undefined
    if (isUnanswered && wasUnanswered) alert('login_unanswered', detail ?? '')
    wasUnanswered = isUnanswered
    // While nobody pays, nothing else would notice that it is back.
    if (isUnanswered) upstream.warmUp().catch(() => {})
    const isQueryMissing = queryPath === 'missing' && settings.confirm === 'query'
    if (isQueryMissing) alert('query_path_missing', 'The payment service does not know the status query.')
    // At first it is open for a second at a time, which falls between two looks; and it stays half open until somebody pays.
    if (breaker === 'open' || (breaker === 'half_open' && !wasBroken))
      alert('upstream_down', `The payment service does not answer${fault === undefined ? '' : ` (${fault})`}.`)
    wasBroken = breaker !== 'closed'
    // Payments are refused meanwhile before anything is sent, so none counts as unanswered.
    if (paused) {
      const until = pausedUntil === undefined ? '' : ` until ${new Date(pausedUntil).toISOString()}`
      alert('upstream_paused', `The service asks for a long pause${until} (429 or 503 with Retry-After).`)
    }
    if (addressRefused) alert('address_not_allowed', 'The payment service does not accept calls from this machine.')
    if (signatureRefused) alert('create_refused', 'The payment service refuses our signature.')
    if (addressRefused) askAgain('banks').catch(() => {})
    else if (isQueryMissing || signatureRefused) askAgain('query').catch(() => {})
  }

  return {
    async look() {
      const isDue = !isRecent(lookedAt, now(), LOOK_EVERY_MS)
      // A database fault is checked more often, to see whether it lasts.
      const isStoreDoubted = storeFailsSince !== undefined && !isStoreTold
      if (isDue) {
        lookedAt = now()
        lookAtUpstream()
      }
      const faults: unknown[] = []
      // So is the progress after a restore: the load balancer waits for it.
      const sooner = [...(isStoreDoubted ? [lookAtStore] : []), ...(afterRestore.isWaking() ? [afterRestore.look] : [])]
      // One failing check must not prevent the others.
      for (const look of isDue ? [lookAtStore, afterRestore.look, lookForSilence, lookAtSettings, remind] : sooner)
        await look().catch((error: unknown) => faults.push(error))
      if (faults.length > 0) throw faults[0]
    },
  }
}
