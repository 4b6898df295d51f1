// Maps records to rows and rows to records.
import type { DepositPhase, Mode } from '../../contract/index.ts'
import type { Deposit, PayerDetails, Session } from '../../deposits/machine/deposit.ts'
import { isInDoubt, isLive } from '../../deposits/machine/phases.ts'
import type { OwedKind } from '../../deposits/ports/desk-store.ts'
import type { IdempotencyRow, InboxRow, NoticeRow, TimelineRow } from '../../deposits/ports/store.ts'
import { readOfDeposit, readOfInbox } from './tables.ts'
import type { DepositTable, Row, SessionTable, Values } from './tables.ts'

function payerColumns(payer: PayerDetails | undefined): { payer: string | null; payer_phone: string | null } {
  return { payer: payer === undefined ? null : JSON.stringify(payer), payer_phone: payer?.phone ?? null }
}

const fieldOf = (column: string): string => column.replaceAll(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase())

/** Fields with a column of their own; the rest go to `detail`. */
const COLUMNS: ReadonlySet<string> = new Set(readOfDeposit.map(fieldOf))

function detailOf(deposit: Deposit): string {
  const detail: Record<string, unknown> = {}
  for (const name in deposit) if (!COLUMNS.has(name)) detail[name] = deposit[name as keyof Deposit]
  return JSON.stringify(detail)
}

/**
 * The stage under which the payment list indexes a phase. Payments often move between `open` and
 * `confirming`, so both share one.
 */
export function stageOf(phase: DepositPhase): DepositPhase {
  return phase === 'confirming' ? 'open' : phase
}

/** Lease priority of due deposits; lower goes first. */
function dueRankOf(phase: DepositPhase): 0 | 1 {
  return isInDoubt(phase) ? 0 : 1
}

/**
 * The order that a credited deposit pays. A test and a live payment, told apart by the start of
 * their references, may have one order number.
 */
function creditedOrderOf({ reference, orderId }: Pick<Deposit, 'reference' | 'orderId'>): string | null {
  return orderId === undefined ? null : `${reference.slice(0, 3)} ${orderId}`
}

/** How the references of a mode begin (deposits/identity.ts). */
export const referenceStart = (mode: Mode): string => (mode === 'live' ? 'HCL' : 'HCT')

/**
 * Why money of a payment is to be paid back: a second success of its order, or a sum that is not
 * ours, by the word of the service.
 */
export function owedOf({ phase, duplicate, disputedSum, reviewReason }: Deposit): OwedKind | undefined {
  if (phase === 'succeeded' && duplicate) return 'duplicate'
  return disputedSum || reviewReason === 'query_amount' || reviewReason === 'callback_sum' ? 'wrong_amount' : undefined
}

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
    owed: owedOf(deposit) ?? null,
    timeline,
  }
}

/**
 * The columns that may change while a deposit's session fields stay the same: enough for most
 * moves, and half the indexes.
 */
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

/** The values of a record whose fields are named as its columns are. */
export function valuesOf(columns: readonly string[], record: object): Values {
  const fields = record as Readonly<Record<string, unknown>>
  return Object.fromEntries(columns.map((column) => [column, fields[fieldOf(column)] ?? null]))
}

/** Such a record, of its row. What is NULL is left out. */
export function recordOf(row: Row): unknown {
  const fields = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(fields.map(([column, value]) => [fieldOf(column), value]))
}

export const noticeOf = (row: Row): NoticeRow => recordOf(row) as NoticeRow
export const idempotencyOf = (row: Row): IdempotencyRow => recordOf(row) as IdempotencyRow
/** A line written before schema 3. */
export const timelineOf = (row: Row): TimelineRow => recordOf(row) as TimelineRow

export function inboxValues({ body, ...row }: InboxRow): Values {
  // Both drivers accept a Buffer but no other byte array.
  return valuesOf(readOfInbox, { ...row, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) })
}

export function inboxOf(source: Row): InboxRow {
  const { body, ...row } = recordOf(source) as InboxRow
  return { ...row, body: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) }
}
