// The record of what people did, as both databases keep it.
import { describe, expect, it } from 'vitest'
import { START } from '../helpers/deposit-record.ts'
import { onEveryStore, store } from './every-store.ts'

onEveryStore(({ name }) => {
  // The model has no desk.
  describe.skipIf(name === 'the model')('the record of acts', () => {
    it('has an act once, as it was first written, also where two write it at once', async () => {
      const desk = store.desk!
      const act = {
        id: 'act_1',
        at: START,
        name: 'the.operator',
        role: 'operator',
        act: 'note',
        result: 'begun',
      } as const
      const written = await Promise.all([
        desk.addAct({ ...act, why: 'Called.' }),
        desk.addAct({ ...act, why: 'Called.' }),
        desk.addAct({ ...act, why: 'Called.' }),
      ])
      expect(written.filter(Boolean)).toHaveLength(1)
      expect(await desk.addAct({ ...act, at: START + 1, why: 'Another.' })).toBe(false)
      expect(await desk.act('act_1')).toEqual({ ...act, why: 'Called.' })
      expect(await desk.act('act_2')).toBeUndefined()
      expect(await desk.acts({ limit: 5 })).toHaveLength(1)
    })

    it('leaves done what is done', async () => {
      const desk = store.desk!
      await desk.addAct({ id: 'act_1', at: START, name: 'x', role: 'operator', act: 'decision', result: 'begun' })
      for (const result of ['internal_error', 'done', 'decision_not_open'])
        await desk.endAct('act_1', result, undefined)
      expect((await desk.act('act_1'))?.result).toBe('done')
    })
  })
})
