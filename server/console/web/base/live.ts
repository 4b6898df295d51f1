// What happens to payments while staff look: one stream for the whole console, that connects again
// by itself.
import type { PaymentView } from '../../../contract/index.ts'
import { addressOf } from './api.ts'

/** After this the stream is opened again where the browser has given up on it. */
const AGAIN_MS = 5_000

export interface Listener {
  /** A payment is new or has changed. */
  readonly payment: (payment: PaymentView) => void
  /** Connected, perhaps again: what happened meanwhile was missed. */
  readonly connected: () => void
  readonly lost: () => void
}

export class Live {
  #source: EventSource | undefined
  #again: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<Listener>()
  readonly #ask: () => void

  /** @param ask called when the stream was refused: perhaps the session has ended */
  constructor(ask: () => void) {
    this.#ask = ask
  }

  get isLive(): boolean {
    return this.#source?.readyState === 1
  }

  /** @returns what ends it */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (this.#source === undefined) this.#open()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.close()
    }
  }

  close(): void {
    clearTimeout(this.#again)
    this.#source?.close()
    this.#source = undefined
  }

  #open(): void {
    const source = new EventSource(addressOf('payments/events'))
    this.#source = source
    source.addEventListener('open', () => {
      for (const one of this.#listeners) one.connected()
    })
    source.addEventListener('payment', ({ data }: MessageEvent<string>) => {
      const payment = JSON.parse(data) as PaymentView
      for (const one of this.#listeners) one.payment(payment)
    })
    source.addEventListener('error', () => {
      for (const one of this.#listeners) one.lost()
      if (source.readyState !== EventSource.CLOSED) return
      this.#ask()
      this.#again = setTimeout(() => {
        if (this.#source === source) this.#open()
      }, AGAIN_MS)
    })
  }
}
