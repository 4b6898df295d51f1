// What is sent is what the fields show when Pay is pressed, however it came there: typed, filled in
// by a password manager, or changed by an extension.
// chai-a11y-axe types every assertion as a promise. Those that are one are awaited.
/* oxlint-disable typescript/no-floating-promises -- see above */
import { aTimeout, expect, waitUntil } from '@open-wc/testing'
import type { HcCheckout } from 'hc-checkout'
import { sampleBanks, sampleMarkets } from '../helpers/sample-payment.ts'
import { later, problem, slow } from './companion.ts'
import { asked, show, type, useBanks, within } from './shown.ts'

type Body = Record<string, unknown> & { payer: Record<string, unknown> }

/** Puts a text into a field, and says nothing of it but these events. */
function fill(element: HcCheckout, id: string, value: string, ...events: readonly string[]): void {
  const field = within<HTMLInputElement>(element, `#${id}`)
  field.value = value
  for (const event of events) field.dispatchEvent(new Event(event, { bubbles: true }))
}

const bodies = (): readonly Body[] => asked('POST /v1/deposits').map(({ body }) => body as Body)
const pay = (element: HcCheckout): void => within(element, '[part~=pay-button]').click()
const isWrong = (element: HcCheckout, id: string): boolean =>
  within(element, `#${id}`).getAttribute('aria-invalid') === 'true' &&
  within(element, `#${id}-note`).textContent.trim() !== ''

/** A form whose banks can be chosen. A refusal shows it again. */
async function ready(attributes: Record<string, string> = { 'data-country': 'KE' }): Promise<HcCheckout> {
  const element = await show({ 'POST /v1/deposits': () => problem(422, 'limit') }, attributes)
  await useBanks(element)
  await waitUntil(() => within(element, '.test'), '', slow)
  return element
}

const markets = sampleMarkets.markets.filter(({ country }) => ['KE', 'SN'].includes(country))
const currencies = new Map<string, string>(markets.map(({ country, currency }) => [country, currency]))
const callingCodes = new Map<string, string>(markets.map(({ country, callingCode }) => [country, callingCode]))
const bad = Symbol('says so at the field, and sends nothing')

