// /metrics after some payments: values that changed, and none with payer details.
import { afterEach, describe, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { createMetrics } from '../../server/metrics.ts'
import { createTestSystem, kenyanDeposit, newKey, SAME_MACHINE } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

async function open(): Promise<void> {
  const metrics = createMetrics({ runtime: false })
  system = await createTestSystem({ companion: { metrics, readMetrics: () => metrics.read() } })
}

async function create(): Promise<CreatedDeposit> {
  const response = await system.browser('/v1/deposits', {
    method: 'POST',
    body: JSON.stringify(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone: '254700000001' } })),
    headers: { 'idempotency-key': newKey() },
  })
  expect(response.status).toBe(201)
  return (await response.json()) as CreatedDeposit
}

/** Value of one line of the exposition; 0 when it is not there. */
async function figures(): Promise<(line: string) => number> {
  const response = await system.companion.app.request('/metrics', {}, SAME_MACHINE)
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n')
  return (line) => Number(lines.find((each) => each.startsWith(`${line} `))?.slice(line.length + 1) ?? 0)
}

describe('the figures at /metrics', () => {
  it('follow a payment from its request to its end', async () => {
    await open()
    const deposit = await create()
    await system.companion.app.request('/v1/webhook/nobody', { method: 'POST', body: '{}' })
    await system.advance(120)
    const shown = await system.browser(`/v1/deposits/${deposit.id}`, {
      headers: { authorization: `Bearer ${deposit.token}` },
    })
    expect(await shown.json()).toMatchObject({ phase: 'succeeded' })

    const figure = await figures()
    expect(figure('hc_http_requests_total{route="/v1/deposits",status="201"}')).toBe(1)
    expect(figure('hc_http_seconds_count{route="/v1/deposits/:id"}')).toBe(1)
    expect(figure('hc_deposits_created_total{currency="KES",outcome="created"}')).toBe(1)
    expect(figure('hc_deposits_moved_total{phase="succeeded",currency="KES"}')).toBe(1)
    expect(figure('hc_settle_seconds_count{phase="succeeded"}')).toBe(1)
    expect(figure('hc_upstream_seconds_count{call="create"}')).toBe(1)
    expect(figure('hc_upstream_seconds_count{call="query"}')).toBeGreaterThan(0)
    expect(figure('hc_webhook_received_total{verdict="rang"}')).toBe(1)
    expect(figure('hc_webhook_refused_total{reason="missing_field"}')).toBe(1)
    expect(figure('hc_notices_total{outcome="delivered"}')).toBe(1)
    expect(figure('hc_upstream_up')).toBe(1)
    expect(figure('hc_ready')).toBe(1)
  })

  it('count the open streams', async () => {
    await open()
    const deposit = await create()
    const stream = await system.browser(`/v1/deposits/${deposit.id}/events`, {
      headers: { authorization: `Bearer ${deposit.token}` },
    })
    expect((await figures())('hc_streams_open')).toBe(1)
    await stream.body?.cancel()
    expect((await figures())('hc_streams_open')).toBe(0)
  })
})

describe('the bank lists', () => {
  it('are asked for at the start, so that the first customer waits for none', async () => {
    await open()
    system.companion.start()
    await system.companion.idle()
    const page = await system.browser('/pay?country=KE')
    expect(await page.text()).toContain('Victoria Commercial Bank')
  })
})
