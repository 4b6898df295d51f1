// Measures figures for demo/docs/scale.md: bytes of one payment on disk, and notices delivered a
// second by one process. `node --conditions=hc-source test/bench/sizing.ts`
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyHashOf, newId, newReference } from '../../server/deposits/identity.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createOutbox } from '../../server/notices/outbox.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import {
  depositRecord,
  idempotencyRecord,
  inboxRecord,
  move,
  noticeRecord,
  timelineRecord,
} from '../helpers/deposit-record.ts'

const PAYMENTS = 20_000
const folder = mkdtempSync(join(tmpdir(), 'hc-sizing-'))
const path = join(folder, 'companion.db')
const store = sqliteStore({ path })

/**
 * A whole payment: created, opened, confirming, succeeded; one callback, one notice, one
 * idempotency key with its answer.
 */
async function onePayment(): Promise<void> {
  const at = Date.now()
  const id = newId('dep', randomBytes, at)
  const created = depositRecord({
    id,
    reference: newReference('test', randomBytes, at),
    createdAt: at,
    phase: 'creating',
  })
  const keyHash = keyHashOf(`${at}-${randomBytes(32).toString('hex')}`)
  const key = idempotencyRecord(id, { keyHash, createdAt: at })
  await store.apply({
    deposit: { row: created, expect: 'new' },
    timeline: [timelineRecord(created)],
    idempotency: key,
  })
  const opened = move(created, { phase: 'open', transactionId: `CP${randomBytes(6).toString('hex')}`, checkoutUrl: `https://checkout.pay.example/checkout/${randomBytes(24).toString('base64url')}` }) // prettier-ignore
  const body = JSON.stringify({ type: 'payment.succeeded', timestamp: new Date().toISOString(), data: { paymentId: id, reference: created.reference, amount: 2500, currency: 'KES', country: 'KE', phase: 'succeeded', late: false, duplicate: false, version: 4, mode: 'test', metadata: {} } }) // prettier-ignore
  await store.apply({ ...opened.change, answer: { keyHash: key.keyHash, answer: body.padEnd(700) } })
  const confirming = move(opened.row, { phase: 'confirming' })
  const inbox = inboxRecord({ id: newId('cbk', randomBytes, at), depositId: id, body: randomBytes(420) })
  await store.apply({ ...confirming.change, inbox })
  const paid = move(confirming.row, { phase: 'succeeded', settledAt: Date.now(), resultCode: '0' })
  const notice = noticeRecord(id, {
    id: `msg_${randomBytes(16).toString('hex').slice(0, 26)}`,
    body,
    createdAt: Date.now(),
    dueAt: 0,
  })
  await store.apply({ ...paid.change, notices: [notice] })
}

const startedAt = performance.now()
let left = PAYMENTS
await Promise.all(
  Array.from({ length: 200 }, async () => {
    while (left-- > 0) await onePayment()
  }),
)
const writing = (performance.now() - startedAt) / 1000

let received = 0
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    received++
    response.writeHead(204).end()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const outbox = createOutbox({
  store,
  settings: {
    notifyUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    notifySecrets: [`whsec_${randomBytes(32).toString('base64')}`],
  },
  now: Date.now,
  random: (bytes) => randomBytes(bytes),
  fetch: globalThis.fetch,
  logger: silentLogger,
})
const tellingAt = performance.now()
// The receiver counts, while deliverDue is awaited.
// oxlint-disable-next-line no-unmodified-loop-condition
while (received < 5_000 && (await outbox.deliverDue()) > 0);
const telling = (performance.now() - tellingAt) / 1000
receiver.close()
receiver.closeAllConnections()
await store.close()

console.log(
  `payments written whole        ${(PAYMENTS / writing).toFixed(0)} a second (4 durable steps each, the notice not told, 200 at once)`,
)
console.log(`bytes of one payment on disk  ${(statSync(path).size / PAYMENTS).toFixed(0)}`)
console.log(`notices told                  ${(received / telling).toFixed(0)} a second (receiver in the same process)`)
rmSync(folder, { recursive: true, force: true })
