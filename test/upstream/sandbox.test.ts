// Our client and our callback reader against the sandbox, which shares no code with them, so their
// agreement proves something.
import { beforeEach, describe, expect, it } from 'vitest'
import { bindCallback } from '../../server/upstream/bind.ts'
import { createCallbackReader } from '../../server/upstream/callback.ts'
import { createUpstreamClient } from '../../server/upstream/client.ts'
import type { CreateOrder, CreateOutcome, Upstream } from '../../server/deposits/ports/upstream.ts'
import {
  createSandboxFixture,
  MERCHANT,
  PRIVATE_KEY,
  WALLETS,
  type SandboxFixture,
} from '../sandbox/sandbox-fixture.ts'
import { contract } from './material.ts'
import { createManualTimers } from './service.ts'

let fixture: SandboxFixture
let upstream: Upstream
let count = 0
const read = createCallbackReader({ consumerKey: MERCHANT.consumerKey })

function orderFor(scenario: string, changes: Partial<CreateOrder> = {}): CreateOrder {
  count += 1
  return {
    reference: `HCT${String(count).padStart(21, '0')}`,
    walletNo: WALLETS['KES'] ?? '',
    amount: 2500,
    currency: 'KES',
    description: 'Order 7',
    payerName: 'Achieng Otieno',
    payerPhone: `2547120000${scenario}`,
    payerEmail: 'achieng@example.com',
    resultUrl: 'https://merchant.example/v1/webhook/abc',
    ...changes,
  }
}
const query = async ({ walletNo, reference }: CreateOrder) => upstream.query({ walletNo, reference })

beforeEach(() => {
  fixture = createSandboxFixture()
  const { businessId, consumerKey, consumerSecret } = MERCHANT
  upstream = createUpstreamClient({
    authUrl: 'http://127.0.0.1:8788',
    baseUrl: 'http://127.0.0.1:8788',
    consumerKey,
    consumerSecret,
    ...contract,
    businessId,
    privateKey: PRIVATE_KEY,
    now: () => fixture.sandbox.clock.now(),
    random: (bytes) => new Uint8Array(bytes),
    timers: createManualTimers(),
    fetch: async (input, init) => fixture.sandbox.app.request(input, init),
  })
})

describe('against the sandbox', () => {
  it.each([
    ['01', 'SUCCESS', 'success'],
    ['02', 'FAILED', 'failed'],
    ['03', 'FAILED', 'failed'],
    ['04', 'FAILED', 'failed'],
  ])('a payment of phone …0000%s ends as %s, by query and by a callback that fits', async (phone, status, kind) => {
    const order = orderFor(phone)
    const created = await upstream.create(order)
    expect(created).toMatchObject({ kind: 'created' })
    expect(await query(order)).toMatchObject({ kind: 'found', status: 'PENDING' })
    await fixture.sandbox.clock.advance(1_200)
    expect(await query(order)).toMatchObject({ kind: 'found', status, reference: order.reference })
    const [callback] = fixture.callbacks
    const reading = read(new TextEncoder().encode(callback?.raw))
    expect(reading).toMatchObject({ ok: true, callback: { kind } })
    const transactionId = (created as CreateOutcome & { kind: 'created' }).transactionId
    expect(reading.ok && bindCallback(reading.callback, { ...order, transactionId })).toBeUndefined()
  })

  it.each(Object.entries(WALLETS))('a deposit in %s is taken', async (currency, walletNo) => {
    const order = orderFor('01', { currency: currency as CreateOrder['currency'], walletNo })
    expect((await upstream.create(order)).kind).toBe('created')
  })

  it('forged and re-cut callbacks of the sandbox never move another amount or reference', async () => {
    const order = orderFor('12')
    await upstream.create(order)
    await fixture.sandbox.clock.advance(120)
    const readings = fixture.callbacks.map((callback) => read(new TextEncoder().encode(callback.raw)))
    expect(readings.some((reading) => !reading.ok)).toBe(true)
    for (const reading of readings) if (reading.ok) expect(bindCallback(reading.callback, order)).toBeUndefined()
  })

  it.each([
    ['15', { kind: 'not_processed', reason: 'rate_limited' }],
    ['16', { kind: 'unknown', reason: 'http_500' }],
    ['18', { kind: 'unknown', reason: 'http_500' }],
    ['17', { kind: 'created' }],
  ])('a create of phone …0000%s is what it is', async (phone, expected) => {
    expect(await upstream.create(orderFor(phone))).toMatchObject(expected)
  })

  it('a create that was processed behind a 500 is found by query, one that was not is not', async () => {
    const [processed, lost] = [orderFor('18'), orderFor('16')]
    await upstream.create(processed)
    await upstream.create(lost)
    expect((await query(processed)).kind).toBe('found')
    expect(await query(lost)).toEqual({ kind: 'not_found' })
  })

  it('each refusal has its code', async () => {
    const order = orderFor('01')
    await upstream.create(order)
    expect(await upstream.create(order)).toMatchObject({ kind: 'refused', code: 'duplicate_reference' })
    expect(await upstream.create(orderFor('01', { currency: 'TZS' }))).toMatchObject({
      kind: 'refused',
      code: 'wallet_mismatch',
    })
    expect(await upstream.create(orderFor('01', { payerName: 'A' }))).toMatchObject({
      kind: 'refused',
      code: 'invalid_fields',
    })
    const unsupported = orderFor('01', { currency: 'USD' as CreateOrder['currency'] })
    expect(await upstream.create(unsupported)).toMatchObject({ kind: 'refused', code: 'unsupported_currency' })
    await fixture.console('POST', 'wallets', {
      business_id: MERCHANT.businessId,
      wallet_no: order.walletNo,
      currency: 'KES',
      allocated: false,
    })
    expect(await upstream.create(orderFor('01'))).toMatchObject({ kind: 'refused', code: 'market_off', status: 403 })
    await fixture.console('POST', 'faults', { ip_allow_list: ['203.0.113.9'] })
    expect(await upstream.create(orderFor('01'))).toMatchObject({ kind: 'refused', code: 'address_not_allowed' })
    expect(upstream.health().addressRefused).toBe(true)
  })

  it('a missing query path is seen in each of its forms', async () => {
    const order = orderFor('06')
    await upstream.create(order)
    for (const status of [404, 405, 501]) {
      await fixture.console('POST', 'faults', { query_path_missing: status })
      expect(await query(order)).toEqual({ kind: 'path_missing', status })
    }
  })

  it('all the banks are listed', async () => {
    expect((await upstream.banks('KE')).length).toBeGreaterThan(10)
    expect((await upstream.banks('SN')).length).toBeGreaterThan(3)
  })
})
