// Which contradictions of a callback are the word of the service, and which may be a genuine
// callback that was cut anew.
import { expect, it } from 'vitest'
import { createCallbackReader } from '../../server/upstream/callback.ts'
import { signsOtherSum } from '../../server/upstream/recut.ts'
import type { Callback, Held } from '../../server/deposits/ports/upstream.ts'
import { body, consumerKey, FAILED_FIELDS, failure, hashOf, held, signed, success, SUCCESS_FIELDS } from './material.ts'

const documented = createCallbackReader({ consumerKey })
const received = createCallbackReader({ consumerKey, hashOrder: 'received' })

function callbackOf(raw: Uint8Array, read = documented): Callback {
  const reading = read(raw)
  if (!reading.ok) throw new Error(`refused: ${reading.reason}`)
  return reading.callback
}

it.each([
  ['another amount', { amount: '999' }],
  ['another amount with cents', { amount: '2499.50' }],
  ['ten times less', { amount: '250', fees: '7' }],
  ['another currency', { currency: 'UGX' }],
  ['another amount and currency', { currency: 'UGX', amount: '75000' }],
  // Every cut begins with our channel and our reference.
  ['another channel, with a sum that could be cut to ours', { channel: '420002', amount: '25000' }],
  ['what would be cut to a failure with a code of zero', { third_party_id: '0X', amount: '999' }],
])('%s that the service signed is its own word', (_what, changes) => {
  expect(signsOtherSum(callbackOf(signed({ ...success, ...changes })), held)).toBe(true)
})

it('in the order received a text that has our values somewhere may be a re-cut', () => {
  const inOrder = (changes: object) => {
    const fields: Record<string, string | number> = { ...success, ...changes }
    return callbackOf(body({ ...fields, hash: hashOf(fields, Object.keys(fields)) }), received)
  }
  expect(signsOtherSum(inOrder({ amount: '999' }), held)).toBe(true)
  expect(signsOtherSum(inOrder({ amount: '999', acc_name: '2500 Jean' }), held)).toBe(false)
  // All of our values: the channel, the reference and the currency as well.
  const sum = { amount: '999', acc_name: '2500 Jean' }
  expect(signsOtherSum(inOrder({ ...sum, channel: '420002' }), held)).toBe(true)
  for (const ours of [{ reference: 'HCTOTHER' }, { currency: 'XOF' }])
    expect(signsOtherSum(inOrder(sum), { ...held, ...ours })).toBe(true)
})

it('our own sum, in whatever writing, is no other', () => {
  for (const amount of ['2500', '2500.00', '2,500', '2.500,00'])
    expect(signsOtherSum(callbackOf(signed({ ...success, amount })), held)).toBe(false)
  expect(signsOtherSum(callbackOf(signed({ ...success, fees: '' })), held)).toBe(false)
  expect(signsOtherSum(callbackOf(signed(failure)), held)).toBe(false)
})

it('another sum that a failure names is none that was paid', () => {
  const fields = { ...success, ...failure, amount: '999' }
  expect(signsOtherSum(callbackOf(body({ ...fields, hash: hashOf(fields, SUCCESS_FIELDS) })), held)).toBe(false)
})

it('an amount that can also be read as ours and more fees may be a re-cut', () => {
  expect(signsOtherSum(callbackOf(signed({ ...success, amount: '25000', fees: '50' })), held)).toBe(false)
  // Also over the end of a line.
  const name = { amount: '25000', fees: '', acc_name: 'Jean\nOtieno' }
  expect(signsOtherSum(callbackOf(signed({ ...success, ...name })), held)).toBe(false)
})

it('another sum may be cut out of a failure whose code and description follow the transaction', () => {
  const signs = (changes: object, ours: Held = held) =>
    signsOtherSum(callbackOf(signed({ ...success, amount: '999', ...changes })), ours)
  expect(signs({ third_party_id: '-2X' })).toBe(false)
  // A transaction is compared letter by letter.
  const odd = String.raw`C.*+?^$()|{}[]\/P`
  expect(signs({ transaction_id: odd, third_party_id: '9X' }, { ...held, transactionId: odd })).toBe(false)
  for (const transactionId of ['CP.1', 'CP|X1'])
    expect(signs({ transaction_id: 'CPX1', third_party_id: '9X' }, { ...held, transactionId })).toBe(true)
  // While ours is not known yet, any text may be it.
  const { transactionId: _unknown, ...young } = held
  expect(signs({}, young)).toBe(false)
  expect(signs({ transaction_id: 'CP\nX7', third_party_id: 'X' }, young)).toBe(false)
})

it('no cut of 1,000 genuine callbacks counts as the word of the service', () => {
  for (let n = 0; n < 1000; n += 1) {
    const pick = <Item>(items: readonly Item[]): Item => items[n % items.length] as Item
    const ours: Held = {
      reference: `HCT${String(n).padStart(21, '0')}`,
      currency: pick(['KES', 'XOF', 'RWF']),
      amount: pick([1, 10, 2500, 1_500_000, 7, 999, 12_345]),
      transactionId: pick([`CP${n}X`, String(10_000_000 + n)]),
    }
    const { reference, currency, transactionId = '' } = ours
    const start = { channel: '420001', reference, transaction_id: transactionId }
    const fields: Record<string, string> =
      n % 3 === 0
        ? {
            ...start,
            result_code: pick(['1032', '1', '51', '-2']),
            result_description: pick(['DS timeout', 'P1KES10Jean0OK', '30 left of 100 0 x']),
          }
        : {
            ...start,
            third_party_id: pick([`SP${n}`, `${n}X`, '77']),
            currency,
            amount: `${ours.amount}${pick(['', '.00', '.0'])}`,
            fees: pick(['0', '50', '25.00']),
            acc_name: pick(['Achieng Otieno', '0000 Jean', `${currency}100`, '5']),
            result_code: '0',
            result_description: pick(['Success', '0', '00 OK 0 0']),
          }
    const order = n % 3 === 0 ? FAILED_FIELDS : SUCCESS_FIELDS
    const text = order.map((name) => fields[name]).join('')
    const hash = hashOf(fields, order)
    // Every success that has another currency or amount: each place of both borders, with the other
    // fields wherever they fit.
    const head = `420001${reference}`.length
    for (let at = head + 2; at + 4 < text.length; at += 1)
      for (let end = at + 4; end < Math.min(at + 14, text.length); end += 1) {
        const zero = text.indexOf('0', end + 2)
        if (zero < 0 || zero + 1 >= text.length) continue
        const cut = {
          channel: '420001',
          reference,
          transaction_id: text.slice(head, head + 1),
          third_party_id: text.slice(head + 1, at),
          currency: text.slice(at, at + 3),
          amount: text.slice(at + 3, end),
          fees: text.slice(end, end + 1),
          acc_name: text.slice(end + 1, zero),
          result_code: '0',
          result_description: text.slice(zero + 1),
        }
        if (signsOtherSum(callbackOf(body({ ...cut, hash })), ours))
          expect.fail(`${text} cut as ${JSON.stringify(cut)}`)
      }
  }
})
