// Maps records to rows and rows to records.
import type { DepositPhase, Mode, OwedKind } from '../../contract/index.ts'
import type { Deposit, PayerDetails, Session } from '../../deposits/machine/deposit.ts'
import { isInDoubt, isLive } from '../../deposits/machine/phases.ts'
import type { IdempotencyRow, InboxRow, NoticeRow, TimelineRow } from '../../deposits/ports/store.ts'
import { readOfDeposit, readOfInbox } from './tables.ts'
import type { Row, Values } from './tables.ts'

function payerColumns(payer: PayerDetails | undefined): { payer: string | null; payer_phone: string | null } {
  return { payer: payer === undefined ? null : JSON.stringify(payer), payer_phone: payer?.phone ?? null }
}

/** The field of a column: of `created_at` it is `createdAt`. */
const fieldOf = (column: string): string => column.replaceAll(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase())

/** The values of a record whose fields are named as its columns are. */
export function valuesOf(columns: readonly string[], record: object): Values {
  const given = record as Readonly<Record<string, unknown>>
  return Object.fromEntries(columns.map((column) => [column, given[fieldOf(column)] ?? null]))
}

/** Such a record, of its row. What is NULL is left out. */
export function recordOf(row: Row): unknown {
  const given = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(given.map(([column, value]) => [fieldOf(column), value]))
}

/** Each column of a deposit that holds a field as it is, with that field. */
const plainColumns = readOfDeposit
  .filter((column) => column !== 'payer' && column !== 'detail')
  .map((column) => [column, fieldOf(column)] as const)

/** Fields with a column of their own; the rest go to `detail`. */
const COLUMNS: ReadonlySet<string> = new Set(['payer', ...plainColumns.map(([, field]) => field)])

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
  const { phase, reference, orderId, sessionId: session = null } = deposit
  const live = isLive(phase)
  const credited = phase === 'succeeded' && !deposit.duplicate
  const values: Record<string, unknown> = {
    stage: stageOf(phase),
    live_session: live ? session : null,
    credited_session: credited ? session : null,
    // A test and a live payment, told apart by the start of their references, may have one order
    // number.
    credited_order: credited && orderId !== undefined ? `${reference.slice(0, 3)} ${orderId}` : null,
    is_live: live ? 1 : 0,
    is_credited: credited ? 1 : 0,
    due_rank: isInDoubt(phase) ? 0 : 1,
    ...payerColumns(deposit.payer),
    detail: detailOf(deposit),
    owed: owedOf(deposit) ?? null,
    timeline,
  }
  for (const [column, field] of plainColumns) values[column] = deposit[field as keyof Deposit] ?? null
  return values
}

export function depositOf(row: Row): Deposit {
  const { detail, payer } = row as { detail: string; payer: string | null }
  const deposit = JSON.parse(detail) as Record<string, unknown>
  for (const [column, field] of plainColumns) if (row[column] !== null) deposit[field] = row[column]
  if (payer !== null) deposit['payer'] = JSON.parse(payer)
  return deposit as unknown as Deposit
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

export function sessionOf(row: Row): Session {
  const { detail, payer, starts, ...columns } = recordOf(row) as { detail: string; payer?: string; starts: number }
  return {
    ...(JSON.parse(detail) as Session),
    ...columns,
    starts: starts || undefined,
    payer: payer === undefined ? undefined : (JSON.parse(payer) as PayerDetails),
  }
}

/** Serialises the lines of one deposit for its row. */
export function timelineText(lines: readonly TimelineRow[]): string {
  return lines
    .map(({ at, kind, phase, version, detail }) => `${JSON.stringify([at, kind, phase, version, detail])}\n`)
    .join('')
}

type Line = readonly [at: number, kind: string, phase: DepositPhase, version: number, detail: string | null]

export function timelineIn(text: string, depositId: string): TimelineRow[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [at, kind, phase, version, detail] = JSON.parse(line) as Line
      return { depositId, at, kind, phase, version, detail: detail ?? undefined }
    })
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
