// What this browser has stored of a payment, what the page names and what is on the screen: which
// of them is shown, and which is kept.
import { describe, expect, it, vi } from 'vitest'
import type { StreamHandlers } from '../../widget/client/deposit-stream.ts'
import * as parts from '../../widget/controller/flow.ts'
import type { Flow } from '../../widget/controller/flow.ts'
import type { Deposit } from '../../widget/base/types.ts'
import { body, checkoutAfter, cut, deposit, fake, json, openPage, problem } from './opened-page.ts'

describe('going back to the form', () => {
  it.each([
    ['forgets the payment of this tab', 'tok', undefined],
    ['keeps the payment that another tab has created since', 'tok_2', 'tok_2'],
  ])('%s', async (_, token, left) => {
    const { checkout } = openPage()
    fake.answers = [json(201, deposit)]
    await checkoutAfter(checkout.submit(body, 'Opening'))
    const [name = ''] = fake.kept.keys()
    fake.kept.set(name, JSON.stringify({ id: 'dep_2', token, createdAt: deposit.createdAt }))
    checkout.reset()
    const after = JSON.parse(fake.kept.get(name) ?? '{}') as { token?: string }
    expect(after.token).toBe(left)
  })
})

/**
 * A page whose payments are watched; what the companion says of them comes from the test, to the
 * last one that is watched.
 */
function watchingPage(): ReturnType<typeof openPage> & { watched: { id: string; handlers: StreamHandlers }[] } {
  const page = openPage()
  const watched: { id: string; handlers: StreamHandlers }[] = []
  const watchDeposit = (_: unknown, id: string, _token: string, handlers: StreamHandlers): (() => void) => {
    watched.push({ id, handlers })
    return () => {}
  }
  page.checkout.loadFlow = () => Promise.resolve({ parts: { ...parts, watchDeposit }, rare: {} } as unknown as Flow)
  return { ...page, watched }
}
const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(100)
const entry = (name = 'hc-checkout:https://pay.example'): unknown => JSON.parse(fake.kept.get(name) ?? '{}')
const put = (value: object, name = 'hc-checkout:https://pay.example'): unknown =>
  fake.kept.set(name, JSON.stringify(value))

/** A page that shows dep_9, which this browser keeps for another order. */
async function pageOfAnotherOrder(news: Partial<Deposit> = {}): Promise<ReturnType<typeof watchingPage>> {
  const other = 'hc-checkout:https://pay.example:other'
  put({ id: 'dep_9', token: 'tok_9' }, other)
  Object.assign(localStorage, { [other]: '' })
  const page = watchingPage()
  page.checkout.resume('dep_9')
  await soon()
  page.watched[0]!.handlers.onDeposit({ ...deposit, id: 'dep_9', ...news })
  await soon()
  return page
}

