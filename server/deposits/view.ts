// What others see of a deposit: the browser a masked view, the merchant's backend all of it, notices no payer details.
import type { DepositView, Notice, NoticeType, PaymentView } from '../contract/index.ts'
import { withoutUndefined } from '../without-undefined.ts'
import type { Deposit } from './deposit.ts'
import { statusOf } from './phases.ts'

/** RFC 3339 in UTC, as all times on the wire. */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** First letter of each word and dots: enough to recognise one's own name, too little to learn another's. */
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
function shownUrl(deposit: Deposit): { checkoutUrl?: string } {
  const shown = deposit.phase === 'open' || deposit.phase === 'confirming'
  return shown && deposit.checkoutUrl !== undefined ? { checkoutUrl: deposit.checkoutUrl } : {}
}

function bankOf(deposit: Deposit): { bank?: { code: string; name: string } } {
  return deposit.bankCode === undefined
    ? {}
    : { bank: { code: deposit.bankCode, name: deposit.bankName ?? deposit.bankCode } }
}

function resultOf(deposit: Deposit): { result?: { code: string; description: string } } {
  return deposit.resultCode === undefined
    ? {}
    : { result: { code: deposit.resultCode, description: deposit.resultDescription ?? '' } }
}

export function toView(deposit: Deposit, payUrl: string): DepositView {
  const { payer } = deposit
  return {
    id: deposit.id,
    reference: deposit.reference,
    mode: deposit.mode,
    status: statusOf(deposit.phase),
    phase: deposit.phase,
    amount: deposit.amount,
    currency: deposit.currency,
    country: deposit.country,
    ...bankOf(deposit),
    payer: {
      name: payer?.name === undefined ? '' : maskName(payer.name),
      ...(payer?.phone === undefined ? {} : { phone: maskPhone(payer.phone) }),
      ...(payer?.email === undefined ? {} : { email: maskEmail(payer.email) }),
    },
    ...shownUrl(deposit),
    payUrl,
    expiresAt: isoTime(deposit.expiresAt),
    ...(deposit.overdue ? { overdue: true } : {}),
    createdAt: isoTime(deposit.createdAt),
    ...(deposit.settledAt === undefined ? {} : { settledAt: isoTime(deposit.settledAt) }),
    ...resultOf(deposit),
    ...(deposit.late ? { late: true } : {}),
    ...(deposit.duplicate ? { duplicate: true } : {}),
    description: deposit.description,
    version: deposit.version,
  }
}

export function toPayment(deposit: Deposit): PaymentView {
  const { payer } = deposit
  return {
    id: deposit.id,
    reference: deposit.reference,
    ...(deposit.transactionId === undefined ? {} : { transactionId: deposit.transactionId }),
    mode: deposit.mode,
    status: statusOf(deposit.phase),
    phase: deposit.phase,
    amount: deposit.amount,
    currency: deposit.currency,
    country: deposit.country,
    ...bankOf(deposit),
    ...(payer === undefined
      ? {}
      : {
          payer: {
            name: payer.name ?? '',
            ...withoutUndefined({ phone: payer.phone, email: payer.email }),
          },
        }),
    ...withoutUndefined({
      sessionId: deposit.sessionId,
      orderId: deposit.orderId,
      clientReference: deposit.clientReference,
    }),
    description: deposit.description,
    metadata: deposit.metadata,
    createdAt: isoTime(deposit.createdAt),
    expiresAt: isoTime(deposit.expiresAt),
    ...(deposit.settledAt === undefined ? {} : { settledAt: isoTime(deposit.settledAt) }),
    ...resultOf(deposit),
    ...(deposit.overdue ? { overdue: true } : {}),
    late: deposit.late,
    duplicate: deposit.duplicate,
    ...(deposit.disputedSum ? { disputedSum: deposit.disputedSum } : {}),
    ...(deposit.reviewReason === undefined ? {} : { reviewReason: deposit.reviewReason }),
    version: deposit.version,
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
      ...withoutUndefined({
        sessionId: deposit.sessionId,
        orderId: deposit.orderId,
        clientReference: deposit.clientReference,
      }),
      amount: deposit.amount,
      currency: deposit.currency,
      country: deposit.country,
      phase: deposit.phase,
      late: deposit.late,
      duplicate: deposit.duplicate,
      version: deposit.version,
      mode: deposit.mode,
      metadata: deposit.metadata,
      ...bankOf(deposit),
      ...(deposit.reviewReason === undefined ? {} : { reason: deposit.reviewReason }),
    },
  }
}
