// The bank lists: a list that is late, missing or old stops no payment, and the service is asked no
// more than needed.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Bank, CountryCode } from '../../server/contract/index.ts'
import { createBankLists, type BankLists } from '../../server/deposits/create/banks.ts'
import { START } from '../helpers/deposit-record.ts'

const HOUR = 3_600_000
const bank = (code: string): Bank => ({ code, name: `Bank ${code}` })

let at: number
let asked: CountryCode[]
let taken: string[]
let allowed: boolean
let answer: () => Promise<readonly Bank[]>
let wakes: { readonly ms: number; readonly wake: () => void }[]
let lists: BankLists
beforeEach(() => {
  at = START
  asked = []
  taken = []
  allowed = true
  answer = async () => [bank('01')]
  wakes = []
  lists = createBankLists({
    upstream: {
      banks(country) {
        asked.push(country)
        return answer()
      },
    },
    budget: {
      async take(priority) {
        taken.push(priority)
        return allowed
      },
      left: () => 0,
    },
    now: () => at,
    sleep: (ms) => new Promise((wake) => wakes.push({ ms, wake })),
  })
})
const fails = () => Promise.reject(new Error('away'))

describe('the list of a country', () => {
  it('is fetched once for many at once, and again after six hours', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => lists.list('KE')))
    expect(all[19]).toEqual({ country: 'KE', currency: 'KES', banks: [bank('01')] })
    at += 6 * HOUR - 1
    await lists.list('KE')
    expect([asked, taken]).toEqual([['KE'], ['check']])
    at += 1
    answer = async () => [bank('02')]
    expect((await lists.list('KE')).banks).toEqual([bank('02')])
    expect(asked).toHaveLength(2)
  })

  it('is served old while the service fails, which is asked again every 30 s only', async () => {
    await lists.list('KE')
    at += 6 * HOUR
    answer = fails
    for (const wait of [0, 0, 29_999]) {
      at += wait
      expect((await lists.list('KE')).banks).toEqual([bank('01')])
    }
    expect(asked).toHaveLength(2)
    at += 1
    answer = async () => [bank('02')]
    expect((await lists.list('KE')).banks).toEqual([bank('02')])
    // One failure is over with the next success.
    at += 6 * HOUR
    answer = async () => [bank('03')]
    expect((await lists.list('KE')).banks).toEqual([bank('03')])
  })

  it('that was never there is asked for again after 5 s, so that a companion started before the service has it soon', async () => {
    answer = fails
    for (const wait of [0, 0, 4999]) {
      at += wait
      await expect(lists.list('KE')).rejects.toThrow('away')
    }
    expect(asked).toHaveLength(1)
    at += 1
    answer = async () => [bank('01')]
    expect((await lists.list('KE')).banks).toEqual([bank('01')])
  })

  it('is not asked for without budget', async () => {
    allowed = false
    await expect(lists.list('KE')).rejects.toMatchObject({ code: 'upstream_unavailable' })
    expect(asked).toEqual([])
  })

  it('is held for each country by itself, one that fails holds up no other, and what is not held is not fetched', async () => {
    answer = () => (asked.at(-1) === 'TZ' ? fails() : Promise.resolve([bank(asked.at(-1) ?? '')]))
    await lists.warm(['TZ', 'KE', 'UG'])
    expect([lists.cached('TZ'), lists.cached('KE'), lists.cached('UG')]).toEqual([
      undefined,
      // By its initials as well.
      [{ ...bank('KE'), aliases: ['BK'] }],
      [{ ...bank('UG'), aliases: ['BU'] }],
    ])
    expect(lists.cached('ET')).toBeUndefined()
    expect(asked).toEqual(['TZ', 'KE', 'UG'])
  })
})

describe('the bank of a payment', () => {
  it('is found by its code, or is not in the list', async () => {
    expect(await lists.find('KE', '01')).toEqual(bank('01'))
    expect(await lists.find('KE', '99')).toBe('in_no_list')
  })

  it('delays it by two seconds at most, and stops it neither then nor when there is no list', async () => {
    const late = Promise.withResolvers<readonly Bank[]>()
    answer = () => late.promise
    const found = lists.find('KE', '99')
    await Promise.resolve()
    expect(wakes.map(({ ms }) => ms)).toEqual([2000])
    wakes[0]?.wake()
    expect(await found).toBe('no_list')
    late.resolve([])
    answer = fails
    expect(await lists.find('TZ', '99')).toBe('no_list')
  })
})
