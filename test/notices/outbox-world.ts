// An outbox with its merchant, on a clock that tests move.
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { type OutboxOptions, createOutbox } from '../../server/notices/outbox.ts'
import type { NoticeRow } from '../../server/deposits/ports/store.ts'
import { START, creation, depositRecord, fresh, noticeRecord } from '../helpers/deposit-record.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'

export const SECOND = 1000
export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const older = `whsec_${Buffer.alloc(24, 5).toString('base64')}`
export const URL_OF_SHOP = 'https://shop.example/notices'

/** What the backend got. */
export interface Sent {
  readonly at: number
  readonly id: string
  readonly timestamp: string
  readonly signatures: string
  readonly body: string
  readonly url: string
  readonly contentType: string | null
  readonly redirect: RequestRedirect
}

/** A backend that answers as told, and the world around an outbox. */
export async function world(
  answer: (attempt: number, sent: Sent) => Response | Promise<Response> = () => new Response(null, { status: 204 }),
  options: Partial<OutboxOptions> = {},
) {
  let clock = START
  const sent: Sent[] = []
  const dead: [NoticeRow, string][] = []
  const gone: NoticeRow[] = []
  const late: [attempts: number, reason: string][] = []
  const store = sqliteStore({ path: ':memory:' })
  const deposit = depositRecord()
  await store.apply(creation(deposit))
  const receive: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const record: Sent = {
      at: clock,
      id: request.headers.get('webhook-id')!,
      timestamp: request.headers.get('webhook-timestamp')!,
      signatures: request.headers.get('webhook-signature')!,
      body: await request.text(),
      url: request.url,
      contentType: request.headers.get('content-type'),
      redirect: request.redirect,
    }
    sent.push(record)
    return answer(sent.length, record)
  }
  const make = (changes: Partial<OutboxOptions> = {}) =>
    createOutbox({
      store,
      settings: { notifyUrl: URL_OF_SHOP, notifySecrets: [secret] },
      now: () => clock,
      // The middle of the spread: the schedule to the second.
      random: () => Uint8Array.of(0x80, 0, 0, 0),
      fetch: receive,
      logger: silentLogger,
      onDead: (notice, reason) => dead.push([notice, reason]),
      onGone: (notice) => gone.push(notice),
      onLate: ({ attempts }, reason) => late.push([attempts, reason]),
      ...options,
      ...changes,
    })
  return {
    store,
    sent,
    dead,
    gone,
    late,
    deposit,
    make,
    outbox: make(),
    now: () => clock,
    pass: (ms: number) => void (clock += ms),
    stored: async (id: string) => (await store.notices(deposit.id)).find((row) => row.id === id),
    async write(given: Partial<NoticeRow> = {}): Promise<NoticeRow> {
      const id = fresh('msg')
      const body = JSON.stringify({
        type: given.type ?? 'payment.succeeded',
        timestamp: new Date(clock).toISOString(),
        data: { paymentId: deposit.id, version: 3 },
      })
      const row = noticeRecord(deposit.id, { id, body, createdAt: clock, dueAt: clock, ...given })
      await store.apply({ notices: [row] })
      return row
    },
  }
}
