// Reads an incoming form: only from our own pages, small, urlencoded; and converts it to the
// contract's body.
import type { Context } from 'hono'
import type { CreateDeposit, Market, ProblemIssue } from '../contract/index.ts'
import { CreateDeposit as CreateDepositBody, Payer, plainName } from '../contract/index.ts'
import { ownDigits } from '../deposits/markets.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from '../http/http.ts'
import { issuesOf as zodIssues, readBytes } from '../http/read-request.ts'
import type { FieldName, Typed } from './form-view.ts'
import { fieldNames } from './form-view.ts'

/**
 * Refuses a form sent by another site. Browsers send `Origin` with a POST. Older ones and Opera
 * Mini omit it: then `Sec-Fetch-Site` must be `same-origin`, or, if that is missing too, the
 * referring page must be ours.
 */
export function requireOwnForm(c: Context<Env>, ownOrigin: string): void {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  const referer = c.req.header('referer')
  const own =
    origin !== undefined
      ? origin === ownOrigin && (site === undefined || site === 'same-origin')
      : site !== undefined
        ? site === 'same-origin'
        : referer !== undefined && URL.canParse(referer) && new URL(referer).origin === ownOrigin
  if (!own)
    throw new CompanionError('origin_not_allowed', {
      detail: `Forms are taken from ${ownOrigin} (HC_PUBLIC_URL) only.`,
    })
}

export async function readForm(c: Context<Env>): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new CompanionError('unsupported_media_type', {
      detail: 'Send the form as application/x-www-form-urlencoded.',
    })
  }
  const bytes = await readBytes(c)
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new CompanionError('invalid_request', { detail: 'The form could not be read as UTF-8.' })
  }
}

export function typedIn(form: URLSearchParams): Typed {
  const typed: Partial<Record<FieldName, string>> = {}
  for (const name of fieldNames) {
    const given = form.get(name)
    // Pasted characters that nobody sees, for example marks of direction. In a name they may join
    // letters.
    const text = given === null ? undefined : name === 'name' ? plainName(given) : given.replace(/\p{Cf}/gu, '').trim()
    if (text !== undefined && text !== '') typed[name] = text
  }
  return typed
}

/** The form's key, generated when the form was shown; undefined for anything else. */
export function keyOf(form: URLSearchParams): string | undefined {
  const key = form.get('key') ?? ''
  return /^[\w-]{32}$/.test(key) ? key : undefined
}

/**
 * A whole amount as people write it: `2500`, `2,500`, `2.500`, `2 500`, `2500.00`, or `2500/=` and
 * `2,500/-` as shillings are written. Undefined when it is not a whole number, or when it is
 * ambiguous (`2,50`, `0.500`, `1,500,00`). The card reads amounts by the same rule.
 */
function readAmount(text: string): number | undefined {
  const bare = ownDigits(text).replace(/[\s\u00a0\u202f'’]/g, '')
  const [, plain, parted = ''] =
    /^(?:(\d+)(?:[.,]00?)?|((?!0)\d{1,3}([.,\u066c])\d{3}(?:\3\d{3})*)(?:(?!\3)[.,]00?)?)(?:\/[-=])?$/.exec(bare) ?? []
  const digits = (plain ?? parted).replace(/\D/g, '')
  return /^\d{1,12}$/.test(digits) && Number(digits) > 0 ? Number(digits) : undefined
}

/** The body that the JSON API would receive for the same request. */
export function toCreateDeposit(
  typed: Typed,
  market: Market,
  fixed: { readonly amount?: number; readonly session?: string; readonly locale: string },
): CreateDeposit {
  const amount = fixed.amount ?? readAmount(typed.amount ?? '')
  const { name, phone, email } = typed
  const hasPayer = [name, phone, email].some((field) => field !== undefined)
  return {
    country: market.country,
    currency: market.currency,
    // NaN makes the schema report the fault at this field.
    amount: amount ?? Number.NaN,
    bankCode: typed.bank,
    payer: hasPayer ? { name, phone, email } : undefined,
    session: fixed.session,
    locale: fixed.locale,
  }
}

/** All violations of the contract and the market's limits at once, including a missing name. */
export function issuesOf(body: CreateDeposit, needsName: boolean, market: Market): readonly ProblemIssue[] {
  const read = CreateDepositBody.extend({ payer: needsName ? Payer : Payer.partial().optional() }).safeParse({
    ...body,
    ...(needsName ? { payer: { ...body.payer } } : {}),
  })
  const issues = read.success ? [] : zodIssues(read.error)
  const outside = body.amount < market.min || body.amount > market.max
  return outside
    ? [...issues, { path: 'amount', code: 'amount_out_of_range', message: `From ${market.min} to ${market.max}.` }]
    : issues
}

/** The form field for a path in the contract's body. */
export const FIELD_OF: Readonly<Record<string, FieldName | undefined>> = {
  country: 'country',
  currency: 'country',
  amount: 'amount',
  bankCode: 'bank',
  payer: 'name',
  'payer.name': 'name',
  'payer.phone': 'phone',
  'payer.email': 'email',
}

export function marketOf(markets: readonly Market[], country: string | undefined): Market | undefined {
  return markets.find((market) => market.country === country)
}
