// Checks a new payment against what the shop offers and the session locks, and makes its row. Money
// rule 10.
import type { CreateDeposit, ProblemCode, ProblemIssue } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { BankLists } from './banks.ts'
import type { Deposit } from '../machine/deposit.ts'
import type { Random } from '../identity.ts'
import { FIRST_GENERATION, newId, newReference } from '../identity.ts'
import { countries, normalisePhone } from '../markets.ts'
import { CREATE_SETTLES_AFTER_MS } from '../machine/schedule.ts'
import { sessionRequired, type Sessions } from '../merchant/sessions.ts'

/** service.md "Limits": how long a checkout session lives without a locked order. */
const CHECKOUT_LIFE_MS = 15 * 60_000

/** Throws at the first thing that does not fit; the error names the field. */
export async function checkRequest(
  body: CreateDeposit,
  parts: { readonly settings: Settings; readonly sessions: Sessions; readonly banks: BankLists },
) {
  const { settings, sessions, banks } = parts
  const [, currency] = countries[body.country]
  const walletNo = settings.wallets[currency]
  if (walletNo === undefined)
    throw fault('country_not_offered', 'country', 'This shop does not take payments from this country.')
  if (body.currency !== currency)
    throw fault('currency_mismatch', 'currency', `The currency of this country is ${currency}.`)
  if (settings.mode === 'sessions' && body.session === undefined) throw sessionRequired()
  const session = body.session === undefined ? undefined : await sessions.byToken(body.session)
  if (session !== undefined) {
    if (body.amount !== session.amount)
      throw fault('session_conflict', 'amount', `This payment is for ${session.amount} ${session.currency}.`)
    if (body.currency !== session.currency)
      throw fault('session_conflict', 'currency', `This payment is in ${session.currency}.`)
    if (session.country !== undefined && body.country !== session.country)
      throw fault('session_conflict', 'country', `This payment is for ${countries[session.country][0]}.`)
  }
  const { min, max } = settings.limits[currency]
  if (body.amount < min || body.amount > max) {
    throw fault('amount_out_of_range', 'amount', `The amount must be from ${min} to ${max} ${currency}.`, {
      minimum: min,
      maximum: max,
    })
  }
  const name = session?.payer?.name ?? body.payer?.name
  if (name === undefined) throw fault('invalid_request', 'payer.name', 'The name of the payer is missing: send it.')
  if (Array.from(name).length > settings.maxName)
    throw fault('invalid_request', 'payer.name', `The name is too long: send at most ${settings.maxName} characters.`)
  const phone = session?.payer?.phone ?? body.payer?.phone
  const email = session?.payer?.email ?? body.payer?.email
  const payer = { name, phone: phone && normalisePhone(phone, body.country), email }
  const bank = body.bankCode === undefined ? 'no_list' : await banks.find(body.country, body.bankCode)
  if (bank === 'in_no_list')
    throw fault(
      'bank_unknown',
      'bankCode',
      'This bank is not in the list: choose one of GET /v1/banks, or leave it out.',
    )
  return { session, walletNo, payer, bankName: bank === 'no_list' ? undefined : bank.name }
}

/** Result of a successful check. */
export type Checked = Awaited<ReturnType<typeof checkRequest>>

/**
 * Only the newest are kept: nobody who started over this often has sent money for the first
 * attempts.
 */
const MOST_REPLACED = 10

/**
 * The row of a new attempt, before anything is sent.
 * @param old the attempt that it replaces
 */
export function newDeposit(
  body: CreateDeposit,
  known: Checked,
  parts: {
    readonly settings: Settings
    readonly random: Random
    readonly now: number
    /** Of the customer's request. */
    readonly traceparent: string | undefined
  },
  old: Deposit | undefined,
): Deposit {
  const { settings, random, now: createdAt, traceparent } = parts
  const { session, walletNo, payer, bankName } = known
  // Too long only if HC_MAX_DESCRIPTION was lowered after the session was created. Cut by code
  // point: half a surrogate pair is invalid UTF-8.
  const description = Array.from(session?.description ?? settings.description)
    .slice(0, settings.maxDescription)
    .join('')
  return {
    id: newId('dep', random, createdAt),
    reference: newReference(settings.paymentMode, random, createdAt),
    mode: settings.paymentMode,
    phase: 'creating',
    version: 1,
    generation: FIRST_GENERATION,
    amount: body.amount,
    currency: body.currency,
    country: body.country,
    walletNo,
    bankCode: body.bankCode,
    bankName,
    payer,
    description,
    sessionId: session?.id,
    orderId: session?.orderId,
    replaces: old && [...(old.replaces ?? []), old.id].slice(-MOST_REPLACED),
    clientReference: body.clientReference,
    metadata: session?.metadata ?? {},
    locale: body.locale,
    createdAt,
    updatedAt: createdAt,
    expiresAt: createdAt + CHECKOUT_LIFE_MS,
    overdue: false,
    late: false,
    duplicate: false,
    asks: 0,
    dueAt: createdAt + CREATE_SETTLES_AFTER_MS,
    // The notices go to the backend, which made the session.
    traceparent: session?.traceparent ?? traceparent,
  }
}

/** An error of one field, for the form to show at that field. */
export function fault(
  code: ProblemCode,
  path: string,
  message: string,
  range: Pick<ProblemIssue, 'minimum' | 'maximum'> = {},
): CompanionError {
  return new CompanionError(code, { detail: message, issues: [{ path, code, message, ...range }] })
}
