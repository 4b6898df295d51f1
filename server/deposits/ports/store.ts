// The store port: what the companion needs from a database, and what each promise means. Adapters
// are beside it.
import type { CountryCode, CurrencyCode, DepositPhase, DepositStatus, Mode, NoticeType } from '../../contract/index.ts'
import type { Deposit, Session } from '../machine/deposit.ts'
import type { Search } from '../machine/search-terms.ts'
import type { DeskStore } from './desk-store.ts'

/** One thing that happened to a deposit; append-only. */
export interface TimelineRow {
  readonly depositId: string
  readonly at: number
  /** A `TimelineKind`, or a word of an earlier release. */
  readonly kind: string
  readonly phase: DepositPhase
  readonly version: number
  /** Never a secret, token or payer detail. */
  readonly detail?: string
}

/**
 * A message to the merchant's backend, waiting in the outbox. `id` is its permanent `webhook-id`.
 */
export interface NoticeRow {
  readonly id: string
  readonly depositId: string
  readonly type: NoticeType
  /** The exact JSON that is signed and sent, identical at every attempt. */
  readonly body: string
  readonly createdAt: number
  readonly state: 'waiting' | 'delivered' | 'dead'
  /** By which it is tried again and given up: made since a person last had it sent again. */
  readonly attempts: number
  /** Those before that. */
  readonly earlierAttempts?: number
  readonly dueAt: number
  readonly deliveredAt?: number
  readonly lastError?: string
  /** Sent with it: the trace that its payment belongs to. */
  readonly traceparent?: string
}

/**
 * The stored response for one Idempotency-Key. `answer` is the JSON of the first answer, once there
 * is one. `depositId`: of a key of a session, its id.
 */
export interface IdempotencyRow {
  /**
   * What is stored of the key (deposits/identity.ts, keyHashOf): the key itself is a capability of
   * the browser.
   */
  readonly keyHash: string
  /** SHA-256 (hex) of the canonical body. */
  readonly fingerprint: string
  readonly depositId: string
  readonly createdAt: number
  readonly answer?: string
}

/** A genuine callback as received. Stored before 200 is answered (money rule 2). */
export interface InboxRow {
  /**
   * For the first callback that moves a deposit: time and random bits, so that new rows are
   * adjacent. For all others the reference and SHA-256 (hex) over the content, so that a repeat is
   * the same row.
   */
  readonly id: string
  readonly receivedAt: number
  readonly reference: string
  readonly depositId?: string
  readonly body: Uint8Array
  /**
   * `rang`: it concerned a deposit; `unmatched`: reference not known yet; `wrong_fields`: hash
   * valid, fields not.
   */
  readonly verdict: 'rang' | 'unmatched' | 'wrong_fields'
  /** Set for `unmatched`: when to try to match again. */
  readonly dueAt?: number
}

export interface DepositWrite {
  readonly row: Deposit
  /** The version the row must have now; `new` inserts it. */
  readonly expect: number | 'new'
  /** The row as it was read at `expect`. When given, unchanged fields need not be written. */
  readonly before?: Deposit
}

/** Everything one step writes: all or nothing, in one transaction (money rule 8). */
export interface Change {
  readonly deposit?: DepositWrite
  /** Lines of the deposit in this change. */
  readonly timeline?: readonly TimelineRow[]
  readonly notices?: readonly NoticeRow[]
  readonly idempotency?: IdempotencyRow
  /** Stores the first answer of a key; an existing answer is kept. */
  readonly answer?: { readonly keyHash: string; readonly answer: string }
  /** Insert: from now on the session of its order. */
  readonly session?: Session
  /**
   * Counts an attempt that is started in the session: a `version` conflict if it was closed since
   * it was read, or another attempt came first.
   */
  readonly startIn?: Pick<Session, 'id' | 'starts'>
  /**
   * Ends the session's part as the one of its order: a `version` conflict if it has changed since
   * it was read.
   */
  readonly close?: { readonly session: Pick<Session, 'id' | 'starts'>; readonly at: number }
  /** Insert; an existing id is left alone and is no conflict. */
  readonly inbox?: InboxRow
}

/**
 * Why nothing was written. `version`: another writer moved a deposit or changed a session first:
 * read again, decide again. `idempotency`: the key exists. `live`: the session has a live attempt.
 * `credited`: the session or its order has a credited success. `order`: the order has another
 * session. `transaction`: another deposit holds this transactionId (tripwire: review).
 * `duplicate_id`: an id or reference exists.
 */
