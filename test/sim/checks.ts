// The invariants of every world: some are checked at each write and acknowledgement, the rest when
// all faults have stopped.
import type { Notice } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { isAbsorbing, isLive, isSoftEnd } from '../../server/deposits/machine/phases.ts'
import { keyHashOf } from '../../server/deposits/identity.ts'
import type { Disk } from './disk.ts'
import type { Merchant } from './merchant.ts'
import type { PaymentService } from './payment-service.ts'

/**
 * Part of every secret and payer detail of a world, so that any leak is found. Our ids can't
 * contain it, because they have no U, nor can addresses of the service, whose numbers have no 8. It
 * is long enough not to occur in a link or token by chance: five letters did, once in some thousand
 * worlds.
 */
const CANARY = /qzux7wvu|0998877/i

export class Broken extends Error {
  override readonly name = 'Broken'
  readonly rule: string
  constructor(rule: string, what: string) {
    super(`${rule}: ${what}`)
    this.rule = rule
  }
}

export interface Checks {
  /** The first broken rule; the world stops there. */
  readonly broken: Broken | undefined
  fail(rule: string, what: string): void
  onDeposit(before: Deposit | undefined, after: Deposit): void
  /** The companion has sent an answer: what it promises must be on disk. */
  onDepositAnswer(id: string, idempotencyKey: string): void
  onSessionAnswer(id: string): void
  onCallbackAnswer(text: string): void
  /** The shop was notified: the notice must match the stored row. */
  onNotice(data: Notice['data']): void
  noLeak(where: string, text: string): void
  /**
   * Checked while there are no faults: no customer is sent to an agent for long once the order is
   * paid.
   */
  onCalm(): void
  /** What has not reached its final state, or undefined. */
  unsettled(): string | undefined
  atTheEnd(): void
}

/** Visible fields of a row: they change only together with the version. */
const VISIBLE = [
  'phase',
  'amount',
  'currency',
  'country',
  'reference',
  'settledAt',
  'late',
  'duplicate',
  'overdue',
  'resultCode',
  'sessionId',
  'checkoutUrl',
] as const

/**
 * An open attempt is queried at least every minute in its first hour, and abandoned when its order
 * is paid.
 */
const LED_ON_FOR_MS = 5 * 60_000

