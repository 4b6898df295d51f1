// The tables as Kysely sees them. What is filtered, unique, leased or purged has a column; the rest
// of a record is JSON in `detail`, so that writing stays cheap and a new field needs no migration.

export interface DepositTable {
  id: string
  reference: string
  phase: string
  /**
   * The phase as the payment list indexes it: `open` for `confirming` too, so that a callback
   * leaves this index untouched.
   */
  stage: string
  version: number
  amount: number
  currency: string
  country: string
  session_id: string | null
  order_id: string | null
  transaction_id: string | null
  /** The session while this attempt is live; unique, so that a session has at most one. */
  live_session: string | null
  /**
   * The session once this attempt is credited; unique, so that a session is credited at most once.
   */
  credited_session: string | null
  /**
   * The mode and the order once this attempt is credited; unique, so that an order is credited at
   * most once, in whatever session.
   */
  credited_order: string | null
  created_at: number
  updated_at: number
  settled_at: number | null
  due_at: number | null
  /**
   * 0: in doubt, a customer who has paid may be waiting. 1: the rest. 2: had ended before a restore
   * woke it.
   */
  due_rank: number
  asks: number
  query_missing_since: number | null
  /** JSON; written once with the row, and later only ever removed. */
  payer: string | null
  payer_phone: string | null
  detail: string
  /**
   * What happened to it, one line of JSON per event: `[at, kind, phase, version, detail?]`. Kept in
   * the row itself, which each of these moves writes anyway: separate rows would cost a callback
   * two more scattered pages.
   */
  timeline: string
  /** Why money of it is to be paid back: `duplicate` or `wrong_amount`. Once set, it stays. */
  owed: string | null
  /**
   * PostgreSQL only: the change that last wrote the row, so that a writer that lost its connection
   * can find out whether it was its own.
   */
  change_id: string
}

// The columns each record is read from. Listed by name: a later column must not change the result
// of a statement that another instance has prepared, because PostgreSQL would then refuse it and
// SQLite would put its values in the place of others.

export const readOfDeposit = [
  'id',
  'reference',
  'phase',
  'version',
  'amount',
  'currency',
  'country',
  'session_id',
  'order_id',
  'transaction_id',
  'created_at',
  'updated_at',
  'settled_at',
  'due_at',
  'asks',
  'query_missing_since',
  'payer',
  'detail',
] as const satisfies readonly (keyof DepositTable)[]

/** Lines written before schema 3; no longer written. */
export interface TimelineTable {
  seq: number
  deposit_id: string
  at: number
  kind: string
  phase: string
  version: number
  detail: string | null
}

export const readOfTimeline = [
  'deposit_id',
  'at',
  'kind',
  'phase',
  'version',
  'detail',
] as const satisfies readonly (keyof TimelineTable)[]

export interface NoticeTable {
  id: string
  deposit_id: string
  type: string
  body: string
  created_at: number
  state: string
  attempts: number
  due_at: number
  delivered_at: number | null
  last_error: string | null
  traceparent: string | null
}

export const readOfNotice = [
  'id',
  'deposit_id',
  'type',
  'body',
  'created_at',
  'state',
  'attempts',
  'due_at',
  'delivered_at',
  'last_error',
  'traceparent',
] as const satisfies readonly (keyof NoticeTable)[]

export interface IdempotencyTable {
  key_hash: string
  fingerprint: string
  deposit_id: string
  created_at: number
  answer: string | null
}

export const readOfIdempotency = [
  'key_hash',
  'fingerprint',
  'deposit_id',
  'created_at',
  'answer',
] as const satisfies readonly (keyof IdempotencyTable)[]

export interface SessionTable {
  id: string
  /** The order while this is its session; unique, so that an order has at most one. */
  live_order: string | null
  /** Attempts that were started in it. */
  starts: number
  closed_at: number | null
  created_at: number
  expires_at: number
  payer: string | null
  payer_phone: string | null
  detail: string
}

export const readOfSession = [
  'id',
  'created_at',
  'expires_at',
  'payer',
  'detail',
  'starts',
  'closed_at',
] as const satisfies readonly (keyof SessionTable)[]

export interface InboxTable {
  id: string
  received_at: number
  reference: string
  deposit_id: string | null
  body: Uint8Array
  verdict: string
  due_at: number | null
}

export const readOfInbox = [
  'id',
  'received_at',
  'reference',
  'deposit_id',
  'body',
  'verdict',
  'due_at',
] as const satisfies readonly (keyof InboxTable)[]

/** What a payment is searched by (queries/search-terms.ts). */
export interface FoundByTable {
  term: string
  created_at: number
  deposit_id: string
  /** All words of the payer's name, each after a space; for other terms empty. */
  words: string
}

/** A sign-in of the console. `id` is a hash of the cookie, `mark` of the password's hash. */
export interface SignInTable {
  id: string
  name: string
  mark: string
  created_at: number
  seen_at: number
  ends_at: number
}

export const readOfSignIn = [
  'id',
  'name',
  'mark',
  'created_at',
  'seen_at',
  'ends_at',
] as const satisfies readonly (keyof SignInTable)[]

/** What a person of the shop did. */
export interface ActTable {
  id: string
  at: number
  name: string
  role: string
  act: string
  deposit_id: string | null
  why: string | null
  detail: string | null
  result: string
}

export const readOfAct = [
  'id',
  'at',
  'name',
  'role',
  'act',
  'deposit_id',
  'why',
  'detail',
  'result',
] as const satisfies readonly (keyof ActTable)[]

export interface PaidBackTable {
  deposit_id: string
  /** A day as 2026-11-28. */
  on_day: string
  amount: number
  how: string
  name: string
  at: number
}

export const readOfPaidBack = [
  'deposit_id',
  'on_day',
  'amount',
  'how',
  'name',
  'at',
] as const satisfies readonly (keyof PaidBackTable)[]

/** A payment link of the console: its terms are those of its session. */
export interface LinkTable {
  session_id: string
  created_at: number
  name: string
  language: string
  closed_at: number | null
  closed_by: string | null
  closed_why: string | null
}

export const readOfLink = [
  'session_id',
  'created_at',
  'name',
  'language',
  'closed_at',
  'closed_by',
  'closed_why',
] as const satisfies readonly (keyof LinkTable)[]

export interface CounterTable {
  name: string
  window_start: number
  used: number
  /** What the last take was granted. */
  granted: number
}

export interface MetaTable {
  key: string
  value: string
}

export interface Tables {
  deposits: DepositTable
  timeline: TimelineTable
  notices: NoticeTable
  idempotency: IdempotencyTable
  sessions: SessionTable
  inbox: InboxTable
  counters: CounterTable
  meta: MetaTable
  found_by: FoundByTable
  sign_ins: SignInTable
  acts: ActTable
  paid_back: PaidBackTable
  links: LinkTable
}

export type Values = Readonly<Record<string, unknown>>
export type Row = Record<string, unknown>
