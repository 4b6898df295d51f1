// The load of the abuse benchmark, two programs in one file, each in its own process: the
// attackers, and the customers served meanwhile.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { percentile } from './goals.ts'
import { depositRequest } from './load.ts'
import { startServiceStub } from './service-stub.ts'
import { callbackBody } from './settings.ts'
import { openWire, requestText } from './wire.ts'
import type { Wire } from './wire.ts'

export interface AttackJob {
  readonly attack: { readonly port: number; readonly seconds: number; readonly perSecond: number; readonly slow: number }
  /** A real payment, to whose webhook address the forged callbacks are sent. */
  readonly order: { readonly path: string; readonly reference: string }
} // prettier-ignore

export interface Attacked {
  /** Answered forged callbacks a second. */
  readonly perSecond: number
  /** Forged callbacks that were not refused with 401: must be 0. */
  readonly notRefused: number
  /** Slow sockets still open at the end. */
  readonly slowOpen: number
  readonly slowCut: number
  /** Endless bodies that the companion cut. */
  readonly bodiesCut: number
}

export interface GoodJob {
  readonly good: { readonly port: number; readonly seconds: number; readonly perSecond: number }
}

export interface Served {
  readonly p50: number
  readonly p99: number
  readonly most: number
  readonly requests: number
  readonly bad: number
}

const SLOW_BYTE_MS = 3000
const BODIES_AT_ONCE = 4
const BODY_BYTES = 100 * 1024 * 1024
const FORGERS = 128

/** Calls `step` at an even pace, whether or not earlier steps have finished. */
async function paced(perSecond: number, seconds: number, step: () => void): Promise<void> {
  const started = performance.now()
  await new Promise<void>((resolve) => {
    let done = 0
    const timer = setInterval(() => {
      const elapsed = (performance.now() - started) / 1000
      for (; done < Math.min(elapsed, seconds) * perSecond; done += 1) step()
      if (elapsed < seconds) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
}

async function attack({ attack: { port, seconds, perSecond, slow }, order }: AttackJob): Promise<Attacked> {
  const end = performance.now() + seconds * 1000
  const over = () => performance.now() >= end
  const target = { host: '127.0.0.1', port }
  const slowSockets = new Set<Socket>()
  const counts = { answered: 0, notRefused: 0, slowCut: 0, bodiesCut: 0 }

  /**
   * Sends a byte every few seconds: half of the sockets in the headers, half in the body.
   * Reconnects when cut.
   */
  function slowly(number: number): void {
    if (over()) return
    const socket = connect({ ...target, localAddress: `127.0.0.${2 + (number % 8)}` })
    slowSockets.add(socket)
    const head = 'POST /v1/deposits HTTP/1.1\r\nHost: 127.0.0.1\r\n'
    socket.write(number % 2 === 0 ? head : `${head}Content-Type: application/json\r\nContent-Length: 8000\r\n\r\n{`)
    const timer = setInterval(() => socket.write('x'), SLOW_BYTE_MS)
    socket.resume()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearInterval(timer)
      slowSockets.delete(socket)
      if (over()) return
      counts.slowCut += 1
      slowly(number)
    })
  }

  /** Sends 100 MB in chunks to an endpoint that accepts a few kB. */
  function endlessly(number: number): void {
    if (over()) return
    const socket = connect(target)
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'a'), Buffer.from('\r\n')])
    let sent = 0
    const path = number % 2 === 0 ? '/v1/deposits' : order.path
    socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: ${'k'.repeat(32)}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const pour = () => {
      while (!over() && sent < BODY_BYTES && !socket.destroyed) {
        sent += 0x10000
        if (!socket.write(chunk)) return void socket.once('drain', pour)
      }
    }
    pour()
    socket.resume()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      if (sent < BODY_BYTES) counts.bodiesCut += 1
      setTimeout(endlessly, 100, number)
    })
    setTimeout(() => socket.destroy(), end - performance.now()).unref()
  } // prettier-ignore

  const free: Wire[] = Array.from({ length: FORGERS }, () => openWire(target))
  const wires = [...free]
  const forged = callbackBody(order.reference, '50').replace(/"hash":"../, '"hash":"zz')
  const request = requestText('POST', order.path, {}, forged)
  let behind = 0
  function send(wire: Wire): void {
    void wire.send(request).then(({ status }) => {
      if (over()) return
      counts.answered += 1
      if (status !== 401) counts.notRefused += 1
      if (behind === 0) return void free.push(wire)
      behind -= 1
      send(wire)
    })
  }
  /**
   * Sends a forged callback. While all connections are waiting it is postponed, not dropped: a slow
   * companion must not slow the attack.
   */
  function forge(): void {
    const wire = free.pop()
    if (wire === undefined) behind += 1
    else send(wire)
  }

  for (let number = 0; number < slow; number += 1) slowly(number)
  for (let number = 0; number < BODIES_AT_ONCE; number += 1) endlessly(number)
  await paced(perSecond, seconds, forge)
  const slowOpen = slowSockets.size
  for (const socket of slowSockets) socket.destroy()
  for (const wire of wires) wire.close()
  const { answered, ...rest } = counts
  return { perSecond: answered / seconds, slowOpen, ...rest }
}

async function serve({ good: { port, seconds, perSecond } }: GoodJob): Promise<Served> {
  const free: Wire[] = []
  const times: number[] = []
  let bad = 0
  let begun = 0
  const markets = requestText('GET', '/v1/markets', {})
  const running = new Set<Promise<void>>()

  async function one(): Promise<void> {
    begun += 1
    const wire = free.pop() ?? openWire({ host: '127.0.0.1', port })
    const started = performance.now()
    const { status } = await wire.send(begun % 2 === 0 ? markets : depositRequest())
    times.push(performance.now() - started)
    if (status !== 200 && status !== 201) bad += 1
    free.push(wire)
  }
  await paced(perSecond, seconds, () => {
    const flight = one().finally(() => running.delete(flight))
    running.add(flight)
  })
  await Promise.all(running)
  for (const wire of free) wire.close()
  const sorted = times.toSorted((a, b) => a - b)
  return {
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    most: sorted.at(-1) ?? 0,
    requests: times.length,
    bad,
  }
}

process.send?.({ stub: await startServiceStub() })
process.on('message', (job: AttackJob | GoodJob) => {
  void ('attack' in job ? attack(job) : serve(job)).then((result) => process.send?.(result))
})
