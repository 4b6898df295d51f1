// The companion as a shop's backend calls it: sessions and payments.
import { type Ask, type CallOptions, createAsk } from './ask.ts'
import { type Desk, deskBy } from './desk.ts'
import type {
  CreatedSession,
  CreateSession,
  Decision,
  PaymentDetail,
  PaymentList,
  PaymentQuery,
  PaymentView,
  SessionDetail,
} from './contract.ts'

/** `undefined` is what an environment variable is that nobody has set; createClient then throws. */
export interface ClientOptions {
  /**
   * The companion's address, for example `https://pay.shop.example`; with its path, if it is
   * mounted at one.
   */
  readonly url: string | undefined
  /** The companion's HC_MERCHANT_KEY. It belongs in a backend and in no page. */
  readonly key: string | undefined
  /** Milliseconds that one try may take; 10,000 by itself. */
  readonly timeoutMs?: number
  /** How often a call that may be repeated is tried again; 2 by itself. */
  readonly retries?: number
  /** Instead of the runtime's own, for example in tests. */
  readonly fetch?: typeof fetch
}

export interface CreateSessionOptions extends CallOptions {
  /**
   * Of your own, 1 to 255 characters without a space. By itself each call has a new one, and its
   * repeats have the same.
   */
  readonly idempotencyKey?: string
}

/** Which payments. Times as a Date or as text of RFC 3339. */
export interface PaymentFilter extends Partial<Omit<PaymentQuery, 'cursor' | 'limit' | 'from' | 'to'>> {
  /** Payments that were created then or later. */
  readonly from?: Date | string
  /** Payments that were created before. */
  readonly to?: Date | string
  /** Payments in one page, 1 to 200; 50 by itself. */
  readonly limit?: number
}

export interface Sessions {
  /**
   * The session of an order: the one that it has, or a new one. Ask whenever the page is loaded.
   * It locks the amount, and `token` goes to the page. Throws `order_in_progress` and `order_paid`
   * for other terms than those being paid.
   */
  create(order: CreateSession, options?: CreateSessionOptions): Promise<CreatedSession>
  /** One session with its terms and where the order stands. */
  get(id: string, options?: CallOptions): Promise<SessionDetail>
}

export interface Payments {
  /**
   * Every payment that fits, newest first (those of a `search` by what was found); pages are
   * fetched as they are needed: `for await (const payment of …)`.
   */
  list(filter?: PaymentFilter, options?: CallOptions): AsyncGenerator<PaymentView, void, undefined>
  /** One page. The next one has the `nextCursor` of this one as `cursor`; the last one has none. */
  page(filter?: PaymentFilter & { readonly cursor?: string }, options?: CallOptions): Promise<PaymentList>
  /** One payment by its id or its reference, with its story and its notices. */
  get(id: string, options?: CallOptions): Promise<PaymentDetail>
  /** Has the companion ask the payment service now. */
  refresh(id: string, options?: CallOptions): Promise<PaymentView>
  /** Has its notices sent again; resolves with how many. */
  resend(id: string, options?: CallOptions): Promise<number>
  /**
   * Ends a payment in `review`, by the name and for the reason of a person. Throws
   * `decision_not_open` elsewhere.
   */
  decide(id: string, decision: Decision, options?: CallOptions): Promise<PaymentView>
}

export interface Client {
  readonly sessions: Sessions
  readonly payments: Payments
  /** What the people of the shop do at the console. */
  readonly desk: Desk
}

/**
 * Each method throws a CheckoutError. Reads, `sessions.create` and `payments.refresh` are tried
 * again when no answer comes or the companion is busy; `resend` and `decide` never are.
 */
export function createClient({ url, key, timeoutMs = 10_000, retries = 2, ...options }: ClientOptions): Client {
  const ask = createAsk({
    url: addressOf(url),
    key: keyOf(key),
    timeoutMs,
    retries,
    // Called as a plain function, also where the runtime's own insists on its object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  })
  return { sessions: sessionsBy(ask), payments: paymentsBy(ask), desk: deskBy(ask, part) }
}

function sessionsBy(ask: Ask): Sessions {
  return {
    create: async (order, { idempotencyKey = crypto.randomUUID(), ...options } = {}) =>
      ask({
        ...options,
        method: 'post',
        path: 'v1/sessions',
        body: order,
        // With it, a repeat whose first answer was lost gets that answer.
        headers: { 'idempotency-key': idempotencyKey },
        answersWith: 'token',
        repeatable: true,
      }),
    get: async (id, options = {}) =>
      ask({ ...options, method: 'get', path: `v1/sessions/${part(id)}`, answersWith: 'token', repeatable: true }),
  }
}

function paymentsBy(ask: Ask): Payments {
  const page: Payments['page'] = (filter = {}, options = {}) =>
    ask({
      ...options,
      method: 'get',
      path: 'v1/payments',
      query: queryOf(filter),
      answersWith: 'payments',
      repeatable: true,
    })
  return {
    page,
    async *list(filter = {}, options = {}) {
      let wanted = filter
      for (let cursor: string | undefined; ;) {
        const next = cursor === undefined ? {} : { cursor }
        const { payments, nextCursor, by } = await page({ ...wanted, ...next }, options)
        yield* payments
        // The pages of a search are all of the one that the first page was of.
        if (by !== undefined) wanted = { ...wanted, by }
        if (nextCursor === undefined) return
        cursor = nextCursor
      }
    },
    get: async (id, options = {}) =>
      ask({ ...options, method: 'get', path: `v1/payments/${part(id)}`, answersWith: 'timeline', repeatable: true }),
    refresh: async (id, options = {}) => {
      const path = `v1/payments/${part(id)}/refresh`
      return ask({ ...options, method: 'post', path, answersWith: 'phase', repeatable: true })
    },
    async resend(id, options = {}) {
      const path = `v1/payments/${part(id)}/notices`
      const answer = await ask<{ requeued: number }>({
        ...options,
        method: 'post',
        path,
        answersWith: 'requeued',
        repeatable: false,
      })
      return answer.requeued
    },
    decide: async (id, decision, options = {}) =>
      ask({
        ...options,
        method: 'post',
        path: `v1/payments/${part(id)}/decision`,
        body: decision,
        answersWith: 'phase',
        repeatable: false,
      }),
  }
}

/** What is left out is not asked for. */
function queryOf(filter: PaymentFilter & { readonly cursor?: string }): Record<string, string> {
  const given = Object.entries(filter).flatMap(([name, value]: [string, string | number | Date | undefined]) => {
    if (value === undefined) return []
    return [[name, value instanceof Date ? value.toISOString() : String(value)] as const]
  })
  return Object.fromEntries(given)
}

/** An empty one would ask for something else. */
function part(id: string): string {
  if (typeof id !== 'string' || id === '') throw new TypeError('Give the id as a text that is not empty.')
  return encodeURIComponent(id)
}

function addressOf(url: string | undefined): string {
  if (!/^https?:$/.test(URL.parse(url ?? '')?.protocol ?? ''))
    throw new TypeError(
      'createClient: url is no address. Give that of the companion, for example https://pay.shop.example.',
    )
  return String(url).replace(/\/+$/, '')
}

/** Here and not at the first call: a missing environment variable is found when the shop starts. */
function keyOf(key: string | undefined): string {
  if (key === undefined || !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError(
      'createClient: key is empty or has other characters than a key has. Give HC_MERCHANT_KEY of the companion.',
    )
  return key
}
