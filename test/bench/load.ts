// Generates load in a separate process: N keep-alive connections that send one request after
// another, and the stub of the payment service. Loopback only, limited in time.
import { randomBytes } from 'node:crypto'
import { percentile } from './goals.ts'
import { pause } from './processes.ts'
import { startServiceStub } from './service-stub.ts'
import { callbackBody, depositBody } from './settings.ts'
import { openWire, requestText, targetOf } from './wire.ts'

export interface Load {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** All requests sent, including the warm-up. */
  readonly sent: number
  /** Answers that were not 2xx, and broken connections. */
  readonly bad: number
}

export interface LoadJob {
  readonly url: string
  readonly clients: number
  readonly seconds: number
  readonly kind: 'deposit' | 'webhook'
  /** For webhooks: the deposits of the callbacks. */
  readonly orders: readonly { readonly path: string; readonly reference: string }[]
}

/**
 * Seconds before measuring, the same for all programs: V8 compiles the larger ones for some seconds
 * (ours: 1.4 s of processor time in the first six), and the first 1,400 callbacks of a minute each
 * trigger a signed query, three seconds of two slow cores. Both are start-up, not steady load.
 */
export const WARM_SECONDS = 4

/**
 * Each request is a new payment: a new key that begins with the time like the widget's, another
 * customer, and their address from a trusted proxy.
 */
export function depositRequest(): string {
  const bytes = randomBytes(20)
  return requestText(
    'POST',
    '/v1/deposits',
    {
      'Idempotency-Key': `${Date.now()}-${bytes.toString('hex')}`,
      'X-Forwarded-For': `10.${bytes[0]}.${bytes[1]}.${bytes[2]}`,
    },
    depositBody(bytes.readUInt32BE(4)),
  )
}

async function load(job: LoadJob): Promise<Load> {
  const target = targetOf(job.url)
  const times: number[] = []
  let bad = 0
  let sent = 0
  let measuring = false
  let end = Infinity
  let unanswered = job.clients
  const allConnected = Promise.withResolvers<void>()

  function request(): string {
    sent += 1
    if (job.kind === 'deposit') return depositRequest()
    const order = job.orders[sent % (job.orders.length || 1)]
    if (order === undefined) throw new Error('Webhooks need orders.')
    return requestText('POST', order.path, {}, callbackBody(order.reference, String(sent)))
  }

  async function client(): Promise<void> {
    const wire = openWire(target)
    let isFirst = true
    while (performance.now() < end) {
      const text = request()
      const started = performance.now()
      const { status } = await wire.send(text)
      if (isFirst && (unanswered -= 1) === 0) allConnected.resolve()
      isFirst = false
      if (!measuring) continue
      times.push(performance.now() - started)
      if (status < 200 || status > 299) bad += 1
    }
    wire.close()
  }
  const clients = Array.from({ length: job.clients }, client)
  // Node accepts one connection in each turn of its event loop, and a turn of a server that commits
  // is long: without this some clients would still wait for their first answer, which tells how a
  // program starts.
  await Promise.all([allConnected.promise, pause(WARM_SECONDS * 1000)])
  measuring = true
  const started = performance.now()
  end = started + job.seconds * 1000
  await Promise.all(clients)
  const elapsed = (performance.now() - started) / 1000
  const sorted = times.toSorted((a, b) => a - b)
  return { perSecond: times.length / elapsed, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), sent, bad }
}

if (import.meta.main && process.send !== undefined) {
  process.send({ stub: await startServiceStub(process.argv[2] === 'SUCCESS' ? 'SUCCESS' : 'PENDING') })
  process.on('message', (job: LoadJob) => {
    void load(job).then((result) => process.send?.(result))
  })
}
