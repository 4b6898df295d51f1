// The share of HC_RATE that strangers may start, over all instances: who asks at the same moment
// shares one write, and nobody is let in beyond what the counter grants.
import { expect, it } from 'vitest'
import { createOpenShare } from '../../server/deposits/create/open-share.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { createMemoryCounters } from '../../server/store/engine/memory-counters.ts'

const HC_RATE = 100
/** Of HC_RATE. */
const MOST = 60
const REFUSED = 'Many payments are starting just now. Wait a minute; nothing was charged.'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A counter that answers when it is told to. */
function slowCounter() {
  const counters = createMemoryCounters()
  const wants: number[] = []
  let waiting: ((fault?: Error) => void)[] = []
  const take: Store['take'] = (name, windowStart, want, limit) =>
    new Promise((resolve, reject) => {
      wants.push(want)
      waiting.push((fault) =>
        fault === undefined ? resolve(counters.take(name, windowStart, want, limit)) : reject(fault),
      )
    })
  let at = 0
  const share = createOpenShare('open', { store: { take }, now: () => at, rate: HC_RATE })
  const told = async (): Promise<string> => {
    try {
      await share()
      return 'granted'
    } catch (error) {
      return (error as Error).message
    }
  }
  return {
    /** How many each write asked for. */
    wants,
    pass: (ms: number) => void (at += ms),
    /** Another instance takes as many. */
    elsewhere: (count: number) => counters.take('open', 0, count, MOST),
    /** Asks `count` times at once; resolves to what each was told. */
    ask: (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, told)),
    /** Answers the writes that wait now, with this fault if there is one. */
    async answer(fault?: Error): Promise<void> {
      await settled()
      const answered = waiting
      waiting = []
      for (const each of answered) each(fault)
      await settled()
    },
  }
}

const granted = (count: number) => Array.from({ length: count }, () => 'granted')

it('who asks while the counter is being written shares the next write', async () => {
  const { ask, answer, wants } = slowCounter()
  const first = ask(1)
  await settled()
  const others = ask(20)
  await settled()
  expect(wants).toEqual([1])
  await answer()
  expect(await first).toEqual(['granted'])
  expect(wants).toEqual([1, 20])
  await answer()
  expect(await others).toEqual(granted(20))
})

it('of those who ask together the later ones are refused where the counter grants fewer', async () => {
  const { ask, answer, elsewhere } = slowCounter()
  elsewhere(MOST - 3)
  const together = ask(5)
  await answer()
  expect(await together).toEqual([...granted(3), REFUSED, REFUSED])
  const later = ask(1)
  await answer()
  expect(await later).toEqual([REFUSED])
})

it('a write that fails is told to all who share it, and takes nothing from the share', async () => {
  const { ask, answer } = slowCounter()
  const failed = ask(MOST)
  await answer(new Error('no database'))
  expect(new Set(await failed)).toEqual(new Set(['no database']))
  const next = ask(MOST)
  await answer()
  expect(await next).toEqual(granted(MOST))
})

it('a write that hangs delays nobody who comes a second later', async () => {
  const { ask, answer, wants, pass } = slowCounter()
  const first = ask(1)
  await settled()
  pass(900)
  const second = ask(2)
  await settled()
  expect(wants).toEqual([1])
  pass(1000)
  const third = ask(3)
  await settled()
  expect(wants).toEqual([1, 3])
  await answer()
  await answer()
  expect((await Promise.all([first, second, third])).flat()).toEqual(granted(6))
})
