// What happens to payments while staff look: one stream for the whole console, that connects again
// by itself. A hidden tab has none: over HTTP/1.1 a browser opens six connections to one address,
// of all tabs together, and a stream holds one for good.
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
    document.addEventListener('visibilitychange', () => this.#turned())
  }

  get isLive(): boolean {
    return this.#source?.readyState === 1
  }

  /** @returns what ends it */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (this.#source === undefined && !document.hidden) this.#open()
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

  /** Shown again, the views hear `connected`, and read what they missed. */
  #turned(): void {
    if (!document.hidden) {
      if (this.#source === undefined && this.#listeners.size > 0) this.#open()
      return
    }
    if (this.#source === undefined) return
    this.close()
    for (const one of this.#listeners) one.lost()
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
