// What the browser and the merchant are shown of a payment: the browser never its payer's details,
// and an address only while it can be paid there.
import { expect, it } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import { toPayment, toView } from '../../server/deposits/view.ts'
import { depositRecord, START } from '../helpers/deposit-record.ts'

it.each([
  ['creating', false],
  ['unknown', false],
  ['open', true],
  ['confirming', true],
  ['abandoned', false],
  ['review', false],
  ['succeeded', false],
  ['failed', false],
  ['expired', false],
  ['rejected', false],
] as const satisfies readonly (readonly [DepositPhase, boolean])[])(
  'a payment that is %s has an address: %s',
  (phase, has) => {
    const checkoutUrl = 'https://hosted.example/c/1'
    expect(toView(depositRecord({ phase, checkoutUrl }), '').checkoutUrl).toBe(has ? checkoutUrl : undefined)
  },
)

it.each([
  [
    { name: 'Achieng  Otieno', phone: '254712345678', email: 'achieng@example.com' },
    { name: 'A••• O•••', phone: '•••678', email: 'a•••@example.com' },
  ],
  // The last @ separates: a quoted one before it belongs to the name.
  [
    { name: '𝔸da', email: '"a@b"@example.com' },
    { name: '𝔸•••', email: '"•••@example.com' },
  ],
  [undefined, { name: '' }],
] as const)('the payer %j is shown as %j', (payer, shown) => {
  const { payer: _, ...row } = depositRecord()
  expect(toView({ ...row, ...(payer === undefined ? {} : { payer }) }, '').payer).toEqual(shown)
})

const whole = depositRecord({
  id: 'dep_whole',
  phase: 'succeeded',
  transactionId: 'TX1',
  checkoutUrl: 'https://hosted.example/c/1',
  bankCode: '01',
  bankName: 'Kenya Commercial Bank',
  sessionId: 'ses_1',
  orderId: 'A-1',
  clientReference: 'cart-1',
  replaces: ['dep_0'],
  replacedBy: 'dep_2',
  settledAt: START + 60_000,
  resultCode: 'success',
  resultDescription: 'Paid.',
  reviewReason: 'query_missing',
  late: true,
  duplicate: true,
  overdue: true,
  version: 7,
})
/** What both show of it. */
const shared = {
  id: 'dep_whole',
  reference: 'HCTdep_whole',
  mode: 'test',
  status: 'SUCCESS',
  phase: 'succeeded',
  amount: 1500,
  currency: 'KES',
  country: 'KE',
  bank: { code: '01', name: 'Kenya Commercial Bank' },
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:15:00.000Z',
  settledAt: '2026-01-01T00:01:00.000Z',
  result: { code: 'success', description: 'Paid.' },
  overdue: true,
  late: true,
  duplicate: true,
  description: 'Top-up',
  version: 7,
}

it('the browser is shown a payment without what is for the merchant only', () => {
  expect(toView(whole, 'https://pay.example/pay/x')).toEqual({
    ...shared,
    payer: { name: 'A••• O•••', phone: '•••678', email: 'a•••@example.com' },
    payUrl: 'https://pay.example/pay/x',
  })
})

it('the merchant is shown all of it', () => {
  expect(toPayment(whole)).toEqual({
    ...shared,
    transactionId: 'TX1',
    payer: { name: 'Achieng Otieno', phone: '254712345678', email: 'achieng@example.com' },
    sessionId: 'ses_1',
    orderId: 'A-1',
    clientReference: 'cart-1',
    metadata: { cart: 'A-17', items: 3, gift: false },
    reviewReason: 'query_missing',
  })
})

it('of a payment that has just begun nothing is shown that is not known yet', () => {
  const { payer: _, ...row } = depositRecord({ phase: 'creating', bankCode: '01' })
  const absent = [
    'settledAt',
    'result',
    'overdue',
    'checkoutUrl',
    'transactionId',
    'sessionId',
    'orderId',
    'clientReference',
    'reviewReason',
  ]
  // As it is sent: JSON has no undefined.
  const sent = (shown: object): object => JSON.parse(JSON.stringify(shown)) as object
  for (const shown of [sent(toView(row, '')), sent(toPayment(row))]) {
    for (const name of absent) expect(shown).not.toHaveProperty(name)
    expect(shown).toMatchObject({ status: 'PENDING', bank: { code: '01', name: '01' } })
  }
  for (const name of ['late', 'duplicate']) expect(sent(toView(row, ''))).not.toHaveProperty(name)
  expect(toPayment(row)).toMatchObject({ late: false, duplicate: false })
  expect(sent(toPayment(row))).not.toHaveProperty('payer')
})
