// Parsing of typed amounts. A wrong reading costs somebody money.
import { describe, expect, it } from 'vitest'
import { readAmount } from '../../widget/format.ts'

describe('a typed amount', () => {
  it.each([
    ['2500', 2500], ['2,500', 2500], ['2.500', 2500], ['2 500', 2500], ['2\u202f500', 2500], ['2’500', 2500], ['2500.00', 2500],
    ['1,500,000', 1_500_000], ['1.500.000,00', 1_500_000], [' 10 ', 10],
    ['٢٥٠٠', 2500], ['٢٬٥٠٠', 2500], ['۲۵۰۰', 2500],
    ['\u200e2500\u200f', 2500], ['\u202a2,500\u202c', 2500], ['\u2066٢٬٥٠٠\u2069', 2500], ['\ufeff2\u00a0500', 2500],
  ])('%s is %d', (text, amount) => expect(readAmount(text)).toBe(amount)) // prettier-ignore

  it.each([
    '',
    '25.50',
    '0.5',
    '2,5',
    '1.500,50',
    '1,234.500',
    '1.234,567',
    '1.234,567.890',
    '100٬000.125',
    '25,00,0',
    '-50',
    '+5',
    '1e3',
    '٢٥٫٥',
    '٢٫٥٠٠',
    '٢٬٥',
    '፪፻',
    '0x10',
    '12abc',
    '2,50,000',
    '.',
  ])('%s is none', (text) => expect(readAmount(text)).toBeNaN())
})
