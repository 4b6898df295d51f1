// What the form offers to pay: whose country and currency hold, and that what an earlier order
// asked for is not this one's.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CheckoutError } from '../../widget/base/checkout-error.ts'
import type { CompanionClient } from '../../widget/client/companion-client.ts'
import { Offer } from '../../widget/controller/offer.ts'
import type { CheckoutHost } from '../../widget/controller/checkout.ts'
import { sampleMarkets, sampleSession } from '../helpers/sample-payment.ts'

interface Host {
  isConnected: boolean
  companion: string
  session: string | undefined
  country: string | undefined
  currency: string | undefined
  dataset: Record<string, string>
}
let host: Host
let offer: Offer
let came: unknown[]
let checkout: { client: CompanionClient; state: { screen: { step: string } }; loadFlow: ReturnType<typeof vi.fn> }

/** A companion whose answers the test gives; each order has a client of its own. */
function companion(answers: Partial<Record<'session' | 'banks' | 'markets', () => Promise<unknown>>> = {}) {
  return {
    markets: vi.fn(answers.markets ?? (async () => sampleMarkets)),
    session: vi.fn(answers.session ?? (async () => sampleSession)),
    banks: vi.fn(answers.banks ?? (async () => ({ banks: [{ name: 'Equity', code: '68' }] }))),
  } as unknown as CompanionClient
}
async function open(client = companion()): Promise<CompanionClient> {
  checkout.client = client
  offer.renew()
  await vi.advanceTimersByTimeAsync(10)
  return client
}

beforeEach(() => {
  vi.useFakeTimers()
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => {})
  vi.stubGlobal('document', { hidden: true })
  vi.stubGlobal('navigator', { languages: ['en-KE'] })
  host = { isConnected: true, companion: '', session: undefined, country: undefined, currency: undefined, dataset: {} }
  came = []
  const idle = async (): Promise<void> => {}
  checkout = Object.assign(
    { client: companion(), state: { screen: { step: 'form' } } },
    { loadFlow: vi.fn(idle), _explain: idle },
  )
  const parts = {
    addController: () => {},
    requestUpdate: () => {},
    _checkout: checkout,
    _pressing: {
      _offerCame: (answer?: unknown) => answer && came.push(answer),
      _offerFailed: (answer: { code: string }) => host.session && came.push(answer),
    },
    _form: { loadSearch: idle, banksCame: () => {} },
  }
  offer = new Offer(Object.assign(host, parts) as unknown as CheckoutHost)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('country and currency', () => {
  const place = () => [offer.row.country, offer.row.currency]

  it.each<[string, Partial<Host>, string, string, string]>([
    ['that the customer chose', {}, 'SN', 'SN', 'XOF'],
    ['that the page fixes, whatever was chosen', { country: 'KE' }, 'SN', 'KE', 'KES'],
    ['that the page fixes and nobody offers: sent as it is', { country: 'NG' }, '', 'NG', 'NGN'],
    ['that the page fixes in another currency: in no other', { country: 'KE', currency: 'XOF' }, '', 'KE', 'XOF'],
    ['that the page fixes in small letters', { country: 'sn' }, 'KE', 'SN', 'XOF'],
    ['of the fixed currency in small letters', { currency: 'xof' }, 'KE', 'SN', 'XOF'],
    ['in small letters that do not fit: in no other', { country: 'ke', currency: 'xof' }, '', 'KE', 'XOF'],
    ['that the page begins with', { dataset: { country: 'SN' } }, '', 'SN', 'XOF'],
    ['of the only market in the fixed currency', { currency: 'XOF' }, '', 'SN', 'XOF'],
    ['of a currency that nobody offers: in no other', { currency: 'TZS' }, 'KE', '', 'TZS'],
  ])('are those %s', async (_, given, chosen, country, currency) => {
    await open()
    Object.assign(host, given)
    offer.chosen = chosen
    expect(place()).toEqual([country, currency])
    expect(offer.market?.country).toBe(sampleMarkets.markets.find((one) => one.country === country)?.country)
  })

  it('are those of the session, whatever the page says', async () => {
    Object.assign(host, { session: 'token', country: 'SN', currency: 'XOF' })
    await open()
    expect(place()).toEqual(['KE', 'KES'])
  })
})

describe('a session', () => {
  it('is asked for once while its answer is on its way, and not again once it has come', async () => {
    host.session = 'token'
    const slow = Promise.withResolvers<unknown>()
    const client = await open(companion({ session: () => slow.promise }))
    void offer.loadSession()
    slow.resolve(sampleSession)
    await vi.advanceTimersByTimeAsync(0)
    void offer.loadSession()
    expect(vi.mocked(client.session)).toHaveBeenCalledOnce()
    expect([offer.session, came]).toEqual([sampleSession, [sampleSession]])
  })

  it('of an earlier order that comes late is not this one’s', async () => {
    host.session = 'first'
    const slow = Promise.withResolvers<unknown>()
    await open(companion({ session: () => slow.promise }))
    host.session = 'second'
    const second = { ...sampleSession, amount: 700 }
    await open(companion({ session: async () => second }))
    slow.resolve(sampleSession)
    await vi.advanceTimersByTimeAsync(10)
    expect([offer.session, came]).toEqual([second, [second]])
  })

  it('of an earlier order is gone while this one’s is awaited', async () => {
    host.session = 'first'
    await open()
    await open(companion({ session: () => new Promise(() => {}) }))
    expect(offer.session).toBeUndefined()
  })

  it.each([
    ['network', undefined, 13],
    ['rate_limited', 30, 3],
    ['store_unavailable', undefined, 5],
    ['internal_error', undefined, 5],
    ['session_invalid', undefined, 1],
    ['session_paid', undefined, 1],
    ['origin_not_allowed', undefined, 1],
  ])('that is answered with %s, “again in %s s”, is asked for %i times in a minute', async (code, after, times) => {
    host.session = 'token'
    const fault = new CheckoutError(code, '', undefined, after)
    const client = await open(companion({ session: () => Promise.reject(fault) }))
    await vi.advanceTimersByTimeAsync(60_100)
    expect(vi.mocked(client.session)).toHaveBeenCalledTimes(times)
    expect(offer.session).toBeUndefined()
  })

  it('is asked for no more often the longer it cannot be reached, nor the more often Pay is pressed', async () => {
    host.session = 'token'
    const lost = (): Promise<never> => Promise.reject(new CheckoutError('network', ''))
    const client = await open(companion({ session: lost, markets: lost }))
    for (let press = 0; press < 5; press += 1) {
      void offer.loadSession()
      await vi.advanceTimersByTimeAsync(100)
    }
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    vi.mocked(client.session).mockClear()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(vi.mocked(client.session).mock.calls.length).toBeLessThan(20)
    // That repeats itself: each further call would be one more series of requests for our code.
    expect(checkout.loadFlow).toHaveBeenCalledOnce()
  })

  it('is asked for no more often after the page has moved the element, and again once it is back on the page', async () => {
    host.session = 'token'
    const lost = (): Promise<never> => Promise.reject(new CheckoutError('network', ''))
    const client = await open(companion({ session: lost, markets: lost }))
    for (let move = 0; move < 10; move += 1) {
      offer.hostConnected()
      await vi.advanceTimersByTimeAsync(700)
    }
    const inTenMinutes = async (): Promise<number> => {
      vi.mocked(client.markets).mockClear()
      await vi.advanceTimersByTimeAsync(10 * 60_000)
      return vi.mocked(client.markets).mock.calls.length
    }
    expect(await inTenMinutes()).toBe(40)
    host.isConnected = false
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await inTenMinutes()).toBe(0)
    host.isConnected = true
    offer.hostConnected()
    expect(await inTenMinutes()).toBe(40)
  })
})

