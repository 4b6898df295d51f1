// Sessions: the terms that the merchant's backend locks, and what a browser with the token may see
// of them. What the backend asks for is in order-sessions.ts.
import type { SessionView } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Store } from '../ports/store.ts'
import { MOST_ATTEMPTS } from './attempt-limit.ts'
import { createOrderSessions } from './order-sessions.ts'
import { createShopOf } from './shop.ts'
import type { Deposit, Session } from '../machine/deposit.ts'
import type { Capabilities } from '../identity.ts'
import { FIRST_GENERATION } from '../identity.ts'
import type { Tools } from '../ports/machine.ts'
import { isoTime } from '../view.ts'

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
  const { store, now } = tools
  const { settings, capabilities } = options
  const shopOf = createShopOf(settings)

  async function whyNotOpen(session: Session): Promise<CompanionError | undefined> {
    const payment = await store.orderPayment(session.orderId, settings.paymentMode)
    if (payment?.phase === 'succeeded') return orderIsPaid()
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
    ...createOrderSessions(tools, options),
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
        id: session.id,
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
