// Simulates thousands of customers watching payments, in a separate process: opens streams over
// bare sockets and measures how long a change takes to arrive. Also runs the stub of the payment
// service.
import { connect } from 'node:net'
import { percentile } from './goals.ts'
import { startServiceStub } from './service-stub.ts'
import { openWire, requestText } from './wire.ts'
import type { Wire } from './wire.ts'

export interface Watch {
  readonly id: string
  readonly token: string
}

export type StreamJob =
  | { readonly open: readonly Watch[]; readonly port: number }
  | { readonly change: { readonly perSecond: number; readonly seconds: number }; readonly control: number }
  | { readonly close: true }

export interface Opened {
  readonly open: number
  readonly seconds: number
}

export interface Seen {
  readonly p50: number
  readonly p99: number
  readonly changes: number
  /** Changes that had not arrived ten seconds after the last one. */
  readonly lost: number
}

const AT_ONCE = 100
/** Source addresses: 15,000 connections from one would use up more than half of its ports. */
const ADDRESSES = 8
const PATIENCE_SECONDS = 10
const EVENT = 'event: deposit\n'

/** Open streams, and how to close each. */
const watched = new Map<string, () => void>()
/** By deposit, when a change that has not arrived yet was requested. */
const waiting = new Map<string, number>()
let delays: number[] = []

/**
 * Resolves after the snapshot to a function that closes the stream; `onEvent` gets each event,
 * including the snapshot.
 */
export function openStream(
  watch: Watch,
  port: number,
  number: number,
  onEvent: (text: string) => void,
  onClose: () => void = () => {},
): Promise<() => void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (number % ADDRESSES)}` })
    const close = () => void socket.destroy()
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      if (!text.includes(EVENT)) return
      onEvent(text)
      resolve(close)
    })
    socket.on('error', close)
    socket.on('close', () => {
      onClose()
      resolve(close)
    })
    const headers = {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${watch.token}`,
      Origin: 'http://127.0.0.1:8080',
    }
    socket.write(requestText('GET', `/v1/deposits/${watch.id}/events`, headers))
  })
}

async function watchOne(watch: Watch, port: number, number: number): Promise<void> {
  let open = true
  const close = await openStream(
    watch,
    port,
    number,
    () => {
      const since = waiting.get(watch.id)
      if (since !== undefined) delays.push(performance.now() - since)
      waiting.delete(watch.id)
    },
    () => {
      open = false
      watched.delete(watch.id)
    },
  )
  if (open) watched.set(watch.id, close)
}

async function openAll(watches: readonly Watch[], port: number): Promise<Opened> {
  const started = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let watch = watches[next]; watch !== undefined; watch = watches[next]) {
        next += 1
        await watchOne(watch, port, next)
      }
    }),
  )
  return { open: watched.size, seconds: (performance.now() - started) / 1000 }
}

async function changeSome(perSecond: number, seconds: number, control: number): Promise<Seen> {
  const ids = [...watched.keys()]
  const free: Wire[] = []
  const wires: Wire[] = []
  delays = []
  let changes = 0
  let unmade = 0
  const started = performance.now()

  function changeOne(): void {
    const id = ids[Math.floor(Math.random() * ids.length)] ?? ''
    if (waiting.has(id)) return
    let wire = free.pop()
    if (wire === undefined) wires.push((wire = openWire({ host: '127.0.0.1', port: control })))
    const used = wire
    changes += 1
    waiting.set(id, performance.now())
    void used.send(requestText('POST', `/${id}`, {}, '{}')).then(({ status }) => {
      free.push(used)
      if (status !== 200) unmade += 1
    })
  }
  await new Promise<void>((resolve) => {
    let asked = 0
    const timer = setInterval(() => {
      const elapsed = (performance.now() - started) / 1000
      for (; asked < Math.min(elapsed, seconds) * perSecond; asked += 1) changeOne()
      if (elapsed < seconds) return
      if (waiting.size > 0 && elapsed < seconds + PATIENCE_SECONDS) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  for (const wire of wires) wire.close()
  if (unmade > 0) throw new Error(`${unmade} changes were not made: nobody can have seen them.`)
  const sorted = delays.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), changes, lost: waiting.size }
}

async function work(job: StreamJob): Promise<object> {
  if ('open' in job) return openAll(job.open, job.port)
  if ('change' in job) return changeSome(job.change.perSecond, job.change.seconds, job.control)
  for (const close of watched.values()) close()
  watched.clear()
  return {}
}

if (import.meta.main && process.send !== undefined) {
  process.send({ stub: await startServiceStub() })
  process.on('message', (job: StreamJob) => {
    void work(job).then((result) => process.send?.(result))
  })
}
