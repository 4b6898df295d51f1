// Names whose lookup hangs or fails: each is looked up once at a time, its last addresses hold, and a payment goes on.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createNameLookup } from '../../server/name-lookup.ts'
import { createUpstreamClient } from '../../server/upstream/client.ts'
import { testKey } from '../upstream/material.ts'
import { createService } from '../upstream/service.ts'

const DAY = 24 * 60 * 60_000
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 }

type Answer = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** What the system is asked, in order; a test answers it, or does not. */
let asked: { readonly hostname: string; readonly family: number; readonly answer: Answer }[]
let told: string[]
const resolve = (hostname: string, { family }: { readonly family: number }, answer: Answer) =>
  void asked.push({ hostname, family, answer })

const failed = (code: string) => Object.assign(new Error(code), { code })
const address = (last: number): LookupAddress => ({ address: `192.0.2.${last}`, family: 4 })

beforeEach(() => {
  asked = []
  told = []
})

describe('the lookup', () => {
  let lookUp: ReturnType<typeof createNameLookup>

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    lookUp = createNameLookup({ resolve, onKnown: (host, code) => told.push(`${host} ${code}`) })
  })
  afterEach(() => vi.useRealTimers())

  /** What a connection that asks gets, and when: `pending` until then. */
  function ask(hostname = 'pay.example', options: LookupOptions = { all: true }) {
    const result: { said: unknown } = { said: 'pending' }
    lookUp(hostname, options, (error, addresses, family) => {
      if (error !== null) result.said = error.code
      else result.said = family === undefined ? addresses : [addresses, family]
    })
    return result
  }
  async function know(hostname = 'pay.example') {
    const first = ask(hostname)
    asked.pop()?.answer(null, [address(1)])
    await vi.advanceTimersByTimeAsync(0)
    return first
  }

  it('gives what the system answers, all of it or the first as the connection asks', async () => {
    const [all, one] = [ask(), ask('pay.example', { family: 0 })]
    asked[0]?.answer(null, [address(1), address(2)])
    expect(all.said).toEqual([address(1), address(2)])
    expect(one.said).toEqual(['192.0.2.1', 4])
  })

  it('asks once for all that wait for one name, and for each name and family of its own', () => {
    for (let connection = 0; connection < 40; connection += 1) ask('hangs.example')
    ask('pay.example')
    ask('pay.example', { family: 'IPv6' })
    ask('pay.example', { family: 6 })
    expect(asked.map(({ hostname, family }) => `${hostname} ${family}`)).toEqual([
      'hangs.example 0',
      'pay.example 0',
      'pay.example 6',
    ])
  })

  it('asks again for each connection as soon as the last lookup has ended', async () => {
    await know()
    const next = ask()
    expect(next.said).toBe('pending')
    asked[0]?.answer(null, [address(9)])
    expect(next.said).toEqual([address(9)])
    expect(told).toEqual([])
  })

  it('gives the last addresses after a second without an answer, and at once for whoever comes later', async () => {
    await know()
    const first = ask()
    await vi.advanceTimersByTimeAsync(999)
    expect(first.said).toBe('pending')
    await vi.advanceTimersByTimeAsync(1)
    expect(first.said).toEqual([address(1)])
    const second = ask()
    await vi.advanceTimersByTimeAsync(1)
    expect(second.said).toEqual([address(1)])
    expect(asked).toHaveLength(1)
    expect(told).toEqual(['pay.example EAI_AGAIN'])
  })

  it('takes the answer that came late, for the next', async () => {
    await know()
    ask()
    await vi.advanceTimersByTimeAsync(5_000)
    asked.pop()?.answer(null, [address(2)])
    ask()
    asked.pop()?.answer(failed('EAI_AGAIN'), [])
    const next = ask()
    asked.pop()?.answer(failed('EAI_AGAIN'), [])
    expect(next.said).toEqual([address(2)])
    expect(told).toEqual(['pay.example EAI_AGAIN'])
  })

  it('is told of once while every answer is late, and again after one that was in time', async () => {
    await know()
    for (let connection = 0; connection < 3; connection += 1) {
      ask()
      await vi.advanceTimersByTimeAsync(1_500)
      asked.pop()?.answer(null, [address(1)])
    }
    expect(told).toEqual(['pay.example EAI_AGAIN'])
    await know()
    ask()
    await vi.advanceTimersByTimeAsync(1_500)
    expect(told).toEqual(['pay.example EAI_AGAIN', 'pay.example EAI_AGAIN'])
  })

  it.each(['EAI_AGAIN', 'ENOTFOUND'])('gives the last addresses when a lookup fails: %s', async (code) => {
    await know()
    const next = ask()
    asked.pop()?.answer(failed(code), [])
    expect(next.said).toEqual([address(1)])
    expect(told).toEqual([`pay.example ${code}`])
  })

  it('fails as the system does where nothing is known', () => {
    const first = ask()
    asked[0]?.answer(failed('ENOTFOUND'), [])
    expect(first.said).toBe('ENOTFOUND')
    const empty = ask()
    asked[1]?.answer(null, [])
    expect(empty.said).toBe('ENOTFOUND')
  })

  it('gives up before the deadline of a call where nothing is known, as a failed lookup', async () => {
    const first = ask()
    await vi.advanceTimersByTimeAsync(7_999)
    expect(first.said).toBe('pending')
    await vi.advanceTimersByTimeAsync(1)
    expect(first.said).toBe('EAI_AGAIN')
    // The system is still at it: it is not asked a second time.
    ask()
    expect(asked).toHaveLength(1)
  })

  it('keeps addresses for a day after the last good answer', async () => {
    await know()
    await vi.advanceTimersByTimeAsync(DAY - 1)
    const last = ask()
    asked.pop()?.answer(failed('EAI_AGAIN'), [])
    expect(last.said).toEqual([address(1)])
    await vi.advanceTimersByTimeAsync(1)
    const late = ask()
    asked.pop()?.answer(failed('EAI_AGAIN'), [])
    expect(late.said).toBe('EAI_AGAIN')
  })

  it('remembers a hundred names, not more', async () => {
    await know('first.example')
    for (let n = 0; n < 100; n += 1) await know(`host${n}.example`)
    const first = ask('first.example')
    asked.pop()?.answer(failed('EAI_AGAIN'), [])
    expect(first.said).toBe('EAI_AGAIN')
    const last = ask('host99.example')
    asked.pop()?.answer(failed('EAI_AGAIN'), [])
    expect(last.said).toEqual([address(1)])
  })
})

