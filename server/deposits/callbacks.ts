// The webhook's way in: read, believe or not, keep, ring. FACTS.md "A hole in the published hash": a callback never decides.
import { isRecent } from '../clock.ts'
import { CompanionError } from '../errors.ts'
import type { BindCallback, Callback, ReadCallback } from '../upstream/upstream.ts'
import type { InboxRow } from '../store/store.ts'
import type { Reported } from './decision.ts'
import type { Deposit } from './deposit.ts'
import { isAbsorbing, isMovedByRing } from './deposit.ts'
import type { Capabilities } from './identity.ts'
import { newId, sha256 } from './identity.ts'
import type { Mover } from './mover.ts'
import type { Tools } from './ports.ts'
import type { Reconciler } from './reconcile.ts'

/** A callback for a reference we don't know yet is tried again for a day, then only alarmed. */
const MATCH_EVERY_MS = 60_000
const MATCH_FOR_MS = 24 * 3_600_000
/** A callback that was not believed makes us look, but not more often than this for one deposit. */
const LOOK_EVERY_MS = 10_000

export interface Callbacks {
  /** Resolves when the callback is durable: then, and only then, 200. Throws `webhook_refused` or `store_unavailable`. */
  receive(key: string, raw: Uint8Array): Promise<void>
  /** Tries again to match what came for unknown references. */
  matchDue(): Promise<number>
}

/** The same for all callbacks that say the same, however they are spaced and whatever unsigned fields they carry. */
function repeatId(callback: Callback): string {
  const { key: _, extraFields: __, ...said } = callback
  return `${callback.reference}.${sha256(JSON.stringify(said))}`
}

