// The machine's clock may be wrong for a while. What was put off by a clock that ran ahead is brought forward when it is set back, and nothing
// that cannot be undone is done on the word of a clock that has just leapt ahead.
import { isRecent } from '../clock.ts'
import type { Store, Waiting } from '../store/store.ts'
import type { Tools } from './ports.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Machines differ by a few minutes, and are corrected by as much: what waits longer by less than this just waits. No lease is as long. */
const STEP_MS = 5 * MINUTE
/** A leap ahead, or a companion that stood still: nobody can tell the two apart. */
const LEAP_MS = DAY
/** So long a clock that has leapt must run steadily before it is believed, restarts or not. */
const DOUBTED_FOR_MS = HOUR
/** Between two looks no more than this counts as run: the rest may be another leap. */
const STEADY_STEP_MS = 2 * MINUTE
const KEPT_EVERY_MS = 10 * MINUTE
const SWEPT_EVERY_MS = HOUR

/** Nothing waits longer than this by any schedule, even beside a machine whose clock is somewhat behind. */
export const LONGEST_WAITS: Readonly<Record<Waiting, number>> = { deposits: 14 * DAY, notices: 2 * DAY, inbox: HOUR }
const kinds: readonly Waiting[] = ['deposits', 'notices', 'inbox']

export interface ClockWatch {
  /**
   * The clock as far as it is believed: what cannot be undone goes by it. For an hour after a leap of more than a day it goes on from before the
   * leap. `-Infinity` until the first look, for nothing is old then.
   */
  sure(): number
  /** Brings forward what waits too long, and remembers the time across restarts. Call it every second or so; answers how many were brought forward. */
  look(): Promise<number>
}

export function createClockWatch(tools: Pick<Tools, 'now' | 'logger'> & { readonly store: Store }): ClockWatch {
  const { store, now, logger } = tools
  /** When the clock was looked at last, how far ahead of the believed time it was, and how many ms it has run steadily since. */
  let state: { seen: number; doubted: number; steady: number } | undefined
  /** What the clock was set back by since it was last made up for. */
  let owed = 0
  let toldDoubt = 0
  let sweptAt = -Infinity
  let keptAt = -Infinity

  /** Notices each step in the moment that it is met, whoever asks for the time first. */
  function sure(): number {
    if (state === undefined) return -Infinity
    const at = now()
    const step = at - state.seen
    state.seen = at
    const isSetBack = step <= -STEP_MS
    if (isSetBack) owed -= step
    if (step > LEAP_MS || isSetBack) {
      state.doubted = Math.max(0, state.doubted + step)
      state.steady = 0
    } else {
      state.steady += Math.max(0, Math.min(step, STEADY_STEP_MS))
      if (state.steady >= DOUBTED_FOR_MS) state.doubted = 0
    }
    return at - state.doubted
  }

  async function hasten(afterOf: (kind: Waiting) => number, by: number, at: number): Promise<number> {
    let hastened = 0
    for (const kind of kinds) hastened += await store.hasten(kind, afterOf(kind), by, at)
    return hastened
  }

  const kept = async () => JSON.parse((await store.meta('clock')) ?? '[]') as number[]

  return {
    sure,
    async look() {
      if (state === undefined) {
        const [seen = now(), doubted = 0, steady = 0] = await kept()
        state = { seen, doubted, steady }
      }
      sure()
      const { seen: at, doubted, steady } = state
      const isDoubted = doubted > toldDoubt
      toldDoubt = doubted
      if (isDoubted)
        logger.warn(
          { aheadMs: doubted },
          'the clock is more than a day ahead of when it was last seen; until it has run for an hour no payer details are erased and no asking ends by it',
        )
      let hastened = 0
      const by = owed
      if (by > 0) {
        // Sooner by the step, not at once: leases stay leases, and everything keeps its order and its pace.
        hastened += await hasten(() => at + STEP_MS, by, at)
        owed -= by
        logger.warn({ backMs: by, hastened }, 'the clock was set back; what was due by the old time comes sooner')
      }
      if (!isRecent(sweptAt, at, SWEPT_EVERY_MS)) {
        hastened += await hasten((kind) => at + LONGEST_WAITS[kind], Number.MAX_SAFE_INTEGER, at)
        sweptAt = at
      }
      if (by > 0 || isDoubted || !isRecent(keptAt, at, KEPT_EVERY_MS)) {
        const [ofOthers = at] = await kept()
        // Of several machines the one that is ahead is remembered, until a start finds it set back: what it put off comes sooner then.
        if (by > 0 || ofOthers < at + STEP_MS) await store.setMeta('clock', JSON.stringify([at, doubted, steady]))
        keptAt = at
      }
      return hastened
    },
  }
}
