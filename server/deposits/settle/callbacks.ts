// Receives callbacks: parses, verifies, stores, then triggers a status query. open-points.md "A
// hole in the published hash": a callback never decides.
import { isRecent } from '../../platform/clock.ts'
import type { BindCallback, Callback, CallbackReading, ReadCallback, SignsOtherSum } from '../ports/upstream.ts'
import type { InboxRow } from '../ports/store.ts'
import { sentence, withoutPayer } from '../../platform/service-words.ts'
import type { Reported } from '../machine/transition.ts'
import type { Deposit } from '../machine/deposit.ts'
import { isAbsorbing, isMovedByCallback } from '../machine/phases.ts'
import type { Capabilities } from '../identity.ts'
import { newId, referencesIn, sha256 } from '../identity.ts'
import type { Mover } from './mover.ts'
import type { Tools } from '../ports/machine.ts'
import type { Reconciler } from './reconcile.ts'

/**
 * A callback for an unknown reference is retried this often, for a day; then an alert is raised and
 * it is given up.
 */
const MATCH_EVERY_MS = 60_000
const MATCH_FOR_MS = 24 * 3_600_000
/**
 * A callback that does not verify, or repeats another, triggers a status query at most this often
 * for one deposit.
 */
const LOOK_EVERY_MS = 10_000
/**
 * Bodies that are no genuine callbacks are examined at most this often. Those in between are judged
 * like the last one: a flood of them costs little.
 */
const EXAMINE_EVERY_MS = 10

/** Why a callback was not acted upon. */
type Refusal =
  | Extract<CallbackReading, { ok: false }>['reason']
  | 'wrong_address'
  | `wrong_${NonNullable<ReturnType<BindCallback>>}`

export const REFUSALS: Readonly<Record<Refusal, true>> = {
  not_json: true,
  not_flat: true,
  missing_field: true,
  wrong_type: true,
  too_large: true,
  bad_hash: true,
  wrong_shape: true,
  wrong_address: true,
  wrong_channel: true,
  wrong_reference: true,
  wrong_currency: true,
  wrong_amount: true,
  wrong_transaction_id: true,
}

/** The two sums, in words; what is no sum is not repeated. */
function otherSumOf({ currency = '', amount = '' }: Callback, deposit: Deposit): string {
  const isSum = /^[A-Z]{3}$/.test(currency) && /^[0-9][0-9.,]{0,20}$/.test(amount)
  return `${isSum ? `${currency} ${amount}` : 'another sum'} instead of ${deposit.currency} ${deposit.amount}`
}

/**
 * The same id for all callbacks with the same signed content, whatever their whitespace and
 * unsigned fields.
 */
function repeatId(callback: Callback): string {
  const { key: _, extraFields: __, signed: ___, asDocumented: ____, ...said } = callback
  return `${callback.reference}.${sha256(JSON.stringify(said))}`
}

