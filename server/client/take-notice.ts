// What a notice does to a shop: the rules of a receiver. They wait for nothing where the store
// does not, so that a transaction of SQLite, which knows no waiting, holds them too.
import type { Mode, Notice } from './contract.ts'

/**
 * A value, or a promise of one: also the queries of query builders, which begin when somebody
 * waits for them.
 */
export type Soon<Value> = Value | PromiseLike<Value>

/**
 * What became of the money of a payment. It never changes: nobody is credited after somebody was
 * told to pay back.
 */
export type Settled = 'credited' | 'uncredited'

export interface Heard {
  /** True if no notice of this payment had this version or a higher one. */
  readonly isNews: boolean
  readonly settled: Settled | undefined
}

/** What a store keeps, within one transaction. */
export interface NoticeRows {
  /**
   * Stores the version of a payment if it is the highest so far. The row stays locked until the
   * transaction ends.
   */
  hear(paymentId: string, version: number): Soon<Heard>
  /** Gives an order to a payment, unless one has it; resolves with the payment that has it. */
  claim(orderId: string, paymentId: string): Soon<string>
  /** The payment that has the order. */
  claimedBy(orderId: string): Soon<string | undefined>
  /** Stores what became of the money of a payment that was heard. */
  settle(paymentId: string, settled: Settled): Soon<void>
}

/**
 * Where the receiver keeps what it has heard. `Transaction` is what the shop writes by, in the
 * same transaction.
 */
export interface NoticeStore<Transaction> {
  /** Runs the work in one transaction: all of it is stored or, if it throws, nothing. */
  transaction(work: (rows: NoticeRows, transaction: Transaction) => Soon<unknown>): Soon<unknown>
}

/**
 * Why money is not credited: each is for a person. `wrong_mode`: a test payment in a live shop, or
 * a live one in a test.
 */
export type WhyUncredited = 'second_payment' | 'wrong_amount' | 'unknown_order' | 'wrong_mode'

export type NoticeData = Notice['data']

/** Of a payment that was started for an order. */
export type OrderNoticeData = NoticeData & { readonly orderId: string }

/**
 * Each of these runs within the transaction of the store: what it writes by `transaction` is
 * stored with the notice. What it returns is waited for, if it can be.
 */
export interface NoticeRules<Transaction> {
  /** Which payments are credited. */
  readonly mode: Mode
  readonly store: NoticeStore<Transaction>
  /**
   * What the order of this payment costs now; undefined if you know of none. Where customers
   * choose the amount, the payment itself: `(payment) => payment`. Throw to be asked again later.
   */
  expects(
    payment: NoticeData,
    transaction: Transaction,
  ): Soon<{ readonly amount: number; readonly currency: string } | undefined>
  /**
   * The money has come, and it is what `expects` says: credit. Called once for a payment, and once
   * for an order.
   */
  onPaid(payment: NoticeData, transaction: Transaction): unknown
  /**
   * The money has come and credits nothing: tell a person, who pays it back. Called once for a
   * payment.
   */
  onUncredited(payment: NoticeData, why: WhyUncredited, transaction: Transaction): unknown
  /**
   * It failed or expired: release the order. A late success may follow. Not called for an order
   * that is credited, nor for a payment that names no order: there is nothing to release.
   */
  onEnded?(payment: OrderNoticeData, transaction: Transaction): unknown
  /** The evidence contradicts itself: keep the order, and tell a person (`payment.reason`). */
  onReview?(payment: NoticeData, transaction: Transaction): unknown
}

/**
 * Does what a genuine notice says, once, in whatever order notices come. createNoticeReceiver
 * calls it; call it yourself where the companion runs in your process: `companion.notices.on('*',
 * (notice) => takeNotice(notice, rules))`.
 */
export async function takeNotice<Transaction>(
  { type, data }: Pick<Notice, 'type' | 'data'>,
  rules: NoticeRules<Transaction>,
): Promise<void> {
  await rules.store.transaction((rows, transaction) =>
    then(rows.hear(data.paymentId, data.version), ({ isNews, settled }) => {
      if (type === 'payment.succeeded' || type === 'payment.duplicate')
        return settled === undefined ? settle(type, data, rules, rows, transaction) : undefined
      if (!isNews || data.mode !== rules.mode) return undefined
      if (type === 'payment.review') return rules.onReview?.(data, transaction)
      if (type !== 'payment.failed' && type !== 'payment.expired') return undefined
      const { orderId } = data
      if (orderId === undefined) return undefined
      return then(rows.claimedBy(orderId), (credited) =>
        credited === undefined ? rules.onEnded?.({ ...data, orderId }, transaction) : undefined,
      )
    }),
  )
}

function settle<Transaction>(
  type: Notice['type'],
  data: NoticeData,
  rules: NoticeRules<Transaction>,
  rows: NoticeRows,
  transaction: Transaction,
): unknown {
  return then(whyUncredited(type, data, rules, rows, transaction), (why) =>
    then(rows.settle(data.paymentId, why === undefined ? 'credited' : 'uncredited'), () =>
      why === undefined ? rules.onPaid(data, transaction) : rules.onUncredited(data, why, transaction),
    ),
  )
}

/** Last of all the order is claimed: only by a payment that is credited. */
function whyUncredited<Transaction>(
  type: Notice['type'],
  data: NoticeData,
  rules: NoticeRules<Transaction>,
  rows: NoticeRows,
  transaction: Transaction,
): Soon<WhyUncredited | undefined> {
  const { paymentId, orderId, amount, currency } = data
  if (data.mode !== rules.mode) return 'wrong_mode'
  if (type === 'payment.duplicate') return 'second_payment'
  return then(rules.expects(data, transaction), (expected) => {
    if (expected === undefined) return 'unknown_order'
    if (expected.amount !== amount || expected.currency !== currency) return 'wrong_amount'
    if (orderId === undefined) return undefined
    return then(rows.claim(orderId, paymentId), (owner) => (owner === paymentId ? undefined : 'second_payment'))
  })
}

/** Goes on at once where there is nothing to wait for. */
function then<Value, Result>(value: Soon<Value>, work: (value: Value) => Soon<Result>): Soon<Result> {
  return isThenable(value) ? Promise.resolve(value).then(work) : work(value)
}

/** What `await` would wait for. */
export function isThenable<Value>(value: Soon<Value>): value is PromiseLike<Value> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
