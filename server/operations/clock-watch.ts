// Guards against a wrong machine clock: work scheduled by a clock that ran ahead is brought forward
// when the clock is set back, and nothing irreversible is done by a clock that has just jumped
// ahead.
import { isRecent } from '../platform/clock.ts'
import type { Store, WorkKind } from '../deposits/ports/store.ts'
import type { Tools } from '../deposits/ports/machine.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Shorter delays are left alone: clocks differ by minutes, and are corrected by as much. Longer
 * than any lease.
 */
const STEP_MS = 5 * MINUTE
/** A larger step is a jump ahead or a companion that stood still: the two cannot be told apart. */
const LEAP_MS = DAY
/** After a jump the clock is trusted once it ran steadily for so long, restarts included. */
const DOUBTED_FOR_MS = HOUR
/** At most this much between two looks counts as steady running: the rest may be another jump. */
const STEADY_STEP_MS = 2 * MINUTE
const KEPT_EVERY_MS = 10 * MINUTE
const SWEPT_EVERY_MS = HOUR
/** A machine whose clock is ahead has stopped or was put right, if it was silent for so long. */
const LEFT_AFTER_MS = HOUR

/** No schedule waits longer than this, even next to a machine whose clock is somewhat behind. */
export const LONGEST_WAITS: Readonly<Record<WorkKind, number>> = { deposits: 14 * DAY, notices: 2 * DAY, inbox: HOUR }
const kinds: readonly WorkKind[] = ['deposits', 'notices', 'inbox']

export function createClockWatch(tools: Pick<Tools, 'now' | 'logger'> & { readonly store: Store }) {
  const { store, now, logger } = tools
  /**
   * The last reading of the clock, its lead over the trusted time, and how long it ran steadily.
   */
  let state: { seen: number; doubted: number; steady: number } | undefined
  /** By how many ms the clock was set back and due times have not yet been moved. */
  let owed = 0
  let toldDoubt = 0
  let sweptAt = -Infinity
  let keptAt = -Infinity
  /** The clock of a machine that is ahead, and since when the same time of it has been stored. */
  let ahead: { readonly clock: number; readonly since: number } | undefined

  /**
   * The trusted time, used for everything irreversible. For an hour after a jump of more than a day
   * it continues from before the jump. `-Infinity` until the first look, so that nothing counts as
   * old. Also detects steps of the clock, so whichever caller asks first notices one.
   */
  function trustedNow(): number {
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

  async function hasten(afterOf: (kind: WorkKind) => number, by: number, at: number): Promise<number> {
    let hastened = 0
    for (const kind of kinds) hastened += await store.hasten(kind, afterOf(kind), by, at)
    return hastened
  }

  const kept = async () => JSON.parse((await store.meta('clock')) ?? '[]') as number[]

  return {
    trustedNow,
    /**
     * Brings forward what waits too long and stores the time across restarts. Call it about every
     * second; returns how many rows were brought forward.
     */
    async look(): Promise<number> {
      if (state === undefined) {
        const [seen = now(), doubted = 0, steady = 0] = await kept()
        state = { seen, doubted, steady }
      }
      trustedNow()
      const { seen: at, doubted, steady } = state
      const isDoubted = doubted > toldDoubt
      toldDoubt = doubted
      if (isDoubted)
        logger.warn(
          { aheadMs: doubted },
          'the clock is more than a day ahead of when it was last seen; until it has run for an hour no payer ' +
            'details are erased and no asking ends by it',
        )
      let hastened = 0
      const by = owed
      if (by > 0) {
        // Earlier by the size of the step, not at once: leases stay valid, and order and pace are
        // kept.
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
        // The latest clock of all machines is stored. A start that finds its own behind it brings
        // forward what was postponed.
        if (ofOthers !== ahead?.clock || ahead.since > at) ahead = { clock: ofOthers, since: at }
        const isLeft = by === 0 && ofOthers >= at + STEP_MS && at - ahead.since >= LEFT_AFTER_MS
        if (isLeft) {
          // What it had put off would wait for as long as it was ahead.
          hastened += await hasten(() => at + STEP_MS, ofOthers - at, at)
          logger.warn(
            { aheadMs: ofOthers - at, hastened },
            'a companion whose clock was ahead has stopped or was put right; what was due by its time comes sooner',
          )
        }
        if (by > 0 || isLeft || ofOthers < at + STEP_MS)
          await store.setMeta('clock', JSON.stringify([at, doubted, steady]))
        keptAt = at
      }
      return hastened
    },
  }
}

export type ClockWatch = ReturnType<typeof createClockWatch>
