// The live list: each payment that is new or has changed, to everyone who looks at the list.
import type { PaymentView } from '../contract/index.ts'
import type { Deposit } from '../deposits/machine/deposit.ts'
import type { Store } from '../deposits/ports/store.ts'
import { toPayment } from '../deposits/view.ts'
import { CompanionError } from '../platform/errors.ts'

/** A screen for each of a large staff. */
const MOST_LISTENERS = 100
const HEARTBEAT_MS = 15_000
/** Then the browser connects again, and its sign-in is looked at again. */
const LASTS_MS = 10 * 60_000
/** A reader with more unread changes than these is cut off, and reads the list again. */
const MOST_WAITING = 500

export interface Live {
  /**
   * Texts of server-sent events until `isEnded` says so, the reader is too slow, ten minutes have
   * passed, or the companion closes. Throws `rate_limited` at once when too many look.
   */
  open(isEnded: () => boolean): AsyncGenerator<string, void>
  close(): void
}

export function createLive(parts: {
  readonly store: Pick<Store, 'onChange' | 'deposit'>
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly onError: (error: unknown) => void
}): Live {
  const { store, now, sleep, onError } = parts
  const listeners = new Set<(payment: PaymentView | undefined) => void>()
  let stop: (() => void) | undefined

  function tell(deposit: Deposit | undefined): void {
    if (deposit === undefined) return
    const payment = toPayment(deposit)
    for (const listener of listeners) listener(payment)
  }

  function heard(id: string, _version: number, row: Deposit | undefined): void {
    if (row !== undefined) tell(row)
    else store.deposit(id).then(tell, onError)
  }

  async function* events(isEnded: () => boolean): AsyncGenerator<string, void> {
    const waiting: PaymentView[] = []
    const until = now() + LASTS_MS
    let isOver = false
    let wake: (() => void) | undefined
    const listener = (payment: PaymentView | undefined): void => {
      if (payment === undefined || waiting.length >= MOST_WAITING) isOver = true
      else waiting.push(payment)
      wake?.()
    }
    listeners.add(listener)
    stop ??= store.onChange(heard)
    try {
      yield 'retry: 2000\n\n'
      // The listener sets it, from another turn of the event loop.
      // oxlint-disable-next-line no-unmodified-loop-condition
      while (!isOver && !isEnded() && now() < until) {
        const next = waiting.shift()
        if (next !== undefined) yield `event: payment\ndata: ${JSON.stringify(next)}\n\n`
        else {
          const news = new Promise<'news'>((resolve) => (wake = () => resolve('news')))
          if ((await Promise.race([news, sleep(HEARTBEAT_MS)])) !== 'news') yield ': still here\n\n'
        }
      }
    } finally {
      listeners.delete(listener)
      if (listeners.size === 0) {
        stop?.()
        stop = undefined
      }
    }
  }

  return {
    open(isEnded) {
      if (listeners.size >= MOST_LISTENERS)
        throw new CompanionError('rate_limited', { detail: 'Too many live lists are open.', retryAfter: 30 })
      return events(isEnded)
    },
    close() {
      for (const listener of listeners) listener(undefined)
    },
  }
}
