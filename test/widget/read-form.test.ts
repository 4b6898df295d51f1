// What is sent when Pay is pressed, and what is said to be wrong instead.
import { describe, expect, it, vi } from 'vitest'
import type { SessionView } from '../../server/contract/index.ts'
import { CheckoutError } from '../../widget/base/checkout-error.ts'
import { isBankOpen } from '../../widget/base/bank-search.ts'
import { fieldFault } from '../../widget/base/field-fault.ts'
import type { Faults, FormValues, Offered, PageValues } from '../../widget/base/form-values.ts'
import { faultText } from '../../widget/base/field-texts.ts'
import { readForm } from '../../widget/base/read-form.ts'
import { en } from '../../widget/locales/index.ts'

vi.stubGlobal('navigator', { languages: [] })

const row = { country: 'KE', name: 'Kenya', currency: 'KES', callingCode: '+254' }
const market = { country: 'KE', currency: 'KES', min: 10, max: 150_000 }
const list = [{ name: 'Equity Bank', code: '68' }]

/** What a test gives: properties of the page, and what was typed. */
type Given = Partial<PageValues> & { typed?: string; query?: string }

/** A form that is filled in as it should be, but for what is given. */
function valuesOf(
  { typed = '2,500', query = '', ...page }: Given = {},
  offered: Partial<Record<keyof Offered, unknown>> = {},
  wrong: Faults = {},
): FormValues {
  return {
    page: { bankChoice: 'optional', payerName: 'Achieng Otieno', payerPhone: '0712 345 678', ...page },
    offer: { row, market, banks: list, ...offered },
    entry: { amount: typed, query, faults: wrong },
    locale: 'en',
    texts: en,
  } as unknown as FormValues
}

function read(
  given: Given = {},
  offered: Partial<Record<keyof Offered, unknown>> = {},
  replaces?: string,
  hasFlow = true,
) {
  const values = valuesOf(given, offered)
  return readForm(values, hasFlow && isBankOpen(values), replaces)
}
const faults = (...given: Parameters<typeof read>) => read(...given).faults

describe('the request', () => {
  it('says what was typed, and nothing that was not', () => {
    expect(read().faults).toEqual({})
    expect(JSON.parse(JSON.stringify(read().body))).toEqual({
      country: 'KE',
      currency: 'KES',
      amount: 2500,
      payer: { name: 'Achieng Otieno', phone: '+254712345678' },
      locale: 'en',
    })
  })

  it('names bank, order, e-mail address and the payment in whose place it is', () => {
    const given = { bank: '68', clientReference: 'cart-1', payerName: ' Achieng ', payerEmail: ' achieng@example.ke ' }
    expect(read(given, {}, 'dep_1').body).toMatchObject({
      bankCode: '68',
      clientReference: 'cart-1',
      payer: { name: 'Achieng', email: 'achieng@example.ke' },
      replaces: 'dep_1',
    })
    expect(read({ ...given, bankChoice: 'hidden' }).body.bankCode).toBeUndefined()
  })

  it('has an e-mail address without the marks that were pasted along, and a name with those that join its letters', () => {
    const { faults: wrong, body } = read({
      payerEmail: '\u202a\u00a0achieng@example.ke\u200e\u202c\ufeff',
      payerName: 'نیک\u200cپی',
    })
    expect(wrong).toEqual({})
    expect(body.payer).toMatchObject({ email: 'achieng@example.ke', name: 'نیک\u200cپی' })
  })

  it.each(['\u200b\u200b', '\u3164\u3164', '\u2800\u2800', 'A\u202e\u200d', '\u00ad\u00ad\ufe0f'])(
    'says that the name is missing where nothing of it can be seen: "%s"',
    (payerName) => {
      expect(read({ payerName }).faults).toEqual({ name: 'errName' })
    },
  )

  it('has the amount of the page rather than the one typed, and that of the session rather than both', () => {
    expect(read({ amount: 700 }).body.amount).toBe(700)
    const session = { amount: 4900, payer: {} } as SessionView
    expect(read({ amount: 700, session: 'token' }, { session }).body).toMatchObject({ amount: 4900, session: 'token' })
  })

  it('leaves to the session what it knows of the payer', () => {
    const session = { amount: 4900, payer: { name: true, phone: true, email: true } } as SessionView
    const { faults: wrong, body } = read({ payerEmail: 'x' }, { session })
    expect(wrong).toEqual({})
    expect(body.payer).toEqual({ name: undefined, phone: undefined, email: undefined })
  })

  it.each(['', '+', 'none', '-'])('makes no number of "%s"', (payerPhone) => {
    expect(read({ payerPhone }).body.payer?.phone).toBeUndefined()
  })
})

