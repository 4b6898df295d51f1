// The status streams that are open in one process: what each reader is sent, when a stream ends,
// and how many there may be.
import { beforeEach, describe, expect, it } from 'vitest'
import type { DepositPhase } from '../../server/contract/index.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import type { Hub } from '../../server/deposits/settle/hub.ts'
import { createHub } from '../../server/deposits/settle/hub.ts'
import type { OpenStreams, Sink, Stream } from '../../server/http/open-streams.ts'
import { createOpenStreams } from '../../server/http/open-streams.ts'
import type { OnChange } from '../../server/deposits/ports/store.ts'
import { depositRecord, START } from '../helpers/deposit-record.ts'

const SECOND = 1000
const MINUTE = 60_000

interface Reader extends Sink {
  readonly got: string[]
  hasEnded: boolean
  isSlow: boolean
}

let at: number
let random: number
let row: Deposit | undefined
let hub: Hub
let change: OnChange
let streams: OpenStreams
let cuts: string[]
let watched: number[]
let errors: unknown[]
beforeEach(() => {
  at = START
  random = 0
  row = depositRecord({ id: 'dep_1' })
  const onChange = (listener: OnChange) => {
    change = listener
    return () => {}
  }
  hub = createHub({ onChange, deposit: async () => row }, (error) => errors.push(error))
  cuts = []
  watched = []
  errors = []
  streams = createOpenStreams({
    deposits: { view: ({ version, phase }) => ({ version, phase }) as never },
    hub,
    now: () => at,
    random: () => Uint8Array.of(random),
    onWatch: ({ version }) => watched.push(version),
    mostStreams: 100,
    read: async () => row,
    onError: (error) => errors.push(error),
    onCut: (reason) => cuts.push(reason),
  })
})

function reader(): Reader {
  const got: string[] = []
  return {
    got,
    hasEnded: false,
    isSlow: false,
    write(text) {
      got.push(text)
      return !this.isSlow
    },
    end() {
      this.hasEnded = true
    },
  }
}

async function begin(sink: Sink, deposit = row as Deposit, address = '127.0.0.1'): Promise<Stream> {
  streams.admit(deposit, address)
  return streams.begin(deposit, address, sink)
}

const event = (version: number, phase: DepositPhase) =>
  `id: ${version}\nevent: deposit\ndata: ${JSON.stringify({ version, phase })}\n\n`

const told = (deposit: Deposit) => change(deposit.id, deposit.version, deposit)

/** The payment moves, and this instance hears of it. */
function move(version: number, phase: DepositPhase): void {
  told((row = depositRecord({ id: 'dep_1', version, phase })))
}

async function beat(): Promise<number> {
  const beaten = streams.beat()
  await new Promise(setImmediate)
  return beaten
}

describe('a reader', () => {
  it.each([
    [0, 1000],
    [255, 5000],
  ])('is sent the state, when to come back, and each newer state once: %i', async (byte, retry) => {
    random = byte
    const sink = reader()
    await begin(sink)
    move(2, 'confirming')
    told(row as Deposit)
    told(depositRecord({ id: 'dep_1', version: 1 }))
    expect(sink.got).toEqual([`retry: ${retry}\n\n${event(1, 'open')}`, event(2, 'confirming')])
  })

  it('is sent what has changed while its stream was opened', async () => {
    const sink = reader()
    const before = row
    row = depositRecord({ id: 'dep_1', version: 3, phase: 'confirming' })
    await begin(sink, before)
    expect(sink.got.at(-1)).toBe(event(3, 'confirming'))
  })

  it('is sent a heartbeat after 15 quiet seconds, and a change whose notification was lost', async () => {
    const sink = reader()
    await begin(sink)
    at += 10 * SECOND
    move(2, 'confirming')
    at += 14 * SECOND
    expect(await beat()).toBe(0)
    at += SECOND
    row = depositRecord({ id: 'dep_1', version: 3, phase: 'open' })
    expect(await beat()).toBe(1)
    expect(sink.got.slice(2)).toEqual([': still here\n\n', event(3, 'open')])
    expect(watched).toEqual([1, 3])
    row = undefined
    at += 15 * SECOND
    expect(await beat()).toBe(1)
    expect(errors).toEqual([])
  })

  it('is sent one heartbeat in a round, even if the clock moves on meanwhile', async () => {
    const paused = reader()
    paused.end = () => void (at += 1)
    await begin(paused, depositRecord({ id: 'dep_2', phase: 'failed' }))
    const sink = reader()
    await begin(sink)
    at += 5 * MINUTE
    expect(await beat()).toBe(2)
    expect(sink.got.slice(1)).toEqual([': still here\n\n'])
    expect(cuts).toEqual(['old'])
  })

  it('that has gone is sent nothing, and makes room', async () => {
    const sink = reader()
    const stream = await begin(sink)
    streams.drop(stream)
    move(2, 'confirming')
    at += MINUTE
    expect([await beat(), streams.open(), sink.got.length, sink.hasEnded]).toEqual([0, 0, 1, false])
    expect(hub.isWatched('dep_1')).toBe(false)
  })
})

