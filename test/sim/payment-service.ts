// A model of the payment service: its ledger of what was really paid, the hosted page, the
// callbacks, and an upstream port whose answers come late, broken or not at all. Written from
// service.md and open-points.md alone.
import { createHmac } from 'node:crypto'
import type { CreateOrder, CreateOutcome, QueryOutcome, Upstream } from '../../server/deposits/ports/upstream.ts'
import type { Chance } from './chance.ts'
import type { Faults } from './faults.ts'
import type { VirtualTime } from './virtual-time.ts'

export const CHECKOUT_ORIGIN = 'https://checkout.service.example'
export const CONSUMER_KEY = 'ck_canary_consumer_key_qzux7wvu'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** open-points.md "Delivery retries". */
const CALLBACK_RETRIES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]

export interface Transaction extends CreateOrder {
  readonly transactionId: string
  readonly thirdPartyId: string
  readonly checkoutUrl: string
  readonly createdAt: number
  status: 'PENDING' | 'SUCCESS' | 'FAILED'
  resultCode: number
  /** It was FAILED at some time, whatever it is now. */
  everFailed: boolean
  locked: boolean
  /** Number of pending events that may still change it. */
  restless: number
}

export interface Callback {
  readonly path: string
  readonly fields: Readonly<Record<string, string | number>>
  readonly text: string
}

export interface PaymentService {
  readonly ledger: ReadonlyMap<string, Transaction>
  /** Every callback ever sent: what somebody with access to a log could have seen. */
  readonly seen: readonly Callback[]
  /** Every request received from the companion, oldest first, with its true time and kind. */
  readonly requests: readonly { readonly at: number; readonly kind: 'create' | 'query' | 'banks' }[]
  /** The upstream port for one process of the companion. */
  port(): Upstream
  /** A customer locks an order on the hosted page; false if the page does not allow it. */
  lock(checkoutUrl: string): boolean
  confirm(checkoutUrl: string): void
  decline(checkoutUrl: string): void
  cancel(checkoutUrl: string): void
  byUrl(checkoutUrl: string): Transaction | undefined
}

function hashOf(fields: Callback['fields']): string {
  return createHmac('sha256', CONSUMER_KEY).update(Object.values(fields).join('')).digest('hex')
}

