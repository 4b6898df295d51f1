// After a restore: what happened upstream since the backup is queried before the companion reports ready.
import type { Store } from '../store/store.ts'
import type { Reconciler } from './reconcile.ts'
import { LONGEST_ASKING_MS } from './schedule.ts'

export interface AfterRestore {
  /** Makes the deposits of the last 30 days due (money rule 5), later records that all of them have been queried. */
  look(): Promise<void>
  /** They were being queried at the last `look`. */
  isWaking(): boolean
  /** Whether the database was restored and not all have been queried yet. */
  isUnfinished(): Promise<boolean>
}

export function createAfterRestore(parts: {
  readonly store: Store
  readonly now: () => number
  /** The trusted time (clock-watch.ts): a clock that is a month ahead must not leave all of them asleep. */
  readonly trustedNow: () => number
  /** The rounds in which due deposits are queried. */
  readonly rounds: Pick<Reconciler, 'begun' | 'areOver'>
}): AfterRestore {
  const { store, now, trustedNow, rounds } = parts
  let isWaking = false
  /** Number of the last round that had begun when nothing was due any more: rounds up to it hold everything that the restore woke. */
  let lastRound: number | undefined

  /** When the database was restored; undefined when it was not, or when all have been queried since. */
  async function unfinished(): Promise<string | undefined> {
    const restored = await store.meta('restored_at')
    if (restored === undefined) return undefined
    return (await store.meta('reconciled_after_restore')) === restored ? undefined : restored
  }

  return {
    async look() {
      const restored = await unfinished()
      isWaking = restored !== undefined
      if (restored === undefined) return
      if ((await store.meta('waking_after_restore')) !== restored) {
        const at = trustedNow()
        // Not known before the clock was checked.
        if (at === -Infinity) return
        await store.wakeDeposits(at - LONGEST_ASKING_MS, now())
        await store.setMeta('waking_after_restore', restored)
        return
      }
      const { oldestDueAt } = await store.stats()
      if (oldestDueAt === undefined || oldestDueAt > now()) lastRound ??= rounds.begun()
      // What these rounds leased is no longer due, but may not be answered yet. Later rounds are not waited for: some are always running.
      if (lastRound === undefined || !rounds.areOver(lastRound)) return
      await store.setMeta('reconciled_after_restore', restored)
      isWaking = false
    },
    isWaking: () => isWaking,
    isUnfinished: async () => (await unfinished()) !== undefined,
  }
}
