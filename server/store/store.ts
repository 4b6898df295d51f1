// The store port: what the companion needs of a database, and what each promise means. Adapters sit beside it.
import type { CountryCode, CurrencyCode, DepositPhase, DepositStatus, NoticeType } from '../contract/index.ts'
import type { Deposit, Session } from '../deposits/deposit.ts'

/** One thing that happened to a deposit; append-only. */
export interface TimelineRow {
  readonly depositId: string
  readonly at: number
  readonly kind: string
  readonly phase: DepositPhase
  readonly version: number
  /** Never a secret, token or payer detail. */
  readonly detail?: string
}

/** A message to the merchant's backend, waiting in the outbox. `id` is its `webhook-id` for ever. */
export interface NoticeRow {
  readonly id: string
  readonly depositId: string
  readonly type: NoticeType
  /** The exact JSON that is signed and sent, the same at every attempt. */
  readonly body: string
  readonly createdAt: number
  readonly state: 'waiting' | 'delivered' | 'dead'
  readonly attempts: number
  readonly dueAt: number
  readonly deliveredAt?: number
  readonly lastError?: string
}

/** The promise made for one Idempotency-Key. `answer` is the JSON of the first answer, once there is one. */
export interface IdempotencyRow {
  /** SHA-256 (hex) of the key: the key itself is a capability of the browser. */
  readonly keyHash: string
  /** SHA-256 (hex) of the canonical body. */
  readonly fingerprint: string
  readonly depositId: string
  readonly createdAt: number
  readonly answer?: string
}

/** A genuine callback as it came. Kept before 200 (money rule 2). */
export interface InboxRow {
  /**
   * Of the first that moves a deposit: time and chance, so that new rows stand together. Of all others the reference, and SHA-256 (hex) over
   * what it says: a repeat is the same row.
   */
  readonly id: string
  readonly receivedAt: number
  readonly reference: string
  readonly depositId?: string
  readonly body: Uint8Array
  /** `rang`: it concerned a deposit; `unmatched`: reference not known yet; `wrong_fields`: hash valid, fields not. */
  readonly verdict: 'rang' | 'unmatched' | 'wrong_fields'
  /** Set for `unmatched`: when to try to match again. */
  readonly dueAt?: number
}

export interface DepositWrite {
  readonly row: Deposit
  /** The version the row must have now; `new` inserts it. */
  readonly expect: number | 'new'
  /** The row as it was read at `expect`. With it, what is the same in both need not be written. */
  readonly before?: Deposit
}

/** Everything one step writes: all of it or nothing, in one transaction (money rule 8). */
export interface Change {
  readonly deposits?: readonly DepositWrite[]
  /** Of the deposits in this change. */
  readonly timeline?: readonly TimelineRow[]
  readonly notices?: readonly NoticeRow[]
  readonly idempotency?: IdempotencyRow
  /** Stores the first answer of a key; keeps an answer that is there already. */
  readonly answer?: { readonly keyHash: string; readonly answer: string }
  readonly session?: Session
  /** Insert; an id that is there already is left alone and is no conflict. */
  readonly inbox?: InboxRow
}

/**
 * Why nothing was written.
 * `version`: another writer moved a deposit first: read again, decide again.
 * `idempotency`: the key exists. `live`: the session has a live attempt. `credited`: the session has a credited success.
 * `transaction`: another deposit holds this transactionId (tripwire: review). `duplicate_id`: an id or reference exists.
 */
export type ConflictKind = 'version' | 'idempotency' | 'live' | 'credited' | 'transaction' | 'duplicate_id'

export type Applied = { readonly applied: true } | { readonly applied: false; readonly conflict: ConflictKind }

export interface PaymentFilter {
  readonly limit: number
  /** Position after which the page starts: createdAt and id of the last row seen. Newest first. */
  readonly after?: { readonly createdAt: number; readonly id: string }
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

/** `row` is what was written, durable, when it was written by this instance. */
export type OnChange = (depositId: string, version: number, row?: Deposit) => void

/** What waits for a due time. */
export type Waiting = 'deposits' | 'notices' | 'inbox'

/** Figures for /metrics and /readyz. */
export interface StoreStats {
  /**
   * Phases that still may move by themselves; what has ended is counted by the process that ended it, not by reading millions of rows.
   * One that is `confirming` and for which nothing is due any more counts as `open`.
   */
  readonly depositsByPhase: Readonly<Partial<Record<DepositPhase, number>>>
  readonly noticesWaiting: number
  readonly noticesDead: number
  readonly inboxUnmatched: number
  /** dueAt of the longest waiting due deposit, if any. */
  readonly oldestDueAt?: number
}

/**
 * Durable state. Every promise that resolves after a write means: on disk, survives power loss
 * (SQLite WAL with synchronous=FULL, PostgreSQL synchronous_commit=on). A write that rejects may or may not have
 * happened: read again by your own key before you decide. Reads see all acknowledged writes.
 */
export interface Store {
  /**
   * Writes a change whole or not at all, then rings the bell for each deposit in it.
   * Unique rules enforced here: deposit id and reference; one live deposit per session (isLive phases);
   * one `succeeded` and not `duplicate` per session; transactionId over deposits that have one; idempotency key.
   * Of several broken rules any is named, but `idempotency` before all others. After the first write reference, amount, currency,
   * country, session, order, creation time and payer of a deposit never change, whatever a later change says.
   */
  apply(change: Change): Promise<Applied>

