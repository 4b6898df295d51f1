// The content of a receipt in each language, and the mobile-money names in the help against the table they come from.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { am, en, fr, ha, rn, rw, so, sw } from '../../widget/locales/index.ts'
import { operatorsOf } from '../../widget/operators.ts'
import { receiptOf, receiptPage, receiptText } from '../../widget/receipt.ts'
import type { Deposit } from '../../widget/types.ts'

const paid: Deposit = {
  id: 'dep_1', reference: 'HCL0123456789ABCDEFGHJK', mode: 'live', status: 'SUCCESS', phase: 'succeeded', amount: 150_000,
  currency: 'XOF', country: 'SN', payer: { name: 'A••• D•••' }, 
  expiresAt: '2030-01-01T11:32:00Z', createdAt: '2030-01-01T11:17:00Z', settledAt: '2030-01-01T11:25:00Z', version: 4,
} // prettier-ignore

const languages = { en, fr, sw, am, ha, rn, rw, so }

describe('a receipt', () => {
  for (const [locale, texts] of Object.entries(languages))
    it(`in ${locale} says amount, reference and place, without a gap in its words`, () => {
      const text = receiptText(receiptOf(texts, paid, locale, 'shop.example'))
      expect(text.replace(/\D/g, '')).toContain('150000')
      expect(text).toContain('XOF')
      // French has a space before a colon.
      const colon = locale === 'fr' ? '\u00a0: ' : ': '
      expect(text).toContain(`${texts.reference}${colon}HCL0123456789ABCDEFGHJK`)
      expect(text).toContain(`${texts.receipt}${colon}${texts.successTitle}`)
      expect(text).toContain('shop.example')
      expect(text).not.toMatch(/undefined|\{|TEST|JARIBIO/)
    })

  it.each(['ha', 'rn', 'rw', 'so'] as const)(
    'in %s has its day in numbers, as the card has it: no browser’s own language is mixed in',
    (locale) => {
      const text = receiptText(
        receiptOf(languages[locale], { ...paid, settledAt: '2030-01-03T11:25:00Z' }, locale, 'x'),
      )
      expect(text).toMatch(new RegExp(`^${languages[locale].date}: 03/01/2030, \\d\\d:25`, 'm'))
    },
  )

  it('shows the way to the payment to nobody', () => {
    const receipt = receiptOf(en, paid, 'en', 'shop.example')
    expect(receiptText(receipt) + receiptPage(receipt, 'en')).not.toContain('secret-link')
  })

  it('bears the shop’s name where the page gives one', () => {
    const text = receiptText(receiptOf({ ...en, shopName: 'Boutique Awa' }, paid, 'en', 'shop.example'))
    expect(text).toContain('Boutique Awa')
    expect(text).not.toContain('shop.example')
  })

  it('of a test payment says so in every form', () => {
    const receipt = receiptOf(en, { ...paid, mode: 'test' }, 'en', 'shop.example')
    expect(receiptText(receipt)).toContain(en.test)
    expect(receiptPage(receipt, 'en')).toContain(en.test)
  })

  it('as a page takes nothing for markup and loads nothing', () => {
    const page = (word: string): string =>
      receiptPage(receiptOf({ ...en, receipt: word }, { ...paid, description: word }, 'en', word), word)
    const evil = page('</title><script src=//evil.example></script><style>@import "x"</style>\'')
    const marks = (text: string): number | undefined => text.match(/[<>"']/g)?.length
    expect(marks(evil)).toBe(marks(page('Shoes')))
    expect(evil).toContain('evil.example')
    expect(page('Shoes')).not.toMatch(/<script|src=|href=|@import|url\(/)
  })
})

describe('the help', () => {
  const sources = JSON.parse(readFileSync(new URL('../../demo/sandbox/banks.json', import.meta.url), 'utf8')) as {
    countries: Record<string, { mobile_money: { name: string; note?: string }[] }>
  }

  for (const [country, { mobile_money }] of Object.entries(sources.countries))
    it(`names for ${country} only operators that a source confirms`, () => {
      const confirmed = mobile_money.filter(({ note }) => note !== 'unconfirmed').map(({ name }) => name.toLowerCase())
      for (const name of operatorsOf(country))
        expect(
          confirmed.some((one) => one.startsWith(name.toLowerCase())),
          name,
        ).toBe(true)
    })

  it('fills every gap that its sentences have', () => {
    for (const texts of Object.values(languages)) {
      const gaps = [texts.helpChoose, texts.helpSend, texts.sentText, texts.shareMessage].join().match(/\{\w+\}/g)
      expect(gaps?.toSorted()).toEqual(['{amount}', '{amount}', '{operator}', '{operator}', '{reference}', '{url}'])
    }
  })
})
