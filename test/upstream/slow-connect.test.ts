// A service whose connection takes longer than Node waits for one address by itself, or whose first
// address is dead.
import { type ChildProcess, spawn } from 'node:child_process'
import dns, { type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { connect, isIP, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createUpstreamClient } from '../../server/upstream/client.ts'
import { testKey } from './material.ts'
import { createService } from './service.ts'

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

const lookup = dns.lookup
let addresses: readonly string[]
beforeEach(() => {
  Object.assign(dns, {
    lookup(hostname: string, options: dns.LookupOptions, found: (error: null, all: LookupAddress[]) => void) {
      if (isIP(hostname) !== 0) return lookup(hostname, { ...options, all: true }, found as never)
      setImmediate(
        found,
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )
    },
  })
  syncBuiltinESMExports()
})
afterEach(() => {
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
})

/** Passes on what it takes to `port`, with room for one connection that it has not taken. */
const PASSES_ON = `
  const { connect, createServer } = require('node:net')
  createServer((socket) => {
    const on = connect(Number(process.argv[1]), '127.0.0.1')
    for (const [from, to] of [[socket, on], [on, socket]]) from.pipe(to).on('error', () => from.destroy())
  }).listen({ port: Number(process.argv[2]), host: process.argv[3], backlog: 1 }, () => console.log('listens'))`

/**
 * A door at `host` that answers no attempt to connect until it is let go: its process stands still
 * and its queue is full. The machine then tries again after a second.
 */
async function stuckDoor(target: number, port: number, host: string): Promise<{ letGo(): void }> {
  const door: ChildProcess = spawn(process.execPath, ['-e', PASSES_ON, String(target), String(port), host])
  onTestFinished(() => void door.kill('SIGKILL'))
  await once(door.stdout as NodeJS.ReadableStream, 'data')
  door.kill('SIGSTOP')
  const waiting: Socket[] = []
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy()
  })
  for (let isFull = false; !isFull;) {
    const socket = connect({ port, host })
    waiting.push(socket.on('error', () => {}))
    isFull = await Promise.race([
      once(socket, 'connect').then(() => false),
      new Promise<boolean>((resolve) => setTimeout(resolve, 300, true)),
    ])
  }
  return { letGo: () => void door.kill('SIGCONT') }
}

async function serviceBehind() {
  const service = createService()
  const { origin, port } = new URL(await service.listen())
  onTestFinished(() => service.close())
  const client = createUpstreamClient({
    authUrl: origin,
    baseUrl: `http://localhost:${port}`,
    consumerKey: 'ck_key',
    consumerSecret: 'cs_secret',
    privateKey: testKey,
    businessId: 'BIZ-1',
    now: Date.now,
    random: (count) => new Uint8Array(count),
  })
  onTestFinished(() => client.close())
  await client.warmUp()
  return { client, service, port: Number(port) }
}

it('a service that takes longer to connect to than Node waits for one address is reached', async () => {
  const { client, service, port } = await serviceBehind()
  const door = await stuckDoor(port, port, '127.0.0.2')
  // Nobody listens at the second one.
  addresses = ['127.0.0.2', '127.0.0.3']
  const created = client.create(order)
  setTimeout(door.letGo, 400)
  expect(await created).toMatchObject({ kind: 'created' })
  expect(service.seen.deposit).toHaveLength(1)
})

it('a service whose first address is dead is reached by the second', async () => {
  const { client, service, port } = await serviceBehind()
  await stuckDoor(port, port, '127.0.0.2')
  addresses = ['127.0.0.2', '127.0.0.1']
  expect(await client.create(order)).toMatchObject({ kind: 'created' })
  expect(service.seen.deposit).toHaveLength(1)
})
