// A callback that does not verify triggers a query, but repeating it does not trigger one each
// time.
import { signsOtherSum } from '../../server/upstream/recut.ts'
import { expect, it } from 'vitest'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { createCallbacks } from '../../server/deposits/settle/callbacks.ts'
import type { DepositPhase } from '../../server/contract/index.ts'
import type { InboxRow, Store } from '../../server/deposits/ports/store.ts'
import type { BindCallback, Callback } from '../../server/deposits/ports/upstream.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import { quietTools } from '../helpers/quiet-tools.ts'

const START = Date.UTC(2026, 0, 1)
const SECOND = 1000
const raw = new Uint8Array()

interface World {
  readonly phase?: DepositPhase
  readonly kind?: 'success' | 'failed'
  readonly differs?: ReturnType<BindCallback> | 'nothing'
}

async function world({ phase = 'open', kind = 'success', differs = 'amount' }: World = {}) {
  let clock = START
  const asked: string[] = []
  const alerts: string[] = []
  const kept: (InboxRow | undefined)[] = []
  const memory = memoryStore()
  const store: Store = {
    ...memory,
    async apply(change) {
      kept.push(change.inbox)
      return memory.apply(change)
    },
  }
  const deposit = depositRecord({ phase })
  await memory.apply(creation(deposit))
  const capabilities = createCapabilities('is_looks_0123456789abcdef0123456789abcdef')
  const callback: Callback = {
    kind,
    reference: deposit.reference,
    transactionId: 'CP7S36ULT8P',
    resultCode: '0',
    resultDescription: 'Processed',
    channel: '420001',
    key: 'current',
    extraFields: [],
    signed: { text: '', order: 'documented' },
    asDocumented: true,
  }
  const tools = quietTools({ store, now: () => clock, alert: (what) => void alerts.push(what) })
  const callbacks = createCallbacks(tools, {
    read: () => ({ ok: true, callback }),
    bind: () => (differs === 'nothing' ? undefined : differs),
    signsOtherSum,
    capabilities,
    mover: {
      async move(row, input) {
        if (input.kind !== 'callback-differs') throw new Error('A callback that is not believed moves nothing.')
        return row
      },
    },
    reconciler: {
      async ask(row, priority) {
        asked.push(`${row.id} ${priority}`)
        return row
      },
      askDue: async () => 0,
      begun: () => 0,
      areOver: () => true,
    },
    decides: false,
  })
  return {
    deposit,
    asked,
    alerts,
    kept: () => kept.flatMap((inbox) => (inbox === undefined ? [] : [inbox])),
    pass: (ms: number) => void (clock += ms),
    receive: (key = capabilities.webhookKey(deposit.reference)) => callbacks.receive(key, raw),
  }
}

it.each([
  ['other fields', undefined, 'wrong_amount'],
  ['the address of another payment', 'x'.repeat(43), 'wrong_address'],
])('with %s makes us look at once, again after ten seconds, and never in between', async (_name, key, refusal) => {
  const w = await world()
  const look = `${w.deposit.id} check`
  for (let second = 0; second < 10; second += 1) {
    expect(await w.receive(key)).toBe(refusal)
    w.pass(SECOND)
  }
  expect(w.asked).toEqual([look])
  expect(await w.receive(key)).toBe(refusal)
  expect(w.asked).toEqual([look, look])
  // By a clock that was set back nobody waits for the length of the step.
  w.pass(-3600 * SECOND)
  expect(await w.receive(key)).toBe(refusal)
  expect(w.asked).toHaveLength(3)
})

it('that says something else is kept, once for a payment, for whoever looks it up', async () => {
  const w = await world()
  for (let n = 0; n < 3; n++) expect(await w.receive()).toBe('wrong_amount')
  expect(new Set(w.kept().map(({ id }) => id))).toEqual(new Set([`${w.deposit.reference}.differs`]))
  expect(w.kept()[0]).toMatchObject({ verdict: 'wrong_fields', depositId: w.deposit.id, body: raw })
  // A stranger's, at another address, is not.
  const other = await world()
  expect(await other.receive('x'.repeat(43))).toBe('wrong_address')
  expect(other.kept()).toEqual([])
})

it('that says an end was no end tells a person, and moves nothing', async () => {
  const told = async (phase: DepositPhase, kind: 'success' | 'failed') => {
    const w = await world({ phase, kind, differs: 'nothing' })
    await w.receive()
    return w.alerts
  }
  expect(await told('succeeded', 'failed')).toEqual(['failure_after_success'])
  expect(await told('rejected', 'success')).toEqual(['success_after_rejection'])
  expect(await told('succeeded', 'success')).toEqual([])
  expect(await told('rejected', 'failed')).toEqual([])
})