describe('what this browser has stored', () => {
  it('“Try again” in one tab leaves the key of the payment that another tab is starting, and asks what became of that', async () => {
    const { checkout, watched } = watchingPage()
    checkout.resume('dep_1', 'tok')
    await soon()
    watched[0]!.handlers.onDeposit({ ...deposit, phase: 'failed', status: 'FAILED' })
    await soon()
    expect(checkout.state.screen.step).toBe('ended')
    put({ key: 'k'.repeat(48), createdAt: new Date().toISOString() })
    checkout.reset()
    expect(entry()).toMatchObject({ key: 'k'.repeat(48) })
    await soon()
    expect(fake.asked.at(-1)).toMatchObject({ path: '/v1/attempt', key: 'k'.repeat(48) })
    expect(checkout.state.screen.step).toBe('submitting')
    // What is on the screen is forgotten at the page's word.
    checkout.reset()
    expect(checkout.state.screen.step).toBe('form')
    expect(fake.kept.size).toBe(0)
  })

  it('“Try again” after a payment that the page brought asks what became of the create that was under way', async () => {
    const { checkout, watched } = watchingPage()
    fake.answers = [cut]
    void checkout.submit(body, 'Opening')
    await soon()
    const key = fake.asked[0]?.key
    checkout.resume('dep_9', 'tok_9')
    await soon()
    watched[0]!.handlers.onDeposit({ ...deposit, id: 'dep_9', phase: 'failed', status: 'FAILED' })
    await soon()
    expect(checkout.state.screen).toMatchObject({ step: 'ended', deposit: { id: 'dep_9' } })
    checkout.reset()
    expect(entry()).toMatchObject({ key })
    fake.answers = [json(200, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
  })

  it('is not overwritten by an older payment on the screen when the page moves the element', async () => {
    const { checkout, watched } = watchingPage()
    checkout.resume('dep_1', 'tok')
    await soon()
    watched[0]!.handlers.onDeposit(deposit)
    await soon()
    put({ id: 'dep_2', token: 'tok_2' })
    checkout.hostDisconnected()
    checkout.hostConnected()
    await soon()
    watched[1]!.handlers.onDeposit(deposit)
    await soon()
    expect(checkout.state.screen).toMatchObject({ deposit: { id: 'dep_1' } })
    expect(entry()).toMatchObject({ id: 'dep_2' })
  })

  it.each([
    { id: 'dep_2', token: 'tok_2' },
    { id: 'dep_1', token: 'tok', key: 'n'.repeat(48) },
  ])('is not overwritten by a late answer when another tab has gone on from there: %o', async (newer) => {
    const { checkout } = watchingPage()
    fake.answers = [cut]
    void checkout.submit(body, 'Opening')
    await soon()
    put(newer)
    fake.answers = [json(201, deposit)]
    await vi.advanceTimersByTimeAsync(16_000)
    expect(checkout.state.screen).toMatchObject({ step: 'waiting' })
    expect(entry()).toEqual(newer)
  })

  it('is also what the page has brought while there was no network; a token that opens nothing is erased', async () => {
    watchingPage().checkout.resume('dep_1', 'tok')
    const { checkout, watched } = watchingPage()
    checkout.connect()
    expect(entry()).toMatchObject({ id: 'dep_1', token: 'tok' })
    checkout.hostConnected()
    await soon()
    expect(watched).toMatchObject([{ id: 'dep_1' }])
    watched[0]!.handlers.onGone()
    expect(fake.kept.size).toBe(0)
    expect(checkout.state.screen.step).toBe('form')
  })

  it.each([
    ['refused', problem(422, 'amount_out_of_range'), ['dep_1']],
    ['too late, for the first has been paid: that is shown', problem(409, 'replaces_invalid'), ['dep_1', 'dep_1']],
  ])('keeps the payment that a new one should have replaced when that is %s', async (_, answer, shown) => {
    const { checkout, watched } = watchingPage()
    checkout.resume('dep_1', 'tok')
    await soon()
    watched[0]!.handlers.onDeposit(deposit)
    await soon()
    checkout.reset(true)
    fake.answers = [answer]
    await checkout.submit({ ...body, replaces: 'dep_1' }, 'Opening')
    expect(entry()).toMatchObject({ id: 'dep_1', token: 'tok' })
    expect(entry()).not.toHaveProperty('key')
    await soon()
    expect(watched.map(({ id }) => id)).toEqual(shown)
  })

  it('shows that payment again after a reload, when the companion never got the new one', async () => {
    put({ id: 'dep_1', token: 'tok', key: 'k'.repeat(48), createdAt: new Date(Date.now() - 61_000).toISOString() })
    fake.answers = [problem(404, 'not_found')]
    const { checkout, watched } = watchingPage()
    await vi.advanceTimersByTimeAsync(90_000)
    expect(watched.at(-1)).toMatchObject({ id: 'dep_1' })
    expect(checkout.state.fault).toBeUndefined()
    expect(entry()).not.toHaveProperty('key')
  })

  it('and what the page names in an attribute wait for a create whose outcome is unknown', async () => {
    put({ key: 'k'.repeat(48), createdAt: new Date().toISOString() })
    fake.answers = [json(200, deposit)]
    const { checkout, events } = openPage({ deposit: 'dep_9' })
    await soon()
    expect(checkout.state.screen).toMatchObject({ step: 'waiting', deposit: { id: 'dep_1' } })
    expect(events).toEqual([])
  })

  it('for another order is shown again when it has been paid meanwhile and cannot be replaced', async () => {
    const { checkout, watched } = await pageOfAnotherOrder()
    checkout.reset(true)
    fake.answers = [problem(409, 'replaces_invalid')]
    await checkout.submit({ ...body, replaces: 'dep_9' }, 'Opening')
    await soon()
    expect(watched.map(({ id }) => id)).toEqual(['dep_9', 'dep_9'])
  })

  it('for another order does not swallow the next press, nor hide the payment of this order', async () => {
    const { checkout, watched } = await pageOfAnotherOrder({ phase: 'failed', status: 'FAILED' })
    checkout.reset()
    // Started in another tab meanwhile.
    put({ id: 'dep_1', token: 'tok' })
    void checkout.submit(body, 'Opening')
    await soon()
    expect(fake.asked).toEqual([])
    expect(watched.at(-1)).toMatchObject({ id: 'dep_1' })
  })
})

it('of two payments that the page names one after the other, before our code has come, only the second is followed', async () => {
  const { checkout } = openPage()
  const followed: string[] = []
  const flow = {
    parts: { ...parts, watchDeposit: (_: unknown, id: string) => (followed.push(id), () => {}) },
  } as unknown as Flow
  let come = (_: Flow): void => {}
  const coming = new Promise<Flow>((resolve) => (come = resolve))
  checkout.loadFlow = () => coming
  checkout.resume('dep_8', 'tok_8')
  checkout.resume('dep_9', 'tok_9')
  come(flow)
  await vi.advanceTimersByTimeAsync(100)
  expect(followed).toEqual(['dep_9'])
})

it('a payment that is forgotten in another tab is not stored again by the next news of it', async () => {
  const { checkout } = openPage()
  let hear = (_: Deposit): void => {}
  checkout.loadFlow = () =>
    Promise.resolve({
      parts: { ...parts, watchDeposit: (...given: [unknown, string, string, StreamHandlers]) => ((hear = given[3].onDeposit), () => {}) },
    } as unknown as Flow) // prettier-ignore
  checkout.resume('dep_1', 'tok')
  await vi.advanceTimersByTimeAsync(100)
  hear(deposit)
  expect([...fake.kept.values()].join()).toContain('"dep_1"')
  fake.kept.clear()
  hear({ ...deposit, version: 3 })
  expect(fake.kept.size).toBe(0)
})

it('a payment that was to be replaced, and is being confirmed meanwhile, is shown instead of a form', async () => {
  const { checkout } = openPage()
  fake.answers = [json(201, deposit)]
  await checkoutAfter(checkout.submit(body, 'Opening'))
  checkout.reset(true)
  const followed: string[][] = []
  checkout.loadFlow = () =>
    Promise.resolve({
      parts: { ...parts, watchDeposit: (_: unknown, ...named: string[]) => (followed.push(named.slice(0, 2)), () => {}) },
    } as unknown as Flow) // prettier-ignore
  fake.answers = [problem(409, 'replaces_invalid')]
  await checkoutAfter(checkout.submit({ ...body, replaces: 'dep_1' }, 'Opening'))
  expect(followed).toEqual([['dep_1', 'tok']])
})

it('what was shown before a payment that cannot be opened is told of and forgotten under its own name', async () => {
  const [own, other] = ['hc-checkout:https://pay.example', 'hc-checkout:https://pay.example:cart-2']
  const stored = {
    [own]: JSON.stringify({ id: 'dep_1', token: 'tok' }),
    [other]: JSON.stringify({ id: 'dep_2', token: 'tok_2' }),
  }
  const methods = {
    getItem: (name: string) => stored[name] ?? null,
    setItem: (name: string, value: string) => Reflect.set(stored, name, value),
    removeItem: (name: string) => Reflect.deleteProperty(stored, name),
  }
  vi.stubGlobal('localStorage', Object.setPrototypeOf(stored, methods))
  const { checkout } = openPage()
  let follow = {} as StreamHandlers
  checkout.loadFlow = () =>
    Promise.resolve({
      parts: { ...parts, watchDeposit: (...given: [unknown, string, string, StreamHandlers]) => ((follow = given[3]), () => {}) },
    } as unknown as Flow) // prettier-ignore
  checkout.resume('dep_2')
  await vi.advanceTimersByTimeAsync(100)
  follow.onGone()
  await vi.advanceTimersByTimeAsync(100)
  follow.onDeposit({ ...deposit, phase: 'succeeded', status: 'SUCCESS', version: 3 })
  await vi.advanceTimersByTimeAsync(100)
  expect(checkout.state.screen).toMatchObject({ step: 'ended', deposit: { id: 'dep_1' } })
  expect(JSON.parse(stored[own] ?? '')).toMatchObject({ id: 'dep_1', told: 'SUCCESS' })
  checkout.reset()
  expect(Object.keys(stored)).toEqual([other])
})

it('what was shown before is followed no more after a reset, whatever the page names next', async () => {
  const { checkout } = openPage()
  const done: string[] = []
  let follow = {} as StreamHandlers
  const watchDeposit = (_: unknown, id: string, _token: string, handlers: StreamHandlers) => {
    done.push(`begin ${id}`)
    follow = handlers
    return () => void done.push(`leave ${id}`)
  }
  checkout.loadFlow = () => Promise.resolve({ parts: { ...parts, watchDeposit } } as unknown as Flow)
  checkout.resume('dep_1', 'tok')
  await vi.advanceTimersByTimeAsync(100)
  follow.onDeposit(deposit)
  checkout.resume('dep_8', 'tok_8')
  await vi.advanceTimersByTimeAsync(100)
  checkout.reset()
  expect(done).toEqual(['begin dep_1', 'leave dep_1', 'begin dep_8', 'leave dep_8'])
  checkout.resume('dep_9', 'tok_9')
  await vi.advanceTimersByTimeAsync(100)
  follow.onGone()
  await vi.advanceTimersByTimeAsync(100)
  expect(done.filter((one) => one === 'begin dep_1')).toHaveLength(1)
  expect(checkout.state.screen.step).toBe('form')
})
