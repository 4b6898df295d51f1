// The faults of one world and their rates, drawn once from its seed, so that some worlds are calm
// and some are harsh. After `stop` there are no more faults, and everything must recover.
import type { Chance } from './chance.ts'
import type { VirtualTime } from './virtual-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export type CallFault =
  | 'refused_connection'
  | 'busy'
  | 'cut_before'
  | 'cut_after'
  | 'half_answer'
  | 'server_error'
  | 'slow'
/**
 * HTTP faults: request lost, answer lost, answer truncated, answered by a gateway in between,
 * delivered twice, delivered late.
 */
export type NetworkFault = 'drop' | 'cut_after' | 'half_answer' | 'gateway_error' | 'twice' | 'late'
export type StoreFault = 'before' | 'after' | 'slow'

export interface Faults {
  stop(): void
  /** True time at which the last fault window ends. */
  readonly until: number
  create(): CallFault | 'market_off' | 'processed_late' | undefined
  query(): CallFault | 'path_missing' | undefined
  isDown(): boolean
  breakerIsOpen(): boolean
  isRedirectForeign(): boolean
  isReferenceWrong(): boolean
  failsAtOnce(): boolean
  /** Delays in ms after which the callback of an end is sent, one for each sending; none: never. */
  callbackWaits(): readonly number[]
  network(which: 'browser' | 'callback' | 'merchant'): NetworkFault | undefined
  merchantIsDown(): boolean
  store(): StoreFault | undefined
  changeEventIsLost(): boolean
  /** True if the process must die at this call of a port. */
  crashesNow(): boolean
}

interface Window {
  readonly from: number
  readonly to: number
}

/** A fault rate: most worlds have a low one, some a high one. */
function share(chance: Chance, most: number): number {
  return chance.happens(0.4) ? 0 : most * chance.unit() ** 2
}

export function createFaults(chance: Chance, time: VirtualTime, busyMs: number): Faults {
  let stopped = false
  const rate = {
    create: share(chance, 0.5), query: share(chance, 0.4), callback: share(chance, 0.6), browser: share(chance, 0.3), merchant: share(chance, 0.4),
    store: share(chance, 0.05), changeEvent: share(chance, 0.5), neverCalls: chance.happens(0.1) ? 1 : share(chance, 0.5),
  } // prettier-ignore

  function windows(odds: number, most: number): Window[] {
    const found: Window[] = []
    while (chance.happens(odds) && found.length < 3) {
      const from = chance.below(busyMs)
      found.push({ from, to: from + chance.between(5_000, most) })
    }
    return found
  }
  const outages = windows(0.3, chance.happens(0.03) ? 60 * HOUR : 20 * MINUTE)
  const pathMissing = windows(0.12, 40 * MINUTE)
  const merchantOutages = windows(0.3, chance.happens(0.2) ? 30 * HOUR : 30 * MINUTE)
  const crashes = new Set(Array.from({ length: chance.pick([0, 0, 1, 2, 4, 8]) }, () => chance.between(20, 4_000)))
  let calls = 0

  const within = (list: readonly Window[]) =>
    !stopped && list.some(({ from, to }) => time.elapsed() >= from && time.elapsed() < to)
  // Everyday faults end with the busy time; long outages go on.
  const happens = (odds: number) => !stopped && time.elapsed() < busyMs && chance.happens(odds)

  return {
    until: Math.max(busyMs, ...[...outages, ...pathMissing, ...merchantOutages].map(({ to }) => to)),
    stop: () => void (stopped = true),
    create() {
      if (within(outages))
        return chance.pick(['refused_connection', 'refused_connection', 'cut_before', 'server_error', 'cut_after'])
      if (happens(0.002)) return 'market_off'
      if (!happens(rate.create)) return undefined
      return chance.pick([
        'refused_connection',
        'busy',
        'cut_before',
        'cut_after',
        'half_answer',
        'server_error',
        'slow',
        'processed_late',
      ])
    },
    query() {
      if (within(pathMissing)) return 'path_missing'
      if (within(outages)) return 'refused_connection'
      if (!happens(rate.query)) return undefined
      return chance.pick(['refused_connection', 'busy', 'cut_after', 'half_answer', 'server_error', 'slow'])
    },
    isDown: () => within(outages),
    breakerIsOpen: () => within(outages) && chance.happens(0.7),
    isRedirectForeign: () => happens(0.003),
    isReferenceWrong: () => happens(0.002),
    failsAtOnce: () => chance.happens(0.02),
    callbackWaits() {
      if (happens(rate.neverCalls)) return []
      const waits = [chance.between(50, 3_000)]
      if (happens(0.1)) waits.push(chance.between(50, 60_000))
      if (happens(0.1)) waits[0] = chance.between(MINUTE, 6 * HOUR)
      return waits
    },
    network(which) {
      if (!happens(rate[which])) return undefined
      return chance.pick(['drop', 'cut_after', 'half_answer', 'gateway_error', 'twice', 'late'])
    },
    merchantIsDown: () => within(merchantOutages),
    store: () => (happens(rate.store) ? chance.pick(['before', 'after', 'slow', 'slow']) : undefined),
    changeEventIsLost: () => happens(rate.changeEvent),
    crashesNow() {
      calls += 1
      return !stopped && crashes.has(calls)
    },
  }
}