export type ConflictKind = 'version' | 'idempotency' | 'live' | 'credited' | 'order' | 'transaction' | 'duplicate_id'

export type Applied = { readonly applied: true } | { readonly applied: false; readonly conflict: ConflictKind }

/** The place of a row in the list of payments, or in the results of a search. */
export interface PaymentPosition {
  /** Of a search: the term of that row (search-terms.ts, termIn). */
  readonly term?: string
  readonly createdAt: number
  readonly id: string
}

export interface PaymentFilter {
  readonly limit: number
  /** The last row seen, after which the page starts. Newest first. */
  readonly after?: PaymentPosition
  /** Results are sorted by term, creation time and id, the greatest first. */
  readonly search?: Search
  /** Of a search: the last position that is looked at (Store.searchEnd). */
  readonly upTo?: PaymentPosition
  readonly status?: DepositStatus
  readonly phase?: DepositPhase
  readonly currency?: CurrencyCode
  readonly country?: CountryCode
  readonly orderId?: string
  readonly sessionId?: string
  readonly reference?: string
  readonly from?: number
  readonly to?: number
}

/** `row`: the durable row, when this instance wrote it. */
export type OnChange = (depositId: string, version: number, row?: Deposit) => void

/** Kinds of work that have a due time. */
export type WorkKind = 'deposits' | 'notices' | 'inbox'

/** Figures for /metrics and /readyz. */
export interface StoreStats {
  /**
   * Only phases that can still change by themselves; ended deposits are counted by the process that
   * ended them, not by reading millions of rows. A deposit that is `confirming` but has no due time
   * counts as `open`.
   */
  readonly depositsByPhase: Readonly<Partial<Record<DepositPhase, number>>>
  readonly noticesWaiting: number
  readonly noticesDead: number
  readonly inboxUnmatched: number
  /** dueAt of the due deposit that has waited longest, if any. */
  readonly oldestDueAt?: number
}

/**
 * Durable state. Every promise that resolves after a write means: on disk, survives power loss
 * (SQLite WAL with synchronous=FULL, PostgreSQL synchronous_commit=on). A write that rejects may or
 * may not have happened: read again by your own key before you decide. Reads see all acknowledged
 * writes.
 */
export interface Store {
  /**
   * Writes a change whole or not at all, then calls the listeners of `onChange` for the deposit in
   * it. Unique rules enforced here: deposit id and reference; one live deposit per session (isLive
   * phases); one `succeeded` and not `duplicate` per session, and per order of one mode; one
   * session per order; transactionId over deposits that have one; idempotency key. When several
   * rules are broken any may be named, but `idempotency` takes precedence. After the first write
   * reference, amount, currency, country, session, order, creation time and payer of a deposit
   * never change, whatever a later change says.
   */
  apply(change: Change): Promise<Applied>

  deposit(id: string): Promise<Deposit | undefined>
  depositByReference(reference: string): Promise<Deposit | undefined>
  liveDeposit(sessionId: string): Promise<Deposit | undefined>
  creditedDeposit(sessionId: string): Promise<Deposit | undefined>
  session(id: string): Promise<Session | undefined>
  /** The one session of the order. */
  sessionOfOrder(orderId: string): Promise<Session | undefined>
  /**
   * The payment that says where an order stands: a succeeded one, else one that can still be paid,
   * in whatever session.
   */
  orderPayment(orderId: string, mode: Mode): Promise<Deposit | undefined>
  /** The attempts of an order that are live (isLive), in whatever session. */
  liveOfOrder(orderId: string, mode: Mode): Promise<readonly Deposit[]>
  idempotency(keyHash: string): Promise<IdempotencyRow | undefined>
  timeline(depositId: string): Promise<readonly TimelineRow[]>
  payments(filter: PaymentFilter): Promise<readonly Deposit[]>
  /**
   * Where a filtered search ends that looks at `limit` rows, found or not: else one that finds
   * little would look at all payments. Undefined where it need not end before it is through.
   */
  searchEnd(filter: PaymentFilter): Promise<PaymentPosition | undefined>

