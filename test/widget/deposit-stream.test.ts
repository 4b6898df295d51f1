// How the widget keeps a payment's status up to date: by a stream where one gets through, else by
// asking; and when it asks no more.
import { expect, it, vi } from 'vitest'
import { CheckoutError } from '../../widget/base/checkout-error.ts'
import type { Deposit } from '../../widget/base/types.ts'
import { event, MINUTE, open, pass, watchedDeposit, wire } from './watched-deposit.ts'

const seen = watchedDeposit()
const { watch } = seen
/** Without the words that all is well. */
const news = () => seen.heard.filter((one) => one !== false)

it('asks once, then hears from the stream until the end, and leaves it', async () => {
  const { response, write } = wire()
  seen.connect = response
  watch()
  await pass(0)
  const [first, rest] = [
    event({ ...open, version: 4, phase: 'confirming' }),
    event({ ...open, version: 5, phase: 'succeeded', status: 'SUCCESS' }),
  ]
  write(': heartbeat\n\n')
  write(first.slice(0, 60))
  await pass(1000)
  write(first.slice(60) + rest)
  await pass(0)
  expect(news()).toEqual(['open 3', 'confirming 4', 'succeeded 5'])
  // At once: a browser has few connections to one host, and the next payment needs them.
  expect(seen.streams[0]?.signal?.aborted).toBe(true)
  await pass(60 * MINUTE)
  seen.frame.dispatchEvent(new Event('online'))
  await pass(0)
  expect([seen.asked.length, seen.streams.length]).toEqual([1, 1])
  expect(seen.streams[0]?.signal?.aborted).toBe(true)
})

it.each(['succeeded', 'rejected'] as const)('a payment that is %s is asked for once', async (phase) => {
  seen.answer = async () => ({ ...open, phase })
  watch()
  await pass(60 * MINUTE)
  expect([seen.asked, seen.streams, news()]).toEqual([[0], [], [`${phase} 3`]])
})

it('asks again at once when a stream ends, and opens the next', async () => {
  const streamed = wire()
  seen.connect = streamed.response
  watch()
  await pass(20_000 - 15_000)
  streamed.write(event(open))
  await pass(1000)
  seen.connect = wire().response
  streamed.end()
  await pass(600)
  expect([seen.asked.length, seen.streams.length]).toEqual([2, 2])
})

it('a stream without a heartbeat for 40 seconds is dead: a new one is opened', async () => {
  const streamed = wire()
  seen.connect = streamed.response
  watch()
  await pass(0)
  streamed.write(event(open))
  await pass(30_000)
  streamed.write(': heartbeat\n\n')
  await pass(39_000)
  expect([seen.asked.length, streamed.isLeft]).toEqual([1, false])
  seen.connect = wire().response
  await pass(2000)
  expect([seen.asked.length, seen.streams.length, streamed.isLeft]).toEqual([2, 2, true])
})

it.each([
  ['whose answer does not begin', () => new Promise<Response>(() => {})],
  ['that brings nothing', async () => wire().response()],
  ['that is refused', async () => new Response('no', { status: 502 })],
  ['without a body', async () => new Response(null)],
])('after two streams %s it asks every 5 seconds instead, 20 while the page is hidden', async (_what, to) => {
  seen.connect = to
  watch()
  await pass(MINUTE)
  expect(seen.streams).toHaveLength(2)
  seen.asked = []
  await pass(MINUTE)
  // And half a second from one to the next.
  expect(seen.asked.length).toBe(11)
  seen.page.hidden = true
  await pass(20_000)
  seen.asked = []
  await pass(2 * MINUTE)
  expect(seen.asked.length).toBe(6)
  expect([seen.streams.length, news().every((one) => one === 'open 3' || one === true)]).toEqual([2, true])
})

it('for who saves data it asks every 15 seconds, however long it takes, and has no stream', async () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  watch()
  await pass(2 * MINUTE)
  expect([seen.asked.length, seen.streams.length]).toEqual([8, 0])
  await pass(28 * MINUTE)
  expect(seen.asked.length).toBe(117)
})

