// Sessions: the terms that the merchant's backend locks, and what a browser with the token may see
// of them.
//
// An order has at most one live session: a repeated request for it is answered with that one, and
// nobody pays an order twice by two links.
import type { CountryCode, CreatedSession, CreateSession, SessionDetail } from '../../contract/index.ts'
import type { SessionState, SessionView } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { IdempotencyRow, Store } from '../ports/store.ts'
import { MOST_ATTEMPTS } from './attempt-limit.ts'
import { createTermsCheck } from './session-terms.ts'
import { createShopOf } from './shop.ts'
import type { Deposit, Session } from '../machine/deposit.ts'
import type { Capabilities } from '../identity.ts'
import { FIRST_GENERATION, newId, sha256 } from '../identity.ts'
import { normalisePhone, onlyCountryOf, ownDigits } from '../markets.ts'
import type { Tools } from '../ports/machine.ts'
import type { Traced } from '../trace.ts'
import { isoTime } from '../view.ts'

const DEFAULT_LIFE_S = 86_400

export const sessionRequired = (): CompanionError =>
  new CompanionError('session_required', {
    detail: 'HC_MODE is sessions: have the backend make one (POST /v1/sessions), and give its token as session.',
  })

const sessionExpired = (): CompanionError =>
  new CompanionError('session_expired', {
    detail: 'Its expiresIn has passed: have the backend make a new one for the order (POST /v1/sessions).',
  })

const sessionClosed = (): CompanionError =>
  new CompanionError('session_closed', {
    detail:
      'The shop has closed it, or made a new one for the order with other terms. Open the payment from the shop again.',
  })

export const orderIsPaid = (): CompanionError =>
  new CompanionError('session_paid', { detail: 'This order is already paid. There is nothing more to do.' })

const tooManyAtOnce = (): CompanionError =>
  new CompanionError('store_unavailable', {
    detail: 'Too many requests for this order at once; ask again.',
    retryAfter: 1,
  })

/**
 * An answer to the merchant's backend. `isNew`: the session was made by this request, or by the
 * first one with its key.
 */
export interface AnsweredSession {
  readonly isNew: boolean
  readonly session: CreatedSession
}

/** A request meets others for the same order: each round of them one is written. */
const MOST_TRIES = 60

/**
 * The payment that a session's page shows: the credited one, else the live one. Live is read first:
 * a payment that succeeds between the two reads would otherwise be found by neither, and a paid
 * order would be offered for payment again.
 */
export async function shownDeposit(
  store: Pick<Store, 'liveDeposit' | 'creditedDeposit'>,
  sessionId: string,
): Promise<Deposit | undefined> {
  const live = await store.liveDeposit(sessionId)
  return (await store.creditedDeposit(sessionId)) ?? live
}

/**
 * The last attempt of a session whose page never came: as far as we know nobody can pay it. Whoever
 * opens the order follows it, so that they hear of it should it be paid after all.
 */
async function lostAttempt(store: Pick<Store, 'payments'>, sessionId: string): Promise<Deposit | undefined> {
  const [last] = await store.payments({ sessionId, limit: 1 })
  return last?.phase === 'abandoned' && last.resultCode === 'address_lost' ? last : undefined
}

