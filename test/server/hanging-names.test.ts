// Names whose DNS never answers. Those of receivers hold up no payment; that of the service proves
// that nothing was sent.
import dns, { type LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, isIP } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { postOver } from '../../server/notices/post.ts'
import { createUpstreamClient, type UpstreamClientOptions } from '../../server/upstream/client.ts'
import { systemTimers } from '../../server/upstream/transport.ts'
import type { Upstream } from '../../server/deposits/ports/upstream.ts'
import { contract, testKey } from '../upstream/material.ts'
import { createService } from '../upstream/service.ts'

const order = {
  reference: 'HC01JD7Q3V9KES',
  walletNo: '4559494901',
  amount: 2500,
  currency: 'KES' as const,
  description: 'Order 7',
  payerName: 'Achieng Otieno',
  payerPhone: '254700111222',
  payerEmail: '',
  resultUrl: 'https://shop.example/v1/webhook/abc',
}
const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 }
/** As libuv has them: half of its four threads. */
const THREADS = 2

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Names that have a thread, in order. */
let lookups: string[]
/** They wait for a thread. */
let queue: (() => void)[]
let hanging: { readonly hostname: string; readonly fail: () => void }[]
let areDead: boolean
let sent: Promise<unknown>[]
const system = { lookup: dns.lookup, promised: dns.promises.lookup }

/** Only `localhost` has a name server that answers. */
function begin(hostname: string, found: Found): void {
  lookups.push(hostname)
  if (hostname === 'localhost') return void setImmediate(found, null, [LOOPBACK])
  const fail = () => found(Object.assign(new Error('no answer'), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }), [])
  if (areDead) setImmediate(fail)
  else hanging.push({ hostname, fail })
}

let running = 0
function lookUp(hostname: string, found: Found): void {
  if (running === THREADS) return void queue.push(() => lookUp(hostname, found))
  running += 1
  begin(hostname, (error, addresses) => {
    running -= 1
    queue.shift()?.()
    found(error, addresses)
  })
}

beforeEach(() => {
  lookups = []
  queue = []
  hanging = []
  areDead = false
  sent = []
  Object.assign(dns, {
    lookup(hostname: string, options: dns.LookupOptions, found: Found) {
      // A server that listens looks its own address up.
      if (isIP(hostname) === 0) lookUp(hostname, found)
      else system.lookup(hostname, { ...options, all: true }, found)
    },
  })
  Object.assign(dns.promises, {
    lookup: (hostname: string) =>
      new Promise((resolve, reject) => {
        lookUp(hostname, (error, addresses) => (error === null ? resolve(addresses) : reject(error)))
      }),
  })
  syncBuiltinESMExports()
})

afterEach(async () => {
  areDead = true
  giveUp()
  await Promise.all(sent)
  Object.assign(dns, { lookup: system.lookup })
  Object.assign(dns.promises, { lookup: system.promised })
  syncBuiltinESMExports()
})

/** As a resolver does after 10 s and more. */
function giveUp(): void {
  for (const { fail } of hanging.splice(0)) fail()
}

/** Sends a notice: the status of its answer, or why there is none. */
function notify(url: string): Promise<number | string | undefined> {
  const post = { headers: {}, body: '{}', signal: new AbortController().signal }
  const outcome = postOver(globalThis.fetch)(url, post).then(
    ({ status }) => status,
    (error: Error) => (error.cause as NodeJS.ErrnoException | undefined)?.code,
  )
  sent.push(outcome)
  return outcome
}

async function serviceHere(): Promise<URL> {
  const service = createService()
  const url = new URL(await service.listen())
  onTestFinished(() => service.close())
  return url
}

/** Each opens its first connection. */
function clientOf(authUrl: string, baseUrl: string, more: Partial<UpstreamClientOptions> = {}): Upstream {
  const client = createUpstreamClient({
    authUrl,
    baseUrl,
    consumerKey: 'ck_key',
    consumerSecret: 'cs_secret',
    privateKey: testKey,
    ...contract,
    businessId: 'BIZ-1',
    now: Date.now,
    random: (count) => new Uint8Array(count),
    ...more,
  })
  onTestFinished(() => client.close())
  return client
}

it('payments and status queries go on while four receivers have names that nobody answers for', async () => {
  for (const name of ['a', 'b', 'c', 'd']) void notify(`https://${name}.example/`)
  await expect.poll(() => hanging).not.toEqual([])
  const { port } = await serviceHere()
  const url = `http://localhost:${port}`
  expect(await clientOf(url, url).create(order)).toMatchObject({ kind: 'created' })
  expect(await clientOf(url, url).query(order)).toMatchObject({ kind: 'found' })
  expect(hanging.map(({ hostname }) => hostname)).toEqual(['a.example'])
})

it('forty notices to a name that nobody answers for are one lookup, and all of them fail with it', async () => {
  for (let notice = 0; notice < 40; notice += 1) void notify('https://receiver.example/')
  await expect.poll(() => hanging).toHaveLength(1)
  giveUp()
  expect(new Set(await Promise.all(sent))).toEqual(new Set(['EAI_AGAIN']))
  expect(lookups).toEqual(['receiver.example'])
})

it('a receiver whose name is known waits no longer than the lookup of another hangs, and is looked up again for the next connection', async () => {
  const server = createServer((_request, response) => void response.setHeader('connection', 'close').end())
  onTestFinished(() => void server.close())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`
  const first = notify('https://receiver.example/')
  const second = notify(url)
  await expect.poll(() => hanging).toHaveLength(1)
  expect(lookups).toEqual(['receiver.example'])
  giveUp()
  expect(await Promise.all([first, second])).toEqual(['EAI_AGAIN', 200])
  expect(await notify(url)).toBe(200)
  expect(lookups).toEqual(['receiver.example', 'localhost', 'localhost'])
})

it('a payment for which nobody answers for the name of the service was not sent, before any deadline has passed', async () => {
  const { origin } = await serviceHere()
  const deadlines = { headers: 1_250, total: 20_000 }
  // Eight times as long: on a busy machine a deadline may be met together with the end of the time
  // to connect.
  const timers = { ...systemTimers, setTimeout: (work: () => void, ms: number) => setTimeout(work, 8 * ms) }
  const client = clientOf(origin, 'https://service.example', { deadlines, timers })
  await client.warmUp()
  expect(await client.create(order)).toEqual({ kind: 'not_processed', reason: 'timeout' })
  expect(hanging.map(({ hostname }) => hostname)).toEqual(['service.example'])
})