export function createPaymentService(parts: {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly faults: Faults
  readonly trace: (line: string) => void
  /** Posts a callback; returns the status, or undefined if no answer came. */
  readonly post: (callback: Callback) => Promise<number | undefined>
  /** Called before a create is processed: the world checks that its row is durable. */
  readonly onCreate: (order: CreateOrder, transaction: Transaction | undefined) => void
}): PaymentService {
  const { time, chance, faults, trace, post, onCreate } = parts
  const ledger = new Map<string, Transaction>()
  const byUrl = new Map<string, Transaction>()
  const seen: Callback[] = []
  const requests: { at: number; kind: 'create' | 'query' | 'banks' }[] = []
  let made = 0

  function callbackOf(transaction: Transaction): Callback {
    const { reference, transactionId, thirdPartyId, currency, amount, payerName, resultCode } = transaction
    const fields: Record<string, string | number> =
      transaction.status === 'SUCCESS'
        ? {
            channel: '420001', reference, transaction_id: transactionId, third_party_id: thirdPartyId, currency,
            amount: chance.happens(0.5) ? `${amount}` : `${amount}.00`, fees: '25', acc_name: payerName,
            result_code: 0, result_description: 'The service request is processed successfully.',
          } // prettier-ignore
        : {
            channel: '420001',
            reference,
            transaction_id: transactionId,
            result_code: resultCode,
            result_description: 'DS timeout user cannot be reached',
          }
    const text = JSON.stringify({ ...fields, hash: hashOf(fields) })
    return { path: new URL(transaction.resultUrl).pathname, fields, text }
  }

  function deliver(callback: Callback, transaction: Transaction, attempt: number): void {
    transaction.restless += 1
    void post(callback).then((status) => {
      transaction.restless -= 1
      const wait = CALLBACK_RETRIES[attempt]
      if (status === 200 || wait === undefined) return
      transaction.restless += 1
      time.after(wait * (0.9 + 0.2 * chance.unit()), () => {
        transaction.restless -= 1
        // oxlint-disable-next-line promise/no-callback-in-promise -- it is the next attempt
        deliver(callback, transaction, attempt + 1)
      })
    })
  }

  /** Sends the callback of a transaction: mostly once, sometimes late, twice, or never. */
  function callBack(transaction: Transaction): void {
    const callback = callbackOf(transaction)
    seen.push(callback)
    for (const wait of faults.callbackWaits()) {
      transaction.restless += 1
      time.after(wait, () => {
        transaction.restless -= 1
        deliver(callback, transaction, 0)
      })
    }
  }

  function end(transaction: Transaction, status: 'SUCCESS' | 'FAILED', resultCode: number): void {
    if (transaction.status === 'SUCCESS' || transaction.status === status) return
    transaction.status = status
    transaction.resultCode = resultCode
    transaction.everFailed ||= status === 'FAILED'
    trace(`service ${transaction.reference} is ${status} (${resultCode})`)
    callBack(transaction)
  }

  function book(order: CreateOrder): Transaction | undefined {
    if (ledger.has(order.reference)) {
      onCreate(order, undefined)
      return undefined
    }
    made += 1
    const transaction: Transaction = {
      ...order,
      transactionId: `CP${made.toString(36).toUpperCase()}${chance.below(1e9).toString(36).toUpperCase()}`,
      // Leading digits allow a success to be re-cut as a failure (open-points.md).
      thirdPartyId: `${chance.between(1001, 9_999_999)}X`,
      checkoutUrl: `${faults.isRedirectForeign() ? 'https://evil.example' : CHECKOUT_ORIGIN}/c/${made}-${chance.below(1e9).toString(8)}`,
      createdAt: time.elapsed(),
      status: 'PENDING', resultCode: 0, everFailed: false, locked: false, restless: 1,
    } // prettier-ignore
    ledger.set(order.reference, transaction)
    byUrl.set(transaction.checkoutUrl, transaction)
    onCreate(order, transaction)
    trace(`service books ${order.reference} ${order.amount} ${order.currency}`)
    if (faults.failsAtOnce()) end(transaction, 'FAILED', 2001)
    time.after(15 * MINUTE, () => {
      transaction.restless -= 1
      if (!transaction.locked) end(transaction, 'FAILED', 1037)
    })
    return transaction
  }

  const wait = (ms: number) => new Promise<void>((resolve) => time.after(ms, resolve))

  /**
   * Whoever asked last was told that the breaker is open, and calls at once: such a call reaches
   * nobody.
   */
  let isWithheld = false

  async function create(order: CreateOrder): Promise<CreateOutcome> {
    if (isWithheld) {
      isWithheld = false
      return { kind: 'not_processed', reason: 'breaker_open', retryAfterMs: chance.between(100, 5_000) }
    }
    requests.push({ at: time.elapsed(), kind: 'create' })
    const fault = faults.create()
    if (fault === 'refused_connection') return { kind: 'not_processed', reason: 'connect ECONNREFUSED' }
    if (fault === 'busy') return { kind: 'not_processed', reason: '429', retryAfterMs: chance.between(1, 9) * 1001 }
    if (fault === 'market_off')
      return {
        kind: 'refused',
        code: 'market_off',
        status: 403,
        message: 'Channel 420001 is not allocated to this wallet.',
      }
    if (fault === 'cut_before') {
      await wait(chance.between(100, 19_000))
      return { kind: 'unknown', reason: 'socket hang up' }
    }
    if (fault === 'processed_late') {
      time.after(chance.between(15_000, 80_000), () => void book(order))
      await wait(20_000)
      return { kind: 'unknown', reason: 'no answer within 20 s' }
    }
    await wait(chance.between(40, 900))
    const transaction = book(order)
    if (fault === 'cut_after' || fault === 'half_answer' || fault === 'server_error') {
      await wait(fault === 'cut_after' ? 20_000 : 50)
      return { kind: 'unknown', reason: fault }
    }
    if (transaction === undefined)
      return { kind: 'refused', code: 'duplicate_reference', status: 400, message: 'Duplicate reference.' }
    const { transactionId, checkoutUrl } = transaction
    await wait(fault === 'slow' ? chance.between(2_000, 19_000) : chance.between(20, 400))
    return { kind: 'created', transactionId, checkoutUrl }
  }

  async function query(reference: string): Promise<QueryOutcome> {
    requests.push({ at: time.elapsed(), kind: 'query' })
    const fault = faults.query()
    if (fault === 'path_missing') return { kind: 'path_missing', status: 405 }
    if (fault === 'busy') return { kind: 'failed', reason: '429', retryAfterMs: chance.between(1, 30) * 1001 }
    if (fault === 'refused_connection') return { kind: 'failed', reason: 'connect ECONNREFUSED' }
    // The answer is the state at the time of the query: it may be outdated when it arrives.
    const transaction = ledger.get(reference)
    const answer: QueryOutcome =
      transaction === undefined
        ? { kind: 'not_found' }
        : {
            kind: 'found', status: transaction.status, reference: faults.isReferenceWrong() ? 'HCTANOTHER' : reference,
            ...(transaction.status === 'FAILED' && chance.happens(0.5) ? {} : { transactionId: transaction.transactionId }),
            // Free text, which may contradict the status (open-points.md).
            description: chance.pick(['Success', 'Failed', 'Pending', '']),
          } // prettier-ignore
    await wait(fault === 'slow' ? chance.between(2_000, 19_000) : chance.between(20, 400))
    return fault === 'cut_after' || fault === 'half_answer' || fault === 'server_error'
      ? { kind: 'failed', reason: fault }
      : answer
  }

  function port(): Upstream {
    return {
      banks: async () => {
        requests.push({ at: time.elapsed(), kind: 'banks' })
        await wait(chance.between(20, 4_000))
        if (faults.isDown()) throw new Error('no banks')
        return [{ code: '01', name: 'Kenya Commercial Bank Limited' }]
      },
      sign: async () => 'signed',
      create,
      query: ({ reference }) => query(reference),
      isDown: () => (isWithheld = faults.breakerIsOpen()),
      health: () => ({
        login: 'ok',
        hasToken: true,
        breaker: 'closed',
        queryPath: 'ok',
        addressRefused: false,
        signatureRefused: false,
        paused: false,
      }),
      warmUp: async () => {},
      close: async () => {},
    }
  }

  function open(checkoutUrl: string): Transaction | undefined {
    const transaction = byUrl.get(checkoutUrl)
    return transaction?.status === 'PENDING' ? transaction : undefined
  }

  return {
    ledger,
    seen,
    requests,
    port,
    byUrl: (checkoutUrl) => byUrl.get(checkoutUrl),
    lock(checkoutUrl) {
      const transaction = open(checkoutUrl)
      if (transaction !== undefined) transaction.locked = true
      return transaction !== undefined
    },
    confirm(checkoutUrl) {
      // An agent may hand in the money after the service has given up: FAILED becomes SUCCESS.
      const transaction = byUrl.get(checkoutUrl)
      if (transaction?.locked === true) end(transaction, 'SUCCESS', 0)
    },
    decline(checkoutUrl) {
      const transaction = open(checkoutUrl)
      if (transaction?.locked === true) end(transaction, 'FAILED', 2001)
    },
    cancel(checkoutUrl) {
      const transaction = open(checkoutUrl)
      if (transaction !== undefined && !transaction.locked) end(transaction, 'FAILED', 1032)
    },
  }
}
