// The upstream port: the payment service in our own terms. Outcomes, not exceptions: each says what
// is certain.
import type { Bank, CountryCode, CurrencyCode, DepositStatus } from '../../contract/index.ts'

export interface CreateOrder {
  readonly reference: string
  readonly walletNo: string
  readonly amount: number
  readonly currency: CurrencyCode
  readonly description: string
  readonly payerName: string
  readonly payerPhone?: string
  readonly payerEmail?: string
  readonly resultUrl: string
  /** From `sign`; without it `create` makes its own. */
  readonly signature?: Promise<string>
}

/**
 * What is certain after a create call.
 * `created`: the service answered with an address. `refused`: a definitive no, nothing exists
 * there; `ofPayer`: only for what the payer typed.
 * `not_processed`: certainly not processed (refused connection, DNS failure, refused certificate,
 * 429, no login, or a new token refused): may be sent again with the same reference (money rule 1).
 * `unknown`: anything else, settled only by query.
 */
export type CreateOutcome =
  | { readonly kind: 'created'; readonly transactionId: string; readonly checkoutUrl: string }
  | {
      readonly kind: 'refused'
      readonly code: RefusalCode
      readonly status: number
      readonly message: string
      readonly ofPayer?: boolean
    }
  | { readonly kind: 'not_processed'; readonly reason: string; readonly retryAfterMs?: number }
  | ({ readonly kind: 'unknown' } & Unclear)

/** Why a call told nothing certain, and what the service said, without secrets and payer. */
export interface Unclear {
  readonly reason: string
  readonly message?: string
  /** Of a refusal under a status of success: what it would mean. */
  readonly code?: RefusalCode
  /** Of such a refusal: nothing offends it but what the payer typed. */
  readonly ofPayer?: boolean
}

/**
 * `market_off`: 403, channel not allocated. `address_not_allowed`: 403, our IP address is not on
 * the service's list. `duplicate_reference` and `conflict`: the service has this payment already,
 * or, of a conflict, perhaps has it; settled only by query.
 */
export type RefusalCode =
  | 'market_off'
  | 'address_not_allowed'
  | 'duplicate_reference'
  | 'conflict'
  | 'invalid_signature'
  | 'invalid_hash'
  | 'wallet_mismatch'
  | 'unsupported_currency'
  | 'invalid_fields'
  | 'refused'

/** What a status query asks for. */
export interface QueryOrder {
  readonly walletNo: string
  readonly reference: string
  /** What was ordered, in whole units; compared with the answer's, should it name any. */
  readonly sum?: { readonly amount: number; readonly currency: string }
  /** Taken out of the service's words. */
  readonly payer?: { readonly name?: string; readonly phone?: string; readonly email?: string }
}

/**
 * Result of the signed status query (open-points.md, "Transaction query"). Unknown statuses count
 * as PENDING. `path_missing`: 405, 501, or a 404 that is not in the service's envelope (money rule
 * 3).
 */
export type QueryOutcome =
  | {
      readonly kind: 'found'
      readonly status: DepositStatus
      readonly reference: string
      readonly transactionId?: string
      readonly description?: string
      /** The sum that it names, where its amount or currency is another one than was ordered. */
      readonly otherSum?: string
      /** It names both the amount and the currency that were ordered. */
      readonly sameSum?: true
      /** Its status where it is none of the published ones; it counts as PENDING. */
      readonly unknownStatus?: string
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'path_missing'; readonly status: number }
  | ({ readonly kind: 'failed'; readonly retryAfterMs?: number } & Unclear)

export interface UpstreamHealth {
  /** Result of the last login. */
  readonly login: 'unknown' | 'ok' | 'refused' | 'unreachable'
  /** A token is held that should still work: calls go on, whatever the last login said. */
  readonly hasToken: boolean
  /** That of the service, or, when there is no token, of its login. */
  readonly breaker: 'closed' | 'open' | 'half_open'
  /**
   * What the last call to that host met in place of an answer: `timeout`, `tls: CERT_HAS_EXPIRED`.
   */
  readonly fault?: string
  readonly queryPath: 'unknown' | 'ok' | 'missing'
  readonly addressRefused: boolean
  /**
   * The service takes no signature of ours: HC_PRIVATE_KEY is not the half of the key in its
   * portal.
   */
  readonly signatureRefused: boolean
  /**
   * Creates are answered 401, also with a new token: the account may log in, and not pay. Forgotten
   * after a minute, so that the next one can tell.
   */
  readonly tokenRefused?: boolean
  /**
   * Milliseconds since 1970: the end of a pause that the service asks for, however short. Until
   * then nothing is sent.
   */
  readonly pausedUntil?: number
  /**
   * The service has asked for a longer pause (Retry-After) than a create waits: until its end
   * nothing is sent.
   */
  readonly paused: boolean
  /**
   * Why login failed: a refusal in the service's words, anything else in ours (`HTTP 502`,
   * `timeout`); contains no secret.
   */
  readonly detail?: string
}

