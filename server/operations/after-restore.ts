// After a restore: what happened upstream since the backup is queried before the companion reports
// ready.
import type { Store } from '../deposits/ports/store.ts'
import type { Reconciler } from '../deposits/settle/reconcile.ts'
import { LONGEST_ASKING_MS } from '../deposits/machine/schedule.ts'

export function createAfterRestore(parts: {
  readonly store: Store
  readonly now: () => number
  /** The trusted time (clock-watch.ts): a clock a month ahead must not leave them asleep. */
  readonly trustedNow: () => number
  /** Makes the trusted time known. */
  readonly lookAtClock: () => Promise<unknown>
  /** The rounds in which due deposits are queried. */
  readonly rounds: Pick<Reconciler, 'begun' | 'areOver'>
}) {
  const { store, now, trustedNow, lookAtClock, rounds } = parts
  let isWaking = false
  /** Nothing is left to wake: a restore needs this process to end. */
  let isAwake = false
  let waking: Promise<boolean> | undefined
  /** The last round begun when nothing was due any more. With it all that woke is done. */
  let lastRound: number | undefined

  /** When the database was restored; undefined if it was not, or all have been queried since. */
  async function unfinished(): Promise<string | undefined> {
    const restored = await store.meta('restored_at')
    if (restored === undefined) return undefined
    return (await store.meta('reconciled_after_restore')) === restored ? undefined : restored
  }

  /** Resolves to whether they had been woken before. */
  async function wakeAll(restored: string): Promise<boolean> {
    if ((await store.meta('waking_after_restore')) === restored) return true
    const at = trustedNow()
    // Not known before the clock was checked.
    if (at === -Infinity) return false
    await store.wakeDeposits(at - LONGEST_ASKING_MS, now())
    await store.setMeta('waking_after_restore', restored)
    return false
  }

  function wake(restored: string): Promise<boolean> {
    waking ??= wakeAll(restored).finally(() => (waking = undefined))
    return waking
  }

  return {
    /**
     * Resolves when a deposit of `createdAt` may be moved. One of before the restore first gets a
     * version above all that were sent of it: receivers keep the highest, and would take the news
     * for old.
     */
    async awake(createdAt: number): Promise<void> {
      if (isAwake) return
      const restored = await unfinished()
      if (restored !== undefined) {
        if (createdAt > Number(restored)) return
        if (trustedNow() === -Infinity) await lookAtClock()
        await wake(restored)
      }
      isAwake = true
    },
    /**
     * Makes the deposits of the last 30 days due (money rule 5). Later records that all were
     * queried.
     */
    async look(): Promise<void> {
      const restored = await unfinished()
      isWaking = restored !== undefined
      if (restored === undefined) return
      if (!(await wake(restored))) return
      const { oldestDueAt } = await store.stats()
      if (oldestDueAt === undefined || oldestDueAt > now()) lastRound ??= rounds.begun()
      // What these rounds leased is no longer due, but may not be answered yet. Later rounds are
      // not waited for: some are always running.
      if (lastRound === undefined || !rounds.areOver(lastRound)) return
      await store.setMeta('reconciled_after_restore', restored)
      isWaking = false
    },
    /** They were being queried at the last `look`. */
    isWaking: (): boolean => isWaking,
    /** Whether the database was restored and not all have been queried yet. */
    isUnfinished: async (): Promise<boolean> => (await unfinished()) !== undefined,
  }
}

export type AfterRestore = ReturnType<typeof createAfterRestore>
