// A callback and a query answer that cross: neither may overwrite what the other has stored.
import { expect, it } from 'vitest'
import { createMover } from '../../server/deposits/settle/mover.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { creation, depositRecord, START } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import { quietTools } from '../helpers/quiet-tools.ts'

const DAY = 86_400_000

it('a callback for a payment that has failed is not forgotten for an answer of before it', async () => {
  const kept = memoryStore()
  let between: (() => Promise<unknown>) | undefined
  const store: Store = {
    ...kept,
    async reschedule(...asked) {
      await between?.()
      return kept.reschedule(...asked)
    },
  }
  const mover = createMover(quietTools({ store, now: () => START, background: () => {} }))
  // Leased: it is being asked about.
  const dueAt = START + 45_000
  const failed = depositRecord({
    phase: 'failed',
    settledAt: START - 8 * DAY,
    createdAt: START - 8 * DAY,
    dueAt,
  })
  await kept.apply(creation(failed))
  const reported = { kind: 'success', resultCode: '0', resultDescription: '' } as const
  between = async () => {
    between = undefined
    await mover.move(failed, { kind: 'callback', decides: false, reported })
  }
  // An answer that the service gave before the customer paid is written down just after the
  // callback.
  await mover.move(failed, { kind: 'answered', status: 'FAILED', reference: failed.reference })
  const row = await kept.deposit(failed.id)
  expect(row).toMatchObject({ reportedCode: '0' })
  expect(row?.dueAt).toBeLessThanOrEqual(START + 10_000)
})
