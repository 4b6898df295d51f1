// The other companions that work on this database now, and which notices their handlers take. Two
// faults show only there: a handler that is registered in one process alone misses what another
// process delivers, and two companions must not share a SQLite file.
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../deposits/ports/store.ts'

const KEY = 'companions'
/** After this long without news of it, a companion no longer counts. Each writes every 30 s. */
const GONE_AFTER_MS = 100_000
/** What a killed companion has left is removed after so long. */
const KEPT_MS = 3_600_000

interface Entry {
  /** When it last wrote, by its own clock. */
  readonly at: number
  /** Types of notices that its handlers take. */
  readonly hears: readonly string[]
}

export interface OthersSeen {
  /** Whether another one works on our SQLite file. */
  readonly sharesFile: boolean
  /** Types that a handler of another one takes and none of ours, although we deliver them. */
  readonly heardElsewhere: readonly string[]
}

export function createOthers(parts: {
  readonly store: Pick<Store, 'meta' | 'setMeta'>
  readonly settings: Pick<Settings, 'databaseUrl' | 'notifyUrl'>
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  /** Types of notices that handlers of this process take. */
  readonly hears: () => readonly string[]
}) {
  const { store, settings, now, random, hears } = parts
  const ours = Buffer.from(random(9)).toString('base64url')
  /** What each of the others wrote last, and when we saw that it was new. */
  const known = new Map<string, Entry & { readonly newAt: number | undefined }>()

  const read = async (): Promise<Record<string, Entry>> =>
    JSON.parse((await store.meta(KEY)) ?? '{}') as Record<string, Entry>

  function remember(id: string, entry: Entry): void {
    const before = known.get(id)
    // Only one that writes again is alive: a killed one leaves its entry, and clocks differ.
    const newAt = before !== undefined && before.at !== entry.at ? now() : before?.newAt
    known.set(id, { ...entry, newAt })
  }

  return {
    /**
     * Writes that we are here and reads who else is. Call it every 30 s. What two companions write
     * at one instant is lost for one of them, until its next time.
     */
    async look(): Promise<void> {
      const at = now()
      const { [ours]: _, ...others } = await read()
      for (const [id, entry] of Object.entries(others)) remember(id, entry)
      const kept = Object.entries(others).filter(([, entry]) => Math.abs(at - entry.at) < KEPT_MS)
      await store.setMeta(KEY, JSON.stringify({ ...Object.fromEntries(kept), [ours]: { at, hears: hears() } }))
    },
    seen(): OthersSeen {
      const alive = [...known.values()].filter(({ newAt }) => newAt !== undefined && now() - newAt < GONE_AFTER_MS)
      const heard = new Set(alive.flatMap((other) => other.hears))
      for (const type of hears()) heard.delete(type)
      return {
        sharesFile: alive.length > 0 && settings.databaseUrl.startsWith('file:'),
        // Without an address, a notice that no handler takes waits for the process that has one.
        heardElsewhere: settings.notifyUrl === undefined ? [] : [...heard].toSorted(),
      }
    },
    /** At the end: the one that is started in our place is alone. */
    async leave(): Promise<void> {
      const { [ours]: own, ...others } = await read()
      if (own !== undefined) await store.setMeta(KEY, JSON.stringify(others))
    },
  }
}

export type Others = ReturnType<typeof createOthers>
