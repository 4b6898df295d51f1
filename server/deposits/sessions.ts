// Sessions: the terms that the merchant's backend locks, and what a browser with the token may see of them.
import type { CreatedSession, CreateSession, SessionView } from '../contract/index.ts'
import { CompanionError } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import type { Deposit, Session } from './deposit.ts'
import type { Capabilities } from './identity.ts'
import { FIRST_GENERATION, newId } from './identity.ts'
import { countries, normalisePhone, onlyCountryOf, ownDigits } from './markets.ts'
import type { Tools } from './ports.ts'
import { isoTime } from './view.ts'

const DEFAULT_LIFE_S = 86_400

export const sessionRequired = (): CompanionError =>
  new CompanionError('session_required', {
    detail: 'HC_MODE is sessions: have the backend make one (POST /v1/sessions), and give its token as session.',
  })

export const sessionExpired = (): CompanionError =>
  new CompanionError('session_expired', {
    detail: 'Its expiresIn has passed: have the backend make a new one for the order (POST /v1/sessions).',
  })

/**
 * The payment that a session's page shows: the credited one, else the live one. Live is read first: a payment that succeeds between the two reads
 * would otherwise be found by neither, and a paid order would be offered for payment again.
 */
export async function shownDeposit(
  store: Pick<Store, 'liveDeposit' | 'creditedDeposit'>,
  sessionId: string,
): Promise<Deposit | undefined> {
  const live = await store.liveDeposit(sessionId)
  return (await store.creditedDeposit(sessionId)) ?? live
}

export interface Sessions {
  create(body: CreateSession): Promise<CreatedSession>
  /** The session of a genuine token; throws `session_invalid`. Expired sessions are still found: a running payment goes on. */
  byToken(token: string): Promise<Session>
  /** What the browser may see; throws `session_expired` where nothing can be paid with it any more and no payment is under way. */
  view(session: Session): Promise<SessionView>
}

export function createSessions(
  tools: Tools,
  options: { readonly settings: Settings; readonly capabilities: Capabilities },
): Sessions {
  const { store, now, random } = tools
  const { settings, capabilities } = options

  function payerOf(body: CreateSession): Session['payer'] {
    const { payer } = body
    if (payer === undefined) return undefined
    // In the form that deposits store, so that a payer who asks to be erased is found here too.
    const country = body.country ?? onlyCountryOf(body.currency)
    const { name, phone, email } = payer
    return {
      ...(name === undefined ? {} : { name }),
      ...(phone === undefined
        ? {}
        : { phone: country === undefined ? ownDigits(phone).replace(/\D/g, '') : normalisePhone(phone, country) }),
      ...(email === undefined ? {} : { email }),
    }
  }

  /** Checks the terms here, where the merchant can correct them; a customer could not. */
  function check({ amount, currency, country, description, payer }: CreateSession): void {
    mustFit('payer.name', payer?.name, settings.maxName, 'HC_MAX_NAME')
    mustFit('description', description, settings.maxDescription, 'HC_MAX_DESCRIPTION')
    if (settings.wallets[currency] === undefined)
      throw new CompanionError('country_not_offered', {
        detail: `There is no wallet for ${currency}: add it to HC_WALLETS.`,
        issues: [{ path: 'currency', code: 'currency_not_offered', message: 'This currency has no wallet.' }],
      })
    const expected = country === undefined ? currency : countries[country][1]
    if (expected !== currency)
      throw new CompanionError('currency_mismatch', {
        detail: `The currency of ${country} is ${expected}.`,
        issues: [{ path: 'currency', code: 'currency_mismatch', message: `Expected ${expected}.` }],
      })
    const { min, max } = settings.limits[currency]
    if (amount < min || amount > max) {
      const range = { minimum: min, maximum: max }
      throw new CompanionError('amount_out_of_range', {
        detail: `The amount must be from ${min} to ${max} ${currency} (HC_LIMITS).`,
        issues: [{ path: 'amount', code: 'amount_out_of_range', message: `From ${min} to ${max}.`, ...range }],
      })
    }
  }

  return {
    async create(body) {
      check(body)
      const createdAt = now()
      const payer = payerOf(body)
      const session: Session = {
        id: newId('ses', random, createdAt),
        generation: FIRST_GENERATION,
        amount: body.amount,
        currency: body.currency,
        ...(body.country === undefined ? {} : { country: body.country }),
        orderId: body.orderId,
        description: body.description,
        ...(payer === undefined ? {} : { payer }),
        metadata: body.metadata ?? {},
        createdAt,
        expiresAt: createdAt + (body.expiresIn ?? DEFAULT_LIFE_S) * 1000,
      }
      await store.apply({ session })
      return {
        id: session.id,
        token: capabilities.sessionToken(session.id, session.generation),
        payUrl: `${settings.publicUrl}/pay/${capabilities.link({ kind: 'session', id: session.id }, session.generation)}`,
        expiresAt: isoTime(session.expiresAt),
      }
    },

    async byToken(token) {
      const id = capabilities.sessionIdOf(token)
      const session = id === undefined ? undefined : await store.session(id)
      // As with a payment's token: one that this installation has made is not called wrong where its row is in another database.
      if (id !== undefined && session === undefined && capabilities.isSessionToken(token, id, FIRST_GENERATION))
        throw new CompanionError('not_found', {
          detail:
            'The token is genuine, but the session is not in this database: is it another one, or restored from an older backup?',
        })
      if (session === undefined || !capabilities.isSessionToken(token, session.id, session.generation)) {
        throw new CompanionError('session_invalid', {
          detail:
            'Give the whole token that POST /v1/sessions of this companion answered; a changed HC_SECRET ends the earlier ones.',
        })
      }
      return session
    },

    async view(session) {
      const deposit = await shownDeposit(store, session.id)
      // Refused before the form is filled in, not after.
      if (deposit === undefined && session.expiresAt <= now()) throw sessionExpired()
      return {
        amount: session.amount,
        currency: session.currency,
        ...(session.country === undefined ? {} : { country: session.country }),
        orderId: session.orderId,
        description: session.description,
        payer: {
          name: session.payer?.name !== undefined,
          phone: session.payer?.phone !== undefined,
          email: session.payer?.email !== undefined,
        },
        expiresAt: isoTime(session.expiresAt),
        ...(deposit === undefined
          ? {}
          : {
              deposit: {
                id: deposit.id,
                token: capabilities.depositToken(deposit.id, deposit.generation),
                createdAt: isoTime(deposit.createdAt),
              },
            }),
      }
    },
  }
}

function mustFit(path: string, text: string | undefined, most: number, setting: string): void {
  if (text === undefined || Array.from(text).length <= most) return
  const message = `At most ${most} characters (${setting}).`
  throw new CompanionError('invalid_request', {
    detail: `${path}: ${message}`,
    issues: [{ path, code: 'too_big', message }],
  })
}
