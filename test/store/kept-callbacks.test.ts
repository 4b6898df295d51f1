// The callbacks of one payment that a store still keeps, whatever ids they have.
import { describe, expect, it } from 'vitest'
import { inboxRecord, START } from '../helpers/deposit-record.ts'
import { onEveryStore, store } from './every-store.ts'

const MINUTE = 60_000

onEveryStore(({ name }) => {
  // The model has no desk.
  describe.skipIf(name === 'the model')('the kept callbacks of a payment', () => {
    it('are those with its reference: the first by its time, the others by their ids', async () => {
      const reference = 'HCT1'
      const keep = async (id: string, receivedAt: number, of = reference) => {
        await store.apply({ inbox: inboxRecord({ id, receivedAt, reference: of }) })
      }
      await keep('cbk_1', START)
      await keep('cbk_2', START, 'HCT10')
      await keep(`${reference}.later`, START + 99 * MINUTE)
      await keep(`${reference}.differs`, START - 99 * MINUTE)
      await keep('HCT10.later', START, 'HCT10')
      const ids = async (near: number | undefined, limit = 9) =>
        (await store.desk!.callbacks({ reference, near, limit })).map(({ id }) => id)
      expect(await ids(START + 1)).toEqual([`${reference}.differs`, 'cbk_1', `${reference}.later`])
      expect(await ids(undefined)).toEqual([`${reference}.differs`, `${reference}.later`])
      expect(await ids(START + 2 * MINUTE)).toEqual([`${reference}.differs`, `${reference}.later`])
      expect(await ids(undefined, 1)).toEqual([`${reference}.differs`])
    })
  })
})
