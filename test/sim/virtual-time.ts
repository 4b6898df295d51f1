// Time that moves only from event to event, and can be wrong: the wall clock of the companion may jump while true time goes on.

/** A pause of a background loop that has nothing to do: it may be passed over until something is due. */
interface Idle {
  readonly owner: object
  readonly at: number
  readonly kind: number
  readonly wake: () => void
}

export interface VirtualTime {
  /** What the companion's clock shows, ms since 1970. */
  wall(): number
  /** True time, ms since the world began. */
  elapsed(): number
  /** Turns the companion's clock, forward or back. */
  turnWall(ms: number): void
  /** The machine sleeps: time passes, and what was due meanwhile comes late. */
  suspend(ms: number): void
  after(ms: number, work: () => void): void
  /** A pause that ends early or late without harm, as long as nothing is due. */
  idle(owner: object, ms: number, wake: () => void): void
  /** Takes back every idle pause of an owner that is no more. */
  forget(owner: object): void
  /** Moves to the next event and lets everything that follows from it come to rest. False when there is none before `limit`. */
  step(limit: number): Promise<boolean>
}

const rest = () => new Promise<void>((resolve) => setImmediate(resolve))

export function createVirtualTime(options: {
  readonly start: number
  /** Wall time at which there is something to do for a loop that pauses `ms`; Infinity when there is nothing. */
  readonly nextDue: (ms: number) => number
  /** True while a request is being answered: then no pause is passed over. */
  readonly isBusy: () => boolean
}): VirtualTime {
  const { start, nextDue, isBusy } = options
  let elapsed = 0
  let offset = 0
  let counter = 0
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

  /** When a loop shall wake: at its own time when something is due then, otherwise when something is. */
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
      await rest()
      if (busy || isBusy()) await rest()
      return true
    },
  }
}
