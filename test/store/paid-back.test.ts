// What was paid back, by the day on which it was, on both databases.
import { describe, expect, it } from 'vitest'
import { START } from '../helpers/deposit-record.ts'
import { kept, onEveryStore, store } from './every-store.ts'

onEveryStore(({ name }) => {
  // The model has no desk.
  describe.skipIf(name === 'the model')('money paid back', () => {
    it('is summed for each day, country and currency', async () => {
      const desk = store.desk!
      for (const [id, country, currency, onDay, amount] of [
        ['dep_a', 'KE', 'KES', '2026-11-20', 100],
        ['dep_b', 'KE', 'KES', '2026-11-20', 50],
        ['dep_c', 'UG', 'UGX', '2026-11-20', 7000],
        ['dep_d', 'KE', 'KES', '2026-11-22', 3],
        ['dep_e', 'KE', 'KES', '2026-11-23', 4],
      ] as const) {
        await kept({ id, country, currency, phase: 'succeeded', duplicate: true, settledAt: START })
        await desk.payBack({ depositId: id, onDay, amount, how: 'M-Pesa', name: 'the.operator', at: START })
      }
      const rows = await desk.paidBackOn('2026-11-20', '2026-11-22')
      expect(rows.toSorted((a, b) => `${a.onDay}${a.country}`.localeCompare(`${b.onDay}${b.country}`))).toEqual([
        { onDay: '2026-11-20', country: 'KE', currency: 'KES', count: 2, sum: 150 },
        { onDay: '2026-11-20', country: 'UG', currency: 'UGX', count: 1, sum: 7000 },
        { onDay: '2026-11-22', country: 'KE', currency: 'KES', count: 1, sum: 3 },
      ])
      expect(await desk.paidBackOn('2026-11-21', '2026-11-21')).toEqual([])
    })
  })
})