export function createCallbacks(
  tools: Tools,
  parts: {
    readonly read: ReadCallback
    readonly bind: BindCallback
    readonly capabilities: Capabilities
    readonly mover: Mover
    readonly reconciler: Reconciler
    /** `HC_CONFIRM=callback` only: the callback is believed without our own query. */
    readonly decides: boolean
  },
): Callbacks {
  const { store, now, sure, random, count, alarm, background, logger } = tools
  const { read, bind, capabilities, mover, reconciler, decides } = parts
  const looked = new Map<string, number>()

  function refuse(reason: string): never {
    count('webhook_refused', { reason })
    throw new CompanionError('webhook_refused', {
      detail: 'The callback does not verify for this address. It was not acted upon.',
    })
  }

  /** One status query for the stored row; the row does not move by the callback. */
  function look(deposit: Deposit): void {
    const at = now()
    if (isRecent(looked.get(deposit.id) ?? -Infinity, at, LOOK_EVERY_MS)) return
    if (looked.size > 10_000) looked.clear()
    looked.set(deposit.id, at)
    background(() => reconciler.ask(deposit, 'check'))
  }

  function idOf(callback: Callback, deposit: Deposit): string {
    // The first, which nearly all are: new rows stand together, and many share a page. More anyone may send who holds one, as often as
    // he likes: each is kept once.
    return isMovedByRing(deposit.phase) && deposit.reportedCode === undefined
      ? newId('cbk', random, now())
      : repeatId(callback)
  }

  function row(id: string, callback: Callback, raw: Uint8Array, deposit: Deposit | undefined): InboxRow {
    const at = now()
    return {
      id,
      receivedAt: at,
      reference: callback.reference,
      // Of a payer who was forgotten nothing is kept again: every payment has one until then.
      body: deposit !== undefined && deposit.payer === undefined ? new Uint8Array() : raw,
      ...(deposit === undefined
        ? { verdict: 'unmatched', dueAt: at + MATCH_EVERY_MS }
        : { verdict: 'rang', depositId: deposit.id }),
    }
  }

  function reportedOf(callback: Callback): Reported {
    return {
      kind: callback.kind,
      resultCode: callback.resultCode,
      resultDescription: callback.resultDescription,
      transactionId: callback.transactionId,
      ...(callback.fees === undefined ? {} : { fees: callback.fees }),
      ...(callback.thirdPartyId === undefined ? {} : { thirdPartyId: callback.thirdPartyId }),
    }
  }

  async function ring(deposit: Deposit, callback: Callback, inbox: InboxRow | undefined): Promise<void> {
    const along = inbox === undefined ? undefined : { inbox }
    if (isAbsorbing(deposit.phase)) {
      if (inbox !== undefined) await store.apply({ inbox })
      if (deposit.phase === 'rejected' && callback.kind === 'success')
        alarm('success_after_rejection', deposit.reference)
      if (deposit.phase === 'succeeded' && callback.kind === 'failed') alarm('failure_after_success', deposit.reference)
      count('webhook_received', { verdict: 'after_the_end' })
      return
    }
    const moved = await mover.move(deposit, { kind: 'rang', reported: reportedOf(callback), decides }, along)
    count('webhook_received', { verdict: 'rang' })
    // The first ring is asked about at once; repeats, which anyone who holds one callback can send, no more often than a look.
    if (moved.version !== deposit.version) background(() => reconciler.ask(moved, 'confirm'))
    else look(moved)
  }

  /**
   * What is not believed may still be what a person needs: a part of the amount, paid. It moves nothing, and one is kept for a payment: whoever
   * holds a genuine callback can cut it anew without end.
   */
  async function keepContradiction(deposit: Deposit, callback: Callback, raw: Uint8Array): Promise<void> {
    const id = `${deposit.reference}.differs`
    await store.apply({ inbox: { ...row(id, callback, raw, deposit), verdict: 'wrong_fields' } })
  }

  async function receive(key: string, raw: Uint8Array): Promise<void> {
    const reading = read(raw)
    if (!reading.ok) {
      alarm('webhook_refused', reading.reason)
      refuse(reading.reason)
    }
    const { callback } = reading
    if (callback.extraFields.length > 0) count('webhook_received', { verdict: 'extra_fields' })
    const deposit = await store.depositByReference(callback.reference)
    if (!capabilities.isWebhookKey(key, callback.reference)) {
      alarm('webhook_wrong_address', 'A callback with a valid hash came to the address of another deposit.')
      if (deposit !== undefined) look(deposit)
      refuse('wrong_address')
    }
    if (deposit === undefined) {
      await store.apply({ inbox: row(repeatId(callback), callback, raw, undefined) })
      alarm('webhook_unmatched', callback.reference)
      count('webhook_received', { verdict: 'unmatched' })
      return
    }
    const mismatch = bind(callback, deposit)
    if (mismatch !== undefined) {
      await keepContradiction(deposit, callback, raw)
      alarm('webhook_wrong_fields', `${deposit.reference}: ${mismatch}`)
      look(deposit)
      refuse(`wrong_${mismatch}`)
    }
    await ring(deposit, callback, row(idOf(callback, deposit), callback, raw, deposit))
  }

  async function matchDue(): Promise<number> {
    const waiting = await store.leaseInbox(now(), now() + MATCH_EVERY_MS, 100)
    for (const item of waiting) {
      try {
        const deposit = await store.depositByReference(item.reference)
        const reading = deposit === undefined ? undefined : read(item.body)
        if (deposit !== undefined && reading?.ok) {
          const fits = bind(reading.callback, deposit) === undefined
          if (fits) await ring(deposit, reading.callback, undefined)
          await store.updateInbox(item.id, fits ? 'rang' : 'wrong_fields', deposit.id, undefined)
        } else if (sure() - item.receivedAt > MATCH_FOR_MS) {
          alarm('webhook_unmatched_for_a_day', item.reference)
          await store.updateInbox(item.id, 'unmatched', undefined, undefined)
        }
      } catch (error) {
        logger.error({ err: error }, 'a kept callback could not be matched; it stays due')
      }
    }
    return waiting.length
  }

  return { receive, matchDue }
}
