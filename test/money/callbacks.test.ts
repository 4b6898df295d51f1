// Callbacks without a payment: they are stored and matched later (money rule 2), because the answer
// to create may be slower than the customer, and a restored database lacks recent payments.
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCallbacks } from '../../server/deposits/settle/callbacks.ts'
import { signsOtherSum } from '../../server/upstream/recut.ts'
import type { Callbacks } from '../../server/deposits/settle/callbacks.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { createCapabilities, newReference } from '../../server/deposits/identity.ts'
import { createMover } from '../../server/deposits/settle/mover.ts'
import { CompanionError } from '../../server/platform/errors.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { InboxRow, Store } from '../../server/deposits/ports/store.ts'
import { bindCallback } from '../../server/upstream/bind.ts'
import type { Callback } from '../../server/deposits/ports/upstream.ts'
import { creation, depositRecord, START } from '../helpers/deposit-record.ts'
import { memoryStore } from '../helpers/memory-store.ts'
import { quietTools } from '../helpers/quiet-tools.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

let clock: number
let store: Store
let deposit: Deposit
let callbacks: Callbacks
let alerts: string[]
let counted: string[]
let asked: string[]
let verifies: boolean
/** Whether the fields of a callback that verifies are those of its kind. */
let shaped: boolean
/** What a body that does not verify was before it was compressed. */
let plain: Uint8Array | undefined
let logged: object[]
const capabilities = createCapabilities('is_later_0123456789abcdef0123456789abcdef')
const raw = (callback: object) => new TextEncoder().encode(JSON.stringify(callback))

beforeEach(() => {
  clock = START
  store = memoryStore()
  deposit = depositRecord({ phase: 'unknown', reference: newReference('test', randomBytes, START) })
  alerts = []
  counted = []
  asked = []
  verifies = true
  shaped = true
  plain = undefined
  logged = []
  open(false)
})

function open(decides: boolean): void {
  const tools = quietTools({
    store,
    logger: { ...silentLogger, error: (fields, message = '') => void logged.push({ ...fields, message }) },
    now: () => clock,
    count: (name, labels) => void counted.push([name, ...Object.values(labels ?? {})].join(' ')),
    alert: (kind, detail) => void alerts.push(`${kind} ${detail}`),
  })
  callbacks = createCallbacks(tools, {
    read: (text) => {
      if (!verifies) return { ok: false, reason: 'bad_hash', ...(plain === undefined ? {} : { plain }) }
      const callback = JSON.parse(new TextDecoder().decode(text)) as Callback
      return shaped ? { ok: true, callback } : { ok: false, reason: 'wrong_shape', reference: callback.reference }
    },
    bind: bindCallback,
    signsOtherSum,
    capabilities,
    mover: createMover(tools),
    reconciler: {
      async ask(row, priority) {
        asked.push(`${row.phase} ${priority}`)
        return row
      },
      askDue: async () => 0,
      begun: () => 0,
      areOver: () => true,
    },
    decides,
  })
}

/** @param address the reference whose result_url it comes to */
async function receive(changes: Partial<Callback> = {}, address = deposit.reference): ReturnType<Callbacks['receive']> {
  const callback: Callback = {
    kind: 'success',
    reference: deposit.reference,
    transactionId: 'CP7S36ULT8P',
    resultCode: '0',
    resultDescription: 'Processed',
    channel: '420001',
    amount: '1500.00',
    currency: 'KES',
    fees: '15.00',
    thirdPartyId: 'MP123',
    key: 'current',
    extraFields: [],
    // Of the payment's own callback, out of which any other was cut.
    signed: { text: `420001${deposit.reference}CP7S36ULT8PMP123KES1500.0015.00Achieng0OK`, order: 'documented' },
    asDocumented: true,
    ...changes,
  }
  return callbacks.receive(capabilities.webhookKey(address), raw(callback))
}