export function createChecks(parts: {
  /** True time, ms. */
  readonly elapsed: () => number
  readonly disk: () => Disk
  readonly service: () => PaymentService
  readonly merchant: () => Merchant
}): Checks {
  const { elapsed, disk, service, merchant } = parts
  let broken: Broken | undefined
  /** By session, since when it is paid. */
  const creditedAt = new Map<string, number>()
  const fail = (rule: string, what: string) => void (broken ??= new Broken(rule, what))
  const decidedByPerson = (id: string) => (disk().timeline.get(id) ?? []).some(({ kind }) => kind === 'decision')

  /** Nothing believed unproven: an end is entered only if the service itself has said so. */
  function truth(before: Deposit | undefined, after: Deposit): void {
    if (before?.phase === after.phase || before?.phase === 'review') return
    const transaction = service().ledger.get(after.reference)
    if (after.phase === 'succeeded' && transaction?.status !== 'SUCCESS')
      fail('truth', `${after.reference} succeeded, but the service says ${transaction?.status ?? 'nothing'}`)
    if ((after.phase === 'failed' || after.phase === 'expired') && transaction?.everFailed !== true)
      fail(
        'truth',
        `${after.reference} ${after.phase}, but the service says ${transaction?.status ?? 'nothing'}${transaction?.locked === true ? ' and an order is locked' : ''}`,
      )
    if (after.phase === 'rejected' && transaction !== undefined)
      fail('truth', `${after.reference} rejected, but the service has booked it`)
  }

  /**
   * One credited success for each order, correctly marked: the first, late, or a duplicate (money
   * rule 4).
   */
  function credit(before: Deposit, after: Deposit): void {
    const { reference, sessionId, late, duplicate } = after
    const isPaid = creditedAt.has(sessionId ?? '')
    if (after.phase !== 'succeeded' || before.phase === 'succeeded') return
    if (late !== (isSoftEnd(before.phase) || before.phase === 'abandoned'))
      fail('money', `${reference} succeeded after ${before.phase} with late: ${late}`)
    if (duplicate !== isPaid)
      fail(
        'money',
        `${reference} succeeded with duplicate: ${duplicate}, and its order was ${isPaid ? '' : 'not '}paid`,
      )
    if (sessionId !== undefined && !isPaid) creditedAt.set(sessionId, elapsed())
  }

  function onDeposit(before: Deposit | undefined, after: Deposit): void {
    if (before === undefined) {
      if (after.version !== 1 || after.phase !== 'creating')
        fail('monotone', `${after.reference} began as ${after.phase} ${after.version}`)
      return
    }
    if (isAbsorbing(before.phase) && VISIBLE.some((field) => before[field] !== after[field]))
      fail('monotone', `${after.reference} left ${before.phase}`)
    const changed = VISIBLE.filter((field) => before[field] !== after[field])
    if (after.version !== before.version + 1 && (after.version !== before.version || changed.length > 0))
      fail(
        'monotone',
        `${after.reference} went from version ${before.version} to ${after.version} with ${changed.join(', ') || 'no'} changes`,
      )
    if (before.amount !== after.amount || before.currency !== after.currency || before.reference !== after.reference)
      fail('money', `${after.reference} changed what it is for`)
    truth(before, after)
    credit(before, after)
  }

  function settledWrong(row: Deposit): string | undefined {
    const transaction = service().ledger.get(row.reference)
    const told = merchant().stateOf(row.id)
    const name = `${row.reference} (${row.phase})`
    if (row.phase === 'creating' || row.phase === 'confirming' || row.phase === 'unknown')
      return `${name} has come to no end`
    if (row.phase === 'review')
      return told?.type === 'payment.review' ? undefined : `${name} is under review and nobody was told`
    if (transaction === undefined)
      return row.phase === 'abandoned' || row.phase === 'rejected' ? undefined : `${name} is not known to the service`
    if (decidedByPerson(row.id)) return undefined
    if (transaction.status === 'SUCCESS' && row.phase !== 'succeeded') return `${name} was paid`
    if (transaction.status === 'FAILED' && row.phase !== 'failed' && row.phase !== 'expired')
      return `${name} has failed`
    const expected =
      row.phase === 'succeeded'
        ? row.duplicate
          ? 'payment.duplicate'
          : 'payment.succeeded'
        : row.phase === 'expired'
          ? 'payment.expired'
          : row.phase === 'open' || row.phase === 'abandoned'
            ? undefined
            : 'payment.failed'
    if (expected !== undefined && told?.type !== expected)
      return `${name}: the merchant knows ${told?.type ?? 'nothing'} instead of ${expected}`
    return undefined
  }

  return {
    get broken() {
      return broken
    },
    fail,
    onDeposit,
    onDepositAnswer(id, idempotencyKey) {
      if (!disk().isDurable(disk().deposits, id)) fail('durable', `201 for ${id}, which a power cut would take away`)
      if (!disk().isDurable(disk().idempotency, keyHashOf(idempotencyKey)))
        fail('durable', `201 for ${id}, whose idempotency key a power cut would take away`)
    },
    onSessionAnswer(id) {
      if (!disk().isDurable(disk().sessions, id)) fail('durable', `201 for ${id}, which a power cut would take away`)
    },
    onCallbackAnswer(text) {
      const { reference } = JSON.parse(text) as { reference: string }
      const { inbox, callbacks, isDurable } = disk()
      const isThis = (id: string) => new TextDecoder().decode(inbox.get(id)?.body) === text && isDurable(inbox, id)
      if (!(callbacks.get(reference) ?? []).some(isThis))
        fail('durable', `200 for a callback that a power cut would take away`)
    },
    onNotice({ paymentId, sessionId, orderId, clientReference, amount, currency, late, duplicate, version }) {
      const row = disk().deposits.get(paymentId)
      if (row === undefined || row.version < version)
        return fail('money', `the shop is told of ${paymentId} ${version}`)
      const told = {
        sessionId,
        orderId,
        clientReference,
        amount,
        currency,
        ...(isAbsorbing(row.phase) && row.version === version ? { late, duplicate } : {}),
      }
      for (const [field, value] of Object.entries(told))
        if (value !== row[field as keyof typeof told])
          fail('money', `the shop is told of ${row.reference} with ${field} ${value}`)
    },
    noLeak(where, text) {
      const at = text.search(CANARY)
      if (at >= 0) fail('leak', `${where}: ${text.slice(Math.max(0, at - 150), at + 150)}`)
    },
    onCalm() {
      for (const [session, since] of creditedAt) {
        if (elapsed() - since < LED_ON_FOR_MS) continue
        for (const id of disk().sessionDeposits.get(session) ?? []) {
          const row = disk().deposits.get(id)
          if (row?.phase === 'open')
            fail('paid twice', `${row.reference} still leads to an agent, and its order is paid`)
        }
      }
    },
    unsettled() {
      for (const row of disk().deposits.values()) {
        const wrong = settledWrong(row)
        if (wrong !== undefined) return wrong
      }
      return undefined
    },
    atTheEnd() {
      const wrong = this.unsettled()
      if (wrong !== undefined) fail('liveness', wrong)
      const { ledger } = service()
      let paid = 0
      let reviewed = 0
      const creditedSessions = new Map<string, number>()
      for (const transaction of ledger.values()) {
        const row = disk().deposits.get(disk().references.get(transaction.reference) ?? '')
        if (row === undefined) {
          fail('money', `${transaction.reference} exists at the service and nowhere here`)
          continue
        }
        if (row.amount !== transaction.amount || row.currency !== transaction.currency)
          fail('money', `${row.reference} is for another amount at the service`)
        if (transaction.status !== 'SUCCESS') continue
        paid += transaction.amount
        if (row.phase === 'review' || decidedByPerson(row.id)) reviewed += transaction.amount
        if (row.sessionId !== undefined && row.phase === 'succeeded' && !row.duplicate)
          creditedSessions.set(row.sessionId, (creditedSessions.get(row.sessionId) ?? 0) + 1)
      }
      for (const [session, count] of creditedSessions)
        if (count > 1) fail('money', `session ${session} was credited ${count} times`)
      let credited = 0
      for (const [paymentId, told] of merchant().states()) {
        if (told.type !== 'payment.succeeded' && told.type !== 'payment.duplicate') continue
        const row = disk().deposits.get(paymentId)
        const transaction = ledger.get(row?.reference ?? '')
        if (transaction?.status !== 'SUCCESS' && !decidedByPerson(paymentId))
          fail('money', `${paymentId} was credited and never paid`)
        if (transaction !== undefined && (transaction.amount !== told.amount || transaction.currency !== told.currency))
          fail('money', `${paymentId} was credited with ${told.amount} ${told.currency}`)
        if (!decidedByPerson(paymentId)) credited += told.amount
      }
      if (credited !== paid - reviewed)
        fail('money', `${paid} paid, ${reviewed} of it under review, ${credited} credited or told as duplicate`)
      for (const ids of disk().sessionDeposits.values()) {
        const live = ids.filter((id) => isLive(disk().deposits.get(id)?.phase ?? 'rejected'))
        if (live.length > 1) fail('one live attempt', live.join(' and '))
      }
    },
  }
}
