// Replaying genuine callbacks of a payment for as long as it is queried fills neither its row nor
// the inbox.
import { expect, it } from 'vitest'
import { createCallbacks } from '../../server/deposits/settle/callbacks.ts'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { createMover } from '../../server/deposits/settle/mover.ts'
import type { InboxRow, Store } from '../../server/deposits/ports/store.ts'
import { signsOtherSum } from '../../server/upstream/recut.ts'
import type { Callback } from '../../server/deposits/ports/upstream.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import { quietTools } from '../helpers/quiet-tools.ts'

const START = Date.UTC(2026, 0, 1)
/** So often the service is asked after a callback before the payment counts as open again. */
const ASKS = 7

async function world() {
  let clock = START
  const kept = new Map<string, InboxRow>()
  const memory = memoryStore()
  const store: Store = {
    ...memory,
    async apply(change) {
      const applied = await memory.apply(change)
      if (applied.applied && change.inbox !== undefined) kept.set(change.inbox.id, change.inbox)
      return applied
    },
  }
  const first = depositRecord({ phase: 'open', checkoutUrl: 'https://pay.example/x', transactionId: 'CP7S36ULT8P' })
  await store.apply(creation(first))
  const capabilities = createCapabilities('is_replay_0123456789abcdef0123456789abcdef')
  const tools = quietTools({ store, now: () => clock })
  const mover = createMover(tools)
  const callbacks = createCallbacks(tools, {
    read: (raw): { ok: true; callback: Callback } => {
      const resultCode = new TextDecoder().decode(raw).trim()
      const kind = resultCode === '0' ? 'success' : 'failed'
      const { reference, transactionId = '' } = first
      return {
        ok: true,
        callback: {
          kind, reference, transactionId, resultCode, resultDescription: '', channel: '420001', key: 'current', extraFields: [`x${clock}`],
          signed: { text: '', order: 'documented' }, asDocumented: true,
        },
      } // prettier-ignore
    },
    bind: () => undefined,
    signsOtherSum,
    capabilities,
    mover,
    reconciler: { ask: async (row) => row, askDue: async () => 0, begun: () => 0, areOver: () => true },
    decides: false,
  })
  return {
    kept,
    timeline: () => store.timeline(first.id),
    /**
     * Each time the same words, spaced in another way and with another field that nobody signed.
     */
    async receive(code: string) {
      clock += 1000
      const raw = code.padEnd(code.length + (clock % 60_000) / 1000)
      await callbacks.receive(capabilities.webhookKey(first.reference), new TextEncoder().encode(raw))
    },
    /** The service says that nobody has paid, until the payment is open again. */
    async deny() {
      for (let asked = 0; asked < ASKS; asked++) {
        clock += 20_000
        const row = (await store.deposit(first.id)) ?? first
        await mover.move(row, { kind: 'answered', status: 'PENDING', reference: first.reference })
      }
      return (await store.deposit(first.id))?.phase
    },
  }
}

it('with one callback, each time the payment is open again', async () => {
  const w = await world()
  for (let day = 0; day < 100; day++) {
    await w.receive('0')
    await w.receive('0')
    expect(await w.deny()).toBe('open')
  }
  // The one that came first, and the same once more under the name by which a repeat is known.
  expect(w.kept.size).toBe(2)
  const kinds = (await w.timeline()).map(({ kind }) => kind)
  // That no query agrees is told once.
  expect(kinds.filter((kind) => kind === 'unconfirmed')).toHaveLength(1)
  expect(kinds.filter((kind) => kind !== 'unconfirmed')).toEqual([
    'created',
    ...Array.from({ length: 19 }, () => ['callback', 'still_pending']).flat(),
    'callback',
  ])
})

it('with two in turn, whether they move it or not', async () => {
  const w = await world()
  for (let turn = 0; turn < 100; turn++) {
    await w.receive('0')
    await w.receive('1032')
    if (turn % 2 > 0) await w.deny()
  }
  expect(w.kept.size).toBe(3)
  expect((await w.timeline()).length).toBeLessThan(40)
})
