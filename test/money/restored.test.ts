// After a restore of an older backup an event is found a second time: the receiver must know it again.
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Input } from '../../server/deposits/decision.ts'
import { createMover } from '../../server/deposits/mover.ts'
import type { Tools } from '../../server/deposits/ports.ts'
import { silentLogger } from '../../server/logger.ts'
import { sqliteStore } from '../../server/store/sqlite.ts'
import { creation, depositRecord, START } from '../helpers/deposit-record.ts'

const row = depositRecord({ phase: 'open', transactionId: 'CP1' })
const says = (status: 'SUCCESS' | 'FAILED'): Input => ({
  kind: 'answered',
  status,
  reference: row.reference,
  transactionId: 'CP1',
})

/** The webhook-ids of what is told when `inputs` come in, on a database as the backup has it, `later` ms after the start. */
async function told(inputs: readonly Input[], later: number): Promise<Record<string, string>> {
  const store = sqliteStore({ path: ':memory:' })
  const tools = {
    store,
    now: () => START + later,
    random: (bytes: number) => Uint8Array.from(randomBytes(bytes)),
    logger: silentLogger,
    count: () => {},
    observe: () => {},
    alarm: () => {},
    isWatched: () => false,
  } as unknown as Tools
  const mover = createMover(tools)
  await store.apply(creation(row))
  let deposit = row
  for (const input of inputs) deposit = await mover.move(deposit, input)
  const notices = await store.notices(row.id)
  await store.close()
  return Object.fromEntries(notices.map(({ id, type }) => [type, id]))
}

it('a success has the same webhook-id whenever and however it is found, and none that another event has', async () => {
  const before = await told([says('SUCCESS')], 60_000)
  const after = await told([says('SUCCESS')], 86_400_000)
  const late = await told([says('FAILED'), says('SUCCESS')], 120_000)
  expect(after).toEqual(before)
  expect(late['payment.succeeded']).toBe(before['payment.succeeded'])
  expect(late['payment.failed']).not.toBe(before['payment.succeeded'])
})