it('tells of a companion that does not answer twice, asks ever less often but each half minute, and tells when it is back', async () => {
  seen.answer = () => Promise.reject(new CheckoutError('network', 'No answer.'))
  watch()
  await pass(500)
  expect(news()).toEqual([])
  await pass(1000)
  expect(seen.heard).toEqual([true])
  await pass(5 * MINUTE)
  const pauses = seen.asked.map((at, n) => at - (seen.asked[n - 1] ?? 0)).slice(1)
  expect(pauses.slice(0, 5)).toEqual([1000, 2000, 4000, 8000, 16_000])
  expect(new Set(pauses.slice(5))).toEqual(new Set([30_000]))
  seen.answer = async () => open
  await pass(30_000)
  expect(seen.heard.slice(-2)).toEqual([false, 'open 3'])
})

it('a companion that does not answer at all is told after three seconds at first, after ten later', async () => {
  let answer = (_: Deposit): void => {}
  const hold = (): Promise<Deposit> => new Promise((resolve) => (answer = resolve))
  seen.answer = hold
  seen.connect = () => Promise.reject(new TypeError('Failed to fetch'))
  watch()
  await pass(2_900)
  expect(seen.heard).toEqual([])
  await pass(200)
  expect(seen.heard).toEqual([true])
  answer(open)
  await pass(0)
  expect(seen.heard).toEqual([true, false, 'open 3'])
  // The next question, after the stream that failed.
  await pass(1_000)
  expect(seen.asked).toHaveLength(2)
  await pass(8_000)
  expect(seen.heard).toHaveLength(3)
  await pass(2_000)
  expect(seen.heard.slice(3)).toEqual([true])
})

it('nothing is told of a payment that is not followed any more', async () => {
  seen.answer = () => new Promise(() => {})
  const stop = watch()
  stop()
  await pass(MINUTE)
  expect(seen.heard).toEqual([])
})

it('a token that is not the payment’s is told once, and asked no more if the payment is given up', async () => {
  seen.answer = () => Promise.reject(new CheckoutError('bearer_wrong', 'No.'))
  watch()
  await pass(60 * MINUTE)
  expect([seen.asked.length, seen.heard]).toEqual([1, ['gone']])
})

it.each(['not_found', 'bearer_missing', 'bearer_malformed', 'blocked', 'bearer_wrong'] as const)(
  'an answer of %s is asked again, and told at once',
  async (code) => {
    seen.isGivenUp = false
    seen.answer = () => Promise.reject(new CheckoutError(code, 'No.'))
    watch()
    await pass(0)
    expect(seen.heard.filter((one) => one !== 'gone')).toEqual([true, code])
    await pass(5 * MINUTE)
    expect(seen.asked.length).toBeGreaterThan(10)
    seen.answer = async () => open
    await pass(30_000)
    expect(seen.heard.slice(-2)).toEqual([false, 'open 3'])
  },
)

it.each(['failed', 'expired', 'abandoned'] as const)(
  'a payment that is %s may still be paid: streamed for 5 minutes, then asked for each 5',
  async (phase) => {
    seen.answer = async () => ({ ...open, phase })
    seen.connect = async () => {
      const { response, write, end } = wire()
      write(event({ ...open, phase }))
      end()
      return response()
    }
    watch()
    await pass(5 * MINUTE)
    expect(seen.streams.length).toBeGreaterThan(100)
    await pass(10_000)
    seen.asked = []
    seen.streams = []
    await pass(60 * MINUTE)
    expect([seen.asked.length, seen.streams.length]).toEqual([12, 0])
    seen.answer = async () => ({ ...open, phase: 'succeeded', version: 9 })
    await pass(6 * MINUTE)
    expect(news().at(-1)).toBe('succeeded 9')
  },
)

it.each<[string, () => void]>([
  ['put away', () => seen.frame.dispatchEvent(new Event('pagehide'))],
  ['frozen', () => seen.page.dispatchEvent(new Event('freeze'))],
])('a page that is %s leaves its stream and asks nothing; one that comes back asks at once', async (_what, happens) => {
  const streamed = wire()
  seen.connect = streamed.response
  watch()
  await pass(0)
  streamed.write(event(open))
  await pass(1000)
  happens()
  await pass(0)
  expect(streamed.isLeft).toBe(true)
  await pass(4 * MINUTE)
  expect([seen.asked.length, seen.streams.length]).toEqual([1, 1])
  seen.connect = wire().response
  seen.frame.dispatchEvent(new Event('pageshow'))
  await pass(0)
  expect([seen.asked.length, seen.streams.length]).toEqual([2, 2])
})

