// What the people of a shop look for: payments by phone, name, order, the numbers of others,
// reference and amount, on both stores.
import { describe, expect, it } from 'vitest'
import type { SearchBy } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { otherSpellings, searchFor, termIn } from '../../server/deposits/machine/search-terms.ts'
import type { PaymentFilter } from '../../server/deposits/ports/store.ts'
import { START } from '../helpers/deposit-record.ts'
import { bench, kept, onEveryStore, store } from './every-store.ts'

const DAY_MS = 86_400_000

async function found(text: string, by: SearchBy, more: Partial<PaymentFilter> = {}): Promise<string[]> {
  const search = searchFor(text, by)
  if (search === undefined) return ['no search']
  return (await store.payments({ limit: 50, search, ...more })).map(({ id }) => id)
}

const payer = (name: string, phone?: string): Partial<Deposit> => ({
  payer: { name, ...(phone === undefined ? {} : { phone }) },
})

onEveryStore(({ name }) => {
  // The model has no desk.
  describe.skipIf(name === 'the model')('a search', () => {
    it('finds a phone by its last four to nine digits, however it is written', async () => {
      await kept({ id: 'dep_a', ...payer('Achieng', '254712345678'), createdAt: START })
      await kept({ id: 'dep_b', ...payer('Baraka', '254712345678'), createdAt: START + 1 })
      await kept({ id: 'dep_c', ...payer('Chika', '2348012995678'), createdAt: START + 2 })
      for (const text of ['345678', '712345678', '0712 345 678', '+254 712-345-678', '(0712) 345678'])
        expect(await found(text, 'phone')).toEqual(['dep_b', 'dep_a'])
      expect(await found('5678', 'phone')).toEqual(['dep_c', 'dep_b', 'dep_a'])
      expect(await found('678', 'phone')).toEqual(['no search'])
      expect(await found('7123', 'phone')).toEqual([])
      expect(await found('5678', 'phone', { country: 'UG' })).toEqual([])
    })

    it('finds a name by the beginnings of its words, without accents and case, once', async () => {
      await kept({ id: 'dep_a', ...payer('Aïssata Aïcha DIALLO') })
      await kept({ id: 'dep_b', ...payer("N'Golo Diallo-Ba"), createdAt: START + 1 })
      await kept({ id: 'dep_c', ...payer('አበበ ቢቂላ'), createdAt: START + 2 })
      expect(await found('ai', 'name')).toEqual(['dep_a'])
      expect(await found('DIAL', 'name')).toEqual(['dep_b', 'dep_a'])
      expect(await found('diallo aï', 'name')).toEqual(['dep_a'])
      expect(await found('ba dia', 'name')).toEqual(['dep_b'])
      expect(await found('አበ', 'name')).toEqual(['dep_c'])
      expect(await found('allo', 'name')).toEqual([])
      expect(await found('a', 'name')).toEqual(['no search'])
      expect(await found('%', 'name')).toEqual(['no search'])
    })

    it('finds order and reference by their beginning, and an amount in a range of days', async () => {
      await kept({ id: 'dep_a', reference: 'HCT1A', orderId: 'INV-10', amount: 2500 })
      await kept({ id: 'dep_b', reference: 'HCT1B', orderId: 'INV-1', amount: 250, createdAt: START + DAY_MS })
      await kept({ id: 'dep_c', reference: 'HCT2C', orderId: 'inv-1', amount: 2500, createdAt: START + 2 * DAY_MS })
      expect(await found('INV-1', 'order')).toEqual(['dep_a', 'dep_c', 'dep_b'])
      expect(await found('inv-1', 'order')).toEqual(['dep_a', 'dep_c', 'dep_b'])
      expect(await found('INV-10', 'order')).toEqual(['dep_a'])
      expect(await found('INV_1%', 'order')).toEqual([])
      expect(await found('hct1', 'reference')).toEqual(['dep_b', 'dep_a'])
      expect(await found('2,500', 'amount')).toEqual(['dep_c', 'dep_a'])
      expect(await found('KES 2500', 'amount')).toEqual(['dep_c', 'dep_a'])
      expect(await found('2500', 'amount', { from: START + 1, to: START + 3 * DAY_MS })).toEqual(['dep_c'])
      expect(await found('2500', 'amount', { phase: 'succeeded' })).toEqual([])
    })

    it('finds a reference as the receipt prints it', async () => {
      await kept({ id: 'dep_a', reference: 'HCT1M8KK2D5Q5BHETEDV8XHT' })
      for (const text of ['HCT1 M8KK 2D5Q 5BHE TEDV 8XHT', ' hct1 m8kk ', 'HCT1\u00a0M8KK\u200b2D5Q', 'HCT1\u200dM8'])
        expect(await found(text, 'reference'), text).toEqual(['dep_a'])
      expect(await found('HCT1 M8KX', 'reference')).toEqual([])
    })

    it('finds a reference that was copied by hand: with hyphens, and with letters that it never has', async () => {
      await kept({ id: 'dep_a', reference: 'HCT1M8KK2D0Q5BHETEDV8XHT' })
      await kept({ id: 'dep_b', reference: 'HCL1M8KK2D0Q5BHETEDV8XHT' })
      for (const text of [
        'HCT1-M8KK-2DOQ-5BHE',
        'hct1 m8kk 2doq',
        'hctlm8kk2doq',
        'HCT\u2013IM8KK',
        'HCTi M8KK\u22122D',
      ])
        expect(await found(text, 'reference'), text).toEqual(['dep_a'])
      expect(await found('hcL1 m8kk 2doq', 'reference')).toEqual(['dep_b'])
      expect(await found('HC1 1M8KK', 'reference')).toEqual(['dep_b'])
      expect(await found('HCT1 M8KK 2DUQ', 'reference')).toEqual([])
    })

    it('finds an order and the numbers of others in another spelling', async () => {
      const spelt = async (text: string, by: SearchBy): Promise<string[]> => {
        const pages = otherSpellings(text, by).map((search) => store.payments({ limit: 50, search }))
        return (await Promise.all(pages)).flat().map(({ id }) => id)
      }
      await kept({ id: 'dep_a', orderId: 'nuru-1001', reportedThirdPartyId: 'SP12AB34CD' })
      await kept({ id: 'dep_b', orderId: 'ORD2026-0012', transactionId: 'CPS3-6ULT8P' })
      await kept({ id: 'dep_c', orderId: 'LINK-AB0C1DEF23' })
      await kept({ id: 'dep_d', orderId: 'a-b-c-d 7' })
      for (const text of ['nuru 1001', 'NURU1001', 'Nuru\u20131001', 'nuru  1001', 'nuru_10', 'NURU 1001 '])
        expect(await spelt(text, 'order'), text).toEqual(['dep_a'])
      for (const text of ['ord 2026 0012', 'ORD-2026-0012', 'ord2026 0012', 'ord 20260012'])
        expect(await spelt(text, 'order'), text).toEqual(text === 'ord 20260012' ? [] : ['dep_b'])
      for (const text of ['link abo c1def', 'LINKab0cldef23', 'link-ABOCIDEF23'])
        expect(await spelt(text, 'order'), text).toEqual(['dep_c'])
      // With many gaps all are alike.
      expect(await spelt('a b c d', 'order')).toEqual(['dep_d'])
      expect(await spelt('a b-c d 7', 'order')).toEqual([])
      expect(await spelt('sp12-ab34', 'operator')).toEqual(['dep_a'])
      expect(await found('0712\u2013345\u2013678', 'phone')).toHaveLength(4)
      for (const text of ['nuru-1001', 'nuru', '2500']) expect(await spelt(text, 'order'), text).toEqual([])
    })

    it('tries few spellings of a text, none of which has the payments of another', () => {
      for (const text of [
        'nuru 1001',
        'ord 2026 0012',
        'a1b2c3d4e5f6',
        'link 1 2',
        'Juma Mwangi',
        '1 '.repeat(90),
        '-',
      ]) {
        const starts = otherSpellings(text, 'order').map(({ start }) => start)
        expect(starts.length, text).toBeLessThanOrEqual(10)
        expect(starts.filter((one) => starts.some((other) => other !== one && one.startsWith(other)))).toEqual([])
        expect(starts).toEqual(starts.toSorted((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a))))
      }
      expect(otherSpellings('HCT1-M8KK', 'reference')).toEqual([])
      expect(otherSpellings('Juma Mwangi', 'name')).toEqual([])
    })

    it('finds the transaction of the service, and the number of the operator once it is reported', async () => {
      const row = await kept({ id: 'dep_a', transactionId: 'CPS36ULT8P' })
      await kept({ id: 'dep_b', transactionId: 'cps36ULT9X', createdAt: START + 1 })
      await kept({ id: 'dep_c', createdAt: START + 2 })
      expect(await found('CPS36ULT8P', 'transaction')).toEqual(['dep_a'])
      expect(await found('cps3 6ult', 'transaction')).toEqual(['dep_b', 'dep_a'])
      expect(await found('CPS36ULT8PX', 'transaction')).toEqual([])
      expect(await found('CPS', 'transaction')).toEqual(['no search'])
      // By chance a number has letters alone. A short one is a name.
      await kept({ id: 'dep_d', transactionId: 'CPSQXKULTP', reportedThirdPartyId: 'SPABCDEFGH', createdAt: START + 3 })
      expect(await found('cpsqxkultp', 'transaction')).toEqual(['dep_d'])
      expect(await found('SPAB CDEF', 'operator')).toEqual(['dep_d'])
      expect(await found('SPABCDE', 'operator')).toEqual(['no search'])
      expect(await found('CPSQ;KULTP', 'transaction')).toEqual(['no search'])
      expect(await found('SPQ12AB34', 'operator')).toEqual([])
      const reported = { ...row, version: row.version + 1, reportedThirdPartyId: 'SPQ12AB34' }
      const change = { deposit: { row: reported, expect: row.version, before: row } }
      expect(await store.apply(change)).toEqual({ applied: true })
      expect(await found('spq1 2ab34', 'operator')).toEqual(['dep_a'])
      expect(await found('SPQ12AB34', 'transaction')).toEqual([])
      // Others do not take it for a word of the payer, nor think that the rest is written too.
      expect(await bench.count(`found_by WHERE words <> '' AND term < 'n'`)).toBe(0)
      await bench.write(`DELETE FROM found_by WHERE term NOT LIKE 'f%'`)
      expect(await store.desk?.makeSearchable(() => false)).toBe(4)
      expect(await found('achieng', 'name')).toHaveLength(4)
    })

    it('goes on where the last page ended, also within one number and one word', async () => {
      for (let n = 0; n < 9; n++)
        await kept({
          id: `dep_${n}`,
          ...payer(n % 2 ? 'Achieng Achola' : 'Achieng', `25471234567${n % 3}`),
          createdAt: START,
        })
      for (const [text, by] of [
        ['ach', 'name'],
        ['1500', 'amount'],
      ] as const) {
        const search = searchFor(text, by)!
        const seen: string[] = []
        let after: PaymentFilter['after']
        for (let page = await store.payments({ search, limit: 2 }); page.length > 0;) {
          seen.push(...page.map(({ id }) => id))
          const last = page.at(-1)!
          after = { term: termIn(last, search), createdAt: last.createdAt, id: last.id }
          page = await store.payments({ search, limit: 2, after })
        }
        expect([seen.length, new Set(seen).size]).toEqual([9, 9])
      }
    })

    it('looks at no more rows than it may, in each direction and with each filter', async () => {
      for (let n = 0; n < 9; n++)
        await kept({
          id: `dep_${n}`,
          reference: `HCT${n}`,
          orderId: `INV-${n % 2}`,
          ...payer('Achieng', '254712345678'),
          createdAt: START + n,
          ...(n % 4 === 0 ? { country: 'UG', currency: 'UGX' } : {}),
        })
      for (const [text, by] of [
        ['HCT', 'reference'],
        ['INV-', 'order'],
        ['5678', 'phone'],
        ['achieng', 'name'],
        ['1500', 'amount'],
      ] as const) {
        const search = searchFor(text, by)!
        const all = await store.payments({ search, country: 'UG', from: START, limit: 50 })
        expect(all.map(({ id }) => id).toSorted()).toEqual(['dep_0', 'dep_4', 'dep_8'])
        const pages: string[][] = []
        let after: PaymentFilter['after']
        do {
          const filter: PaymentFilter = { search, country: 'UG', from: START, limit: 50, after }
          const upTo = await store.searchEnd({ ...filter, limit: 2 })
          pages.push((await store.payments({ ...filter, upTo })).map(({ id }) => id))
          after = upTo
        } while (after !== undefined)
        expect(pages, by).toHaveLength(5)
        expect(pages.every((page) => page.length <= 2)).toBe(true)
        expect(pages.flat()).toEqual(all.map(({ id }) => id))
      }
      const unfiltered = searchFor('HCT', 'reference')!
      expect(await store.searchEnd({ search: unfiltered, limit: 2 })).toBeUndefined()
      // Another search's cursor does not lead out of this one.
      const after = { term: 'HCX', createdAt: START, id: 'dep_9' }
      expect(await store.payments({ search: searchFor('HCT1', 'reference'), limit: 50, after })).toEqual([])
    })

    it('finds no erased payer, and keeps no word of them; the amount is still found', async () => {
      await kept({ id: 'dep_a', ...payer('Achieng Otieno', '254712345678'), phase: 'failed', settledAt: START })
      await kept({ id: 'dep_b', ...payer('Achieng Otieno', '254700000000') })
      expect(await bench.count('found_by')).toBe(8)
      await store.forgetPhone('254712345678')
      const named = `found_by WHERE deposit_id = 'dep_a' AND words <> ''`
      expect(await bench.count(named)).toBe(0)
      expect(await found('achieng', 'name')).toEqual(['dep_b'])
      expect(await found('345678', 'phone')).toEqual([])
      expect(await found('1500', 'amount')).toEqual(['dep_b', 'dep_a'])
      expect(await bench.count('found_by')).toBe(5)
      await store.purgePayers(START + 400 * DAY_MS)
      expect(await bench.count('found_by')).toBe(2)
      expect(await bench.count(`found_by WHERE words <> ''`)).toBe(0)
    })

    it('keeps no word of a payer beside the amount, in rows that are made later neither', async () => {
      await kept({ id: 'dep_a', ...payer('Achieng Otieno', '254712345678'), phase: 'failed', settledAt: START })
      await bench.write('DELETE FROM found_by')
      expect(await store.desk?.makeSearchable(() => false)).toBe(1)
      expect(await bench.count(`found_by WHERE words <> ''`)).toBe(3)
      await store.forgetPhone('254712345678')
      expect(await bench.count(`found_by WHERE words <> ''`)).toBe(0)
    })

    it('finds payments that were made before anyone could look for them', async () => {
      for (let n = 0; n < 250; n++) await kept({ id: `dep_${n}`, createdAt: START + n })
      await bench.write('DELETE FROM found_by')
      await kept({ id: 'dep_new', createdAt: START + 500 })
      expect(await found('achieng', 'name')).toEqual(['dep_new'])
      expect(await store.desk?.makeSearchable(() => false)).toBe(250)
      expect(await found('achieng', 'name', { limit: 300 })).toHaveLength(251)
      expect(await bench.count('found_by')).toBe(251 * 4)
      expect(await store.desk?.makeSearchable(() => false)).toBe(0)
    })

    it('is stopped in the middle of that, and goes on later', async () => {
      for (let n = 0; n < 150; n++) await kept({ id: `dep_${n}` })
      await bench.write('DELETE FROM found_by')
      let asked = 0
      await store.desk?.makeSearchable(() => (asked += 1) > 2)
      expect(await bench.count('found_by')).toBe(100 * 4)
      await store.desk?.makeSearchable(() => false)
      expect(await bench.count('found_by')).toBe(150 * 4)
    })
  })
})
