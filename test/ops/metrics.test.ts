// /metrics after some payments: values that changed, and none with payer details.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { openCompanion } from '../../server/open-companion.ts'
import { COMPANION_URL, createTestSystem, environment, pay, SAME_MACHINE } from '../helpers/create-test-system.ts'
import type { TestSystem, TestSystemOptions } from '../helpers/create-test-system.ts'
import { creation, depositRecord, inboxRecord, move, noticeRecord, START } from '../helpers/deposit-record.ts'

let system: TestSystem | undefined
afterEach(async () => {
  await system?.close()
  system = undefined
})

async function open(network?: TestSystemOptions['network']): Promise<TestSystem> {
  const metrics = createMetrics()
  return (system = await createTestSystem({
    companion: { metrics, readMetrics: () => metrics.read() },
    network,
  }))
}

async function create(system: TestSystem): Promise<CreatedDeposit> {
  const response = await pay(system, { payer: { name: 'Achieng Otieno', phone: '254700000001' } })
  expect(response.status).toBe(201)
  return (await response.json()) as CreatedDeposit
}

async function exposed({ companion }: Pick<TestSystem, 'companion'>): Promise<string[]> {
  const response = await companion.app.request(`${COMPANION_URL}/metrics`, {}, SAME_MACHINE)
  expect(response.status).toBe(200)
  return (await response.text()).split('\n')
}

/** Value of one line of the exposition; 0 when it is not there. */
async function figures(system: Pick<TestSystem, 'companion'>): Promise<(line: string) => number> {
  const lines = await exposed(system)
  return (line) => Number(lines.find((each) => each.startsWith(`${line} `))?.slice(line.length + 1) ?? 0)
}