it.each<[string, () => void]>([
  ['looks at the page again', () => seen.page.dispatchEvent(new Event('visibilitychange'))],
  ['has a network again', () => seen.frame.dispatchEvent(new Event('online'))],
  ['has lost the network', () => seen.frame.dispatchEvent(new Event('offline'))],
  ['thaws the page', () => seen.page.dispatchEvent(new Event('resume'))],
])('asks at once when the customer %s, but not while the page is hidden', async (_what, happens) => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  watch()
  await pass(1000)
  seen.page.hidden = true
  happens()
  await pass(1000)
  expect(seen.asked).toHaveLength(1)
  seen.page.hidden = false
  happens()
  await pass(600)
  expect(seen.asked).toHaveLength(2)
})

it.each<[string, (gate: PromiseWithResolvers<Deposit>) => void]>([
  ['an answer', ({ resolve }) => resolve(open)],
  ['a refusal of its token', ({ reject }) => reject(new CheckoutError('bearer_wrong', ''))],
])('nothing is heard or asked after it was stopped, also of %s that was on its way', async (_what, come) => {
  const gate = Promise.withResolvers<Deposit>()
  seen.answer = () => gate.promise
  const stop = watch()
  await pass(0)
  stop()
  come(gate)
  await pass(60 * MINUTE)
  expect([seen.asked.length, seen.heard]).toEqual([1, []])
})

it('a letter of several bytes may arrive in two parts', async () => {
  const { response, write } = wire()
  seen.connect = response
  watch()
  await pass(0)
  const bytes = new TextEncoder().encode(event({ ...open, version: 4, payer: { name: 'Zoé' } }))
  const middle = bytes.findIndex((byte) => byte > 127) + 1
  write(bytes.subarray(0, middle))
  await pass(0)
  write(bytes.subarray(middle))
  await pass(0)
  expect(seen.names).toEqual(['A•••', 'Zoé'])
})

it('a stream that the page itself has left does not count as one that brings nothing', async () => {
  seen.connect = async () => wire().response()
  watch()
  for (let n = 0; n < 4; n++) {
    await pass(1000)
    seen.frame.dispatchEvent(new Event('online'))
  }
  await pass(1000)
  expect(seen.streams.length).toBeGreaterThan(2)
})

it('one that brings nothing now and then is no reason to give streams up', async () => {
  let turn = 0
  seen.connect = async () => {
    turn += 1
    const { response, write, end } = wire()
    if (turn % 2 === 0) {
      write(event(open))
      end()
    }
    return response()
  }
  watch()
  await pass(2 * MINUTE)
  expect(seen.streams.length).toBeGreaterThan(10)
})

/** Web Locks and channels that the tabs of one browser share. */
function severalTabs(): ReadonlySet<unknown> {
  const queues = new Map<string, Promise<unknown>>()
  const locks = {
    request: (name: string, work: () => Promise<void> | undefined) => {
      const turn = (queues.get(name) ?? Promise.resolve()).then(work)
      queues.set(name, turn)
      return turn
    },
  }
  const channels = new Set<Channel>()
  class Channel extends EventTarget {
    constructor() {
      super()
      channels.add(this)
    }
    postMessage(data: unknown): void {
      if (!channels.has(this)) throw new Error('InvalidStateError')
      for (const one of channels) if (one !== this) one.dispatchEvent(Object.assign(new Event('message'), { data }))
    }
    close(): void {
      channels.delete(this)
    }
  }
  vi.stubGlobal('navigator', { locks })
  vi.stubGlobal('BroadcastChannel', Channel)
  return channels
}

it('of two tabs one has the stream; the other asks when that one has heard news, and streams when it is closed', async () => {
  severalTabs()
  const streamed = wire()
  seen.connect = streamed.response
  const close = watch()
  await pass(0)
  streamed.write(event(open))
  watch()
  await pass(5000)
  expect(seen.streams).toHaveLength(1)
  seen.asked = []
  seen.answer = async () => ({ ...open, version: 4, phase: 'confirming' })
  streamed.write(event({ ...open, version: 4, phase: 'confirming' }))
  await pass(600)
  expect(seen.asked).toHaveLength(1)
  // Not for what it knows already.
  streamed.write(event({ ...open, version: 4, phase: 'confirming' }))
  await pass(1000)
  expect(seen.asked).toHaveLength(1)
  seen.connect = wire().response
  close()
  await pass(1000)
  expect([seen.asked.length, seen.streams.length]).toEqual([2, 2])
})