describe('the amount', () => {
  it.each(['', '0', '-5', '25.5', 'ten'])('"%s" is none', (typed) => {
    expect(faults({ typed })).toEqual({ amount: 'errAmount' })
  })

  it.each([
    ['the companion', {}, 9, 10, 150_000, 150_001],
    ['the page, where it is the stricter one', { minAmount: 500, maxAmount: 1000 }, 499, 500, 1000, 1001],
    ['the companion, where the page allows more', { minAmount: 1, maxAmount: 999_999 }, 9, 10, 150_000, 150_001],
  ])('keeps to the limits of %s', (_, limits, low, least, most, high) => {
    expect([low, least, most, high].map((amount) => faults({ ...limits, amount }).amount)).toEqual([
      'errMin',
      undefined,
      undefined,
      'errMax',
    ])
  })

  it('of a session is the shop’s, whatever the limits', () => {
    const session = { amount: 5, payer: {} } as SessionView
    expect(faults({}, { session })).toEqual({})
  })

  it('has no limits of the companion before they are known', () => {
    expect(faults({ typed: '1' }, { market: undefined })).toEqual({})
    expect(faults({ typed: '999999999' }, { market: undefined })).toEqual({})
  })
})

it('a name has two letters, however they are written, and an e-mail address what it needs', () => {
  for (const payerName of [undefined, '', ' A ', '𞤀']) expect(faults({ payerName })).toEqual({ name: 'errName' })
  expect(faults({ payerName: '𞤀𞤁' })).toEqual({})
  for (const payerEmail of ['a', 'a@b', '@b.ke', 'a b@c.ke', 'a@b.ke x']) expect(faults({ payerEmail })).toEqual({ email: 'errEmail' }) // prettier-ignore
})

describe('the bank', () => {
  it('is asked for where the shop requires it, unless its list failed', () => {
    const bankChoice = 'required'
    expect(faults({ bankChoice })).toEqual({ bank: 'errBank' })
    expect(faults({ bankChoice }, { banks: 'loading' })).toEqual({ bank: 'errBank' })
    expect(faults({ bankChoice }, { banks: 'failed' })).toEqual({})
    expect(faults({ bankChoice, bank: '68' })).toEqual({})
  })

  it('that was typed and could be one of the list is to be chosen; one of no list stops nobody', () => {
    expect(faults({ query: 'Equity' })).toEqual({ bank: 'errBankList' })
    expect(faults({ query: 'Equity', bank: '68' })).toEqual({})
    expect(faults({ query: 'Equity', bankChoice: 'hidden' })).toEqual({})
    expect(faults({ query: 'Chama' })).toEqual({})
    expect(faults({ query: 'Equity' }, { banks: 'failed' })).toEqual({})
    expect(faults({ query: 'Equity' }, {}, undefined, false)).toEqual({})
  })
})

it.each([
  ['amount', 'amount_out_of_range', { amount: 'limits' }],
  ['amount', 'bad', { amount: expect.objectContaining({ message: 'It says so.' }) }],
  ['payer.name', 'bad', { name: 'errLong' }],
  ['payer.phone', 'bad', { phone: 'phoneOdd' }],
  ['payer.email', 'bad', { email: 'errEmail' }],
  ['bankCode', 'bad', { bank: 'errBank' }],
  ['country', 'bad', undefined],
  [undefined, 'bad', undefined],
])('a refusal of %s for %s is said at its field, if it has one', (path, code, said) => {
  expect(fieldFault(Object.assign(new CheckoutError(code, 'It says so.'), { path }))).toEqual(said)
})

it.each<[string, Faults, string]>([
  ['nothing where nothing is wrong', {}, ''],
  ['the limits', { amount: 'errMin' }, 'Enter at least KSh\u00a010.'],
  ['the companion’s own words', { amount: new CheckoutError('bad', 'It says so: errMin.') }, 'It says so: errMin.'],
])('a field says %s', (_, wrong, text) => {
  expect(faultText(valuesOf({}, {}, wrong), 'amount')).toBe(text)
})
