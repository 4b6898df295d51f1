// The later files of the widget do not come, for a while or for ever.
import { expect, it, vi } from 'vitest'
import { CheckoutError } from '../../widget/base/checkout-error.ts'
import * as parts from '../../widget/controller/flow.ts'
import type { Flow } from '../../widget/controller/flow.ts'
import { loadFlow } from '../../widget/controller/load-flow.ts'
import { openPage } from './opened-page.ts'

const gone = new Error('Failed to fetch /widget/v1/hc-flow-00000000.js')
vi.mock('../../widget/controller/load-flow.ts', () => ({ loadFlow: vi.fn() }))

/** A form without the flow, which cannot be loaded. */
function lacking() {
  const page = openPage()
  Reflect.deleteProperty(page.checkout, 'loadFlow')
  page.checkout.flow = undefined
  vi.mocked(loadFlow).mockReset().mockRejectedValue(gone)
  void page.checkout.loadFlow()
  return { ...page, fault: () => page.checkout.state.fault }
}
const come = (): void => void vi.mocked(loadFlow).mockResolvedValue({ parts } as unknown as Flow)
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const refusal = new CheckoutError('session_expired', 'Over.')

it('is said from the second failure on, to the page once, until they come', async () => {
  const { checkout, events, fault } = lacking()
  await pass(900)
  expect([fault(), events]).toEqual([undefined, []])
  await pass(300_000)
  expect(fault()).toMatchObject({ code: 'network', message: expect.stringContaining('hc-flow-00000000.js') })
  // It is among the first texts.
  expect(checkout.state.isExplained).toBe(true)
  expect(events).toEqual(['hc-error'])
  // At most every 15 s, however long it takes.
  expect(vi.mocked(loadFlow).mock.calls.length).toBeLessThan(30)
  come()
  await pass(15_000)
  expect([fault(), checkout.flow?.parts]).toEqual([undefined, parts])
})

it('is said again, and not told again, where the errors of fields have stood in its place', async () => {
  const { checkout, events, fault } = lacking()
  await pass(2000)
  checkout.dismiss()
  await pass(15_000)
  expect([fault()?.code, events]).toEqual(['network', ['hc-error']])
})

it('takes no other reason away, neither while they do not come nor when they do', async () => {
  const { checkout, events, fault } = lacking()
  void checkout.refuse(refusal)
  await pass(60_000)
  expect([fault(), events]).toEqual([refusal, ['hc-error']])
  come()
  await pass(15_000)
  expect([fault(), checkout.flow?.parts]).toEqual([refusal, parts])
})

it('is not told off the page, and is over once the element is back and they have come', async () => {
  const { checkout, host, events, fault } = lacking()
  host.isConnected = false
  await pass(5000)
  expect([fault(), events]).toEqual([undefined, []])
  host.isConnected = true
  checkout.hostConnected()
  await pass(2000)
  expect([fault()?.code, events]).toEqual(['network', ['hc-error']])
  host.isConnected = false
  await pass(5000)
  come()
  host.isConnected = true
  checkout.hostConnected()
  await pass(100)
  expect([fault(), checkout.flow?.parts]).toEqual([undefined, parts])
})
