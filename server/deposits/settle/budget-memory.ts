// Keeps what one process has used of its budget in the store: the service counts on when the
// process is started again, and would answer 429 to the new one.
import type { Store } from '../ports/store.ts'
import type { SecondCount, SlidingWindow } from './sliding-window.ts'

const KEY = 'upstream_calls'

/** @param background runs a write that nobody waits for */
export function createBudgetMemory(parts: {
  readonly store: Pick<Store, 'meta' | 'setMeta'>
  readonly used: SlidingWindow
  readonly background: (work: () => Promise<unknown>) => void
}) {
  const { store, used, background } = parts
  let recalled: Promise<void> | undefined
  let isWriting = false
  let isStale = false

  async function read(): Promise<void> {
    const kept = await store.meta(KEY)
    if (kept !== undefined) used.add(JSON.parse(kept) as readonly SecondCount[])
  }

  async function write(): Promise<void> {
    try {
      while (isStale) {
        isStale = false
        await store.setMeta(KEY, JSON.stringify(used.counted()))
      }
    } finally {
      isWriting = false
    }
  }

  return {
    /**
     * Adds what was used before this process began. Reads once; what cannot be read is not waited
     * for again. No payment may fail for it: without it the service itself says when it has had
     * enough.
     */
    recall: (): Promise<void> => (recalled ??= read().catch(() => {})),
    /**
     * Writes what is used by now. One write at a time, and one more if more is used meanwhile: a
     * crash forgets the last moment only.
     */
    keep(): void {
      isStale = true
      if (isWriting) return
      isWriting = true
      background(() => write().catch(() => {}))
    },
  }
}

export type BudgetMemory = ReturnType<typeof createBudgetMemory>
