// The live list: each payment that is new or has changed, to everyone who looks at the list.
import type { PaymentView } from '../contract/index.ts'
import type { Deposit } from '../deposits/machine/deposit.ts'
import type { Store } from '../deposits/ports/store.ts'
import { toPayment } from '../deposits/view.ts'
import { CompanionError } from '../platform/errors.ts'

/** A screen for each of a large staff. */
const MOST_LISTENERS = 100
/** Of one user or key, so that nobody takes all of them. */
const MOST_OF_ONE = 10
const HEARTBEAT_MS = 15_000
/** Then the browser connects again. */
const LASTS_MS = 10 * 60_000
/** A reader with more unread changes than these is cut off, and reads the list again. */
const MOST_WAITING = 500

export interface Viewer {
  readonly name: string
  /** Aborted when the connection closes. */
  readonly left: AbortSignal
  /** Asked at each heartbeat. */
  readonly mayLook: () => Promise<boolean>
  /** Ends the connection of a viewer who reads nothing, so does not come to the end. */
  readonly cut: () => void
}

type Listener = (payment: PaymentView | undefined) => void

export interface Live {
  /**
   * Texts of server-sent events until the viewer has left or may not look any more, is too slow,
   * ten minutes have passed, or the companion closes. Throws `rate_limited` at once when too many
   * look.
   */
  open(viewer: Viewer): AsyncGenerator<string, void>
  close(): void
}

export function createLive(parts: {
  readonly store: Pick<Store, 'onChange' | 'deposit'>
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly onError: (error: unknown) => void
}): Live {
  const { store, now, sleep, onError } = parts
  /** With the name of the viewer. */
  const listeners = new Map<Listener, string>()
  let stop: (() => void) | undefined

  function tell(deposit: Deposit | undefined): void {
    if (deposit === undefined) return
    const payment = toPayment(deposit)
    for (const listener of listeners.keys()) listener(payment)
  }

  function heard(id: string, _version: number, row: Deposit | undefined): void {
    if (row !== undefined) tell(row)
    else store.deposit(id).then(tell, onError)
  }

  /** Also while the events wait for a viewer who reads nothing. */
  async function watch(listener: Listener, { mayLook, cut }: Viewer): Promise<void> {
    const until = now() + LASTS_MS
    do {
      await sleep(HEARTBEAT_MS)
      if (!listeners.has(listener)) return
    } while (now() < until && (await mayLook()))
    listener(undefined)
    await sleep(HEARTBEAT_MS)
    if (listeners.has(listener)) cut()
  }

  function forget(listener: Listener): void {
    if (listeners.delete(listener) && listeners.size === 0) {
      stop?.()
      stop = undefined
    }
  }

  async function* events(viewer: Viewer): AsyncGenerator<string, void> {
    const { left } = viewer
    if (left.aborted) return
    const waiting: PaymentView[] = []
    let isOver = false
    let wake: (() => void) | undefined
    const listener: Listener = (payment) => {
      if (payment === undefined || waiting.length >= MOST_WAITING) isOver = true
      else waiting.push(payment)
      wake?.()
    }
    // At once: who reloads the page is no second viewer, and may reload it often.
    const leave = (): void => {
      forget(listener)
      listener(undefined)
    }
    left.addEventListener('abort', leave)
    listeners.set(listener, viewer.name)
    watch(listener, viewer).catch(onError)
    stop ??= store.onChange(heard)
    try {
      yield 'retry: 2000\n\n'
      // The listener sets it, from another turn of the event loop.
      // oxlint-disable-next-line no-unmodified-loop-condition
      while (!isOver) {
        const next = waiting.shift()
        if (next !== undefined) yield `event: payment\ndata: ${JSON.stringify(next)}\n\n`
        else {
          const news = new Promise<'news'>((resolve) => (wake = () => resolve('news')))
          if ((await Promise.race([news, sleep(HEARTBEAT_MS)])) !== 'news') yield ': still here\n\n'
        }
      }
    } finally {
      left.removeEventListener('abort', leave)
      forget(listener)
    }
  }

  return {
    open(viewer) {
      const own = [...listeners.values()].filter((name) => name === viewer.name)
      if (listeners.size >= MOST_LISTENERS || own.length >= MOST_OF_ONE)
        throw new CompanionError('rate_limited', { detail: 'Too many live lists are open.', retryAfter: 30 })
      return events(viewer)
    },
    close() {
      for (const listener of listeners.keys()) listener(undefined)
    },
  }
}
