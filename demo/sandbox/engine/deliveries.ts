// Delivers callbacks to result_url: the retry schedule, dead letters, resending by hand, and the
// log of every attempt. open-points.md "Delivery retries" (ours) and "What the receiver answers".
import type { MovableClock } from './clock.ts'
import type { SandboxDatabase } from './database.ts'
import { ServiceError } from './envelope.ts'
import type { Random } from './identifiers.ts'
import type { Transaction } from './transaction.ts'
import type { Work } from './work.ts'

/**
 * Seconds before each retry, plus at most a tenth as jitter. After the last, the delivery is dead.
 */
const RETRY_AFTER_IN_SECONDS = [5, 30, 120, 600, 3600, 21_600, 86_400] as const
const RECEIVER_TIMEOUT_IN_MS = 10_000
const KEPT_ANSWER_IN_BYTES = 4096

type DeliveryState = 'waiting' | 'delivered' | 'dead'

export interface Delivery {
  readonly id: number
  readonly transaction_id: string
  readonly business_id: string
  /** `forged` deliveries do not come from the service: sent once, never retried. */
  readonly kind: 'result' | 'forged'
  readonly url: string
  readonly body: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly created_at: number
  readonly next_at: number | null
}

export interface Attempt {
  readonly number: number
  readonly at: number
  readonly took_ms: number
  readonly request_headers: string
  readonly status: number | null
  readonly answer: string
  readonly error: string | null
}

export interface Deliveries {
  queue(transaction: Transaction, kind: Delivery['kind'], body: string, dueAt: number): Delivery
  /** Newest first. */
  list(limit: number, offset?: number): Delivery[]
  count(): number
  of(transactionId: string): Delivery[]
  /** @throws {ServiceError} 404 */
  get(id: number): Delivery
  attempts(id: number): Attempt[]
  /** Sends once more, now; the retry schedule restarts. @throws {ServiceError} 404 */
  resend(id: number): Delivery
}

interface Parts {
  readonly db: SandboxDatabase
  readonly clock: MovableClock
  readonly random: Random
  readonly work: Work
  readonly fetch: typeof fetch
  /**
   * Aborts requests in flight when the sandbox closes; they are sent again after the next start.
   */
  readonly closing: AbortSignal
  readonly onAttempt: (delivery: Delivery, attempt: { status: number | null; error: string | null }) => void
}

export function createDeliveries({ db, clock, random, work, fetch, closing, onAttempt }: Parts): Deliveries {
  const byId = db.prepare<[number], Delivery>('SELECT * FROM deliveries WHERE id = ?')
  const insert = db.prepare(
    `INSERT INTO deliveries (transaction_id, business_id, kind, url, body, state, created_at, next_at)
     VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)`,
  )
  const update = db.prepare('UPDATE deliveries SET state = ?, attempts = ?, next_at = ? WHERE id = ?')
  const log = db.prepare(
    `INSERT INTO attempts (delivery_id, number, at, took_ms, request_headers, status, answer, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )

  const get = (id: number): Delivery => {
    const delivery = byId.get(id)
    if (!delivery) throw new ServiceError(404, 'Delivery not found.')
    return delivery
  }
  const jitter = (): number => 1 + (((random(2)[0] ?? 0) * 256 + (random(2)[1] ?? 0)) / 65_536) * 0.1

  const send = async (delivery: Delivery): Promise<Omit<Attempt, 'number' | 'at'>> => {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json', 'User-Agent': 'Sandbox-Pay/2' }
    const request_headers = JSON.stringify(headers)
    const began = performance.now()
    const took = (): number => Math.round(performance.now() - began)
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(RECEIVER_TIMEOUT_IN_MS), closing])
      const exchange = async (): Promise<{ status: number; answer: string }> => {
        const { url, body } = delivery
        const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
        return { status: response.status, answer: await readStart(response) }
      }
      // Not every injected fetch respects its signal.
      const { status, answer } = await Promise.race([exchange(), ended(signal)])
      return { request_headers, status, answer, error: null, took_ms: took() }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
      const what = error instanceof Error ? (cause ?? error.message) : String(error)
      return { request_headers, status: null, answer: '', error: what, took_ms: took() }
    }
  }

  work.handle('deliver', async (row) => {
    const delivery = get(Number(row.subject))
    const at = clock.now()
    const result = await send(delivery)
    if (closing.aborted) return
    const { attempts, state, next_at } = get(delivery.id)
    const number = attempts + 1
    const round = ((JSON.parse(row.detail) as { round?: number } | null)?.round ?? 0) + 1
    const pause = RETRY_AFTER_IN_SECONDS[round - 1]
    db.transaction(() => {
      log.run(
        delivery.id,
        number,
        at,
        result.took_ms,
        result.request_headers,
        result.status,
        result.answer,
        result.error,
      )
      work.done(row.id)
      // Sent again by hand meanwhile: that attempt decides.
      if (state !== 'waiting' || work.isOutdated(row)) update.run(state, number, next_at, delivery.id)
      else if (result.status === 200) update.run('delivered', number, null, delivery.id)
      else if (pause === undefined || delivery.kind === 'forged') update.run('dead', number, null, delivery.id)
      else {
        const next = Math.round(clock.now() + pause * 1000 * jitter())
        update.run('waiting', number, next, delivery.id)
        work.add('deliver', next, String(delivery.id), { round })
      }
    })()
    onAttempt(delivery, result)
  })

  return {
    queue(transaction, kind, body, dueAt) {
      const { transaction_id, business_id, result_url } = transaction
      const { lastInsertRowid } = insert.run(transaction_id, business_id, kind, result_url, body, clock.now(), dueAt)
      work.add('deliver', dueAt, String(lastInsertRowid))
      return get(Number(lastInsertRowid))
    },
    list: (limit, offset = 0) =>
      db
        .prepare<[number, number], Delivery>('SELECT * FROM deliveries ORDER BY id DESC LIMIT ? OFFSET ?')
        .all(limit, offset),
    count: () => db.prepare<[], number>('SELECT count(*) FROM deliveries').pluck().get() as number,
    of: (id) => db.prepare<[string], Delivery>('SELECT * FROM deliveries WHERE transaction_id = ? ORDER BY id').all(id),
    get,
    attempts: (id) => db.prepare<[number], Attempt>('SELECT * FROM attempts WHERE delivery_id = ? ORDER BY id').all(id),
    resend: db.transaction((id: number) => {
      const delivery = get(id)
      work.drop('deliver', String(id))
      update.run('waiting', delivery.attempts, clock.now(), id)
      work.add('deliver', clock.now(), String(id))
      return get(id)
    }),
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** The beginning of a response body: an endless one must not fill our memory. */
async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= KEPT_ANSWER_IN_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, KEPT_ANSWER_IN_BYTES).toString('utf8')
}
