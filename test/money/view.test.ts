// What the browser is shown of a payment: never its payer's details, and an address only while it can be paid there.
import { expect, it } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import { toView } from '../../server/deposits/view.ts'
import { depositRecord } from '../helpers/deposit-record.ts'

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