describe('a callback without a payment', () => {
  it('triggers a query as soon as its payment is there, and is not tried again', async () => {
    expect(await receive()).toBeUndefined()
    expect(alerts).toEqual([`webhook_unmatched ${deposit.reference}`])
    expect(counted).toEqual(['webhook_received unmatched'])
    expect((await store.stats()).inboxUnmatched).toBe(1)
    expect(await callbacks.matchDue()).toBe(0)
    clock += MINUTE
    // Not there yet; another round at the same time leaves it alone.
    expect(await callbacks.matchDue()).toBe(1)
    expect(await callbacks.matchDue()).toBe(0)
    expect(asked).toEqual([])
    await store.apply(creation(deposit))
    clock += MINUTE
    expect(await callbacks.matchDue()).toBe(1)
    expect(await store.deposit(deposit.id)).toMatchObject({
      phase: 'confirming',
      reportedCode: '0',
      reportedFees: '15.00',
      reportedThirdPartyId: 'MP123',
    })
    expect(asked).toEqual(['confirming confirm'])
    expect((await store.stats()).inboxUnmatched).toBe(0)
    clock += DAY
    expect(await callbacks.matchDue()).toBe(0)
  })

  it('that says another amount than its payment has moves nothing: the service is asked, and a person hears of it', async () => {
    await receive({ amount: '1.00' })
    await store.apply(creation(deposit))
    clock += MINUTE
    expect(await callbacks.matchDue()).toBe(1)
    expect([await store.deposit(deposit.id), asked]).toEqual([deposit, ['unknown check']])
    expect(alerts.slice(1)).toEqual([`webhook_wrong_fields ${deposit.reference}: amount`])
    expect((await store.stats()).inboxUnmatched).toBe(0)
  })

  it('repeated by the service is one, however often it comes', async () => {
    await receive()
    await receive({ extraFields: ['added'] })
    clock += MINUTE
    expect(await callbacks.matchDue()).toBe(1)
  })

  it('without a payment for a day is a matter for a person, and is tried no more', async () => {
    await receive()
    for (clock += MINUTE; clock <= START + DAY; clock += MINUTE) expect(await callbacks.matchDue()).toBe(1)
    expect(alerts).toHaveLength(1)
    expect(await callbacks.matchDue()).toBe(1)
    expect(alerts.at(-1)).toBe(`webhook_unmatched_for_a_day ${deposit.reference}`)
    clock += MINUTE
    expect(await callbacks.matchDue()).toBe(0)
  })

  it.each([
    ['that rang', {}, 'rang'],
    ['that differs', { amount: '1.00' }, 'wrong_fields'],
  ] as const)('%s is kept as such once its payment is there', async (_, says, verdict) => {
    const kept: unknown[] = []
    const { updateInbox } = store
    store.updateInbox = (id, ...rest) => {
      kept.push(rest)
      return updateInbox(id, ...rest)
    }
    await receive(says)
    await store.apply(creation(deposit))
    clock += MINUTE
    await callbacks.matchDue()
    expect(kept).toEqual([[verdict, deposit.id]])
  })

  it('that no longer verifies when its payment is there waits on, and a person hears of it in the end', async () => {
    await receive()
    await store.apply(creation(deposit))
    verifies = false
    clock += MINUTE
    expect(await callbacks.matchDue()).toBe(1)
    clock += DAY
    await callbacks.matchDue()
    expect(alerts.at(-1)).toBe(`webhook_unmatched_for_a_day ${deposit.reference}`)
    expect([asked, logged]).toEqual([[], []])
  })

  it('that cannot be matched now stays due', async () => {
    await receive()
    const broken = store.depositByReference
    store.depositByReference = () => Promise.reject(new Error('no database'))
    clock += MINUTE
    expect(await callbacks.matchDue()).toBe(1)
    const message = 'a kept callback could not be matched; it stays due'
    expect(logged).toEqual([{ err: new Error('no database'), message }])
    store.depositByReference = broken
    await store.apply(creation(deposit))
    clock += MINUTE
    expect(await callbacks.matchDue()).toBe(1)
    expect(asked).toEqual(['confirming confirm'])
  })
})

