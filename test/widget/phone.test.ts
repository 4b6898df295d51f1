// Parsing of typed phone numbers: the widget and the form without JavaScript agree. An odd number
// gets a warning, never a refusal.
import { describe, expect, it } from 'vitest'
import { countries, marketsOnOffer, normalisePhone } from '../../server/deposits/markets.ts'
import type { CountryCode } from '../../server/contract/index.ts'
import { DEFAULT_LIMITS } from '../../server/settings/schema.ts'
import { isOddPhone } from '../../widget/controller/form-later.ts'
import { fullPhone } from '../../widget/base/full-phone.ts'
import { builtIn } from '../../widget/base/markets.ts'
import type { MarketRow } from '../../widget/base/markets.ts'

const wallets = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((currency) => [currency, 'wallet']))
const markets = marketsOnOffer(wallets, DEFAULT_LIMITS, () => false)
const rowOf = (country: string, rows: readonly MarketRow[] = markets) => rows.find((row) => row.country === country)!

describe('a mobile number', () => {
  it.each([
    ['KE', '0712 345 678', '254712345678'],
    ['KE', '712345678', '254712345678'],
    ['KE', '+254 712-345-678', '254712345678'],
    ['KE', '00254712345678', '254712345678'],
    ['NG', '0802 123 4567', '2348021234567'],
    ['SO', '061 5123456', '252615123456'],
    ['CI', '07 07 12 34 56', '2250707123456'],
    ['BJ', '01 95 12 34 56', '2290195123456'],
    ['BF', '01 23 45 67', '22601234567'],
    ['KE', '+44 7911 123456', '447911123456'],
    ['TZ', '254 712 345 678', '254712345678'],
    ['KE', '447911123456', '447911123456'],
    ['CI', '22670123456', '22670123456'],
    ['KE', '+254 0712 345 678', '254712345678'],
    ['KE', '002540712345678', '254712345678'],
    ['KE', '(+254) 712 345 678', '254712345678'],
    ['KE', '(00254) 712 345 678', '254712345678'],
    ['KE', '2540712345678', '254712345678'],
    ['CI', '+225 07 07 12 34 56', '2250707123456'],
    ['SO', '٠٦١ ٥١٢٣٤٥٦', '252615123456'],
    ['SO', '+۲۵۲ ۶۱۵۱۲۳۴۵۶', '252615123456'],
    ['KE', '12', '12'],
    ['KE', '+12', '12'],
    ['KE', '071234', '071234'],
    ['KE', '0712345', '254712345'],
    ['KE', '254', '254'],
    ['CI', '12', '12'],
  ])('in %s, %s is %s', (country, typed, full) => {
    expect(fullPhone(typed, rowOf(country))).toBe(full)
    expect(fullPhone(typed, rowOf(country, builtIn))).toBe(full)
    expect(normalisePhone(typed, country as CountryCode)).toBe(full)
  })

  it.each([
    ['KE', '0712 345 67'],
    ['KE', '0712 345 6789'],
    ['CI', '07 12 34 56'],
    ['KE', '+44 7911 123456'],
    ['KE', 'none'],
    ['KE', '12'],
    ['KE', '254'],
    ['TZ', '254 712 345 678'],
  ])('in %s, %s is odd', (country, typed) => expect(isOddPhone(typed, rowOf(country))).toBe(true))

  it.each([
    ['KE', ''],
    ['KE', '0712 345 678'],
    ['CI', '+225 07 07 12 34 56'],
    ['SO', '71123456'],
    ['SN', '70 123 45 67'],
  ])('in %s, "%s" is not odd', (country, typed) => expect(isOddPhone(typed, rowOf(country))).toBe(false))

  it('is odd to nobody before the companion has shown one', () => {
    for (const row of builtIn) expect(isOddPhone('12', row)).toBe(false)
  })

  it('every country of the companion is known before it has answered, with its currency and calling code', () => {
    const offered = Object.entries(countries).map(([country, [, currency, code]]) => `${country} ${currency} ${code}`)
    expect(new Set(builtIn.map((market) => `${market.country} ${market.currency} ${market.callingCode}`))).toEqual(
      new Set(offered),
    )
  })
})
