// Sample deposits, sessions and related rows, for tests that use a store directly.
import type { Deposit, Session } from '../../server/deposits/machine/deposit.ts'
import type { Change, IdempotencyRow, InboxRow, NoticeRow, TimelineRow } from '../../server/deposits/ports/store.ts'

export const START = Date.UTC(2026, 0, 1)

let made = 0

/** A name that is unique in this process. */
export function fresh(prefix: string): string {
  made += 1
  return `${prefix}_${made.toString(36).padStart(6, '0')}`
}

/** An open deposit of 1,500 KES, with overrides. */
export function depositRecord(given: Partial<Deposit> = {}): Deposit {
  const id = given.id ?? fresh('dep')
  return {
    id,
    reference: `HCT${id}`,
    mode: 'test',
    phase: 'open',
    version: 1,
    generation: 1,
    amount: 1500,
    currency: 'KES',
    country: 'KE',
    walletNo: '100200',
    payer: { name: 'Achieng Otieno', phone: '254712345678', email: 'achieng@example.com' },
    description: 'Top-up',
    metadata: { cart: 'A-17', items: 3, gift: false },
    createdAt: START,
    updatedAt: START,
    expiresAt: START + 900_000,
    late: false,
    duplicate: false,
    overdue: false,
    asks: 0,
    ...given,
  }
}

export function sessionRecord(given: Partial<Session> = {}): Session {
  return {
    id: fresh('ses'),
    generation: 1,
    amount: 1500,
    currency: 'KES',
    orderId: fresh('order'),
    description: 'Order',
    metadata: {},
    createdAt: START,
    expiresAt: START + 86_400_000,
    ...given,
  }
}

export function noticeRecord(depositId: string, given: Partial<NoticeRow> = {}): NoticeRow {
  return {
    id: fresh('msg'),
    depositId,
    type: 'payment.succeeded',
    body: '{"type":"payment.succeeded"}',
    createdAt: START,
    state: 'waiting',
    attempts: 0,
    dueAt: START,
    ...given,
  }
}

export function inboxRecord(given: Partial<InboxRow> = {}): InboxRow {
  const reference = given.reference ?? fresh('HCT')
  return {
    id: `${reference}.${fresh('inb')}`,
    receivedAt: START,
    reference,
    body: new TextEncoder().encode('{"result_code":"0"}'),
    verdict: 'rang',
    ...given,
  }
}

export function idempotencyRecord(depositId: string, given: Partial<IdempotencyRow> = {}): IdempotencyRow {
  return { keyHash: fresh('key'), fingerprint: 'f'.repeat(64), depositId, createdAt: START, ...given }
}

export function timelineRecord(deposit: Deposit, kind = 'created'): TimelineRow {
  return { depositId: deposit.id, at: deposit.updatedAt, kind, phase: deposit.phase, version: deposit.version }
}

/** The first write of a deposit, as the service makes it: the row and its first timeline entry. */
export function creation(row: Deposit): Change {
  return { deposit: { row, expect: 'new' }, timeline: [timelineRecord(row)] }
}

/** A move to the next version. */
export function move(row: Deposit, to: Partial<Deposit>): { readonly change: Change; readonly row: Deposit } {
  const moved: Deposit = { ...row, version: row.version + 1, updatedAt: row.updatedAt + 1000, ...to }
  return {
    row: moved,
    change: { deposit: { row: moved, expect: row.version }, timeline: [timelineRecord(moved, 'moved')] },
  }
}