it.each([undefined, { id: 'dep_2', version: 9 }, { id: 'dep_1', version: 3 }])(
  'a tab without the stream does not ask because of %j in the channel',
  async (data) => {
    const channels = severalTabs()
    seen.connect = wire().response
    watch()
    await pass(0)
    watch()
    await pass(5000)
    const before = seen.asked.length
    for (const one of channels) (one as EventTarget).dispatchEvent(Object.assign(new Event('message'), { data }))
    await pass(1000)
    expect(seen.asked).toHaveLength(before)
  },
)

it('a tab that is closed while it waits for the stream keeps it from nobody, and leaves nothing open', async () => {
  const channels = severalTabs()
  const [first, second] = [watch(), watch()]
  await pass(0)
  watch()
  second()
  first()
  await pass(1000)
  expect([seen.streams.length, channels.size]).toEqual([2, 1])
})

it('a tab that comes back does not stream beside the one that has taken its place', async () => {
  severalTabs()
  watch()
  await pass(0)
  const left = seen.frame
  vi.stubGlobal('window', new EventTarget())
  watch()
  await pass(0)
  left.dispatchEvent(new Event('pagehide'))
  await pass(1000)
  expect(seen.streams).toHaveLength(2)
  left.dispatchEvent(new Event('pageshow'))
  await pass(5000)
  expect(seen.streams).toHaveLength(2)
})

it('a tab that comes back streams again where no other does, and after its end takes nothing from the others', async () => {
  const channels = severalTabs()
  const close = watch()
  await pass(0)
  seen.frame.dispatchEvent(new Event('pagehide'))
  await pass(1000)
  seen.frame.dispatchEvent(new Event('pageshow'))
  await pass(0)
  expect(seen.streams).toHaveLength(2)
  close()
  seen.frame.dispatchEvent(new Event('pagehide'))
  seen.frame.dispatchEvent(new Event('pageshow'))
  expect(channels.size).toBe(0)
  watch()
  await pass(0)
  expect(seen.streams).toHaveLength(3)
})

it('what was on its way while the page was put away is heard', async () => {
  severalTabs()
  const gate = Promise.withResolvers<Deposit>()
  seen.answer = () => gate.promise
  watch()
  await pass(0)
  seen.frame.dispatchEvent(new Event('pagehide'))
  gate.resolve({ ...open, phase: 'succeeded', status: 'SUCCESS' })
  await pass(0)
  expect(news()).toEqual(['succeeded 3'])
})

it('where locks are refused each tab has its own stream', async () => {
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new Error('refused')) } })
  watch()
  await pass(0)
  watch()
  await pass(16_000)
  expect(new Set(seen.streams.map(({ at }) => at)).size).toBeGreaterThan(1)
})

it('a tab that may open the stream only after its first question opens it at once', async () => {
  const lock = Promise.withResolvers<void>()
  const request = async (_name: string, work: () => Promise<void> | undefined) => {
    await lock.promise
    await work()
  }
  vi.stubGlobal('navigator', { locks: { request } })
  watch()
  await pass(0)
  expect([seen.asked.length, seen.streams.length]).toEqual([1, 0])
  lock.resolve()
  // No time passes: a machine that is busy may grant the lock late, and what happens meanwhile must
  // not wait.
  await pass(0)
  expect(seen.streams).toHaveLength(1)
})

it('news that comes while a tab asks is asked for at once', async () => {
  const channels = severalTabs()
  seen.connect = wire().response
  watch()
  await pass(0)
  const answer = Promise.withResolvers<typeof open>()
  seen.answer = () => answer.promise
  watch()
  await pass(0)
  const asked = seen.asked.length
  seen.answer = async () => ({ ...open, version: 9, phase: 'confirming' })
  for (const one of channels)
    (one as EventTarget).dispatchEvent(Object.assign(new Event('message'), { data: { id: 'dep_1', version: 9 } }))
  // The answer to what was asked before it.
  answer.resolve(open)
  await pass(0)
  expect(seen.asked.length).toBe(asked + 1)
  expect(seen.heard).toContain('confirming 9')
})

it('a page that comes back while it streams asks at once, not after half a second', async () => {
  seen.connect = wire().response
  watch()
  await pass(0)
  const asked = seen.asked.length
  seen.page.dispatchEvent(new Event('visibilitychange'))
  await pass(0)
  expect([seen.asked.length, seen.streams.length]).toEqual([asked + 1, 2])
})