describe('the figures at /metrics', () => {
  it('follow a payment from its request to its end', async () => {
    const system = await open()
    const deposit = await create(system)
    await system.companion.app.request('/v1/webhook/nobody', { method: 'POST', body: '{}' })
    await system.advance(120)
    const shown = await system.browser(`/v1/deposits/${deposit.id}`, {
      headers: { authorization: `Bearer ${deposit.token}` },
    })
    expect(await shown.json()).toMatchObject({ phase: 'succeeded' })

    const figure = await figures(system)
    expect(figure('hc_http_requests_total{route="/v1/deposits",status="201"}')).toBe(1)
    expect(figure('hc_http_seconds_count{route="/v1/deposits/:id"}')).toBe(1)
    expect(figure('hc_deposits_created_total{currency="KES",outcome="created"}')).toBe(1)
    expect(figure('hc_deposits_moved_total{phase="succeeded",currency="KES"}')).toBe(1)
    expect(figure('hc_settle_seconds_count{phase="succeeded"}')).toBe(1)
    expect(figure('hc_settle_seconds_bucket{le="300",phase="succeeded"}')).toBe(1)
    expect(figure('hc_upstream_seconds_count{call="create"}')).toBe(1)
    expect(figure('hc_upstream_seconds_count{call="query"}')).toBeGreaterThan(0)
    expect(figure('hc_webhook_received_total{verdict="rang"}')).toBe(1)
    expect(figure('hc_webhook_refused_total{reason="missing_field"}')).toBe(1)
    expect(figure('hc_notices_total{outcome="delivered"}')).toBe(1)
    expect(figure('hc_upstream_up')).toBe(1)
    expect(figure('hc_ready')).toBe(1)
  })

  it('tell in seconds how long a customer waited', async () => {
    const [asked, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const system = await open(async (request, next) => {
      if (request.url.endsWith('/api/v2/payment/')) {
        asked.resolve()
        await slow.promise
      }
      return next()
    })
    const created = create(system)
    await asked.promise
    await system.advance(3)
    slow.resolve()
    await created
    const figure = await figures(system)
    expect(figure('hc_http_seconds_sum{route="/v1/deposits"}')).toBe(3)
    expect(figure('hc_upstream_seconds_sum{call="create"}')).toBe(3)
  })

  it('count the open streams', async () => {
    const system = await open()
    const deposit = await create(system)
    const stream = await system.browser(`/v1/deposits/${deposit.id}/events`, {
      headers: { authorization: `Bearer ${deposit.token}` },
    })
    expect((await figures(system))('hc_streams_open')).toBe(1)
    await stream.body?.cancel()
    expect((await figures(system))('hc_streams_open')).toBe(0)
  })
})

it('the figures of what waits and of what needs a person are those of the store, and fall when it is done', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-metrics-'))
  let now = START + 90_000
  const opened = await openCompanion(environment(folder), { logger: silentLogger, now: () => now })
  const { store } = opened
  try {
    const inReview = depositRecord({ phase: 'review' })
    const late = depositRecord({ dueAt: START + 30_000 })
    const waiting = noticeRecord(late.id)
    const dead = [noticeRecord(late.id, { state: 'dead' }), noticeRecord(late.id, { state: 'dead' })]
    const ended = (['succeeded', 'failed', 'expired', 'rejected'] as const).map((phase) =>
      depositRecord({ phase, settledAt: START }),
    )
    for (const row of [inReview, late, depositRecord({ dueAt: START + 60_000 }), ...ended])
      await store.apply(creation(row))
    await store.apply({ notices: [waiting, ...dead] })
    for (let n = 0; n < 4; n++) await store.apply({ inbox: inboxRecord({ verdict: 'unmatched', dueAt: now }) })
    const before = await figures(opened)
    // From the start: who waits for a rise would miss the first.
    expect(await exposed(opened)).toEqual(
      expect.arrayContaining([
        'hc_deposits{phase="abandoned"} 0',
        'hc_webhook_refused_total{reason="bad_hash"} 0',
        'hc_webhook_refused_total{reason="wrong_amount"} 0',
        'hc_notices_total{outcome="dead"} 0',
        'hc_upstream_calls_total{call="create",outcome="unknown"} 0',
        'hc_upstream_calls_total{call="query",outcome="SUCCESS"} 0',
        'hc_upstream_calls_total{call="query",outcome="failed"} 0',
        'hc_deposits_created_total{currency="KES",outcome="refused"} 0',
        'hc_deposits_moved_total{phase="succeeded",currency="KES"} 0',
        'hc_deposits_moved_total{phase="review",currency="KES"} 0',
        'hc_webhook_received_total{verdict="rang"} 0',
        'hc_webhook_received_total{verdict="unmatched"} 0',
        'hc_faults_total{where="http"} 0',
        'hc_store_failures_total{call="http"} 0',
        'hc_alerts_total{kind="review"} 0',
        'hc_alerts_total{kind="store_failing"} 0',
      ]),
    )
    // The ended are not counted, so nothing says that there are none.
    expect(
      (await exposed(opened)).filter((line) => /^hc_deposits\{phase="(succeeded|failed|expired|rejected)"/.test(line)),
    ).toEqual([])
    expect({
      review: before('hc_deposits{phase="review"}'),
      open: before('hc_deposits{phase="open"}'),
      waiting: before('hc_notices_waiting'),
      dead: before('hc_notices_dead'),
      unmatched: before('hc_inbox_unmatched'),
      overdueSeconds: before('hc_oldest_due'),
    }).toEqual({ review: 1, open: 2, waiting: 1, dead: 2, unmatched: 4, overdueSeconds: 60 })

    // A person decides: who watches the figure sees that nothing is left to do.
    await store.apply(move(inReview, { phase: 'succeeded', settledAt: now }).change)
    now = START
    const after = await figures(opened)
    expect([after('hc_deposits{phase="review"}'), after('hc_oldest_due')]).toEqual([0, 0])
  } finally {
    await opened.close()
    rmSync(folder, { recursive: true })
  }
})

it('the figures come while the database is silent: Prometheus would give up, and have none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-metrics-'))
  const opened = await openCompanion(environment(folder), { logger: silentLogger })
  const { promise: silence, resolve: end } = Promise.withResolvers<never>()
  const stats = vi.spyOn(opened.store, 'stats').mockReturnValue(silence)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const clock = setInterval(() => vi.advanceTimersByTime(1000), 10)
  try {
    for (let scrape = 0; scrape < 2; scrape++)
      expect(await exposed(opened)).toContain('hc_faults_total{where="http"} 0')
    // A second question would take another connection from payments.
    expect(stats).toHaveBeenCalledOnce()
  } finally {
    clearInterval(clock)
    vi.useRealTimers()
    stats.mockRestore()
    end(undefined as never)
    await opened.close()
    rmSync(folder, { recursive: true })
  }
})

it('counters alone end in _total, as promtool demands', async () => {
  const types = [...(await createMetrics().read()).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  expect(types.length).toBeGreaterThan(30)
  expect(
    types.filter(([, name, type]) => name!.endsWith('_total') !== (type === 'counter')).map(([line]) => line),
  ).toEqual([])
})

describe('the bank lists', () => {
  it('are asked for at the start, so that the first customer waits for none', async () => {
    const system = await open()
    system.companion.start()
    await system.companion.idle()
    const page = await system.browser('/pay?country=KE')
    expect(await page.text()).toContain('Victoria Commercial Bank')
  })
})
