// The one scheduler of background work: status queries, callback matching, notices, SSE heartbeats,
// purging. A tick is one round of it.
import { isRecent } from '../platform/clock.ts'
import type { Callbacks } from '../deposits/settle/callbacks.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Tools } from '../deposits/ports/machine.ts'
import type { Reconciler } from '../deposits/settle/reconcile.ts'

/**
 * The next round comes `BUSY_MS` after one that found work. Idle rounds back off up to the idle
 * interval of their loop.
 */
const IDLE_MS = 500
const BUSY_MS = 20
/** Instead of `BUSY_MS` for heartbeats, which come in small portions (open-streams.ts). */
const BEAT_MS = 2
const PURGE_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000
/**
 * Idempotent answers and raw callbacks are kept so long, but no longer than payer details, which
 * callbacks contain.
 */
const KEEP_DAYS = 60

export function createScheduler(
  tools: Tools,
  parts: {
    readonly reconciler: Pick<Reconciler, 'askDue'>
    readonly callbacks: Pick<Callbacks, 'matchDue'>
    readonly outbox: { deliverDue(): Promise<number> }
    readonly streams: { beat(): number }
    readonly clock: ClockWatch
    readonly health: { look(): Promise<void> }
    readonly retentionDays: number
  },
) {
  const { store, now, sleep, logger, background } = tools
  const { reconciler, callbacks, outbox, streams, clock, health, retentionDays } = parts
  let stopped = false
  const pauses = new Set<() => void>()
  let loops: Promise<void>[] = []
  let purgedAt = -Infinity

  async function guarded(name: string, work: () => Promise<number>): Promise<number> {
    try {
      return await work()
    } catch (error) {
      logger.error({ work: name, err: error }, 'a round of background work failed; it comes again')
      return 0
    }
  }

  /** A loop of its own: a store that hangs must not stop the heartbeat of open streams. */
  async function beat(): Promise<number> {
    return streams.beat()
  }

  async function housekeeping(): Promise<number> {
    await guarded('clock', clock.look)
    await health.look()
    const at = now()
    const trustedNow = clock.trustedNow()
    // Until the clock was checked, nothing counts as old.
    if (trustedNow === -Infinity || isRecent(purgedAt, at, PURGE_EVERY_MS)) return 0
    purgedAt = at
    await store.purgePayers(trustedNow - retentionDays * DAY_MS)
    await store.purgeOld(trustedNow - Math.min(KEEP_DAYS, retentionDays) * DAY_MS)
    return 0
  }

  async function all(): Promise<void> {
    await guarded('clock', clock.look)
    await guarded('match', callbacks.matchDue)
    await guarded('ask', reconciler.askDue)
    await guarded('notices', outbox.deliverDue)
    while ((await guarded('beat', beat)) > 0);
    await guarded('house', housekeeping)
  }

  /** One for each kind of work: a slow receiver of notices must not delay a status query. */
  async function loop(name: string, work: () => Promise<number>, idleMs: number, busyMs = BUSY_MS): Promise<void> {
    let wait = idleMs
    // `stop` ends it, from another turn of the event loop.
    // oxlint-disable-next-line no-unmodified-loop-condition
    while (!stopped) {
      // What the budget left undone is still due. Small, frequent rounds delay nobody.
      wait = (await guarded(name, work)) > 0 ? busyMs : Math.min(idleMs, wait * 2)
      if (!stopped) await pause(wait)
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      function wake(): void {
        pauses.delete(wake)
        resolve()
      }
      pauses.add(wake)
      void sleep(ms).then(wake)
    })
  }

  /** A round that hangs does not block the next one. The work itself limits its concurrency. */
  function beside(work: () => Promise<number>): () => Promise<number> {
    return function round() {
      const working = work()
      background(() => working)
      return Promise.race([working, sleep(IDLE_MS).then(() => 0)])
    }
  }

  return {
    start(): void {
      if (loops.length > 0) return
      loops = [
        loop('ask', beside(reconciler.askDue), IDLE_MS),
        loop('notices', beside(outbox.deliverDue), IDLE_MS),
        loop('match', callbacks.matchDue, 5_000),
        loop('beat', beat, 1_000, BEAT_MS),
        loop('house', housekeeping, 1_000),
      ]
    },
    async tick(): Promise<void> {
      const round = all()
      // Whoever closes the companion waits for it: the store ends after it.
      background(() => round)
      await round
    },
    async stop(): Promise<void> {
      stopped = true
      for (const wake of pauses) wake()
      await Promise.all(loops)
    },
  }
}
