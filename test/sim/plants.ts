// Typical bugs of payment integrations, planted one at a time: each must be found, or the
// simulation proves nothing.
import { createHmac } from 'node:crypto'
import { decide } from '../../server/deposits/machine/decide.ts'
import type { Change } from '../../server/deposits/ports/store.ts'
import type { Callback } from '../../server/deposits/ports/upstream.ts'
import { FAILED_FIELDS, SUCCESS_FIELDS } from '../upstream/material.ts'
import { CONSUMER_KEY } from './payment-service.ts'
import type { Wrong } from './process.ts'

/**
 * Believes whatever the published hash verifies, in either order and any shape, as most plugins do.
 */
function readByHashAlone(raw: Uint8Array): { ok: true; callback: Callback } | { ok: false; reason: 'bad_hash' } {
  try {
    const fields = JSON.parse(new TextDecoder().decode(raw)) as Record<string, string | number>
    const text = (name: string) => String(fields[name] ?? '')
    const fits = (order: readonly string[]) =>
      createHmac('sha256', CONSUMER_KEY).update(order.map(text).join('')).digest('hex') === fields['hash']
    if (!fits(SUCCESS_FIELDS) && !fits(FAILED_FIELDS)) return { ok: false, reason: 'bad_hash' }
    const callback: Callback = {
      kind: text('result_code') === '0' ? 'success' : 'failed',
      channel: text('channel'), reference: text('reference'), transactionId: text('transaction_id'),
      resultCode: text('result_code'), resultDescription: text('result_description'), extraFields: [], key: 'current',
      signed: { text: '', order: 'documented' }, asDocumented: true,
    } // prettier-ignore
    return { ok: true, callback }
  } catch {
    return { ok: false, reason: 'bad_hash' }
  }
}

export const plants = {
  /** Writes are acknowledged before they are on disk. */
  'ack-before-commit': {
    store: (store, time) => ({
      ...store,
      apply(change) {
        if (change.inbox === undefined) return store.apply(change)
        time.after(20, () => void store.apply(change).catch(() => {}))
        return Promise.resolve({ applied: true } as const)
      },
    }),
  },
  /** A create without an answer is retried under a new reference. */
  'blind-retry': {
    upstream: (upstream, chance) => ({
      ...upstream,
      async create(order) {
        const first = await upstream.create(order)
        if (first.kind !== 'unknown') return first
        return upstream.create({
          ...order,
          reference: `${order.reference.slice(0, 20)}${String(chance.below(9999)).padStart(4, '0')}`,
        })
      },
    }),
  },
  /** The hash is the only check of a callback, and a callback decides. */
  'hash-only': { settings: { confirm: 'callback' }, parts: { read: readByHashAlone, bind: () => undefined } },
  /** A failure is entered on a callback alone. */
  'callback-decides-failed': {
    parts: {
      decide: (deposit, input, context) =>
        decide(
          deposit,
          input.kind === 'callback' && input.reported.kind === 'failed' ? { ...input, decides: true } : input,
          context,
        ),
    },
  },
  /** A failure is final: a later success is ignored. */
  'first-result-wins': {
    parts: {
      decide(deposit, input, context) {
        if (deposit.phase !== 'failed' && deposit.phase !== 'expired') return decide(deposit, input, context)
        const { dueAt: _, ...rest } = deposit
        return { deposit: rest, moved: false, timeline: [] }
      },
    },
  },
  /** The notice is written after the state, in a separate transaction. */
  'outbox-outside': {
    store: (store, time) => ({
      ...store,
      async apply({ notices, ...change }: Change) {
        const applied = await store.apply(change)
        if (!applied.applied || notices === undefined || notices.length === 0) return applied
        await new Promise<void>((resolve) => time.after(400, resolve))
        await store.apply({ notices })
        return applied
      },
    }),
  },
  /** SQLite's synchronous=NORMAL: a power cut loses the newest acknowledged writes. */
  'durability-normal': { durability: 'normal' },
  /** The 15 minutes end a payment whose order is locked. */
  'expired-at-15-minutes': {
    parts: {
      decide: (deposit, input, context) =>
        decide(
          deposit,
          input.kind === 'answered' &&
            input.status === 'PENDING' &&
            deposit.phase === 'open' &&
            context.now >= deposit.expiresAt
            ? { ...input, status: 'FAILED' }
            : input,
          context,
        ),
    },
  },
  /** A first success is marked as a duplicate: nobody credits the order. */
  'first-is-duplicate': {
    parts: {
      decide: (deposit, input, context) =>
        decide(
          deposit,
          input,
          input.kind === 'answered' && input.status === 'SUCCESS' ? { ...context, paidElsewhere: true } : context,
        ),
    },
  },
  /** A success after the end is not marked as late, although the shop has given up the order. */
  'late-unmarked': {
    parts: {
      decide(deposit, input, context) {
        const decision = decide(deposit, input, context)
        return { ...decision, deposit: { ...decision.deposit, late: false } }
      },
    },
  },
  /**
   * A customer who started again is still sent to an agent when the first attempt is paid after
   * all.
   */
  'paid-order-led-on': {
    parts: {
      decide(deposit, input, context) {
        if (input.kind === 'order-paid') return { deposit, moved: false, timeline: [] }
        const paysNoHeed = input.kind === 'created' || (input.kind === 'answered' && input.status === 'PENDING')
        return decide(deposit, input, paysNoHeed ? { ...context, paidElsewhere: false } : context)
      },
    },
  },
  /** The notice names the wrong order. */
  'notice-of-another': {
    store: (store) => ({
      ...store,
      apply: ({ notices = [], ...change }: Change) =>
        store.apply({
          ...change,
          notices: notices.map((notice) => ({ ...notice, body: notice.body.replace(/"order-(\d+)"/, '"order-1$1"') })),
        }),
    }),
  },
  /** A repeated request gets an invalid token: its customer has lost the payment. */
  'dead-token': {
    store: (store) => ({
      ...store,
      apply: ({ answer, ...change }: Change) =>
        store.apply(
          answer === undefined
            ? change
            : {
                ...change,
                answer: { ...answer, answer: answer.answer.replace(/"generation":1/, '"generation":2') },
              },
        ),
    }),
  },
} as const satisfies Record<string, Wrong>

export type PlantName = keyof typeof plants
