// Maps records to rows and rows to records.
import type { DepositPhase, Mode } from '../contract/index.ts'
import type { Deposit, PayerDetails, Session } from '../deposits/deposit.ts'
import { isInDoubt, isLive } from '../deposits/phases.ts'
import type { IdempotencyRow, InboxRow, NoticeRow, TimelineRow } from './store.ts'
import type {
  DepositTable,
  IdempotencyTable,
  InboxTable,
  NoticeTable,
  Row,
  SessionTable,
  TimelineTable,
  Values,
} from './tables.ts'

function payerColumns(payer: PayerDetails | undefined): { payer: string | null; payer_phone: string | null } {
  return { payer: payer === undefined ? null : JSON.stringify(payer), payer_phone: payer?.phone ?? null }
}

/** Fields with a column of their own; the rest go to `detail`. */
const COLUMNS: ReadonlySet<string> = new Set<keyof Deposit>([
  'id',
  'reference',
  'phase',
  'version',
  'amount',
  'currency',
  'country',
  'sessionId',
  'orderId',
  'transactionId',
  'createdAt',
  'updatedAt',
  'settledAt',
  'dueAt',
  'asks',
  'queryMissingSince',
  'payer',
])

function detailOf(deposit: Deposit): string {
  const detail: Record<string, unknown> = {}
  for (const name in deposit) if (!COLUMNS.has(name)) detail[name] = deposit[name as keyof Deposit]
  return JSON.stringify(detail)
}

/** The stage under which the payment list indexes a phase. Payments often move between `open` and `confirming`, so both share one. */
export function stageOf(phase: DepositPhase): DepositPhase {
  return phase === 'confirming' ? 'open' : phase
}

/** Lease priority of due deposits; lower goes first. */
function dueRankOf(phase: DepositPhase): 0 | 1 {
  return isInDoubt(phase) ? 0 : 1
}

/** The order that a credited deposit pays. A test and a live payment, told apart by the start of their references, may have one order number. */
function creditedOrderOf({ reference, orderId }: Pick<Deposit, 'reference' | 'orderId'>): string | null {
  return orderId === undefined ? null : `${reference.slice(0, 3)} ${orderId}`
}

/** How the references of a mode begin (deposits/identity.ts). */
export const referenceStart = (mode: Mode): string => (mode === 'live' ? 'HCL' : 'HCT')

/** @param timeline lines to append, as returned by `timelineText` */
export function depositValues(deposit: Deposit, timeline: string): Values {
  const { id, reference, phase, version, amount, currency, country, sessionId, orderId, transactionId } = deposit
  const { createdAt, updatedAt, settledAt, dueAt, asks, queryMissingSince, payer } = deposit
  const session = sessionId ?? null
  const live = isLive(phase)
  const credited = phase === 'succeeded' && !deposit.duplicate
  return {
    id,
    reference,
    phase,
    stage: stageOf(phase),
    version,
    amount,
    currency,
    country,
    asks,
    session_id: session,
    order_id: orderId ?? null,
    transaction_id: transactionId ?? null,
    live_session: live ? session : null,
    credited_session: credited ? session : null,
    credited_order: credited ? creditedOrderOf(deposit) : null,
    is_live: live ? 1 : 0,
    is_credited: credited ? 1 : 0,
    created_at: createdAt,
    updated_at: updatedAt,
    settled_at: settledAt ?? null,
    due_at: dueAt ?? null,
    due_rank: dueRankOf(phase),
    query_missing_since: queryMissingSince ?? null,
    ...payerColumns(payer),
    detail: detailOf(deposit),
    timeline,
  }
}

/** The columns that may change while a deposit's session fields stay the same: enough for most moves, and half the indexes. */
export function movedValues(deposit: Deposit, timeline: string): Values {
  return {
    id: deposit.id,
    phase: deposit.phase,
    version: deposit.version,
    updated_at: deposit.updatedAt,
    asks: deposit.asks,
    due_at: deposit.dueAt ?? null,
    due_rank: dueRankOf(deposit.phase),
    query_missing_since: deposit.queryMissingSince ?? null,
    detail: detailOf(deposit),
    timeline,
  }
}

type Open<T> = { -readonly [K in keyof T]: T[K] }

export function depositOf(source: Row): Deposit {
  const row = source as unknown as DepositTable
  const deposit = JSON.parse(row.detail) as Open<Deposit>
  deposit.id = row.id
  deposit.reference = row.reference
  deposit.phase = row.phase as Deposit['phase']
  deposit.version = row.version
  deposit.amount = row.amount
  deposit.currency = row.currency as Deposit['currency']
  deposit.country = row.country as Deposit['country']
  deposit.createdAt = row.created_at
  deposit.updatedAt = row.updated_at
  deposit.asks = row.asks
  if (row.session_id !== null) deposit.sessionId = row.session_id
  if (row.order_id !== null) deposit.orderId = row.order_id
  if (row.transaction_id !== null) deposit.transactionId = row.transaction_id
  if (row.settled_at !== null) deposit.settledAt = row.settled_at
  if (row.due_at !== null) deposit.dueAt = row.due_at
  if (row.query_missing_since !== null) deposit.queryMissingSince = row.query_missing_since
  if (row.payer !== null) deposit.payer = JSON.parse(row.payer) as PayerDetails
  return deposit
}