export function createCallbacks(
  tools: Tools,
  parts: {
    readonly read: ReadCallback
    readonly bind: BindCallback
    readonly signsOtherSum: SignsOtherSum
    readonly capabilities: Capabilities
    readonly mover: Mover
    readonly reconciler: Reconciler
    /** `HC_CONFIRM=callback` only: the callback decides without a query of our own. */
    readonly decides: boolean
  },
) {
  const { store, now, trustedNow, random, count, alert, background, logger } = tools
  const { read, bind, signsOtherSum, capabilities, mover, reconciler, decides } = parts
  const looked = new Map<string, number>()
  let examined = { at: -Infinity, isFromService: false }

  function refuse(reason: Refusal): Refusal {
    count('webhook_refused', { reason })
    return reason
  }

  /**
   * Whether a body that is no genuine callback came from the service after all: it names, in
   * whatever format, the payment whose address it came to, and only the service was told that
   * address. Anybody can send the others, so a person hears of them once a day.
   */
  function isFromService(key: string, raw: Uint8Array): boolean {
    const at = now()
    if (!isRecent(examined.at, at, EXAMINE_EVERY_MS)) {
      const references = referencesIn(Buffer.from(raw).toString('latin1'))
      examined = { at, isFromService: references.some((reference) => capabilities.isWebhookKey(key, reference)) }
    }
    return examined.isFromService
  }

  /** One status query for the stored row; the callback itself does not change the row. */
  function look(deposit: Deposit): void {
    const at = now()
    if (isRecent(looked.get(deposit.id) ?? -Infinity, at, LOOK_EVERY_MS)) return
    if (looked.size > 10_000) looked.clear()
    looked.set(deposit.id, at)
    background(() => reconciler.ask(deposit, 'check'))
  }

  function idOf(callback: Callback, deposit: Deposit): string {
    // A first callback, as nearly all are, gets a time-ordered id, so that new rows share index
    // pages. Anyone who holds a callback can repeat it at will, so repeats get an id by content and
    // are stored once.
    return isMovedByCallback(deposit.phase) && deposit.reportedCode === undefined
      ? newId('cbk', random, now())
      : repeatId(callback)
  }

  function row(id: string, callback: Callback, raw: Uint8Array, deposit: Deposit | undefined): InboxRow {
    const at = now()
    return {
      id,
      receivedAt: at,
      reference: callback.reference,
      // Every deposit has a payer until it is erased; after that no payer details may be stored
      // again.
      body: deposit !== undefined && deposit.payer === undefined ? new Uint8Array() : raw,
      ...(deposit === undefined
        ? { verdict: 'unmatched', dueAt: at + MATCH_EVERY_MS }
        : { verdict: 'rang', depositId: deposit.id }),
    }
  }

  function reportedOf(callback: Callback, { payer }: Deposit): Reported {
    return {
      kind: callback.kind,
      resultCode: callback.resultCode,
      resultDescription: sentence(callback.resultDescription, (words) => withoutPayer(words, payer)),
      transactionId: callback.transactionId,
      fees: callback.fees,
      thirdPartyId: callback.thirdPartyId,
    }
  }

  async function trigger(deposit: Deposit, callback: Callback, inbox: InboxRow | undefined): Promise<void> {
    if (isAbsorbing(deposit.phase)) {
      if (inbox !== undefined) await store.apply({ inbox })
      if (deposit.phase === 'rejected' && callback.kind === 'success')
        alert('success_after_rejection', deposit.reference)
      if (deposit.phase === 'succeeded' && callback.kind === 'failed') alert('failure_after_success', deposit.reference)
      count('webhook_received', { verdict: 'after_the_end' })
      return
    }
    const moved = await mover.move(
      deposit,
      { kind: 'callback', reported: reportedOf(callback, deposit), decides: decides && callback.asDocumented },
      inbox && { inbox },
    )
    count('webhook_received', { verdict: 'rang' })
    // The first callback triggers a query at once; repeats, which anyone who holds a callback can
    // send, are rate-limited by `look`.
    if (moved.version !== deposit.version) background(() => reconciler.ask(moved, 'confirm'))
    else look(moved)
  }

  /**
   * Stores a callback with wrong fields for a person to read: it may report a partial payment. It
   * moves nothing. One is kept for each payment, because whoever holds a genuine callback can
   * re-cut it endlessly.
   */
  async function keepContradiction(deposit: Deposit, callback: Callback, raw: Uint8Array): Promise<void> {
    const id = `${deposit.reference}.differs`
    await store.apply({ inbox: { ...row(id, callback, raw, deposit), verdict: 'wrong_fields' } })
  }

  /**
   * A person is told; the payment's timeline has a line of it, and of a sum that the service itself
   * signed it keeps a mark.
   */
  async function contradicted(deposit: Deposit, callback: Callback, field: string): Promise<void> {
    const signed = signsOtherSum(callback, deposit)
    const detail = signed ? otherSumOf(callback, deposit) : field
    alert(signed ? 'webhook_other_sum' : 'webhook_wrong_fields', `${deposit.reference}: ${detail}`)
    // One line of a re-cut: whoever holds a callback can cut it anew endlessly.
    const isNew = signed || !(await store.timeline(deposit.id)).some(({ kind }) => kind === 'callback_differs')
    look(isNew ? await mover.move(deposit, { kind: 'callback-differs', detail, signed }) : deposit)
  }

  /**
   * Resolves to undefined once the callback is durable, and only then may 200 be answered; or to
   * why it is not believed. Throws when the store does: the service must send it again.
   */
  async function receive(key: string, raw: Uint8Array): Promise<Refusal | undefined> {
    const reading = read(raw)
    if (!reading.ok) {
      // Without its compression.
      const plain = ('plain' in reading ? reading.plain : undefined) ?? raw
      alert(isFromService(key, plain) ? 'webhook_refused' : 'webhook_stray', reading.reason)
      if (reading.reason === 'wrong_shape') {
        const named = await store.depositByReference(reading.reference)
        if (named !== undefined) look(named)
      }
      return refuse(reading.reason)
    }
    const { callback } = reading
    if (callback.extraFields.length > 0) count('webhook_received', { verdict: 'extra_fields' })
    const deposit = await store.depositByReference(callback.reference)
    if (!capabilities.isWebhookKey(key, callback.reference)) {
      alert('webhook_wrong_address', 'A callback with a valid hash came to the address of another deposit.')
      if (deposit !== undefined) look(deposit)
      return refuse('wrong_address')
    }
    if (deposit === undefined) {
      await store.apply({ inbox: row(repeatId(callback), callback, raw, undefined) })
      alert('webhook_unmatched', callback.reference)
      count('webhook_received', { verdict: 'unmatched' })
      return undefined
    }
    const mismatch = bind(callback, deposit)
    if (mismatch !== undefined) {
      await keepContradiction(deposit, callback, raw)
      await contradicted(deposit, callback, mismatch)
      return refuse(`wrong_${mismatch}`)
    }
    await trigger(deposit, callback, row(idOf(callback, deposit), callback, raw, deposit))
    return undefined
  }

  /** Retries the match of stored callbacks for unknown references; returns how many it took. */
  async function matchDue(): Promise<number> {
    const waiting = await store.leaseInbox(now(), now() + MATCH_EVERY_MS, 100)
    for (const item of waiting) {
      try {
        const deposit = await store.depositByReference(item.reference)
        const reading = deposit === undefined ? undefined : read(item.body)
        if (deposit !== undefined && reading?.ok) {
          const mismatch = bind(reading.callback, deposit)
          if (mismatch === undefined) await trigger(deposit, reading.callback, undefined)
          else await contradicted(deposit, reading.callback, mismatch)
          await store.updateInbox(item.id, mismatch === undefined ? 'rang' : 'wrong_fields', deposit.id)
        } else if (trustedNow() - item.receivedAt > MATCH_FOR_MS) {
          alert('webhook_unmatched_for_a_day', item.reference)
          await store.updateInbox(item.id, 'unmatched', undefined)
        }
      } catch (error) {
        logger.error({ err: error }, 'a kept callback could not be matched; it stays due')
      }
    }
    return waiting.length
  }

  return { receive, matchDue }
}

export type Callbacks = ReturnType<typeof createCallbacks>
