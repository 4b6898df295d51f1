// Sums of the service beside ours: what is the same, what may be meant, and what is another one.
import { describe, expect, it } from 'vitest'
import {
  amountPattern,
  otherSum,
  isOurSum,
  isSameAmount,
  isWholeAmount,
  mayMeanAmount,
} from '../../server/upstream/amount.ts'

const OURS = { amount: 2500, currency: 'KES' }

describe('the documented writing of an amount', () => {
  it.each(['2500', '2500.0', '2500.00', '2500.000000'])('is %s', (written) => {
    expect([isSameAmount(written, 2500), isWholeAmount(written)]).toEqual([true, true])
  })

  it.each(['2,500', '2500,00', '02500', '+2500', '2500.', '2500.01', ' 2500', '2500 ', '2.5e3', '', 'x2500', '2500x'])(
    'is not "%s"',
    (written) => {
      expect([isSameAmount(written, 2500), isWholeAmount(written)]).toEqual([false, false])
    },
  )

  it('may be of any size', () => {
    expect(isSameAmount('0', 0)).toBe(true)
    expect(isSameAmount('2500', 25_000)).toBe(false)
    expect(isSameAmount('1234567', 1_234_567)).toBe(true)
  })
})

describe('an amount in thousands', () => {
  // Of 1, 2 and 3 digits before the first separator, and with several separators.
  const grouped: readonly [string, number][] = [
    ['2,500', 2500],
    ['2.500', 2500],
    ['2 500', 2500],
    ['2’500', 2500],
    ["2'500", 2500],
    ['2,500.00', 2500],
    ['2.500,0', 2500],
    ['2,500.000', 2500],
    [' 2,500 ', 2500],
    ['25,000', 25_000],
    ['250,000', 250_000],
    ['1,250,000', 1_250_000],
    ['1.250.000,00', 1_250_000],
    ['1 250 000', 1_250_000],
    ['12,345,678,901', 12_345_678_901],
  ]

  it.each(grouped)('%s may mean %i, and is no proof of it as a text', (written, amount) => {
    expect([mayMeanAmount(written, amount), isSameAmount(written, amount)]).toEqual([true, false])
    expect(mayMeanAmount(written, amount + 1)).toBe(false)
    expect(written.trim()).toMatch(new RegExp(`^${amountPattern(amount)}$`))
  })

  it.each([
    '2,500.50', '2,500.05', '2,500.500', '2,50', '2,5000', '2500,000', '2,500.', '2,500,000', '2.500,000.0',
    '1,2,500', '2;500', 'x2,500', '2,500x', '2,5x0', 'x,500', '12,500', '2,500.x', '2,500;00', '',
  ])('"%s" does not mean 2500', (written) => {
    expect(mayMeanAmount(written, 2500)).toBe(false)
  }) // prettier-ignore

  it('has one kind of separator', () => {
    expect(mayMeanAmount('1,250.000', 1_250_000)).toBe(false)
    expect(mayMeanAmount('1.250,000', 1250)).toBe(true)
  })

  it('means what is written plainly too', () => {
    expect([mayMeanAmount('2500', 2500), mayMeanAmount('2500.0', 2500), mayMeanAmount('250', 2500)]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('has a pattern with a place for a separator between thousands alone', () => {
    const pattern = new RegExp(`^${amountPattern(1_250_000)}$`)
    for (const written of ['1250000', '1,250,000', '1.250.000,00', '1250,000']) expect(written).toMatch(pattern)
    for (const written of ['12,50000', '1,2,50000', '1250000.', '1250000.5', '11250000'])
      expect(written).not.toMatch(pattern)
    expect('500').toMatch(new RegExp(`^${amountPattern(500)}$`))
  })
})

describe('a sum that the service names beside a success', () => {
  it.each([
    '2500', '2500.00', '02500', '+2500', '+0002500.0', '2,500', '2.500,00', '2 500', '2500,0', '2.5e3', '2.5E+3',
    '25e2', '25000e-1', ' 2500 ',
  ])('"%s" is ours', (amount) => {
    expect([otherSum({ amount, currency: 'KES' }, OURS) !== undefined, isOurSum({ amount, currency: 'KES' }, OURS)]).toEqual([
      false,
      true,
    ])
    expect(otherSum({ amount }, OURS)).toBeUndefined()
  }) // prettier-ignore

  it.each([
    '250', '25000', '2501', '2500.5', '2500.01', '-2500', '0', '1,250', '2,500.50', '2,500,000', '2500,5', '1e+21', '2.5e4',
    '2.5e-3', '12500', '2500.10', '25,00', '1,250,000', '20500', '1,2,5', '2..500', '+1', '+250', '2', '1e3', '2500e1', '2e12',
  ])('"%s" is another one', (amount) => {
    expect([otherSum({ amount }, OURS) !== undefined, isOurSum({ amount, currency: 'KES' }, OURS)]).toEqual([true, false])
  }) // prettier-ignore

  it.each([
    '',
    ' ',
    'abc',
    'KES 2500',
    '2500 KES',
    'x1',
    '1x',
    '.5',
    'e5',
    '1e',
    '1e+',
    '1e5.5',
    '--1',
    '1e5x',
    'null',
    '1-2',
  ])('"%s" says nothing, and proves nothing', (amount) => {
    expect([otherSum({ amount }, OURS) !== undefined, isOurSum({ amount, currency: 'KES' }, OURS)]).toEqual([
      false,
      false,
    ])
  })

  it('is another one in another currency, whatever its amount', () => {
    for (const currency of ['UGX', 'ugx', ' TZS '])
      for (const amount of [undefined, '2500', 'abc'])
        expect([otherSum({ amount, currency }, OURS) !== undefined, isOurSum({ amount, currency }, OURS)]).toEqual([
          true,
          false,
        ])
  })

  it.each(['kes', ' KES '])('in the currency "%s" is no other one', (currency) => {
    expect(otherSum({ currency }, OURS)).toBeUndefined()
    expect(otherSum({ amount: '2500', currency }, OURS)).toBeUndefined()
    expect(otherSum({ amount: '1', currency }, OURS)).toBeDefined()
  })

  it.each(['', 'K', 'KSH.', 'KENYA', 'XKES', 'KESX', '404', 'K3S'])(
    'in the currency "%s" is not told from ours, and not proven to be ours',
    (currency) => {
      expect(otherSum({ amount: '2500', currency }, OURS)).toBeUndefined()
      expect(isOurSum({ amount: '2500', currency }, OURS)).toBe(false)
    },
  )

  it('is ours only where both are named, in the currency’s own letters', () => {
    expect(isOurSum({ amount: '2500', currency: ' KES ' }, OURS)).toBe(true)
    for (const written of [{}, { amount: '2500' }, { currency: 'KES' }, { amount: '2500', currency: 'kes' }])
      expect(isOurSum(written, OURS)).toBe(false)
    expect(otherSum({}, OURS)).toBeUndefined()
  })

  it.each([
    ['2.500', 2500],
    ['25.000', 25_000],
    ['250.000', 250_000],
  ])('%s is a number with a point, and another one than %i', (written, amount) => {
    // It may mean our sum, and a callback so written may ring. A success is not believed by it.
    expect(mayMeanAmount(written, amount)).toBe(true)
    expect(otherSum({ amount: written }, { amount, currency: 'KES' })).toBeDefined()
    expect(isOurSum({ amount: written, currency: 'KES' }, { amount, currency: 'KES' })).toBe(false)
  })

  it('is shown as it was written, without what is no sum', () => {
    const shown = [
      ['KES', '250', 'KES 250'],
      ['ugx', '2500', 'UGX 2500'],
      ['', '1,250.50', '1,250.50'],
      ['UGX', '<b>2500</b>', 'UGX'],
      ['UGX and more', '250', '250'],
      ['KES', '9'.repeat(400), `KES ${'9'.repeat(24)}`],
    ] as const
    for (const [currency, amount, told] of shown) expect(otherSum({ amount, currency }, OURS)).toBe(told)
  })

  it('keeps its own cents beside thousands', () => {
    const ours = { amount: 1_250_000, currency: 'UGX' }
    expect(otherSum({ amount: '1,250,000' }, ours)).toBeUndefined()
    expect(otherSum({ amount: '1,250,000.00' }, ours)).toBeUndefined()
    expect(otherSum({ amount: '1,250,000.25' }, ours)).toBeDefined()
  })
})
