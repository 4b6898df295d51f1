// Load from a process of its own: N keep-alive connections that send one request after another, and the stub of the
// payment service that answers at once. Loopback only, bounded in time.
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, request, Agent } from 'node:http'
import type { Server } from 'node:http'

export interface Result {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly bad: number
}

interface Job {
  readonly url: string
  readonly clients: number
  readonly seconds: number
  readonly kind: 'deposit' | 'webhook'
  /** Webhooks to send: path and body, prepared by the server's side. */
  readonly bodies?: readonly { path: string; body: string }[]
}

function startStub(): Promise<Server> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const input = JSON.parse(Buffer.concat(chunks).toString() || '{}') as {
        reference?: string
        amount?: number
        currency?: string
      }
      const path = req.url ?? ''
      const data = path.endsWith('/login')
        ? { access_token: 'bench-token', token_type: 'bearer', expires_in: 3600 }
        : path.endsWith('status-query')
          ? {
              reference: input.reference,
              status: 'PENDING',
              transaction_id: `CP${input.reference}`,
              status_description: 'Pending',
              date: '',
            }
          : {
              transaction_id: `CP${input.reference}`,
              reference: input.reference,
              status: 'PENDING',
              status_description: 'Pending',
              amount: input.amount,
              currency: input.currency,
              redirect_url: `http://${req.headers.host}/checkout/${input.reference}`,
              date: '2026-11-21 09:00:00 AM',
            }
      const text = JSON.stringify({ success: true, message: 'Successfully initiated', data })
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      res.end(text)
    })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function load(job: Job): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: job.clients })
  const { hostname, port } = new URL(job.url)
  const times: number[] = []
  let bad = 0
  let next = 0
  let measuring = false

  function once(path: string, text: string, headers: Record<string, string>): Promise<number> {
    return new Promise((resolve) => {
      const out = request(
        {
          hostname,
          port,
          path,
          method: 'POST',
          agent,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
        },
        (res) => {
          res.resume()
          res.on('end', () => resolve(res.statusCode ?? 0))
        },
      )
      out.on('error', () => resolve(0))
      out.end(text)
    })
  }

  async function client(until: () => boolean): Promise<void> {
    while (!until()) {
      const started = performance.now()
      let status: number
      if (job.kind === 'deposit') {
        const bytes = randomBytes(20)
        status = await once(
          '/v1/deposits',
          '{"country":"KE","currency":"KES","amount":2500,"payer":{"name":"Achieng Otieno","phone":"254712345678"}}',
          {
            'idempotency-key': bytes.toString('hex'),
            // A trusted proxy's word, so that the limits per address see many customers.
            'x-forwarded-for': `10.${bytes[0]}.${bytes[1]}.${bytes[2]}`,
          },
        )
      } else {
        const entry = job.bodies?.[next++ % (job.bodies.length || 1)]
        status = await once(entry?.path ?? '/', entry?.body ?? '', {})
      }
      if (!measuring) continue
      times.push(performance.now() - started)
      if (status < 200 || status > 299) bad += 1
    }
  }
  const warmUntil = performance.now() + 1000
  let end = Infinity
  const clients = Array.from({ length: job.clients }, () => client(() => performance.now() > end))
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, warmUntil - performance.now())))
  measuring = true
  const started = performance.now()
  end = started + job.seconds * 1000
  await Promise.all(clients)
  const elapsed = (performance.now() - started) / 1000
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  return { perSecond: times.length / elapsed, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), bad }
}

/** A success callback of `reference` as FACTS.md signs it. */
export function callbackBody(reference: string, transactionId: string, key: string, fees: string): string {
  const fields = {
    channel: '420001', reference, transaction_id: transactionId, third_party_id: 'SP7S36U3T8', currency: 'KES', amount: '2500', fees,
    acc_name: 'Achieng Otieno', result_code: 0, result_description: 'The service request is processed successfully.',
  } // prettier-ignore
  return JSON.stringify({
    ...fields,
    hash: createHmac('sha256', key).update(Object.values(fields).join('')).digest('hex'),
  })
}

if (import.meta.main && process.send !== undefined) {
  const stub = await startStub()
  process.send?.({ stub: `http://127.0.0.1:${(stub.address() as { port: number }).port}` })
  process.on('message', (job: Job) => {
    void load(job).then((result) => process.send?.(result))
  })
}
