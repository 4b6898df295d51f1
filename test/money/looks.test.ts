// A callback that is not believed makes us look, and whoever sends it again and again cannot make us look all the time.
import { expect, it } from 'vitest'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { createCallbacks } from '../../server/deposits/callbacks.ts'
import type { Tools } from '../../server/deposits/ports.ts'
import { silentLogger } from '../../server/logger.ts'
import type { Callback } from '../../server/upstream/upstream.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'

const START = Date.UTC(2026, 0, 1)
const SECOND = 1000
const raw = new Uint8Array()

async function world() {
  let clock = START
  const asked: string[] = []
  const store = memoryStore()
  const deposit = depositRecord({ phase: 'open' })
  await store.apply(creation(deposit))
  const capabilities = createCapabilities('is_looks_0123456789abcdef0123456789abcdef')
  const callback: Callback = {
    kind: 'success',
    reference: deposit.reference,
    transactionId: 'CP7S36ULT8P',
    resultCode: '0',
    resultDescription: 'Processed',
    channel: '420001',
    key: 'current',
    extraFields: [],
  }
  const tools = {
    store,
    now: () => clock,
    logger: silentLogger,
    count: () => {},
    alarm: () => {},
    background: (work: () => Promise<unknown>) => void work(),
  } as Pick<Tools, 'store' | 'now' | 'logger' | 'count' | 'alarm' | 'background'> as Tools
  const callbacks = createCallbacks(tools, {
    read: () => ({ ok: true, callback }),
    bind: () => 'amount',
    capabilities,
    mover: { move: () => Promise.reject(new Error('A callback that is not believed moves nothing.')) },
    reconciler: {
      async ask(row, priority) {
        asked.push(`${row.id} ${priority}`)
        return row
      },
      askDue: async () => 0,
      isAsking: () => false,
    },
    decides: false,
  })
  return {
    deposit,
    asked,
    pass: (ms: number) => void (clock += ms),
    receive: (key = capabilities.webhookKey(deposit.reference)) => callbacks.receive(key, raw),
  }
}

it.each([
  ['other fields', undefined],
  ['the address of another payment', 'x'.repeat(43)],
])('with %s makes us look at once, again after ten seconds, and never in between', async (_name, key) => {
  const w = await world()
  const refused = expect.objectContaining({ code: 'webhook_refused' })
  const look = `${w.deposit.id} check`
  for (let second = 0; second < 10; second += 1) {
    await expect(w.receive(key)).rejects.toEqual(refused)
    w.pass(SECOND)
  }
  expect(w.asked).toEqual([look])
  await expect(w.receive(key)).rejects.toEqual(refused)
  expect(w.asked).toEqual([look, look])
  // By a clock that was set back nobody waits for the length of the step.
  w.pass(-3600 * SECOND)
  await expect(w.receive(key)).rejects.toEqual(refused)
  expect(w.asked).toHaveLength(3)
})
