// The tables as Kysely sees them. What is filtered, unique, leased or purged has a column; the rest
// of a record is JSON in `detail`, so that writing stays cheap and a new field needs no migration.
//
// The columns that records are read from are written once, as a row for an example: its type is the
// table's, and its keys are the columns. Statements list these by name: a later column must not
// change the result of a statement that another instance has prepared, because PostgreSQL would
// then refuse it and SQLite would put its values in the place of others.

const text: string = ''
const textOrNull = null as string | null
const integer: number = 0
const integerOrNull = null as number | null
const bytes: Uint8Array = new Uint8Array()

const columnsOf = <Example extends object>(example: Example) => Object.keys(example) as (keyof Example & string)[]

const deposit = {
  id: text,
  reference: text,
  phase: text,
  version: integer,
  amount: integer,
  currency: text,
  country: text,
  session_id: textOrNull,
  order_id: textOrNull,
  transaction_id: textOrNull,
  created_at: integer,
  updated_at: integer,
  settled_at: integerOrNull,
  due_at: integerOrNull,
  asks: integer,
  query_missing_since: integerOrNull,
  /** JSON; written once with the row, and later only ever removed. */
  payer: textOrNull,
  detail: text,
}

/** What is used only to look a deposit up, or read on its own. */
const besideDeposit = {
  /**
   * The phase as the payment list indexes it: `open` for `confirming` too, so that a callback
   * leaves this index untouched.
   */
  stage: text,
  /** The session while this attempt is live; unique, so that a session has at most one. */
  live_session: textOrNull,
  /**
   * The session once this attempt is credited; unique, so that a session is credited at most once.
   */
  credited_session: textOrNull,
  /**
   * The mode and the order once this attempt is credited; unique, so that an order is credited at
   * most once, in whatever session.
   */
  credited_order: textOrNull,
  /**
   * 0: in doubt, a customer who has paid may be waiting. 1: the rest. 2: had ended before a restore
   * woke it.
   */
  due_rank: integer,
  payer_phone: textOrNull,
  /**
   * What happened to it, one line of JSON per event: `[at, kind, phase, version, detail?]`. Kept in
   * the row itself, which each of these moves writes anyway: separate rows would cost a callback
   * two more scattered pages.
   */
  timeline: text,
  /** Why money of it is to be paid back: `duplicate` or `wrong_amount`. Once set, it stays. */
  owed: textOrNull,
}

type DepositTable = typeof deposit &
  typeof besideDeposit & {
    /**
     * PostgreSQL only: the change that last wrote the row, so that a writer that lost its
     * connection can find out whether it was its own.
     */
    change_id: string
  }
export const readOfDeposit = columnsOf(deposit)
export const writtenOfDeposit = [...readOfDeposit, ...columnsOf(besideDeposit)]

/** Lines written before schema 3; no longer written. */
const timeline = {
  deposit_id: text,
  at: integer,
  kind: text,
  phase: text,
  version: integer,
  detail: textOrNull,
}
export const readOfTimeline = columnsOf(timeline)

const notice = {
  id: text,
  deposit_id: text,
  type: text,
  body: text,
  created_at: integer,
  state: text,
  attempts: integer,
  due_at: integer,
  delivered_at: integerOrNull,
  last_error: textOrNull,
  traceparent: textOrNull,
  /** Made before a person had it sent again, from when on `attempts` counts anew. */
  earlier_attempts: integerOrNull,
}
export const readOfNotice = columnsOf(notice)

const idempotency = {
  key_hash: text,
  fingerprint: text,
  deposit_id: text,
  created_at: integer,
  answer: textOrNull,
}
export const readOfIdempotency = columnsOf(idempotency)

const session = {
  id: text,
  created_at: integer,
  expires_at: integer,
  payer: textOrNull,
  detail: text,
  /** Attempts that were started in it. */
  starts: integer,
  closed_at: integerOrNull,
}
export const readOfSession = columnsOf(session)

type SessionTable = typeof session & {
  /** The order while this is its session; unique, so that an order has at most one. */
  live_order: string | null
  payer_phone: string | null
}

const inbox = {
  id: text,
  received_at: integer,
  reference: text,
  deposit_id: textOrNull,
  body: bytes,
  verdict: text,
  due_at: integerOrNull,
}
export const readOfInbox = columnsOf(inbox)

/** What a payment is searched by (queries/search-terms.ts). */
interface FoundByTable {
  term: string
  created_at: number
  deposit_id: string
  /** All words of the payer's name, each after a space; for other terms empty. */
  words: string
}

/** A sign-in of the console. `id` is a hash of the cookie, `mark` of the password's hash. */
const signIn = {
  id: text,
  name: text,
  mark: text,
  created_at: integer,
  seen_at: integer,
  ends_at: integer,
}
export const readOfSignIn = columnsOf(signIn)

/** What a person of the shop did. */
const act = {
  id: text,
  at: integer,
  name: text,
  role: text,
  act: text,
  deposit_id: textOrNull,
  why: textOrNull,
  detail: textOrNull,
  result: text,
}
export const readOfAct = columnsOf(act)

const paidBack = {
  deposit_id: text,
  /** A day as 2026-11-28. */
  on_day: text,
  amount: integer,
  how: text,
  name: text,
  at: integer,
}
export const readOfPaidBack = columnsOf(paidBack)

/** A payment link of the console: its terms are those of its session. */
const link = {
  session_id: text,
  created_at: integer,
  name: text,
  language: text,
  closed_at: integerOrNull,
  closed_by: textOrNull,
  closed_why: textOrNull,
}
export const readOfLink = columnsOf(link)

interface CounterTable {
  name: string
  window_start: number
  used: number
  /** What the last take was granted. */
  granted: number
}

export interface Tables {
  deposits: DepositTable
  timeline: typeof timeline & { seq: number }
  notices: typeof notice
  idempotency: typeof idempotency
  sessions: SessionTable
  inbox: typeof inbox
  counters: CounterTable
  meta: { key: string; value: string }
  found_by: FoundByTable
  sign_ins: typeof signIn
  acts: typeof act
  paid_back: typeof paidBack
  links: typeof link
}

export type Values = Readonly<Record<string, unknown>>
export type Row = Record<string, unknown>
