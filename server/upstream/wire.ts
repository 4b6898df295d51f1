// The only file that knows the service's field names: bodies that we send and answers that we read,
// defensively. What does not match service.md is "unreadable", never guessed.
import { z } from 'zod'
import type { Bank, DepositStatus } from '../contract/index.ts'
import { cut, type Hide, sentence } from '../platform/service-words.ts'
import { DEPOSIT_CHANNEL } from './sign.ts'
import type { CreateOrder, RefusalCode } from '../deposits/ports/upstream.ts'

/** Body of the login (service.md, "Endpoints", 1). */
export const loginBody = (key: string, secret: string) => JSON.stringify({ consumer_key: key, consumer_secret: secret })

/** Body of the bank list (service.md, "Endpoints", 2). */
export const banksBody = (country: string) => JSON.stringify({ country_code: country })

/** Body of the status query (open-points.md, "Transaction query"). */
export const queryBody = (order: { readonly walletNo: string; readonly reference: string }) =>
  JSON.stringify({ wallet_no: order.walletNo, reference: order.reference })

/**
 * Body of a deposit (service.md, "Payment request"). Names and descriptions are cut to length by
 * whole characters (open-points.md, "Maximum lengths": ours, so each is a setting).
 */
export function depositBody(
  order: CreateOrder,
  { maxName, maxDescription }: { readonly maxName: number; readonly maxDescription: number },
): string {
  return JSON.stringify({
    wallet_no: order.walletNo,
    reference: order.reference,
    acc_name: cut(order.payerName, maxName),
    acc_no: order.payerPhone,
    email: order.payerEmail,
    amount: order.amount,
    currency: order.currency,
    channel: DEPOSIT_CHANNEL,
    description: cut(order.description, maxDescription),
    result_url: order.resultUrl,
  })
}

/**
 * Texts that are only compared or shown: a number stands for its digits, as the service wrote them
 * (see `json`).
 */
const Text = z.union([z.string(), z.number()]).transform(String)

const Failure = z.object({
  success: z.literal(false),
  message: Text,
  errors: z.record(z.string(), z.unknown()).optional().catch(undefined),
})
const success = <Data extends z.ZodType>(data: Data) => z.object({ success: z.literal(true), data })

const Token = success(
  z.object({
    // Sent in a header: visible ASCII only.
    access_token: Text.pipe(
      z
        .string()
        .max(8192)
        .regex(/^[\x21-\x7e]+$/),
    ),
    expires_in: z.coerce.number().positive().max(31_536_000).catch(3600),
  }),
)
/** No NUL: PostgreSQL does not accept it, and the customer would see our failure to store it. */
const Storable = Text.pipe(
  z
    .string()
    .max(200)
    .refine((text) => !text.includes('\0')),
)
const Identifier = Storable.refine((text) => text !== '')
/** Null says as little as nothing. */
const Optional = Text.nullish().transform((text) => text ?? undefined)
const Created = success(
  z.object({
    transaction_id: Identifier,
    reference: Identifier,
    // Normalised as browsers read it: the URL that is checked must be the one that is followed,
    // also by old clients that treat backslashes or line breaks differently.
    redirect_url: z
      .string()
      .max(4096)
      // Without a scheme it names a host all the same, which must be judged: a browser adds the
      // scheme of the page.
      .transform((url) => url.replace(/^\s*(?=[/\\]{2})/, 'https:'))
      .refine((url) => URL.canParse(url))
      .transform((url) => new URL(url).href),
    amount: Optional,
    currency: Optional,
  }),
)
const Found = success(
  z.object({
    reference: Identifier,
    status: Text,
    transaction_id: Storable.nullish(),
    status_description: Optional.catch(undefined),
    // Not published for a query (open-points.md, "Transaction query"), so that nothing hangs on
    // their form.
    amount: Optional.catch(undefined),
    currency: Optional.catch(undefined),
  }),
)
/** Without control characters and lone surrogates. */
const line = (most: number) =>
  Text.pipe(
    z
      .string()
      .trim()
      .min(1)
      .max(most)
      .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u),
  )
/**
 * What the body of a deposit (contract/deposit.ts) or PostgreSQL does not accept would stop the
 * payment of the customer who chose that bank.
 */
const BankRow = z.object({ name: line(200), code: line(32) })
const BankRows = success(z.array(z.unknown()).max(5000))

/** An error in the service's envelope: `success: false` and a message (service.md, "Errors"). */
export interface Refusal {
  readonly message: string
  /** Names of the offending fields of a 422, as the service calls them. */
  readonly fields: readonly string[]
  /** Nothing offends it but what the payer typed. */
  readonly ofPayer: boolean
  /** Message and what is said of the fields: to look for words in, not to show. */
  readonly words: string
}

/** What the payer types; all other fields of a deposit are the shop's or ours. */
const OF_PAYER: ReadonlySet<string> = new Set(['acc_name', 'acc_no', 'email'])

/** The refusal in a body, or undefined when the body is not in the service's envelope. */
export function readRefusal(text: string, hide?: Hide): Refusal | undefined {
  const read = Failure.safeParse(json(text))
  const said = read.success ? written(read.data.errors ?? {}) : undefined
  if (!read.success || said === undefined) return undefined
  const named = Object.keys(read.data.errors ?? {})
  const fields = named.filter((name) => /^[a-z_.]{1,40}$/i.test(name))
  const ofPayer = named.length > 0 && named.every((name) => OF_PAYER.has(name))
  // Cut: looking for words takes the square of their length.
  const words = `${read.data.message.slice(0, 1000)} ${said.slice(0, 1000)}`
  return { message: sentence(read.data.message, hide), fields: fields.slice(0, 20), ofPayer, words }
}

