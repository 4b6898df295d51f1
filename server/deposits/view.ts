// What others see of a deposit: the browser a masked view, the merchant's backend all of it,
// notices no payer details.
import type { DepositView, Notice, NoticeType, PaymentView } from '../contract/index.ts'
import type { Deposit } from './machine/deposit.ts'
import { statusOf } from './machine/phases.ts'

/** RFC 3339 in UTC, as all times on the wire. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** The time of what may not have happened yet. */
export const timeOf = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : isoTime(ms))

/**
 * First letter of each word and dots: enough to recognise one's own name, too little to learn
 * another's.
 */
function maskName(name: string): string {
  return name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${Array.from(word)[0]}•••`)
    .join(' ')
}

function maskPhone(phone: string): string {
  // Of a number too short for any, its end would be all of it.
  return phone.length < 7 ? '•••' : `•••${phone.slice(-3)}`
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}•••${email.slice(at)}`
}

/** Only while the deposit can be paid (a foreign address is never stored: money rule 7). */
function shownUrl({ phase, checkoutUrl }: Deposit): string | undefined {
  return phase === 'open' || phase === 'confirming' ? checkoutUrl : undefined
}

function bankOf({ bankCode: code, bankName: name = code }: Deposit): { code: string; name: string } | undefined {
  return code === undefined || name === undefined ? undefined : { code, name }
}

function resultOf({ resultCode: code, resultDescription: description = '' }: Deposit) {
  return code === undefined ? undefined : { code, description }
}

/** What the browser and the merchant's backend alike are shown. */
function shared(deposit: Deposit) {
  return {
    id: deposit.id,
    reference: deposit.reference,
    mode: deposit.mode,
    status: statusOf(deposit.phase),
    phase: deposit.phase,
    amount: deposit.amount,
    currency: deposit.currency,
    country: deposit.country,
    bank: bankOf(deposit),
    description: deposit.description,
    createdAt: isoTime(deposit.createdAt),
    expiresAt: isoTime(deposit.expiresAt),
    settledAt: timeOf(deposit.settledAt),
    result: resultOf(deposit),
    overdue: deposit.overdue || undefined,
    version: deposit.version,
  }
}

export function toView(deposit: Deposit, payUrl: string): DepositView {
  const { payer } = deposit
  return {
    ...shared(deposit),
    payer: {
      name: payer?.name === undefined ? '' : maskName(payer.name),
      phone: payer?.phone === undefined ? undefined : maskPhone(payer.phone),
      email: payer?.email === undefined ? undefined : maskEmail(payer.email),
    },
    checkoutUrl: shownUrl(deposit),
    payUrl,
    late: deposit.late || undefined,
    duplicate: deposit.duplicate || undefined,
  }
}

export function toPayment(deposit: Deposit): PaymentView {
  const { payer } = deposit
  return {
    ...shared(deposit),
    transactionId: deposit.transactionId,
    payer: payer === undefined ? undefined : { name: payer.name ?? '', phone: payer.phone, email: payer.email },
    sessionId: deposit.sessionId,
    orderId: deposit.orderId,
    clientReference: deposit.clientReference,
    metadata: deposit.metadata,
    late: deposit.late,
    duplicate: deposit.duplicate,
    disputedSum: deposit.disputedSum,
    reviewReason: deposit.reviewReason,
  }
}

/** Money rule 9: all fields come from our own row, never from a callback. */
export function toNotice(deposit: Deposit, type: NoticeType): Notice {
  return {
    type,
    timestamp: isoTime(deposit.updatedAt),
    data: {
      paymentId: deposit.id,
      reference: deposit.reference,
      sessionId: deposit.sessionId,
      orderId: deposit.orderId,
      clientReference: deposit.clientReference,
      amount: deposit.amount,
      currency: deposit.currency,
      country: deposit.country,
      phase: deposit.phase,
      late: deposit.late,
      duplicate: deposit.duplicate,
      version: deposit.version,
      mode: deposit.mode,
      metadata: deposit.metadata,
      bank: bankOf(deposit),
      reason: deposit.reviewReason,
    },
  }
}