  deposit(id: string): Promise<Deposit | undefined>
  depositByReference(reference: string): Promise<Deposit | undefined>
  liveDeposit(sessionId: string): Promise<Deposit | undefined>
  creditedDeposit(sessionId: string): Promise<Deposit | undefined>
  session(id: string): Promise<Session | undefined>
  idempotency(keyHash: string): Promise<IdempotencyRow | undefined>
  timeline(depositId: string): Promise<readonly TimelineRow[]>
  payments(filter: PaymentFilter): Promise<readonly Deposit[]>

  /**
   * Takes up to `limit` due deposits for this process: their dueAt moves to `leaseUntil`, so that no other instance
   * takes them meanwhile and a crash gives them back. Those whose outcome is in doubt (`creating`, `unknown`, `confirming`) before all
   * others, of which there are `others` at most (default: no such limit). Among these, those that had ended when `wakeDeposits` woke them
   * come last, but for `ended` of them that come first (default 0); oldest due first.
   */
  leaseDeposits(
    now: number,
    leaseUntil: number,
    limit: number,
    others?: number,
    ended?: number,
  ): Promise<readonly Deposit[]>
  /**
   * Sets when to ask next, without touching version or anything visible. A no-op if the version or the due time of the deposit as it was read
   * moved meanwhile: a callback may have asked for sooner, or another instance have leased it.
   */
  reschedule(
    read: Pick<Deposit, 'id' | 'version' | 'dueAt'>,
    next: Pick<Deposit, 'dueAt' | 'asks' | 'queryMissingSince'>,
  ): Promise<void>
  /** Makes every deposit that is not absorbing and was created after `since` due now; answers how many. Used after a restore. */
  wakeDeposits(since: number, now: number): Promise<number>

  leaseNotices(now: number, leaseUntil: number, limit: number): Promise<readonly NoticeRow[]>
  /**
   * Outcome of one attempt at the notice as it was leased. A no-op once the notice was delivered, or when its attempts have moved meanwhile:
   * another instance made one, or a person had it sent again.
   */
  updateNotice(
    leased: Pick<NoticeRow, 'id' | 'attempts'>,
    outcome: Pick<NoticeRow, 'state' | 'attempts' | 'dueAt'> & { deliveredAt?: number; lastError?: string },
  ): Promise<void>
  notices(depositId: string): Promise<readonly NoticeRow[]>
  notice(id: string): Promise<NoticeRow | undefined>
  /** Puts notices back to `waiting`, due now, with no attempts made: those of a payment, or all dead ones. Answers how many. */
  requeueNotices(which: { depositId: string } | 'dead', now: number): Promise<number>

  leaseInbox(now: number, leaseUntil: number, limit: number): Promise<readonly InboxRow[]>
  /** Ends the waiting of an unmatched callback (`dueAt` undefined), or puts it off. */
  updateInbox(
    id: string,
    verdict: InboxRow['verdict'],
    depositId: string | undefined,
    dueAt: number | undefined,
  ): Promise<void>

  /** What waits until later than `after` is due `by` ms sooner, but not before `now`; answers how many. For a clock that was set back. */
  hasten(waiting: Waiting, after: number, by: number, now: number): Promise<number>

  /**
   * Shared counters: takes up to `want` of what is left of `limit` in the window that starts at `windowStart`
   * (ms) under `name`, and answers how many were granted. All instances of one database share them.
   */
  take(name: string, windowStart: number, want: number, limit: number): Promise<number>

  /**
   * Removes payer details of deposits settled or abandoned before `before`, or not settled and created 30 days before it; and of sessions that
   * expired before it. Money facts stay. Answers how many deposits.
   */
  purgePayers(before: number): Promise<number>
  /**
   * Removes payer details of every deposit and session with this phone number (digits with the country code; of sessions also as it is dialled
   * at home), the bodies of these deposits' callbacks and the answers of their idempotency keys. Answers how many deposits.
   */
  forgetPhone(phone: string): Promise<number>
  /** Removes old answers of idempotency keys (the keys stay), callbacks that wait for nothing, and counters. Answers how many answers and callbacks. */
  purgeOld(before: number): Promise<number>

  stats(): Promise<StoreStats>
  /** Small durable facts of the installation (schema, "restored at", key fingerprints). */
  meta(key: string): Promise<string | undefined>
  setMeta(key: string, value: string): Promise<void>

  /**
   * The bell: called after a deposit changed, here or on another instance. It may be lost or come twice, or late;
   * listeners read the row for the truth, unless they are given it. Answers a function that stops listening.
   */
  onChange(listener: OnChange): () => void

  /** True when a write would succeed now; used by /readyz. */
  ping(): Promise<void>
  close(): Promise<void>
}
