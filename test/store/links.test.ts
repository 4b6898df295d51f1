// Payment links as the stores keep them: who made one, who closed it, and that a start and a
// closing at once do not both win.
import { describe, expect, it } from 'vitest'
import { sessionRecord, START } from '../helpers/deposit-record.ts'
import { onEveryStore, store } from './every-store.ts'

onEveryStore(({ name }) => {
  // The model has no desk.
  describe.skipIf(name === 'the model')('a payment link', () => {
    it('keeps who closed it first, when and why', async () => {
      const desk = store.desk!
      const link = { sessionId: 'ses_1', createdAt: START, name: 'the.operator', language: 'en' }
      await desk.addLink(link)
      expect(await desk.link('ses_1')).toEqual(link)
      const closing = { sessionId: 'ses_1', closedAt: START + 1, closedBy: 'the.owner', closedWhy: 'Wrong amount.' }
      await desk.closeLink(closing)
      await desk.closeLink({ ...closing, closedAt: START + 2, closedBy: 'the.operator', closedWhy: 'Again.' })
      expect(await desk.link('ses_1')).toEqual({ ...link, ...closing })
      expect(await desk.links({ limit: 2 })).toEqual([{ ...link, ...closing }])
    })
  })

  it('a session that an attempt was started in since it was read is not closed unseen', async () => {
    const session = sessionRecord()
    expect(await store.apply({ session })).toEqual({ applied: true })
    expect(await store.apply({ startIn: session })).toEqual({ applied: true })
    const conflict = { applied: false, conflict: 'version' }
    expect(await store.apply({ close: { session, at: START } })).toEqual(conflict)
    const present = (await store.session(session.id))!
    expect(await store.apply({ close: { session: present, at: START } })).toEqual({ applied: true })
    expect(await store.apply({ startIn: present })).toEqual(conflict)
    expect((await store.session(session.id))?.closedAt).toBe(START)
  })
})
