// The sessions of orders, for the merchant's backend: it makes one for an order, reads it, and
// closes it.
//
// An order has at most one live session: a repeated request for it is answered with that one, and
// nobody pays an order twice by two links.
import type { CountryCode, CreatedSession, CreateSession, SessionDetail, SessionState } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { IdempotencyRow } from '../ports/store.ts'
import { MOST_ATTEMPTS } from './attempt-limit.ts'
import { createTermsCheck } from './session-terms.ts'
import type { Deposit, Session } from '../machine/deposit.ts'
import type { Capabilities } from '../identity.ts'
import { FIRST_GENERATION, newId, sha256 } from '../identity.ts'
import { normalisePhone, onlyCountryOf, ownDigits, SHORTEST_PHONE } from '../markets.ts'
import type { Tools } from '../ports/machine.ts'
import { isoTime } from '../view.ts'

const DEFAULT_LIFE_S = 86_400

/** A request meets others for the same order: each round of them one is written. */
const MOST_TRIES = 60

/**
 * What is stored as the answer of a key: whether its request has made the session. The token is
 * derived again.
 */
const MADE = '201'
const FOUND = '200'

/**
 * An answer to the merchant's backend. `isNew`: the session was made by this request, or by the
 * first one with its key.
 */
export interface AnsweredSession {
  readonly isNew: boolean
  readonly session: CreatedSession
}