/**
 * What the service says in a body that is no usable answer: its message, in its envelope or
 * without.
 */
export function readMessage(text: string, hide?: Hide): string | undefined {
  const read = z.object({ message: Text }).safeParse(json(text))
  const message = read.success ? sentence(read.data.message, hide) : ''
  return message === '' ? undefined : message
}

export function readToken(text: string): { readonly token: string; readonly lifeMs: number } | undefined {
  const read = Token.safeParse(json(text))
  return read.success ? { token: read.data.data.access_token, lifeMs: read.data.data.expires_in * 1000 } : undefined
}

export function readCreated(text: string) {
  const read = Created.safeParse(json(text))
  if (!read.success) return undefined
  const { transaction_id, redirect_url, reference, amount, currency } = read.data.data
  return { transactionId: transaction_id, checkoutUrl: redirect_url, reference, amount, currency }
}

/**
 * The published words, in any case (open-points.md, "Transaction statuses"). Any other counts as
 * PENDING, for only SUCCESS and FAILED are final. One that is not published is given as it was
 * written.
 */
function readStatus(word: string, hide: Hide | undefined): { status: DepositStatus; unknownStatus?: string } {
  const status = word.trim().toUpperCase()
  if (status === 'SUCCESS' || status === 'FAILED' || status === 'PENDING') return { status }
  return { status: 'PENDING', unknownStatus: status === 'PROCESSING' ? undefined : sentence(word, hide) }
}

export function readFound(text: string, hide?: Hide) {
  const read = Found.safeParse(json(text))
  if (!read.success) return undefined
  const { reference, status, transaction_id, status_description, amount, currency } = read.data.data
  return {
    reference,
    ...readStatus(status, hide),
    transactionId: transaction_id || undefined,
    description: status_description === undefined ? undefined : sentence(status_description, hide),
    amount,
    currency,
  }
}

/**
 * Invalid rows are left out and counted; of two with the same code the first is kept. Undefined
 * when nothing is readable.
 */
export function readBanks(text: string): { readonly banks: readonly Bank[]; readonly dropped: number } | undefined {
  const read = BankRows.safeParse(json(text))
  if (!read.success) return undefined
  const byCode = new Map<string, Bank>()
  for (const row of read.data.data) {
    const bank = BankRow.safeParse(row)
    if (bank.success && !byCode.has(bank.data.code))
      byCode.set(bank.data.code, { name: bank.data.name, code: bank.data.code })
  }
  const dropped = read.data.data.length - byCode.size
  return byCode.size === 0 && dropped > 0 ? undefined : { banks: [...byCode.values()], dropped }
}

/**
 * A reference that the service has already, in whatever words (open-points.md gives the meaning
 * only): ours are new, so this payment exists there, perhaps because a proxy sent it twice. Taken
 * for any other refusal it would be rejected for ever.
 */
const KNOWN_REFERENCE = /\bduplicate\b|\breference\b.*\b(?:already|exists|taken|used|unique)\b/is
/** May mean the same, like a 409, or something of the account that stops every payment. */
const KNOWN_SOMETHING = /\balready (?:exists|been (?:created|processed|submitted|taken|used)|processed|taken|used)\b/i

/**
 * The meaning of a refused deposit, by its message: the service sends no codes (open-points.md,
 * texts marked ours).
 */
export function refusalCode(status: number, refusal: Refusal): RefusalCode {
  const { message } = refusal
  if (KNOWN_REFERENCE.test(refusal.words)) return 'duplicate_reference'
  if (status === 409 || KNOWN_SOMETHING.test(refusal.words)) return 'conflict'
  if (/invalid signature/i.test(message)) return 'invalid_signature'
  if (/invalid x-hash/i.test(message)) return 'invalid_hash'
  if (status === 403 && /not allocated/i.test(message)) return 'market_off'
  if (isAddressRefusal(status, refusal)) return 'address_not_allowed'
  if (/unsupported currency/i.test(message)) return 'unsupported_currency'
  if (/wallet\b.*\bcurrency/i.test(message)) return 'wallet_mismatch'
  return status === 422 ? 'invalid_fields' : 'refused'
}

/**
 * 403 "IP address not allowed." (open-points.md, "Callers' addresses"); some refuse with a status
 * of success.
 */
export function isAddressRefusal(status: number, refusal: Refusal | undefined): boolean {
  return (status === 403 || isSuccess(status)) && refusal !== undefined && /\bIP address\b/i.test(refusal.message)
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/**
 * A 401 not caused by the token, so a new login would not help (open-points.md: "Invalid
 * signature.", "Invalid x-hash.").
 */
export function isSignatureRefusal(refusal: Refusal | undefined): boolean {
  return refusal !== undefined && /invalid (?:signature|x-hash)/i.test(refusal.message)
}

/**
 * A number that JavaScript would write otherwise, such as an identifier beyond 2^53, stays the text
 * that the service wrote.
 */
function asWritten(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && String(value) !== context?.source ? (context?.source ?? value) : value
}

/**
 * A byte order mark, which a PHP file saved with one puts before every answer, means nothing (RFC
 * 8259, 8.1).
 */
function json(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text, asWritten)
  } catch {
    return undefined
  }
}

/**
 * As JSON; undefined when it is nested too deep for it. V8 parses any depth, but writes only some
 * thousands.
 */
function written(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
