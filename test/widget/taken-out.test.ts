// A checkout whose page takes the element out, or resets it, in the middle of a step.
import { expect, it, vi } from 'vitest'
import * as parts from '../../widget/controller/flow.ts'
import type { Flow } from '../../widget/controller/flow.ts'
import { loadFlow } from '../../widget/controller/load-flow.ts'
import { body, cut, deposit, fake, json, openPage } from './opened-page.ts'

vi.mock('../../widget/controller/load-flow.ts', () => ({
  loadFlow: vi.fn(() => Promise.reject(new Error('No network.'))),
}))

it.each([true, false])(
  'the page that shows the form is led to the payment page only where the form still is: %s',
  async (isThere) => {
    const assign = vi.fn()
    vi.stubGlobal('location', { assign })
    const { checkout, host, events } = openPage({ presentation: 'redirect' })
    let come = (_: Response): void => {}
    fake.answers = [() => new Promise((resolve) => (come = resolve))]
    void checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(100)
    host.isConnected = isThere
    if (!isThere) checkout.hostDisconnected()
    come(new Response(JSON.stringify(deposit), { status: 201 }))
    await vi.advanceTimersByTimeAsync(100)
    expect(assign.mock.calls).toEqual(isThere ? [['https://hosted.example/c/1']] : [])
    expect(events).toEqual(['hc-deposit-created', ...(isThere ? ['hc-checkout-opened'] : [])])
    // Back on the page it is shown, with a link.
    host.isConnected = true
    checkout.hostConnected()
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    expect(checkout.state.opened?.id).toBe(isThere ? 'dep_1' : undefined)
  },
)

it('the answer to a create of before a reload is asked for once our code has come', async () => {
  const { checkout, host } = openPage()
  Reflect.deleteProperty(checkout, 'loadFlow')
  checkout.flow = undefined
  fake.answers = [cut]
  const key = JSON.stringify({ key: 'k'.repeat(48), createdAt: new Date().toISOString() })
  fake.kept.set('hc-checkout:https://pay.example', key)
  checkout.connect(true)
  // The page takes it out, and puts it back, before the code has come.
  host.isConnected = false
  checkout.hostDisconnected()
  host.isConnected = true
  checkout.hostConnected()
  await vi.advanceTimersByTimeAsync(1000)
  expect([checkout.state.screen.step, fake.asked]).toEqual(['submitting', []])
  vi.mocked(loadFlow).mockResolvedValue({ parts } as unknown as Flow)
  await checkout.loadFlow()
  await vi.advanceTimersByTimeAsync(1000)
  expect(fake.asked[0]).toMatchObject({ path: '/v1/attempt', key: 'k'.repeat(48) })
  vi.mocked(loadFlow).mockReset()
  vi.mocked(loadFlow).mockRejectedValue(new Error('No network.'))
})

it('our code is not asked for off the page, and again once the element is back', async () => {
  const { checkout, host } = openPage()
  Reflect.deleteProperty(checkout, 'loadFlow')
  checkout.flow = undefined
  void checkout.loadFlow()
  await vi.advanceTimersByTimeAsync(60_000)
  host.isConnected = false
  checkout.hostDisconnected()
  const asks = vi.mocked(loadFlow).mock.calls
  const before = asks.length
  expect(before).toBeGreaterThan(4)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asks.length).toBe(before)
  expect(vi.getTimerCount()).toBe(0)
  host.isConnected = true
  checkout.hostConnected()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asks.length).toBeGreaterThan(before + 4)
})

it.each(['hc-deposit-created', 'hc-checkout-opened'])(
  'a page that resets it on %s has the form again, and this device has forgotten the payment',
  async (type) => {
    const { checkout, host } = openPage()
    host.addEventListener(type, () => checkout.reset())
    fake.answers = [json(201, deposit)]
    await checkout.submit(body, 'Opening')
    await vi.advanceTimersByTimeAsync(100)
    expect(checkout.state.screen.step).toBe('form')
    expect(fake.kept.size).toBe(0)
  },
)