describe('connections', () => {
  const system = dns.lookup

  beforeEach(() => {
    Object.assign(dns, {
      lookup: (hostname: string, options: { readonly family: number }, answer: Answer) =>
        // A server that listens looks its own address up.
        isIP(hostname) === 0 ? resolve(hostname, options, answer) : system(hostname, { ...options, all: true }, answer),
    })
    syncBuiltinESMExports()
  })
  afterEach(() => {
    Object.assign(dns, { lookup: system })
    syncBuiltinESMExports()
  })

  it('to the service: to the addresses from before, once nobody answers for its name any more', async () => {
    const service = createService()
    const address = new URL(await service.listen())
    address.hostname = 'localhost'
    const write = (_: object, message: string) => void told.push(message)
    const client = createUpstreamClient({
      authUrl: address.origin,
      baseUrl: address.origin,
      consumerKey: 'ck_key',
      consumerSecret: 'cs_secret',
      privateKey: testKey,
      businessId: 'BIZ-1',
      now: Date.now,
      random: (count) => new Uint8Array(count),
      logger: { debug: write, info: write, warn: write, error: write },
    })
    const first = client.banks('KE')
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    asked[0]?.answer(null, [LOOPBACK])
    expect(await first).toHaveLength(1)
    service.disconnect()
    await new Promise(setImmediate)
    expect(await client.banks('KE')).toHaveLength(1)
    expect(asked).toHaveLength(2)
    expect(told).toEqual(['nobody answers in time for the name of this host; its last addresses are used for a day'])
    await client.close()
    await service.close()
  })
})