/** For each text, what the documentation makes of it. */
const readings: Record<string, Record<string, (country: string) => unknown>> = {
  country: Object.fromEntries([...currencies.keys()].map((country) => [country, () => country])),
  bank: {
    '': () => undefined,
    ...Object.fromEntries(sampleBanks.banks.map(({ name, code }) => [name, () => code])),
    [sampleBanks.banks[0]!.name.toLowerCase()]: () => sampleBanks.banks[0]!.code,
    'Chama yetu': () => undefined,
    a: () => bad,
  },
  amount: {
    '2500': () => 2500,
    '2,500': () => 2500,
    '2,700': () => 2700,
    '5,000': () => 5000,
    '3 500': () => 3500,
    '4000/=': () => 4000,
    '٢٧٠٠': () => 2700,
    '': () => bad,
    '12.5': () => bad,
    many: () => bad,
  },
  name: { 'Achieng Otieno': () => 'Achieng Otieno', ' Wanjiru ': () => 'Wanjiru', A: () => bad, '': () => bad },
  phone: {
    '': () => undefined,
    '0712345678': (country) => `${callingCodes.get(country)!}712345678`,
    '254712345679': (country) => (country === 'KE' ? '+254712345679' : skip),
    '+254 712 345 670': () => '+254712345670',
  },
  email: { '': () => undefined, 'achieng@example.ke': () => 'achieng@example.ke', achieng: () => bad },
}
const skip = Symbol('an odd number that is sent as the country reads it')

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function fillInAtRandom(seed: number, turns: number): Promise<void> {
  const element = await ready()
  const random = randomFrom(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  let sent = 0
  let refused = 0
  for (let turn = 0; turn < turns; turn++) {
    const story: string[] = []
    const steps = Math.floor(random() * 8)
    // Half of the forms begin with what can be paid.
    const first = random() < 0.5 ? ['amount', 'name', 'email', 'bank'] : []
    for (const id of [...first, ...Array.from({ length: steps }, () => one(Object.keys(readings)))]) {
      const texts = Object.keys(readings[id]!)
      const isFirst = first.includes(id) && story.length < first.length
      const text = isFirst ? texts.find((each) => readings[id]![each]!('KE') !== bad)! : one(texts)
      const events = one([[], ['input'], ['change'], ['input', 'change']])
      fill(element, id, text, ...events)
      story.push(`${id}=${text} ${events.join('+')}`)
      if (random() < 0.2) await element.updateComplete
    }
    const shown = Object.fromEntries(
      Object.keys(readings).map((id) => [id, within<HTMLInputElement>(element, `#${id}`).value]),
    )
    const wanted = Object.fromEntries(
      Object.entries(shown).map(([id, text]) => {
        const known = Object.entries(readings[id]!).find(([each]) => each.trim() === text.trim())
        return [id, known ? known[1](shown['country']!) : expect.fail(`${story.join(', ')}: ${id} shows ${text}`)]
      }),
    )
    const before = bodies().length
    pay(element)
    const wrong = Object.keys(wanted).filter((id) => wanted[id] === bad)
    const told = story.join(', ')
    if (wrong.length > 0) {
      await element.updateComplete
      // A bank of a country that was chosen just now is known once its list has come.
      await waitUntil(() => wrong.every((id) => isWrong(element, id)), `${told}: ${wrong.join()} say so`, slow)
      expect(bodies().length, told).to.equal(before)
      refused++
      continue
    }
    await waitUntil(() => bodies().length > before, told, { ...slow, interval: 1 })
    const body = bodies().at(-1)!
    expect(bodies().length, told).to.equal(before + 1)
    expect(body['country'], told).to.equal(wanted['country'])
    expect(body['currency'], told).to.equal(currencies.get(shown['country']!))
    expect(body['amount'], told).to.equal(wanted['amount'])
    expect(body['bankCode'], told).to.equal(wanted['bank'])
    expect(body.payer['name'], told).to.equal(wanted['name'])
    expect(body.payer['email'], told).to.equal(wanted['email'])
    if (wanted['phone'] !== skip) expect(body.payer['phone'], told).to.equal(wanted['phone'])
    sent++
    await waitUntil(() => within(element, '[part=form]'), told, { ...slow, interval: 1 })
  }
  expect(sent).to.be.greaterThan(turns / 8)
  expect(refused).to.be.greaterThan(turns / 8)
}

describe('what is sent', () => {
  // 1,000 forms, in parts that a busy machine ends in time.
  for (const seed of [41, 42, 43, 44, 45])
    it(`is what each field shows after 200 random ways to fill it in, seed ${seed}`, () => fillInAtRandom(seed, 200))

  it('is nothing while a field shows another amount than the page has fixed', async () => {
    const element = await ready({ country: 'KE', amount: '2500', 'payer-name': 'Achieng' })
    fill(element, 'amount', '1')
    pay(element)
    await element.updateComplete
    expect(within<HTMLInputElement>(element, '#amount').value).to.equal('2,500')
    await aTimeout(0)
    expect(bodies()).to.deep.equal([])
    pay(element)
    await waitUntil(() => bodies().length, '', slow)
    expect(bodies()[0]!['amount']).to.equal(2500)
  })

  it('is the quick amount that was pressed, over what a program had filled in', async () => {
    const element = await ready({ country: 'KE', 'payer-name': 'Achieng' })
    const quick = within(element, '.chips button')
    const amount = quick.textContent.trim()
    quick.click()
    await element.updateComplete
    fill(element, 'amount', '77')
    quick.click()
    await element.updateComplete
    expect(within<HTMLInputElement>(element, '#amount').value.replace(/\D/g, '')).to.equal(amount.replace(/\D/g, ''))
  })
})

describe('the bank field that the customer leaves', () => {
  const leave = async (element: HcCheckout, text: string): Promise<void> => {
    const field = within(element, '#bank')
    field.focus()
    type(element, 'bank', text)
    field.blur()
    await element.updateComplete
  }
  const [first] = sampleBanks.banks

  it('takes the bank of exactly this name', async () => {
    const element = await ready()
    await leave(element, first!.name)
    expect(element.bank).to.equal(first!.code)
    expect(within<HTMLInputElement>(element, '#bank').value).to.equal(first!.name)
  })

  it('takes the only bank that is found, and shows its name', async () => {
    const element = await ready()
    await leave(element, 'commercial')
    expect(element.bank).to.equal(first!.code)
    expect(within<HTMLInputElement>(element, '#bank').value).to.equal(first!.name)
  })

  it('says so where several banks are found', async () => {
    const element = await ready()
    await leave(element, 'a')
    expect(element.bank).to.equal(undefined)
    expect(isWrong(element, 'bank')).to.equal(true)
  })
})

describe('a bank that is filled in before its list has come', () => {
  it('is sent all the same, once the list has come', async () => {
    const list = later(() => sampleBanks)
    const element = await show(
      { 'POST /v1/deposits': () => problem(422, 'limit'), 'GET /v1/banks': list.answer },
      { country: 'KE', amount: '2500', 'payer-name': 'Achieng' },
    )
    await waitUntil(() => within(element, '[role=combobox]') && within(element, '.test'), '', slow)
    fill(element, 'bank', sampleBanks.banks[1]!.name)
    pay(element)
    await element.updateComplete
    expect(bodies()).to.deep.equal([])
    list.come()
    await waitUntil(() => bodies().length, '', slow)
    expect(bodies()[0]!['bankCode']).to.equal('68')
  })
})
