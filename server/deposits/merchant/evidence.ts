// What passed between the companion and the payment service about one payment, for people who have
// to prove it: bounded, as text, and without what would let its reader send it again.
import type { Evidence } from '../../contract/index.ts'
import { cut } from '../../platform/service-words.ts'
import type { Deposit } from '../machine/deposit.ts'
import type { CallbackRow } from '../ports/desk-store.ts'
import type { TimelineRow } from '../ports/store.ts'
import { isoTime, toPayment } from '../view.ts'

export const MOST_CALLBACKS = 20
const MOST_CHARACTERS = 4096

/** The hash of a callback: with it anybody could send the callback again (money rule 12). */
const HASHES = /[0-9a-f]{64}/gi

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(body: Uint8Array): string | undefined {
  try {
    // What cannot be shown as text, such as a compressed body, has a NUL or is no UTF-8.
    const text = utf8.decode(body)
    return text.includes('\0') ? undefined : cut(text.replaceAll(HASHES, '[hash]'), MOST_CHARACTERS)
  } catch {
    return undefined
  }
}

/** When the first callback that moved the payment was heard. */
export function firstHeard(timeline: readonly TimelineRow[]): number | undefined {
  return timeline.find(({ kind }) => kind === 'callback' || kind === 'callback_decided')?.at
}

export function toEvidence(deposit: Deposit, callbacks: readonly CallbackRow[]): Evidence {
  const { walletNo, reference, amount, currency, description, createdAt } = deposit
  const { payer } = toPayment(deposit)
  return {
    request: { at: isoTime(createdAt), walletNo, reference, amount, currency, description, payer },
    callbacks: callbacks.slice(0, MOST_CALLBACKS).map(({ receivedAt, verdict, body }) => {
      // A callback names its payer, who may have been erased since.
      const text = payer === undefined || body.byteLength === 0 ? undefined : textOf(body)
      return { at: isoTime(receivedAt), verdict, text, bytes: payer === undefined ? 0 : body.byteLength }
    }),
  }
}
