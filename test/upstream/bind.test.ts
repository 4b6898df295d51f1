// Which genuine callbacks are accepted for which deposit.
import { describe, expect, it } from 'vitest'
import { bindCallback } from '../../server/upstream/bind.ts'
import type { Callback } from '../../server/deposits/ports/upstream.ts'
import { held } from './material.ts'

const common = {
  channel: '420001',
  reference: held.reference,
  transactionId: 'CP7S36ULT8P',
  extraFields: [],
  signed: { text: '', order: 'documented' },
  asDocumented: true,
  key: 'current',
} as const
const failed: Callback = {
  kind: 'failed',
  ...common,
  resultCode: '1032',
  resultDescription: 'DS timeout user cannot be reached',
}
const success: Callback = {
  kind: 'success',
  ...common,
  resultCode: '0',
  resultDescription: 'ok',
  thirdPartyId: 'SP',
  currency: 'KES',
  amount: '2500',
  fees: '50',
  payerName: 'A',
}

describe('a callback triggers a query', () => {
  it('when all that it carries is what we hold', () => {
    expect(bindCallback(success, held)).toBeUndefined()
    expect(bindCallback(failed, held)).toBeUndefined()
  })

  it('while the transaction id is not known yet', () => {
    const { transactionId: _unknown, ...young } = held
    expect(bindCallback({ ...success, transactionId: 'any' }, young)).toBeUndefined()
    expect(bindCallback({ ...failed, transactionId: '' }, young)).toBeUndefined()
  })

  it.each(['2500', '2500.0', '2500.00', '2500.0000'])('for the amount %s', (amount) => {
    expect(bindCallback({ ...success, amount }, held)).toBeUndefined()
  })

  it('for an amount beyond the digits of a float only if it is the same', () => {
    const large = { ...held, amount: 9_007_199_254_740_991 }
    expect(bindCallback({ ...success, amount: '9007199254740991.00' }, large)).toBeUndefined()
    expect(bindCallback({ ...success, amount: '9007199254740992' }, large)).toBe('amount')
    expect(bindCallback({ ...success, amount: '9007199254740991.1' }, large)).toBe('amount')
  })
})

describe('a callback does not ring', () => {
  it.each(['420002', '42000', '4200011', '', ' 420001', '420001.0', '0420001', '4.20001e5'])(
    'for the channel %j',
    (channel) => {
      expect(bindCallback({ ...success, channel }, held)).toBe('channel')
      expect(bindCallback({ ...failed, channel }, held)).toBe('channel')
    },
  )

  it.each(['', 'HC01JD7Q3V9KE', 'HC01JD7Q3V9KESC', 'hc01jd7q3v9kes', ' HC01JD7Q3V9KES', 'HC01JD7Q3V9KES\n'])(
    'for the reference %j',
    (reference) => {
      expect(bindCallback({ ...success, reference }, held)).toBe('reference')
      expect(bindCallback({ ...failed, reference }, held)).toBe('reference')
    },
  )

  it.each(['TZS', 'kes', 'KE', 'KESS', '', ' KES'])('for the currency %j', (currency) => {
    expect(bindCallback({ ...success, currency }, held)).toBe('currency')
  })

  it.each([
    '250',
    '25000',
    '250050',
    '2501',
    '2499',
    '2500.01',
    '2500.001',
    '2500.',
    '.2500',
    '02500',
    '+2500',
    '-2500',
    '2500 ',
    ' 2500',
    '2.5e3',
    '2500e0',
    '0x9c4',
    '２５００',
    '2500.00\n',
    '',
    '0',
    '2500.0.0',
    'NaN',
  ])('for the amount %j', (amount) => {
    expect(bindCallback({ ...success, amount }, held)).toBe('amount')
  })

  it.each(['CP7S36ULT8', 'CP7S36ULT8PS', '', 'cp7s36ult8p'])(
    'for the transaction id %j beside a known one',
    (transactionId) => {
      expect(bindCallback({ ...success, transactionId }, held)).toBe('transaction_id')
      expect(bindCallback({ ...failed, transactionId }, held)).toBe('transaction_id')
    },
  )

  it('for an amount or currency that a failure should not even carry', () => {
    expect(bindCallback({ ...failed, amount: '1' }, held)).toBe('amount')
    expect(bindCallback({ ...failed, currency: 'TZS' }, held)).toBe('currency')
  })
})