export function sessionValues(session: Session): Values {
  const { id, createdAt, expiresAt, payer, starts = 0, closedAt, ...detail } = session
  return {
    id,
    live_order: closedAt === undefined ? session.orderId : null,
    starts,
    closed_at: closedAt ?? null,
    created_at: createdAt,
    expires_at: expiresAt,
    ...payerColumns(payer),
    detail: JSON.stringify(detail),
  }
}

export function sessionOf(source: Row): Session {
  const row = source as unknown as SessionTable
  const session = JSON.parse(row.detail) as Open<Session>
  session.id = row.id
  session.createdAt = row.created_at
  session.expiresAt = row.expires_at
  if (row.starts > 0) session.starts = row.starts
  if (row.closed_at !== null) session.closedAt = row.closed_at
  if (row.payer !== null) session.payer = JSON.parse(row.payer) as PayerDetails
  return session
}

/** Serialises the lines of one deposit for its row. */
export function timelineText(lines: readonly TimelineRow[]): string {
  let text = ''
  for (const { at, kind, phase, version, detail } of lines)
    text += `${JSON.stringify([at, kind, phase, version, detail])}\n`
  return text
}

type Line = readonly [at: number, kind: string, phase: DepositPhase, version: number, detail: string | null]

export function timelineIn(text: string, depositId: string): TimelineRow[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [at, kind, phase, version, detail] = JSON.parse(line) as Line
      return { depositId, at, kind, phase, version, ...(detail === null ? {} : { detail }) }
    })
}

/** A line written before schema 3. */
export function timelineOf(source: Row): TimelineRow {
  const row = source as unknown as TimelineTable
  const { deposit_id: depositId, at, kind, version, detail } = row
  return {
    depositId,
    at,
    kind,
    phase: row.phase as TimelineRow['phase'],
    version,
    ...(detail === null ? {} : { detail }),
  }
}

export function noticeValues(row: NoticeRow): Values {
  return {
    id: row.id,
    deposit_id: row.depositId,
    type: row.type,
    body: row.body,
    created_at: row.createdAt,
    state: row.state,
    attempts: row.attempts,
    due_at: row.dueAt,
    delivered_at: row.deliveredAt ?? null,
    last_error: row.lastError ?? null,
  }
}

export function noticeOf(source: Row): NoticeRow {
  const row = source as unknown as NoticeTable
  return {
    id: row.id,
    depositId: row.deposit_id,
    type: row.type as NoticeRow['type'],
    body: row.body,
    createdAt: row.created_at,
    state: row.state as NoticeRow['state'],
    attempts: row.attempts,
    dueAt: row.due_at,
    ...(row.delivered_at === null ? {} : { deliveredAt: row.delivered_at }),
    ...(row.last_error === null ? {} : { lastError: row.last_error }),
  }
}

export function idempotencyValues(row: IdempotencyRow): Values {
  return {
    key_hash: row.keyHash,
    fingerprint: row.fingerprint,
    deposit_id: row.depositId,
    created_at: row.createdAt,
    answer: row.answer ?? null,
  }
}

export function idempotencyOf(source: Row): IdempotencyRow {
  const row = source as unknown as IdempotencyTable
  return {
    keyHash: row.key_hash,
    fingerprint: row.fingerprint,
    depositId: row.deposit_id,
    createdAt: row.created_at,
    ...(row.answer === null ? {} : { answer: row.answer }),
  }
}

export function inboxValues(row: InboxRow): Values {
  return {
    id: row.id,
    received_at: row.receivedAt,
    reference: row.reference,
    deposit_id: row.depositId ?? null,
    // Both drivers accept a Buffer but no other byte array.
    body: Buffer.from(row.body.buffer, row.body.byteOffset, row.body.byteLength),
    verdict: row.verdict,
    due_at: row.dueAt ?? null,
  }
}

export function inboxOf(source: Row): InboxRow {
  const row = source as unknown as InboxTable
  return {
    id: row.id,
    receivedAt: row.received_at,
    reference: row.reference,
    body: new Uint8Array(row.body.buffer, row.body.byteOffset, row.body.byteLength),
    verdict: row.verdict as InboxRow['verdict'],
    ...(row.deposit_id === null ? {} : { depositId: row.deposit_id }),
    ...(row.due_at === null ? {} : { dueAt: row.due_at }),
  }
}
