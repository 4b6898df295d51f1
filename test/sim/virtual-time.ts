// Virtual time that moves from event to event, with a wall clock that can be wrong: it may jump
// while true time goes on.

/** A pause of an idle background loop: it may be skipped until something is due. */
interface Idle {
  readonly owner: object
  readonly at: number
  readonly kind: number
  readonly wake: () => void
}

export interface VirtualTime {
  /** The companion's clock, ms since 1970. */
  wall(): number
  /** True time, ms since the world began. */
  elapsed(): number
  /** Sets the companion's clock forward or back. */
  turnWall(ms: number): void
  /** The machine sleeps: time passes, and what was due meanwhile runs late. */
  suspend(ms: number): void
  after(ms: number, work: () => void): void
  /** A pause that may end early or late as long as nothing is due. */
  idle(owner: object, ms: number, wake: () => void): void
  /** Removes all idle pauses of an owner that has died. */
  forget(owner: object): void
  /**
   * Moves to the next event and waits until everything caused by it has settled. False if there is
   * none before `limit`.
   */
  step(limit: number): Promise<boolean>
}

/**
 * Resolves when all promises that could settle have: nothing in a world waits for a real event. A
 * turn of the event loop would take twice as long.
 */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve))
/** A turn of the event loop, for whoever runs the worlds: its time limits, its messages. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const TURN_EVERY = 1000

export function createVirtualTime(options: {
  readonly start: number
  /** Wall time at which a loop that pauses `ms` has something to do; Infinity if it has nothing. */
  readonly nextDue: (ms: number) => number
  /** True while a request is being answered: then no pause is skipped. */
  readonly isBusy: () => boolean
}): VirtualTime {
  const { start, nextDue, isBusy } = options
  let elapsed = 0
  let offset = 0
  let counter = 0
  let steps = 0
  const heap: { readonly at: number; readonly order: number; readonly work: () => void }[] = []
  let idles: Idle[] = []

  const isBefore = (left: number, right: number) => {
    const a = heap[left]
    const b = heap[right]
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order))
  }
  const swap = (left: number, right: number) => {
    const a = heap[left]
    const b = heap[right]
    if (a === undefined || b === undefined) return
    heap[left] = b
    heap[right] = a
  }

  function push(at: number, work: () => void): void {
    heap.push({ at, order: counter++, work })
    for (let index = heap.length - 1; index > 0;) {
      const parent = (index - 1) >> 1
      if (!isBefore(index, parent)) break
      swap(index, parent)
      index = parent
    }
  }

  function pop(): (() => void) | undefined {
    const top = heap[0]
    const last = heap.pop()
    if (top === undefined || last === undefined) return undefined
    if (heap.length > 0) {
      heap[0] = last
      for (let index = 0; ;) {
        const left = 2 * index + 1
        const least = isBefore(left + 1, left) ? left + 1 : left
        if (!isBefore(least, index)) break
        swap(index, least)
        index = least
      }
    }
    return top.work
  }

  /**
   * When a loop wakes: after its own pause if something is due by then, otherwise when something is
   * due.
   */
  const wakesAt = ({ at, kind }: Idle, busy: boolean) => (busy ? at : Math.max(at, nextDue(kind) - start - offset))

  return {
    wall: () => start + offset + elapsed,
    elapsed: () => elapsed,
    turnWall: (ms) => void (offset += ms),
    suspend: (ms) => void (elapsed += ms),
    after: (ms, work) => push(elapsed + Math.max(0, ms), work),
    idle: (owner, ms, wake) => void idles.push({ owner, at: elapsed + ms, kind: ms, wake }),
    forget: (owner) => void (idles = idles.filter((pause) => pause.owner !== owner)),
    async step(limit) {
      const real = heap[0]?.at ?? Infinity
      const busy = isBusy()
      let pause = Infinity
      for (const idle of idles) pause = Math.min(pause, wakesAt(idle, busy))
      const at = Math.max(elapsed, Math.min(real, pause))
      if (at > limit || at === Infinity) return false
      // Told before time moves: at the beat itself the next beat is already another one.
      const waking = new Set(pause <= real ? idles.filter((idle) => wakesAt(idle, busy) <= at) : [])
      elapsed = at
      if (pause <= real) {
        idles = idles.filter((idle) => !waking.has(idle))
        for (const { wake } of waking) wake()
      } else pop()?.()
      await settled()
      // An answer may have waited for a tick of its own.
      if (busy || isBusy()) await settled()
      if (++steps % TURN_EVERY === 0) await turn()
      return true
    },
  }
}