describe('a stream', () => {
  it.each(['succeeded', 'rejected'] as const)('ends when the payment has %s, and nobody asks on', async (phase) => {
    const sink = reader()
    await begin(sink)
    move(2, phase)
    expect([sink.got.at(-1), sink.hasEnded, streams.open()]).toEqual([event(2, phase), true, 0])
    const late = reader()
    await begin(late)
    expect([late.got.length, late.hasEnded, watched, cuts]).toEqual([1, true, [1], []])
  })

  it.each(['failed', 'expired', 'abandoned', 'review'] as const)('stays for five minutes after %s', async (phase) => {
    const sink = reader()
    await begin(sink)
    move(2, phase)
    at += 5 * MINUTE - 1
    await beat()
    expect(sink.hasEnded).toBe(false)
    at += 15 * SECOND
    await beat()
    expect([sink.hasEnded, cuts, streams.open()]).toEqual([true, ['old'], 0])
  })

  it('stays as long as a payment that is taken up again', async () => {
    const sink = reader()
    await begin(sink)
    move(2, 'review')
    move(3, 'confirming')
    at += 10 * MINUTE
    await beat()
    expect(sink.hasEnded).toBe(false)
  })

  it('of a slow or broken reader is cut, at a change as at a heartbeat, and no other', async () => {
    const [slow, broken, other, late] = [reader(), reader(), reader(), reader()]
    for (const sink of [slow, broken, late, other]) await begin(sink)
    slow.isSlow = true
    broken.write = () => {
      throw new Error('gone')
    }
    broken.end = broken.write as never
    move(2, 'confirming')
    expect([slow.hasEnded, other.got.length, cuts]).toEqual([true, 2, ['slow', 'slow']])
    expect(errors).toHaveLength(2)
    late.isSlow = true
    at += 15 * SECOND
    expect(await beat()).toBe(2)
    expect([late.hasEnded, other.got.length, cuts, streams.open()]).toEqual([true, 3, ['slow', 'slow', 'slow'], 1])
  })

  it('is one of six of its payment or session, whoever has left before', async () => {
    const open: Stream[] = []
    const refused = expect.objectContaining({ code: 'rate_limited', retryAfter: 5 }) as Error
    for (let round = 0; round < 3; round++) {
      while (open.length < 6) open.push(await begin(reader()))
      expect(() => streams.admit(row as Deposit, '127.0.0.1')).toThrow(refused)
      streams.admit(depositRecord({ id: 'dep_2' }), '127.0.0.1')
      const attempt = depositRecord({ id: `dep_of_ses_${round}`, sessionId: 'ses_1' })
      const others = round < 2 ? [1, 2, 3].map((n) => `dep_of_ses_${round}_${n}`) : []
      for (const id of others) await begin(reader(), depositRecord({ id, sessionId: 'ses_1' }))
      if (round > 0) expect(() => streams.admit(attempt, '127.0.0.1')).toThrow(refused)
      // Twice: what we have cut closes, and is dropped once more.
      for (const stream of open.splice([0, 1, 4][round]!)) [stream, stream].forEach(streams.drop)
    }
  })

  it('is one of as many as the process may have', async () => {
    for (let n = 0; n < 100; n++) await begin(reader(), depositRecord({ id: `dep_of_${n}` }))
    expect(() => streams.admit(row as Deposit, '127.0.0.1')).toThrow('Too many streams')
    expect(streams.open()).toBe(100)
  })

  it('is one of half of them where one stranger has all the others, of a third where two have', async () => {
    let made = 0
    /**
     * How many are admitted, each for a new payment; every other one has a session, which makes no
     * difference: one address may have many links.
     */
    const open = async (address: (n: number) => string): Promise<Stream[]> => {
      const opened: Stream[] = []
      try {
        while (opened.length <= 100) {
          made += 1
          const session = made % 2 === 0 ? { sessionId: `ses_${made}` } : {}
          opened.push(await begin(reader(), depositRecord({ id: `dep_of_${made}`, ...session }), address(made)))
        }
      } catch {
        // Refused.
      }
      return opened
    }
    const ofOne = await open(() => '203.0.113.1')
    expect(ofOne).toHaveLength(50)
    // The networks of one home are one stranger.
    expect(await open((n) => `2001:db8:0:${n.toString(16)}::1`)).toHaveLength(25)
    expect(await open(() => '203.0.113.2')).toHaveLength(13)
    const ofSession = depositRecord({ id: 'dep_1', sessionId: 'ses_1' })
    expect(() => streams.admit(ofSession, '203.0.113.1')).toThrow('Too many streams')
    streams.admit(ofSession, '203.0.113.3')
    expect(streams.open()).toBe(88)
    for (const stream of ofOne) streams.drop(stream)
    expect(await open(() => '203.0.113.1')).toHaveLength(31)
  })
})

it('of many streams a few get their heartbeat at once, and at most forty after a pause', async () => {
  const sinks = Array.from({ length: 50 }, reader)
  for (const [n, sink] of sinks.entries()) await begin(sink, depositRecord({ id: `dep_of_${n}` }))
  at += 15 * SECOND
  const rounds = [await beat(), await beat()]
  at += 2
  rounds.push(await beat())
  expect([...rounds, await beat(), await beat()]).toEqual([40, 4, 4, 2, 0])
})

it('at the end of the process all streams end', async () => {
  const sinks = [reader(), reader()]
  for (const sink of sinks) await begin(sink)
  streams.close()
  expect([sinks.map(({ hasEnded }) => hasEnded), streams.open()]).toEqual([[true, true], 0])
})
