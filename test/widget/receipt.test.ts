// The content of a receipt in each language, and the mobile-money names in the help against the
// table they come from.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { am, en, fr, ha, rn, rw, so, sw } from '../../widget/locales/index.ts'
import { marketsOnOffer } from '../../server/deposits/markets.ts'
import { DEFAULT_LIMITS } from '../../server/settings/schema.ts'
import { receiptOf, receiptPage, receiptText } from '../../widget/base/receipt.ts'
import type { Deposit } from '../../widget/base/types.ts'

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

  it('bears the shop of the settings, its contacts, the payer’s name and the operator', () => {
    const shop = { name: 'Nuru', phone: '+221 77 000 11 22', email: 'aide@nuru.example' }
    const beside = { shop, payerName: ' Awa  Diop ', operator: 'Wave' }
    const text = receiptText(receiptOf(fr, paid, 'fr', 'shop.example', beside))
    for (const part of [
      'Payé à\u00a0: Nuru',
      'Nom complet\u00a0: Awa  Diop',
      'Payé avec\u00a0: Wave',
      '+221 77 000 11 22\u00a0· aide@nuru.example',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('shop.example')
    // The same on the page, with the reference as people read it out.
    const page = receiptPage(receiptOf(fr, paid, 'fr', 'shop.example', beside), 'fr', {
      box: '0 0 9 9',
      path: 'M0 0h9',
    })
    for (const part of ['<h1>Nuru</h1>', '<span>HCL0</span><span>1234</span>', 'd="M0 0h9"', 'Awa  Diop'])
      expect(page).toContain(part)
  })

  it('bears no name where the page remembers another person’s, or none', () => {
    for (const payerName of ['Bintou Ndiaye', '', undefined])
      expect(receiptText(receiptOf(en, paid, 'en', 'shop.example', { payerName }))).not.toMatch(/Full name|•|Bintou/)
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
  const offered = marketsOnOffer(
    Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((code) => [code, '1'])),
    DEFAULT_LIMITS,
    () => false,
  )
  const sources = JSON.parse(
    readFileSync(new URL('../../demo/sandbox/engine/banks.json', import.meta.url), 'utf8'),
  ) as {
    countries: Record<string, { mobile_money: { name: string; note?: string }[] }>
  }

  for (const [country, { mobile_money }] of Object.entries(sources.countries))
    it(`names for ${country} only operators that a source confirms`, () => {
      const confirmed = mobile_money.filter(({ note }) => note !== 'unconfirmed').map(({ name }) => name.toLowerCase())
      for (const name of offered.find((market) => market.country === country)?.operators ?? [])
        expect(
          confirmed.some((one) => one.startsWith(name.toLowerCase())),
          name,
        ).toBe(true)
    })

  it('fills every gap that its sentences have', () => {
    for (const texts of Object.values(languages)) {
      const gaps = [texts.helpChoose, texts.helpSend, texts.sentText, texts.shareMessage, texts.shareShop]
        .join()
        .match(/\{\w+\}/g)
      expect(gaps?.toSorted()).toEqual([
        '{amount}',
        '{amount}',
        '{amount}',
        '{operator}',
        '{operator}',
        '{reference}',
        '{shop}',
        '{url}',
        '{url}',
      ])
    }
  })
})