describe('the banks', () => {
  it('of a country that was left meanwhile are not those of the chosen one', async () => {
    const slow = Promise.withResolvers<unknown>()
    const answers = [slow.promise, Promise.resolve({ banks: [{ name: 'CBAO', code: 'S1' }] })]
    await open(companion({ banks: () => answers.shift() as Promise<unknown> }))
    void offer.loadBanks()
    offer.chosen = 'SN'
    void offer.loadBanks()
    await vi.advanceTimersByTimeAsync(0)
    slow.resolve({ banks: [{ name: 'Equity', code: '68' }] })
    await vi.advanceTimersByTimeAsync(0)
    expect(offer.banks).toEqual([{ name: 'CBAO', code: 'S1' }])
  })

  it.each([
    ['an empty list', async () => ({ banks: [] }), 1],
    ['no answer', () => Promise.reject(new CheckoutError('network', '')), 2],
  ])('stop no payment: %s', async (_, banks, times) => {
    const client = await open(companion({ banks }))
    void offer.loadBanks()
    await vi.advanceTimersByTimeAsync(15_010)
    expect(offer.banks).toBe('failed')
    expect(vi.mocked(client.banks)).toHaveBeenCalledTimes(times)
  })

  it('are not asked for where nothing is offered, as in a currency that no market has', async () => {
    host.currency = 'TZS'
    const client = await open()
    void offer.loadBanks()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(vi.mocked(client.banks)).not.toHaveBeenCalled()
  })

  it('that cannot be reached are asked for no more often the more often the form is reset', async () => {
    const client = await open(companion({ banks: () => Promise.reject(new CheckoutError('network', '')) }))
    for (let time = 0; time < 5; time += 1) {
      offer.forgetBanks()
      void offer.loadBanks()
      await vi.advanceTimersByTimeAsync(1000)
    }
    vi.mocked(client.banks).mockClear()
    await vi.advanceTimersByTimeAsync(150_000)
    expect(vi.mocked(client.banks)).toHaveBeenCalledTimes(10)
  })
})

describe('the markets', () => {
  it('that do not come are said to whoever builds the page, with the address that was asked: once, however long it takes', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    Object.assign(host, { companion: 'https://pay.exmaple' })
    const client = await open(companion({ markets: () => Promise.reject(new CheckoutError('network', 'No answer.')) }))
    host.companion = 'https://pay.example'
    await vi.advanceTimersByTimeAsync(60_000)
    expect(vi.mocked(client.markets).mock.calls.length).toBeGreaterThan(2)
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'hc-checkout: no markets from companion="https://pay.exmaple". No answer.',
    )
  })

  it('of an earlier companion that come late are not this one’s', async () => {
    const slow = Promise.withResolvers<unknown>()
    await open(companion({ markets: () => slow.promise }))
    const live = { mode: 'live', markets: sampleMarkets.markets.slice(0, 1) }
    await open(companion({ markets: async () => live }))
    slow.resolve(sampleMarkets)
    await vi.advanceTimersByTimeAsync(10)
    expect([offer.mode, offer.rows.length]).toEqual(['live', 1])
  })
})
