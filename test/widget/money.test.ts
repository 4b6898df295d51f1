// Formatting of amounts: the same as the browser's Intl, which is too slow on a cheap phone.
import { describe, expect, it } from 'vitest'
import type { CurrencyCode } from '../../server/contract/index.ts'
import { money as onPages } from '../../server/pages/language.ts'
import { groupTyped } from '../../widget/controller/form-later.ts'
import { grouped, money, readAmount, signOf } from '../../widget/base/format.ts'

describe('an amount on the screen', () => {
  it('reads KSh 2,500 in English and Swahili and 2 500 F CFA in French', () => {
    expect(money(2500, 'KES', 'en').replace('\u00a0', ' ')).toBe('KSh 2,500')
    expect(money(2500, 'KES', 'sw-KE').replace('\u00a0', ' ')).toBe('KSh 2,500')
    expect(money(2500, 'XOF', 'fr-SN').replace(/[\u00a0\u202f]/g, ' ')).toBe('2 500 F CFA')
  })

  it.each(['en', 'en-KE', 'en-NG', 'en-GH', 'fr', 'fr-SN', 'fr-CI', 'sw', 'sw-KE', 'sw-TZ'])(
    'is written in %s as Intl writes it, with the sign in the place of the code',
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
            })
              .format(amount)
              .replace(currency, signOf(currency)),
          )
      }
    },
  )
})

it.each([
  ['KES', 'KSh'],
  ['TZS', 'TSh'],
  ['UGX', 'USh'],
  ['ETB', 'Br'],
  ['SOS', 'Sh.So.'],
  ['RWF', 'FRw'],
  ['BIF', 'FBu'],
  ['NGN', '₦'],
  ['GHS', 'GH₵'],
  ['XOF', 'F\u202fCFA'],
  ['USD', 'USD'],
])('%s is written %s, on the card and on the pages', (currency, sign) => {
  expect(money(5, currency, 'en')).toBe(`${sign}\u00a05`)
  if (currency !== 'USD') expect(onPages('en', 5, currency as CurrencyCode)).toBe(`${sign}\u00a05`)
})

/**
 * Types at the caret, which is drawn as `|`, or deletes before it (`<`) or behind it (`>`); what
 * the field shows then.
 */
function after(shown: string, typed: string, locale = 'en'): string {
  const before = shown.replace('|', '')
  let caret = shown.indexOf('|')
  let value = shown.replace('|', typed)
  caret += typed.length
  let how = 'insertText'
  if (typed === '<') {
    value = shown.replace(/.\|/, '')
    caret = shown.indexOf('|') - 1
    how = 'deleteContentBackward'
  } else if (typed === '>') {
    value = shown.replace(/\|./, '')
    caret = shown.indexOf('|')
    how = 'deleteContentForward'
  }
  const field = {
    get value() {
      return value
    },
    set value(text: string) {
      value = text
    },
    selectionStart: caret,
    setSelectionRange: (at: number) => (caret = at),
  } as unknown as HTMLInputElement
  groupTyped(field, before, locale, how)
  return `${value.slice(0, caret)}|${value.slice(caret)}`
}

describe('an amount that is typed', () => {
  it('is grouped, and the caret stays beside its digit', () => {
    expect(after('250|', '0')).toBe('2,500|')
    expect(after('2,500|', '0')).toBe('25,000|')
    expect(after('2|,500', '1')).toBe('21,|500')
    expect(after('25,000|', '<')).toBe('2,500|')
    expect(after('1|,000,000', '<')).toBe('|,000,000')
    expect(after('250|', '0', 'fr')).toBe('2\u202f500|')
  })

  it('is deleted past a separator, in either direction', () => {
    expect(after('1,|250', '<')).toBe('1|,250')
    expect(after('1|,250', '<')).toBe('|250')
    expect(after('1|,250', '>')).toBe('1,|250')
    expect(after('1,|250', '>')).toBe('1|50')
    expect(after('1,000,|250', '<')).toBe('1,000|,250')
    expect(after('1\u202f|250', '<', 'fr')).toBe('1|\u202f250')
  })

  it.each([
    ['12|', ','],
    ['12,|', '5'],
    ['12,5|', '0'],
    ['1250|', '.'],
    ['1250.5|', '0'],
    ['1,250|', ','],
    ['2500/|', '='],
    ['25x|', '0'],
  ])('with a separator of the customer’s own stays as it is: %s and %s', (shown, typed) => {
    expect(after(shown, typed)).toBe(`${shown.replace('|', '')}${typed}|`)
  })

  it.each([
    ['2,500', '12,50', undefined],
    ['2,500', '3.500', undefined],
    ['12,500', '1,25', undefined],
    ['12,500', '12,50', 'insertFromPaste'],
    ['12,500', '12,50', 'insertReplacementText'],
  ])('or pasted over another stays as it was pasted: %s, then %s by %s', (before, value, how) => {
    const field = { value, selectionStart: value.length, setSelectionRange() {} } as unknown as HTMLInputElement
    expect(groupTyped(field, before, 'en', how)).toBe(value)
  })

  it('never means another amount than what was typed', () => {
    for (const keys of ['12,50', '1,250', '1.250', '2500', '1000000', '12.5', '0500']) {
      let shown = '|'
      for (const key of keys) shown = after(shown, key)
      expect([keys, readAmount(shown.replace('|', ''))]).toEqual([keys, readAmount(keys)])
    }
  })
})
