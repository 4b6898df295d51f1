// Text with marks that nobody sees: taken out where people read it, refused where programs compare
// it, and never all that a field has.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CreatedDeposit, PaymentDetail, Problem } from '../../server/contract/index.ts'
import { seenIn, withoutUnseen } from '../../server/contract/text.ts'
import { createTestSystem, pay } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import { visitor } from '../pages/visitor.ts'

let system: TestSystem
beforeEach(async () => {
  system = await createTestSystem()
})
afterEach(() => system.close())

const nothingSeen: readonly (readonly [string, string])[] = [
  ['spaces of no width', '\u200b\u200b\u200b'],
  ['joiners', '\u200d\u200c\u200d'],
  ['marks of direction', '\u200e\u202e\u2066'],
  ['fillers of Hangul', '\u3164\u3164\uffa0'],
  ['blanks of Braille', '\u2800\u2800\u2800'],
  ['soft hyphens', '\u00ad\u00ad'],
  ['variation selectors', '\ufe0f\ufe0f'],
  ['tags', '\u{e0041}\u{e0042}'],
  ['no-break spaces', '\u00a0\u202f\u3000'],
]
const turned = '\u202eAchieng\u202c \u2067Otieno\u2069\ufeff\u200b'
const order = { amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp' }

const open = (change: Record<string, unknown>): Promise<Response> =>
  system.backend('/v1/sessions', { method: 'POST', body: JSON.stringify({ ...order, ...change }) })
const pathsOf = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as Problem).issues?.map(({ path }) => path),
]

describe.each(nothingSeen)('%s', (_what, text) => {
  it('are no name and no reference of a payment', async () => {
    expect(await pathsOf(await pay(system, { payer: { name: text } }))).toEqual([422, ['payer.name']])
    expect(await pathsOf(await pay(system, { payer: { name: `A${text}` } }))).toEqual([422, ['payer.name']])
    expect(await pathsOf(await pay(system, { clientReference: text }))).toEqual([422, ['clientReference']])
  })

  it('are no order number, description or name in a session', async () => {
    expect(await pathsOf(await open({ orderId: text }))).toEqual([422, ['orderId']])
    expect(await pathsOf(await open({ description: text }))).toEqual([422, ['description']])
    expect(await pathsOf(await open({ payer: { name: text } }))).toEqual([422, ['payer.name']])
  })

  it('are no name in the form without JavaScript', async () => {
    const person = visitor(system)
    const sent = await person.submit(await person.get('/pay?country=KE'), { amount: '2500', name: text })
    expect(sent.status).toBe(422)
    expect(await system.store.payments({ limit: 1 })).toEqual([])
  })
})

describe('marks of direction around a text', () => {
  it('are taken out of a name, whether it comes from the card, the form or the backend', async () => {
    const { token } = (await (await open({ payer: { name: turned } })).json()) as { token: string }
    await pay(system, { payer: { name: turned } })
    await pay(system, { session: token, payer: undefined })
    const person = visitor(system)
    await person.submit(await person.get('/pay?country=KE'), { amount: '2500', name: turned })
    const names = (await system.store.payments({ limit: 5 })).map(({ payer }) => payer?.name)
    expect(names).toEqual(['Achieng Otieno', 'Achieng Otieno', 'Achieng Otieno'])
  })

  it('are taken out of a description, and refused in what programs compare', async () => {
    const { token } = (await (await open({ description: `\u202e${turned}` })).json()) as { token: string }
    const { description } = (await (await pay(system, { session: token })).json()) as CreatedDeposit
    expect(description).toBe('Achieng Otieno')
    for (const mark of ['\u202e', '\u2067', '\u200b', '\ufeff']) {
      expect(await pathsOf(await open({ orderId: `A${mark}-1` }))).toEqual([422, ['orderId']])
      expect(await pathsOf(await pay(system, { clientReference: `A${mark}-1` }))).toEqual([422, ['clientReference']])
    }
  })

  it('leave what joins letters and what is seen', async () => {
    const kept = ['نیک\u200cپی', 'श्री\u200dमान', 'Zoë 👩🏾\u200d🌾', '\u0601\u0661\u0662', '❤\ufe0f of Kisumu']
    expect(kept.map(withoutUnseen)).toEqual(kept)
    expect(kept.every((text) => seenIn(text) > 1)).toBe(true)
    const { id } = (await (await pay(system, { payer: { name: kept[0] } })).json()) as CreatedDeposit
    const payment = (await (await system.backend(`/v1/payments/${id}`)).json()) as PaymentDetail
    expect(payment.payer?.name).toBe(kept[0])
  })
})