export function createOrderSessions(
  { store, now, random, traceparent }: Pick<Tools, 'store' | 'now' | 'random' | 'traceparent'>,
  { settings, capabilities }: { readonly settings: Settings; readonly capabilities: Capabilities },
) {
  const check = createTermsCheck(settings)
  const orderPayment = (orderId: string) => store.orderPayment(orderId, settings.paymentMode)

  function newSession(body: CreateSession): Session {
    const createdAt = now()
    const { payer, country = onlyCountryOf(body.currency) } = body
    return {
      id: newId('ses', random, createdAt),
      generation: FIRST_GENERATION,
      amount: body.amount,
      currency: body.currency,
      country: body.country,
      orderId: body.orderId,
      description: body.description,
      payer: payer && { ...payer, phone: payer.phone && storedPhone(payer.phone, country) },
      metadata: body.metadata ?? {},
      shop: body.shop,
      returnUrl: body.returnUrl,
      mode: settings.paymentMode,
      createdAt,
      expiresAt: createdAt + (body.expiresIn ?? DEFAULT_LIFE_S) * 1000,
      traceparent: traceparent(),
    }
  }

  function answerOf(session: Session, payment: Deposit | undefined): CreatedSession {
    const { id, generation } = session
    return {
      id,
      token: capabilities.sessionToken(id, generation),
      payUrl: `${settings.publicUrl}/pay/${capabilities.link({ kind: 'session', id }, generation)}`,
      expiresAt: isoTime(session.expiresAt),
      state: stateOf(payment),
      closed: session.closedAt === undefined ? undefined : true,
    }
  }

  /**
   * Of a session of the other mode no payment counts here: a shop that has tried an order in test
   * mode goes live with it.
   */
  const isOfThisMode = ({ mode }: Session): boolean => mode === undefined || mode === settings.paymentMode
  const isUsable = (session: Session): boolean =>
    isOfThisMode(session) && session.expiresAt > now() && (session.starts ?? 0) < MOST_ATTEMPTS

  /**
   * The session that answers `body`; undefined: a new one must be made, in place of `live` if there
   * is that.
   */
  function knownFor(body: CreateSession, live: Session | undefined, payment: Deposit | undefined): Session | undefined {
    const state = stateOf(payment)
    if (live === undefined) return undefined
    if (hasSameTerms(body, live)) return state !== 'open' || isUsable(live) ? live : undefined
    if (state === 'open') return undefined
    const terms = `${live.amount} ${live.currency}`
    throw state === 'paid'
      ? new CompanionError('order_paid', {
          detail:
            `Order ${live.orderId} is paid already, with ${terms}. Give an order that is paid several ` +
            'times an orderId for each payment.',
        })
      : new CompanionError('order_in_progress', {
          detail:
            `A payment of ${terms} for order ${live.orderId} can still be paid. Wait for its end (GET ` +
            '/v1/payments?orderId=…), and ask again. Take another orderId only if the customer owes both ' +
            'amounts: both could be paid.',
        })
  }

  /**
   * The session that holds the order. Where a release before this one has made several, the one of
   * the payment that decides.
   */
  async function liveSession(orderId: string): Promise<readonly [Session | undefined, Deposit | undefined]> {
    // The session first: an attempt that is started between the two reads has changed it by the
    // time it is closed.
    const live = await store.sessionOfOrder(orderId)
    const payment = await orderPayment(orderId)
    if (live !== undefined || payment?.sessionId === undefined) return [live, payment]
    return [await store.session(payment.sessionId), payment]
  }

  async function answerKey(row: IdempotencyRow, fingerprint: string): Promise<AnsweredSession> {
    const session = row.fingerprint === fingerprint ? await store.session(row.depositId) : undefined
    if (session === undefined)
      throw new CompanionError('idempotency_key_reused', { detail: 'Use a new Idempotency-Key for another session.' })
    return { isNew: row.answer === MADE, session: answerOf(session, await orderPayment(session.orderId)) }
  }

  async function found(id: string): Promise<Session> {
    const session = await store.session(id)
    if (session === undefined)
      throw new CompanionError('not_found', { detail: 'There is no such session of this companion.' })
    return session
  }

  return {
    /**
     * The session of the order: the one that it has, or a new one. Throws `order_in_progress` or
     * `order_paid` for other terms than those that a payment of the order was made for, and
     * `idempotency_key_reused`.
     * @param idempotencyKey the same key and body get the same session
     */
    async create(body: CreateSession, idempotencyKey?: string): Promise<AnsweredSession> {
      check(body)
      const fingerprint = sha256(JSON.stringify(body))
      const keyHash = idempotencyKey === undefined ? undefined : `session ${sha256(idempotencyKey)}`
      for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
        const row = keyHash === undefined ? undefined : await store.idempotency(keyHash)
        if (row !== undefined) return answerKey(row, fingerprint)
        const [live, payment] = await liveSession(body.orderId)
        const known = knownFor(body, live, payment)
        const isNew = known === undefined
        const session = known ?? newSession(body)
        const answer = { isNew, session: answerOf(session, payment) }
        if (!isNew && keyHash === undefined) return answer
        const at = now()
        const replaced = isNew && live?.closedAt === undefined ? live : undefined
        const { applied } = await store.apply({
          close: replaced && { session: replaced, at },
          session: isNew ? session : undefined,
          idempotency:
            keyHash === undefined
              ? undefined
              : { keyHash, fingerprint, depositId: session.id, createdAt: at, answer: isNew ? MADE : FOUND },
        })
        if (applied) return answer
      }
      throw tooManyAtOnce()
    },

    /** Throws `not_found`. */
    async detail(id: string): Promise<SessionDetail> {
      const session = await found(id)
      const { amount, currency, country, orderId, description, metadata, shop, returnUrl } = session
      return {
        ...answerOf(session, await orderPayment(orderId)),
        amount,
        currency,
        country,
        orderId,
        description,
        metadata,
        shop,
        returnUrl,
        createdAt: isoTime(session.createdAt),
        attempts: session.starts ?? 0,
      }
    },

    /**
     * Ends it for new attempts; one that was started goes on, and counts. Throws `not_found`, and
     * `order_paid` where there is nothing left to end.
     */
    async close(id: string): Promise<void> {
      for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
        // The session first: an attempt that is started after this read keeps it from being closed
        // unseen, and is looked at in the next round.
        const session = await found(id)
        if ((await orderPayment(session.orderId))?.phase === 'succeeded')
          throw new CompanionError('order_paid', { detail: 'It is paid already: there is nothing to close.' })
        if (session.closedAt !== undefined) return
        if ((await store.apply({ close: { session, at: now() } })).applied) return
      }
      throw tooManyAtOnce()
    },
  }
}

function stateOf(payment: Deposit | undefined): SessionState {
  if (payment === undefined) return 'open'
  return payment.phase === 'succeeded' ? 'paid' : 'pending'
}

/** A currency of one country names that country. */
function hasSameTerms(body: CreateSession, session: Session): boolean {
  const countryOf = ({ country, currency }: Pick<Session, 'country' | 'currency'>) => country ?? onlyCountryOf(currency)
  return body.amount === session.amount && body.currency === session.currency && countryOf(body) === countryOf(session)
}

/**
 * In the form that deposits store, so that a payer who asks to be erased is found here too. What is
 * too short for a number of any country is none: a slip in the shop's records stops no payment, and
 * the customer is asked.
 */
function storedPhone(phone: string, country: CountryCode | undefined): string | undefined {
  const digits = country === undefined ? ownDigits(phone).replace(/\D/g, '') : normalisePhone(phone, country)
  return digits.length < SHORTEST_PHONE ? undefined : digits
}

const tooManyAtOnce = (): CompanionError =>
  new CompanionError('store_unavailable', {
    detail: 'Too many requests for this order at once; ask again.',
    retryAfter: 1,
  })