  /**
   * Leases up to `limit` due deposits to this process: their dueAt moves to `leaseUntil`, so that
   * no other instance takes them meanwhile and a crash releases them. Deposits in doubt
   * (`creating`, `unknown`, `confirming`) come first; of the rest at most `others` are leased
   * (default: no such limit). Among the rest, those that had ended when `wakeDeposits` woke them
   * come last, except that up to `ended` of them come first (default 0). Oldest due first.
   */
  leaseDeposits(
    now: number,
    leaseUntil: number,
    limit: number,
    shares?: { readonly others?: number; readonly ended?: number },
  ): Promise<readonly Deposit[]>
  /**
   * Sets when to ask next, without touching version or anything visible. A no-op if the version or
   * due time changed since the deposit was read: a callback may have asked for sooner, or another
   * instance may have leased it.
   */
  reschedule(
    read: Pick<Deposit, 'id' | 'version' | 'dueAt'>,
    next: Pick<Deposit, 'dueAt' | 'asks' | 'queryMissingSince'>,
  ): Promise<void>
  /**
   * Makes every deposit that is not absorbing and was created after `since` due now, and raises its
   * version above all that was told of it, also after an earlier restore, which had an earlier
   * `now`; returns how many. Of those created before that which are live (isLive), or abandoned and
   * still due at some time, only the version rises. Used after a restore.
   */
  wakeDeposits(since: number, now: number): Promise<number>

  leaseNotices(now: number, leaseUntil: number, limit: number): Promise<readonly NoticeRow[]>
  /**
   * Stores the outcome of one attempt at a leased notice. A no-op once the notice was delivered, or
   * when its attempt count changed meanwhile: another instance made an attempt, or somebody had it
   * sent again.
   */
  updateNotice(
    leased: Pick<NoticeRow, 'id' | 'attempts'>,
    outcome: Pick<NoticeRow, 'state' | 'attempts' | 'dueAt'> & { deliveredAt?: number; lastError?: string },
  ): Promise<void>
  notices(depositId: string): Promise<readonly NoticeRow[]>
  /**
   * Puts the notices of a payment back to `waiting`, due now; their attempts are earlier ones from
   * then on. Returns how many.
   */
  requeueNotices(depositId: string, now: number): Promise<number>

  leaseInbox(now: number, leaseUntil: number, limit: number): Promise<readonly InboxRow[]>
  /** Ends the waiting of an unmatched callback. */
  updateInbox(id: string, verdict: InboxRow['verdict'], depositId: string | undefined): Promise<void>

  /**
   * Brings due times later than `after` forward by `by` ms, but not before `now`; returns how many.
   * For a clock that was set back.
   */
  hasten(kind: WorkKind, after: number, by: number, now: number): Promise<number>

  /**
   * Shared counters: takes up to `want` of what is left of `limit` in the window that starts at
   * `windowStart` (ms) under `name`, and returns how many were granted. All instances on one
   * database share them. The first word of a name is its kind: windows of one kind have one length.
   */
  take(name: string, windowStart: number, want: number, limit: number): Promise<number>

  /**
   * Removes payer details of deposits settled or abandoned before `before`, or unsettled and
   * created more than 30 days before it; and of sessions that expired before it. Amounts,
   * references and results stay. Returns how many deposits.
   */
  purgePayers(before: number): Promise<number>
  /**
   * Removes payer details of every deposit and session with this phone number (digits with the
   * country code; for sessions also as dialled nationally), the bodies of these deposits' callbacks
   * and the answers of their idempotency keys. Returns how many deposits.
   */
  forgetPhone(phone: string): Promise<number>
  /**
   * Whether the database's log holds nothing of what these methods erased: one that still does is
   * emptied, unless another program reads it just now.
   */
  emptyLog(): Promise<boolean>
  /**
   * Removes old answers of idempotency keys (the keys stay), callbacks that are not waiting, and
   * counters. Returns how many answers and callbacks.
   */
  purgeOld(before: number): Promise<number>

  stats(): Promise<StoreStats>
  /**
   * Small durable facts of the installation, such as when it was restored and when the last
   * callback came.
   */
  meta(key: string): Promise<string | undefined>
  setMeta(key: string, value: string): Promise<void>

  /**
   * Calls `listener` after a deposit changed, here or on another instance. A call may be lost,
   * repeated or late; listeners read the row for the truth, unless they are given it. Returns a
   * function that stops listening.
   */
  onChange(listener: OnChange): () => void

  /** What the people of the shop need of it. The models of tests have none. */
  readonly desk?: DeskStore

  /** Resolves when a write succeeds now, rejects otherwise; used by /readyz. */
  ping(): Promise<void>
  close(): Promise<void>
}
