// Benchmark of the service's client: creates a second by our client, over its own connections and
// over a fetch that is handed in, against a bare program that signs and calls, in interleaved
// rounds; and callbacks read and bound a second on one core. Prints ratios to the bare program.
//
//   node --conditions=hc-source test/bench/upstream.ts [rounds] [seconds a round] [calls at once]
import { fork } from 'node:child_process'
import { createPrivateKey, sign } from 'node:crypto'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCallbackReader } from '../../server/upstream/callback.ts'
import { bindCallback } from '../../server/upstream/bind.ts'
import { createAgent } from '../../server/upstream/agent.ts'
import { createUpstreamClient } from '../../server/upstream/client.ts'
import { createServiceFetch } from '../../server/upstream/service-fetch.ts'
import { createTransport, systemTimers } from '../../server/upstream/transport.ts'
import type { CreateOrder } from '../../server/deposits/ports/upstream.ts'
import { contract, consumerKey, failure, held, signed, success, testKey } from '../upstream/material.ts'

const order: CreateOrder = {
  reference: 'HCT0123456789ABCDEFGHJKM',
  walletNo: '4559494901',
  amount: 2500,
  currency: 'KES',
  description: 'Order 7',
  payerName: 'Achieng Otieno',
  resultUrl: 'https://shop.example/v1/webhook/0123456789abcdef',
}

function serve(): void {
  const answer = (data: object) => JSON.stringify({ success: true, message: 'Successfully initiated', data })
  const login = answer({ access_token: 'token', token_type: 'bearer', expires_in: 3600 })
  const created = answer({
    transaction_id: 'CP7S36ULT8P',
    reference: order.reference,
    status: 'PENDING',
    status_description: 'Pending',
    amount: 2500,
    currency: 'KES',
    redirect_url: 'https://checkout.example/s/abc',
    date: '2024-02-17 13:34:02 PM',
  })
  const server = http.createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const text = request.url === '/api/v2/auth/login' ? login : created
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

async function measure(): Promise<void> {
  const [rounds = 3, seconds = 2, atOnce = 50] = process.argv.slice(2).map(Number)
  const child = fork(import.meta.filename, ['serve'], { execArgv: ['--conditions=hc-source'] })
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(message as number)))
  const base = `http://127.0.0.1:${port}`
  const url = `${base}/api/v2/payment/`

  const key = createPrivateKey(testKey)
  const agent = new http.Agent({ keepAlive: true })
  const bareSign = () =>
    new Promise<string>((resolve, reject) => {
      sign('sha256', Buffer.from('420001HCT0123456789ABCDEFGHJKMKES2500'), key, (error, value) =>
        error === null ? resolve(value.toString('base64')) : reject(error),
      )
    })
  const body = JSON.stringify({
    wallet_no: '4559494901',
    reference: order.reference,
    acc_name: 'Achieng Otieno',
    amount: 2500,
    currency: 'KES',
    channel: 420001,
    description: 'Order 7',
    result_url: order.resultUrl,
  })
  const headersWith = (signature: string) => ({
    accept: 'application/json',
    'content-type': 'application/json',
    authorization: 'Bearer token',
    signature,
    'x-hash': signature,
  })
  const bareCall = (signature: string) =>
    new Promise<unknown>((resolve, reject) => {
      const headers = { ...headersWith(signature), 'content-length': Buffer.byteLength(body) }
      const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
      })
      request.on('error', reject)
      request.end(body)
    })

  const options = {
    authUrl: base,
    baseUrl: base,
    consumerKey,
    consumerSecret: 'cs',
    privateKey: testKey,
    ...contract,
    businessId: 'BIZ',
    now: Date.now,
    random: (count: number) => new Uint8Array(count),
  }
  const ours = createUpstreamClient(options)
  const overFetch = createUpstreamClient({ ...options, fetch: (input, init) => fetch(input, init) })
  const created = (kind: string) => {
    if (kind !== 'created') throw new Error(`a create ended as ${kind}`)
  }
  const wire = { deadlines: { headers: 10_000, total: 20_000 }, timers: systemTimers, maxBytes: 1_048_576 }
  const serviceAgent = createAgent(wire)
  const transport = createTransport(createServiceFetch(serviceAgent, wire.maxBytes), wire)
  const call = { url, body, headers: headersWith('x'.repeat(344)) }
  const variants: Readonly<Record<string, () => Promise<unknown>>> = {
    'bare: sign and node:http': async () => bareCall(await bareSign()),
    ours: async () => created((await ours.create(order)).kind),
    'ours over global fetch': async () => created((await overFetch.create(order)).kind),
    'no signature, bare node:http': () => bareCall('x'.repeat(344)),
    'no signature, our transport': () => transport.send(call),
    'no signature, bare fetch': async () => (await fetch(url, { method: 'POST', body, headers: call.headers })).json(),
  }
  const rates: Record<string, Rate[]> = {}
  for (const run of Object.values(variants)) await during(300, atOnce, run)
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(variants))
      (rates[name] ??= []).push(await during(seconds * 1000, atOnce, run))
  }
  const middle = (name: string) => ({
    rate: median(rates[name]?.map((one) => one.aSecond)),
    cpu: median(rates[name]?.map((one) => one.cpuMicroseconds)),
  })
  const bare = { signed: middle('bare: sign and node:http'), plain: middle('no signature, bare node:http') }
  console.log('                                     calls/s  ratio   CPU µs/call  ratio')
  for (const name of Object.keys(rates)) {
    const { rate, cpu } = middle(name)
    const to = name.startsWith('no signature') ? bare.plain : bare.signed
    const columns = [
      String(Math.round(rate)).padStart(8),
      (rate / to.rate).toFixed(2).padStart(6),
      String(Math.round(cpu)).padStart(13),
      (to.cpu / cpu).toFixed(2).padStart(6),
    ]
    console.log(`${name.padEnd(36)}${columns.join(' ')}`)
  }
  callbacks(seconds * 1000)
  await Promise.all([ours.close(), overFetch.close()])
  await serviceAgent.destroy()
  agent.destroy()
  child.kill()
}

/** Reads, verifies and binds callbacks, half of them successes. */
function callbacks(ms: number): void {
  const read = createCallbackReader({ consumerKey })
  const bodies = [signed(success), signed(failure)]
  const round = () => {
    for (const raw of bodies) {
      const reading = read(raw)
      if (!reading.ok || bindCallback(reading.callback, held) !== undefined)
        throw new Error('a genuine callback was not believed')
    }
  }
  const run = (until: number) => {
    let count = 0
    while (performance.now() < until) {
      round()
      count += bodies.length
    }
    return count
  }
  run(performance.now() + 300)
  const cpu = process.cpuUsage()
  const count = run(performance.now() + ms)
  const used = process.cpuUsage(cpu)
  console.log(`callbacks read, verified and bound: ${Math.round(count / ((used.user + used.system) / 1e6))}/s a core`)
}

interface Rate {
  readonly aSecond: number
  /**
   * CPU time of this process, including the thread pool that signs: comparable even on a busy
   * machine.
   */
  readonly cpuMicroseconds: number
}

async function during(ms: number, atOnce: number, run: () => Promise<unknown>): Promise<Rate> {
  let count = 0
  const cpu = process.cpuUsage()
  const started = performance.now()
  const end = started + ms
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        await run()
        count += 1
      }
    }),
  )
  const used = process.cpuUsage(cpu)
  return { aSecond: (count / (performance.now() - started)) * 1000, cpuMicroseconds: (used.user + used.system) / count }
}

function median(values: readonly number[] = []): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

if (process.argv[2] === 'serve') serve()
else await measure()