export interface Upstream {
  /**
   * Bank list of one country; rejects with a CompanionError `upstream_unavailable` or
   * `upstream_unreadable`.
   */
  banks(country: CountryCode): Promise<readonly Bank[]>
  /** Signature of a create. Nothing is sent, so it can be made while the row is being stored. */
  sign(order: Pick<CreateOrder, 'reference' | 'amount' | 'currency'>): Promise<string>
  create(order: CreateOrder): Promise<CreateOutcome>
  query(order: QueryOrder): Promise<QueryOutcome>
  /**
   * True while a create would fail: the breaker is open, the service asked for a longer pause than
   * a create waits, or there is no token and its login was refused, has had no usable answer for
   * seconds, or has an open breaker.
   */
  isDown(): boolean
  /**
   * Milliseconds of the pause that the service asks for and that is left; 0 when there is none. One
   * that is handed in need not know it.
   */
  pauseMs?(): number
  health(): UpstreamHealth
  /**
   * Looks up the service's names, and logs in if there is no valid token; used at start and by
   * /readyz.
   */
  warmUp(): Promise<void>
  close(): Promise<void>
}

/**
 * A callback whose hash is genuine over the texts as received. That does not prove its fields true.
 */
export interface Callback {
  readonly kind: 'success' | 'failed'
  readonly channel: string
  readonly reference: string
  readonly transactionId: string
  readonly resultCode: string
  readonly resultDescription: string
  readonly thirdPartyId?: string
  readonly currency?: string
  readonly amount?: string
  readonly fees?: string
  readonly payerName?: string
  /** Names of fields that service.md does not list. */
  readonly extraFields: readonly string[]
  /** Which key verified it. */
  readonly key: 'current' | 'previous'
  /** The text whose hash was verified, and the order of its fields (`HC_HASH_ORDER`). */
  readonly signed: { readonly text: string; readonly order: 'documented' | 'received' }
  /**
   * False for another form than the documented one (a form, gzip, ten fields of a failure, no
   * fees): it may ring, and never decides.
   */
  readonly asDocumented: boolean
}

/** Why a callback was not believed. `reason` is for log and metrics, never for the response. */
export type CallbackRefusal = 'not_json' | 'not_flat' | 'missing_field' | 'wrong_type' | 'bad_hash' | 'too_large'

export type CallbackReading =
  | { readonly ok: true; readonly callback: Callback }
  /** `plain`: the body without its compression, where it had one. */
  | { readonly ok: false; readonly reason: CallbackRefusal; readonly plain?: Uint8Array }
  /**
   * The hash verifies, so that the reference is worth a status query; but the fields are not those
   * of its kind.
   */
  | { readonly ok: false; readonly reason: 'wrong_shape'; readonly reference: string }

/**
 * Reads a raw body: numbers kept as they were written, hash compared in constant time in the
 * configured order (open-points.md).
 */
export type ReadCallback = (raw: Uint8Array) => CallbackReading

/** What we hold of the deposit that the callback is for. */
export interface Held {
  readonly reference: string
  readonly currency: string
  readonly amount: number
  readonly transactionId?: string
}

/**
 * The field that does not match what we hold, or undefined when the callback may trigger a status
 * query.
 */
export type BindCallback = (
  callback: Callback,
  held: Held,
) => 'channel' | 'reference' | 'currency' | 'amount' | 'transaction_id' | undefined

/**
 * Whether the service itself signed another amount or currency than ours: no other cut of the
 * signed text fits the payment.
 */
export type SignsOtherSum = (callback: Callback, held: Held) => boolean
