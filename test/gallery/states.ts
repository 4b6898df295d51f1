// The states of the card that the gallery shows: what the companion answers, and what is pressed.
import { samplePayment } from '../helpers/sample-payment.ts'

/** What is done in the card once it stands there. */
export type Act =
  | 'faults'
  | 'banks'
  | 'unfold'
  | 'pay'
  | 'give up'
  | 'share'
  | 'help'
  | 'receipt'
  | 'open'
  | 'stuck'
  | 'check'

export interface State {
  readonly name: string
  /** How the payment stands; without it the form is shown. */
  readonly view?: object
  /** The order's amount is locked by a session. */
  readonly isLocked?: true
  readonly attributes?: string
  /** How the card comes to the payment: by its link, or after a reload. Default: by its link. */
  readonly found?: 'again'
  readonly acts?: readonly Act[]
  /** Doors that answer with a problem, by method and path; `cut`: a gateway answers. */
  readonly refused?: Readonly<Record<string, string>>
}

const ended = { checkoutUrl: undefined, settledAt: '2030-01-01T11:25:00Z' }
const success = { phase: 'succeeded', status: 'SUCCESS', ...ended }
const failure = (code: string, phase = 'failed'): object => ({
  phase,
  status: 'FAILED',
  result: { code, description: '' },
  ...ended,
})
const abandoned = (code: string): object => ({ phase: 'abandoned', result: { code, description: '' }, ...ended })
const create = 'POST /v1/deposits'

export const states: readonly State[] = [
  { name: 'form, before any answer', refused: { 'GET /v1/markets': 'cut', 'GET /v1/banks': 'cut' } },
  { name: 'form, open amount' },
  { name: 'form, with faults', acts: ['faults'] },
  { name: 'form, banks', acts: ['banks'] },
  { name: 'form, locked amount', isLocked: true },
  { name: 'form, locked and unfolded', isLocked: true, acts: ['unfold'] },
  { name: 'form, bank required', isLocked: true, attributes: 'bank-choice="required"' },
  { name: 'form, too many people', isLocked: true, acts: ['pay'], refused: { [create]: 'rate_limited' } },
  { name: 'form, session over', isLocked: true, refused: { 'GET /v1/session': 'session_expired' } },
  { name: 'form, session paid', isLocked: true, refused: { 'GET /v1/session': 'session_paid' } },
  { name: 'starting, answer lost', isLocked: true, acts: ['pay'], refused: { [create]: 'cut' } },
  { name: 'starting, refused by a firewall', acts: ['pay'], refused: { [create]: 'blocked' } },
  { name: 'not known yet', view: { phase: 'unknown', checkoutUrl: undefined } },
  { name: 'waiting, opened', view: {}, acts: ['open'] },
  { name: 'waiting, handed over', view: {} },
  { name: 'waiting, found again', view: {}, found: 'again' },
  { name: 'waiting, checked', view: {}, found: 'again', acts: ['check'] },
  { name: 'waiting, page stuck', view: {}, acts: ['open', 'stuck'] },
  { name: 'waiting, to be forgotten', view: {}, acts: ['give up'] },
  { name: 'waiting, overdue', view: { overdue: true } },
  { name: 'help', view: {}, acts: ['help'] },
  { name: 'another phone', view: {}, acts: ['share'] },
  { name: 'confirming', view: { phase: 'confirming' } },
  { name: 'in review', view: { phase: 'review', checkoutUrl: undefined } },
  { name: 'refused by a firewall', view: {}, refused: { 'GET /v1/deposits': 'blocked' }, acts: ['check'] },
  { name: 'paid', view: success, attributes: 'return-url="/orders/7"' },
  { name: 'paid here', view: success, acts: ['pay'], attributes: 'return-url="/orders/7"' },
  { name: 'paid late', view: { ...success, late: true } },
  { name: 'paid twice', view: { ...success, duplicate: true } },
  { name: 'receipt', view: success, acts: ['receipt'] },
  { name: 'failed, cancelled', view: failure('1032') },
  { name: 'failed, no money', view: failure('1') },
  { name: 'failed, not confirmed', view: failure('2001') },
  { name: 'expired', view: failure('1037', 'expired') },
  { name: 'rejected, no service', view: failure('upstream_unavailable', 'rejected') },
  { name: 'rejected, market off', view: failure('market_off', 'rejected') },
  { name: 'given up', view: abandoned('') },
  { name: 'page never came', view: abandoned('address_lost') },
  { name: 'order paid by another', view: abandoned('order_paid') },
]

/** A payment with everything that can be shown of one. */
export const galleryPayment = {
  ...samplePayment,
  bank: { code: '76', name: 'UBA Kenya Bank Ltd' },
  payer: { name: 'A••• O•••', phone: '•••678', email: 'a•••@example.ke' },
  payUrl: 'https://pay.example/pay/d0m8k2w6q4x9r1t5y7u3i0o2p4aZb3Nf7Kq9Lm2Xw5Vt8Rc1YsE',
}
