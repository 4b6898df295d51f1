// Formatting of amounts: the same as the browser's Intl, which is too slow on a cheap phone.
import { describe, expect, it } from 'vitest'
import { grouped, money } from '../../widget/format.ts'

describe('an amount on the screen', () => {
  it('reads KES 2,500 in English and Swahili and 2 500 KES in French', () => {
    expect(money(2500, 'KES', 'en').replace('\u00a0', ' ')).toBe('KES 2,500')
    expect(money(2500, 'KES', 'sw-KE').replace('\u00a0', ' ')).toBe('KES 2,500')
    expect(money(2500, 'XOF', 'fr-SN').replace(/[\u00a0\u202f]/g, ' ')).toBe('2 500 XOF')
  })

  it.each(['en', 'en-KE', 'en-NG', 'en-GH', 'fr', 'fr-SN', 'fr-CI', 'sw', 'sw-KE', 'sw-TZ'])(
    'is written in %s as Intl writes it',
    (locale) => {
      for (const amount of [0, 5, 999, 1000, 2500, 999_999, 1_234_567, 12_345_678]) {
        expect(grouped(amount, locale)).toBe(new Intl.NumberFormat(locale).format(amount))
        for (const currency of ['KES', 'XOF', 'ETB'])
          expect(money(amount, currency, locale)).toBe(
            new Intl.NumberFormat(locale, {
              style: 'currency',
              currency,
              currencyDisplay: 'code',
              minimumFractionDigits: 0,
              maximumFractionDigits: 0,
            }).format(amount),
          )
      }
    },
  )
})