describe('a callback', () => {
  it.each(['succeeded', 'rejected', 'open'] as const)('for a payment that is %s is kept as it came', async (phase) => {
    await store.apply(creation({ ...deposit, phase, transactionId: 'CP7S36ULT8P' }))
    const kept: Uint8Array[] = []
    const { apply } = store
    store.apply = (change) => {
      if (change.inbox !== undefined) kept.push(change.inbox.body)
      return apply(change)
    }
    await receive()
    expect(kept.map((body) => (JSON.parse(new TextDecoder().decode(body)) as Callback).reference)).toEqual([
      deposit.reference,
    ])
    expect(counted).toContain(`webhook_received ${phase === 'open' ? 'rang' : 'after_the_end'}`)
  })

  it.each([
    ['without a payment', undefined, {}],
    ['for one that has ended', 'succeeded', {}],
    ['for one that is open', 'open', {}],
    ['that contradicts its payment', 'open', { amount: '1.00' }],
  ] as const)('%s that cannot be stored is answered with 503, so that it comes again', async (_, phase, says) => {
    if (phase !== undefined) await store.apply(creation({ ...deposit, phase, transactionId: 'CP7S36ULT8P' }))
    store.apply = () => Promise.reject(new CompanionError('store_unavailable'))
    await expect(receive(says)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect([asked, alerts]).toEqual([[], []])
  })

  it('sent again while its proof is asked for makes us ask no more often than once in ten seconds', async () => {
    await store.apply(creation({ ...deposit, phase: 'open', transactionId: 'CP7S36ULT8P' }))
    for (let second = 0; second < 25; second++, clock += 1000) await receive()
    // At once for the first; then a look, and one more each ten seconds.
    expect(asked).toEqual(['confirming confirm', 'confirming check', 'confirming check', 'confirming check'])
  })

  it('sent again for two payments in turn makes us ask about neither more often', async () => {
    const second = { ...depositRecord({ phase: 'open' }), reference: newReference('test', randomBytes, START + 1) }
    for (const row of [deposit, second]) await store.apply(creation({ ...row, phase: 'confirming', reportedCode: '0', transactionId: row.reference })) // prettier-ignore
    for (let turn = 0; turn < 3; turn++)
      for (const { reference } of [deposit, second]) await receive({ reference, transactionId: reference }, reference)
    expect(asked).toEqual(['confirming check', 'confirming check'])
  })

  it('that does not verify moves nothing, and a person hears why', async () => {
    await store.apply(creation(deposit))
    verifies = false
    expect(await receive()).toBe('bad_hash')
    expect(alerts).toEqual(['webhook_refused bad_hash'])
    expect(counted).toEqual(['webhook_refused bad_hash'])
    expect([await store.deposit(deposit.id), asked]).toEqual([deposit, []])
  })

  it.each([
    ['in another format', (reference: string) => `<callback><ref>${reference}</ref></callback>`, 'webhook_refused'],
    ['as a nested object', (reference: string) => `{"data":{"reference":"${reference}"}}`, 'webhook_refused'],
    ['of another payment', () => '{"reference":"HCT000000000000000000000"}', 'webhook_stray'],
    ['of nobody', () => 'hello', 'webhook_stray'],
    ['hidden behind others', (reference: string) => 'HCT0000000000000000000AA HCT0000000000000000000AB HCT0000000000000000000AC HCT0000000000000000000AD '.repeat(9) + reference, 'webhook_stray'], // prettier-ignore
  ])('that does not verify, %s, is told of as what it is', async (_, body, kind) => {
    verifies = false
    const text = new TextEncoder().encode(body(deposit.reference))
    const key = capabilities.webhookKey(deposit.reference)
    expect(await callbacks.receive(key, text)).toBe('bad_hash')
    expect(alerts).toEqual([`${kind} bad_hash`])
    // A stranger does not know the address. In a flood of such bodies those of the next ten
    // milliseconds count as the one examined.
    clock += 9
    expect(await callbacks.receive('x'.repeat(43), text)).toBe('bad_hash')
    clock += 1
    expect(await callbacks.receive('x'.repeat(43), text)).toBe('bad_hash')
    expect(alerts.slice(1)).toEqual([`${kind} bad_hash`, 'webhook_stray bad_hash'])
  })

  it.each(['there', 'not there'])(
    'to the address of another is refused, and its own payment (%s) looked at',
    async (is) => {
      if (is === 'there') await store.apply(creation(deposit))
      expect(await receive({}, 'HCTANOTHER')).toBe('wrong_address')
      const detail = 'A callback with a valid hash came to the address of another deposit.'
      expect(alerts).toEqual([`webhook_wrong_address ${detail}`])
      expect(counted).toEqual(['webhook_refused wrong_address'])
      expect(asked).toEqual(is === 'there' ? ['unknown check'] : [])
      expect((await store.stats()).inboxUnmatched).toBe(0)
    },
  )

  it.each(['there', 'not there'])(
    'whose hash verifies over fields that do not fit its kind moves nothing, and its payment (%s) is looked at',
    async (is) => {
      if (is === 'there') await store.apply(creation(deposit))
      shaped = false
      expect(await receive()).toBe('wrong_shape')
      expect(alerts).toEqual(['webhook_refused wrong_shape'])
      expect(counted).toEqual(['webhook_refused wrong_shape'])
      expect(await store.deposit(deposit.id)).toEqual(is === 'there' ? deposit : undefined)
      expect(asked).toEqual(is === 'there' ? ['unknown check'] : [])
    },
  )

  it('that says another amount is refused, and a person hears of which payment and field', async () => {
    await store.apply(creation(deposit))
    expect(await receive({ amount: '1.00' })).toBe('wrong_amount')
    expect(alerts).toEqual([`webhook_wrong_fields ${deposit.reference}: amount`])
    expect(counted).toEqual(['webhook_refused wrong_amount'])
    expect(asked).toEqual(['unknown check'])
  })

  it('cut anew again and again has one line in the timeline, and each time a person hears of it', async () => {
    await store.apply(creation(deposit))
    for (const amount of ['1.00', '2.00', '3.00']) await receive({ amount })
    const lines = (await store.timeline(deposit.id)).map(({ kind, detail }) => [kind, detail])
    expect(lines).toContainEqual(['callback_differs', 'amount'])
    expect(lines.filter(([kind]) => kind === 'callback_differs')).toHaveLength(1)
    expect(alerts).toHaveLength(3)
  })

  // Whoever holds a callback can put any text there, which a person would read as ours.
  it.each([
    ['UGX', '2500', 'UGX 2500'],
    ['KES', '1,250.50', 'KES 1,250.50'],
    ['UGXX', '2500', 'another sum'],
    ['xUGX', '2500', 'another sum'],
    ['UGX', '2500 to me', 'another sum'],
    ['UGX', 'x2500', 'another sum'],
    ['', '2500', 'another sum'],
    ['UGX', '', 'another sum'],
  ])('with the sum "%s" "%s", which the service has signed, is told as %s', async (currency, amount, told) => {
    await store.apply(creation({ ...deposit, phase: 'open', transactionId: 'CP7S36ULT8P' }))
    const { reference } = deposit
    const text = `420001${reference}CP7S36ULT8PMP123${currency}${amount}15.00Achieng0OK`
    await receive({ currency, amount, signed: { text, order: 'documented' } })
    const says = `${told} instead of KES ${deposit.amount}`
    expect(alerts).toEqual([`webhook_other_sum ${reference}: ${says}`])
    expect((await store.timeline(deposit.id)).at(-1)).toMatchObject({ kind: 'callback_sum', detail: says })
  })

  it('that does not verify, compressed, is read for the payment that it names', async () => {
    verifies = false
    plain = raw({ reference: deposit.reference })
    const key = capabilities.webhookKey(deposit.reference)
    expect(await callbacks.receive(key, new Uint8Array([0x1f, 0x8b]))).toBe('bad_hash')
    expect(alerts).toEqual(['webhook_refused bad_hash'])
  })

  it('names the transaction of the payment that it decides, where nothing else has', async () => {
    open(true)
    await store.apply(creation(deposit))
    await receive({ transactionId: 'CP7' })
    expect(await store.deposit(deposit.id)).toMatchObject({ phase: 'succeeded', transactionId: 'CP7' })
  })

  it('for a payment whose payer is erased is kept without its words', async () => {
    const { payer: _, ...erased } = deposit
    await store.apply(creation({ ...erased, phase: 'open', transactionId: 'CP7S36ULT8P' }))
    const kept: (InboxRow | undefined)[] = []
    const { apply } = store
    store.apply = (change) => {
      kept.push(change.inbox)
      return apply(change)
    }
    await receive()
    expect(kept).toMatchObject([{ verdict: 'rang', depositId: deposit.id, body: new Uint8Array() }])
  })

  it('with fields that the service has never sent is counted, and triggers a query all the same', async () => {
    await store.apply(creation(deposit))
    await receive({ extraFields: ['added'] })
    expect(counted).toEqual(['webhook_received extra_fields', 'deposits_moved confirming KES', 'webhook_received rang'])
  })
})