export function createSessions(
  tools: Tools,
  options: { readonly settings: Settings; readonly capabilities: Capabilities },
) {
  const { store, now, random, traceparent } = tools
  const { settings, capabilities } = options

  const shopOf = createShopOf(settings)
  const check = createTermsCheck(settings)

  function payerOf(body: CreateSession): Session['payer'] {
    const { payer } = body
    if (payer === undefined) return undefined
    const { name, phone, email } = payer
    return {
      name,
      phone: phone === undefined ? undefined : storedPhone(phone, body.country ?? onlyCountryOf(body.currency)),
      email,
    }
  }

  function newSession(body: CreateSession): Session & Traced {
    const createdAt = now()
    const payer = payerOf(body)
    return {
      id: newId('ses', random, createdAt),
      generation: FIRST_GENERATION,
      amount: body.amount,
      currency: body.currency,
      country: body.country,
      orderId: body.orderId,
      description: body.description,
      payer,
      metadata: body.metadata ?? {},
      shop: body.shop,
      returnUrl: body.returnUrl,
      mode: settings.paymentMode,
      createdAt,
      expiresAt: createdAt + (body.expiresIn ?? DEFAULT_LIFE_S) * 1000,
      traceparent: traceparent(),
    }
  }

  const orderPayment = (orderId: string) => store.orderPayment(orderId, settings.paymentMode)

  function created(session: Session, payment: Deposit | undefined): CreatedSession {
    return {
      id: session.id,
      token: capabilities.sessionToken(session.id, session.generation),
      payUrl: `${settings.publicUrl}/pay/${capabilities.link({ kind: 'session', id: session.id }, session.generation)}`,
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
            '/v1/payments?orderId=…), or give the new terms another orderId.',
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
    return { isNew: row.answer === MADE, session: created(session, await orderPayment(session.orderId)) }
  }

  async function writeOf(
    session: Session,
    how: {
      readonly isNew: boolean
      readonly replaced: Session | undefined
      readonly key: Pick<IdempotencyRow, 'keyHash' | 'fingerprint'> | undefined
    },
  ): Promise<{ readonly applied: boolean }> {
    const { isNew, replaced, key } = how
    const at = now()
    if (!isNew && key === undefined) return { applied: true }
    return store.apply({
      close: replaced === undefined ? undefined : { session: replaced, at },
      session: isNew ? session : undefined,
      idempotency: key && { ...key, depositId: session.id, createdAt: at, answer: isNew ? MADE : FOUND },
    })
  }

  async function found(id: string): Promise<Session> {
    const session = await store.session(id)
    if (session === undefined)
      throw new CompanionError('not_found', { detail: 'There is no such session of this companion.' })
    return session
  }

  async function whyNotOpen(session: Session): Promise<CompanionError | undefined> {
    if ((await orderPayment(session.orderId))?.phase === 'succeeded') return orderIsPaid()
    if (session.closedAt !== undefined) return sessionClosed()
    return session.expiresAt <= now() ? sessionExpired() : undefined
  }

  /**
   * Throws `session_paid`, `session_closed` or `session_expired` where nothing can be paid with it
   * any more.
   */
  async function mustBeOpen(session: Session): Promise<void> {
    const fault = await whyNotOpen(session)
    if (fault !== undefined) throw fault
  }

  return {
    mustBeOpen,
    /** Who is paid in it, or where there is none; undefined where nobody has said anything. */
    shop: shopOf,
    /**
     * Whether an attempt can be started in it: the order is not paid, and the session neither
     * closed, expired nor used up.
     */
    isOpen: async (session: Session): Promise<boolean> =>
      (session.starts ?? 0) < MOST_ATTEMPTS && (await whyNotOpen(session)) === undefined,
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
        const session = known ?? newSession(body)
        const isNew = known === undefined
        const { applied } = await writeOf(session, {
          isNew,
          replaced: isNew && live?.closedAt === undefined ? live : undefined,
          key: keyHash === undefined ? undefined : { keyHash, fingerprint },
        })
        if (applied) return { isNew, session: created(session, payment) }
      }
      throw tooManyAtOnce()
    },

    /** For the merchant's backend; throws `not_found`. */
    async detail(id: string): Promise<SessionDetail> {
      const session = await found(id)
      const { amount, currency, country, orderId, description, metadata, shop, returnUrl } = session
      return {
        ...created(session, await orderPayment(orderId)),
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

    /**
     * The session of a genuine token; throws `session_invalid`. Expired sessions are still found: a
     * running payment goes on.
     */
    async byToken(token: string): Promise<Session> {
      const id = capabilities.sessionIdOf(token)
      const session = id === undefined ? undefined : await store.session(id)
      // As with a payment's token: one that this installation has made is not called wrong where
      // its row is in another database.
      if (id !== undefined && session === undefined && capabilities.isSessionToken(token, id, FIRST_GENERATION))
        throw new CompanionError('not_found', {
          detail:
            'The token is genuine, but the session is not in this database: is it another one, or restored ' +
            'from an older backup?',
        })
      if (session === undefined || !capabilities.isSessionToken(token, session.id, session.generation)) {
        throw new CompanionError('session_invalid', {
          detail:
            'Give the whole token that POST /v1/sessions of this companion answered; a changed HC_SECRET ends ' +
            'the earlier ones.',
        })
      }
      return session
    },

    /** What the browser may see; throws as `mustBeOpen` does when no payment is under way. */
    async view(session: Session): Promise<SessionView> {
      const shown = await shownDeposit(store, session.id)
      // Refused before the form is filled in, not after.
      if (shown === undefined) await mustBeOpen(session)
      const deposit = shown ?? (await lostAttempt(store, session.id))
      return {
        amount: session.amount,
        currency: session.currency,
        country: session.country,
        orderId: session.orderId,
        description: session.description,
        payer: {
          name: session.payer?.name !== undefined,
          phone: session.payer?.phone !== undefined,
          email: session.payer?.email !== undefined,
        },
        expiresAt: isoTime(session.expiresAt),
        shop: shopOf(session),
        deposit: deposit && {
          id: deposit.id,
          token: capabilities.depositToken(deposit.id, deposit.generation),
          createdAt: isoTime(deposit.createdAt),
        },
      }
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>

/** In the form that deposits store, so that a payer who asks to be erased is found here too. */
function storedPhone(phone: string, country: CountryCode | undefined): string {
  return country === undefined ? ownDigits(phone).replace(/\D/g, '') : normalisePhone(phone, country)
}

/**
 * What is stored as the answer of a key: whether its request has made the session. The token is
 * derived again.
 */
const MADE = '201'
const FOUND = '200'

function stateOf(payment: Deposit | undefined): SessionState {
  if (payment === undefined) return 'open'
  return payment.phase === 'succeeded' ? 'paid' : 'pending'
}

/** A currency of one country names that country. */
function hasSameTerms(body: CreateSession, session: Session): boolean {
  const countryOf = ({ country, currency }: Pick<Session, 'country' | 'currency'>) => country ?? onlyCountryOf(currency)
  return body.amount === session.amount && body.currency === session.currency && countryOf(body) === countryOf(session)
}
