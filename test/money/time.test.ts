// Tests on a virtual clock: how long a result takes without any callback, a slow agent, many
// watchers, many clicks.
import { describe, expect, it } from 'vitest'
import type { CreatedDeposit, DepositView, Notice } from '../../server/contract/index.ts'
import { createChance } from '../sim/chance.ts'
import { SHOP_ORIGIN } from '../sim/people.ts'
import { createStage, newKey, tell } from './stage.ts'
import type { Stage } from './stage.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity

/** Requests to the service in the busiest 60 s. */
function busiestMinute(stage: Stage): number {
  const at = stage.service.requests.map((request) => request.at)
  let most = 0
  for (let first = 0, last = 0; last < at.length; last++) {
    while ((at[last] ?? 0) - (at[first] ?? 0) >= 60_000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

describe('an order locked at minute 14 and confirmed at minute 40', () => {
  it('is never shown as expired, makes no second transaction, and ends as success', async () => {
    const stage = createStage()
    const deposit = await stage.create()
    const url = deposit.checkoutUrl ?? ''
    stage.time.after(14 * MINUTE, () => void stage.service.lock(url))
    stage.time.after(40 * MINUTE, () => stage.service.confirm(url))
    const seen: DepositView[] = []
    await stage.watch(deposit, (view) => seen.push(view))
    for (let minute = 1; minute <= 39; minute++) {
      await stage.playTo(minute * MINUTE)
      const view = await stage.view(deposit)
      expect(view).toMatchObject({ phase: 'open', status: 'PENDING', checkoutUrl: url })
      // The same purchase again, from anywhere: a repeat of nothing.
      expect(stage.service.requests.filter(({ kind }) => kind === 'create')).toHaveLength(1)
    }
    await stage.playTo(41 * MINUTE)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'succeeded', status: 'SUCCESS' })
    expect(seen.map(({ phase }) => phase)).not.toContain('expired')
    expect(seen.at(-1)).toMatchObject({ phase: 'succeeded' })
    expect(stage.service.ledger.size).toBe(1)
    expect(stage.notices.map((body) => (JSON.parse(body) as Notice).type)).toEqual(['payment.succeeded'])
  })
})

describe('an order whose first attempt is paid after all, when the second has just begun', () => {
  async function order(options: Parameters<typeof createStage>[0] = {}) {
    const stage = createStage(options)
    const body = { amount: 2500, currency: 'KES', orderId: 'A-9', description: 'Solar lamp' }
    const made = await stage.until(stage.backend('/v1/sessions', body))
    const { token } = (await made.json()) as { token: string }
    const first = await stage.create({ session: token })
    stage.service.lock(first.checkoutUrl ?? '')
    await stage.playTo(MINUTE)
    return { stage, first, second: () => stage.create({ session: token, replaces: first.id }) }
  }
  const paidAlready = { phase: 'abandoned', result: { code: 'order_paid' } }

  it('leads nobody to pay again: the second is given up in the moment of the success', async () => {
    const { stage, first, second } = await order()
    const begun = await second()
    const paidAt = stage.time.elapsed()
    stage.service.confirm(first.checkoutUrl ?? '')
    await stage.playTo(paidAt + 5 * SECOND)
    expect(await stage.view(first)).toMatchObject({ phase: 'succeeded', late: true })
    expect(await stage.view(begun)).toMatchObject(paidAlready)
  })

  it('hands out no address that comes after the success', async () => {
    let creates = 0
    const { stage, first, second } = await order({
      faults: { create: () => ((creates += 1) === 2 ? 'slow' : undefined) },
    })
    stage.time.after(1500, () => stage.service.confirm(first.checkoutUrl ?? ''))
    const begun = await second()
    expect(begun).toMatchObject(paidAlready)
    expect(begun.checkoutUrl).toBeUndefined()
  })
})

describe('without an order, an attempt that is paid after all', () => {
  it('leads nobody to pay the one that took its place, nor the one after that', async () => {
    const stage = createStage()
    const first = await stage.create()
    stage.service.lock(first.checkoutUrl ?? '')
    const second = await stage.create({ replaces: first.id })
    const third = await stage.create({ replaces: second.id })
    const other = await stage.create()
    await stage.playTo(MINUTE)
    stage.service.confirm(first.checkoutUrl ?? '')
    await stage.playTo(MINUTE + 5 * SECOND)
    expect(await stage.view(first)).toMatchObject({ phase: 'succeeded', late: true })
    expect(await stage.view(second)).toMatchObject({ phase: 'abandoned' })
    const given = await stage.view(third)
    expect(given).toMatchObject({ phase: 'abandoned', result: { code: 'order_paid' } })
    expect(given.checkoutUrl).toBeUndefined()
    expect(await stage.view(other)).toMatchObject({ phase: 'open' })
  })

  it('hands out no address of an attempt that took its place, when that comes after the success', async () => {
    let creates = 0
    const stage = createStage({ faults: { create: () => ((creates += 1) === 2 ? 'slow' : undefined) } })
    const first = await stage.create()
    stage.service.lock(first.checkoutUrl ?? '')
    await stage.playTo(MINUTE)
    stage.time.after(1500, () => stage.service.confirm(first.checkoutUrl ?? ''))
    const begun = await stage.create({ replaces: first.id })
    expect(begun).toMatchObject({ phase: 'abandoned', result: { code: 'order_paid' } })
    expect(begun.checkoutUrl).toBeUndefined()
  })

  it('takes nothing from money that has come for both: each is a payment of its own', async () => {
    const stage = createStage()
    const first = await stage.create()
    stage.service.lock(first.checkoutUrl ?? '')
    const second = await stage.create({ replaces: first.id })
    stage.service.lock(second.checkoutUrl ?? '')
    await stage.playTo(MINUTE)
    stage.service.confirm(first.checkoutUrl ?? '')
    await stage.playTo(2 * MINUTE)
    stage.service.confirm(second.checkoutUrl ?? '')
    await stage.playTo(3 * MINUTE)
    expect(await stage.view(second)).toMatchObject({ phase: 'succeeded', late: true })
    expect((await stage.view(second)).duplicate).toBeFalsy()
    expect(stage.notices.map((body) => (JSON.parse(body) as Notice).type)).toEqual([
      'payment.succeeded',
      'payment.succeeded',
    ])
  })
})

describe('a service that is slow with one answer in ten', () => {
  it('keeps nobody else waiting: all are asked about each minute', async () => {
    let asked = 0
    const stage = createStage({
      faults: { callbackWaits: () => [], query: () => ((asked += 1) % 10 === 0 ? 'slow' : undefined) },
    })
    for (let number = 0; number < 200; number++) await stage.create()
    asked = 0
    await stage.playTo(stage.time.elapsed() + 5 * MINUTE)
    // Those that were slow themselves come a little later.
    expect(asked).toBeGreaterThanOrEqual(0.9 * 200 * 5)
  })
})

describe('a service that answers no status query', () => {
  it('is told of after 15 minutes, whatever it says instead, and not while it answers some', async () => {
    const alerts: string[] = []
    let answers = true
    const stage = createStage({
      alert: (kind, detail) => alerts.push(`${kind} ${detail}`),
      faults: { callbackWaits: () => [], query: () => (answers ? undefined : 'server_error') },
    })
    const deposit = await stage.create()
    stage.service.lock(deposit.checkoutUrl ?? '')
    for (let minute = 0; minute < 40; minute += 10) {
      answers = false
      await stage.playTo(minute * MINUTE + 8 * MINUTE)
      answers = true
      await stage.playTo(minute * MINUTE + 10 * MINUTE)
    }
    expect(alerts).toEqual([])
    answers = false
    await stage.playTo(54 * MINUTE)
    expect(alerts).toEqual([])
    await stage.playTo(57 * MINUTE)
    expect(alerts[0]).toMatch(
      /^query_unanswered KES: no state since 2026-11-21T09:4\d:\d\d\.\d{3}Z; now server_error\.$/,
    )
  })
})

describe('a status query', () => {
  it('that answers for another reference proves nothing: a person must look', async () => {
    const stage = createStage({ faults: { isReferenceWrong: () => true, callbackWaits: () => [] } })
    const deposit = await stage.create()
    stage.service.lock(deposit.checkoutUrl ?? '')
    stage.service.confirm(deposit.checkoutUrl ?? '')
    await stage.playTo(2 * MINUTE)
    expect(await stage.view(deposit)).toMatchObject({ phase: 'review', status: 'PENDING' })
    expect(stage.notices.map((body) => (JSON.parse(body) as Notice).type)).toEqual(['payment.review'])
  })

  it('is one at a time for each payment, however many ask, and none once it has succeeded', async () => {
    const stage = createStage({ faults: { callbackWaits: () => [] } })
    const deposit = await stage.create()
    stage.service.lock(deposit.checkoutUrl ?? '')
    stage.service.confirm(deposit.checkoutUrl ?? '')
    const queries = () => stage.service.requests.filter(({ kind }) => kind === 'query').length
    const check = async () =>
      (
        await stage.request(`/v1/deposits/${deposit.id}/check`, {
          method: 'POST',
          headers: { origin: SHOP_ORIGIN, authorization: `Bearer ${deposit.token}` },
        })
      ).json()
    const succeeded = { phase: 'succeeded' }
    expect(await stage.until(Promise.all([check(), check(), check()]))).toMatchObject([succeeded, succeeded, succeeded])
    expect(queries()).toBe(1)
    expect(await stage.until(check())).toMatchObject(succeeded)
    expect(queries()).toBe(1)
  })
})

describe('with every callback dropped', () => {
  async function timesToTruth(isWatched: boolean): Promise<number[]> {
    const chance = createChance(11)
    const stage = createStage({ faults: { callbackWaits: () => [] } })
    const paid = new Map<string, number>()
    const known = new Map<string, number>()
    stage.process.companion.notices.on('*', () => {})
    const deposits: CreatedDeposit[] = []
    for (let number = 0; number < 60; number++) {
      const deposit = await stage.create()
      deposits.push(deposit)
      if (isWatched)
        await stage.watch(
          deposit,
          ({ phase, id }) => void (phase === 'succeeded' && known.set(id, stage.time.elapsed())),
        )
      stage.time.after(chance.between(20 * SECOND, 10 * MINUTE), () => {
        stage.service.lock(deposit.checkoutUrl ?? '')
        stage.service.confirm(deposit.checkoutUrl ?? '')
        paid.set(deposit.id, stage.time.elapsed())
      })
    }
    await stage.playTo(stage.time.elapsed() + 15 * MINUTE)
    for (const deposit of deposits) {
      expect(await stage.view(deposit)).toMatchObject({ phase: 'succeeded' })
      if (!isWatched)
        known.set(
          deposit.id,
          (stage.disk.deposits.get(deposit.id)?.settledAt ?? 0) - (stage.time.wall() - stage.time.elapsed()),
        )
    }
    return deposits.map(({ id }) => (known.get(id) ?? Infinity) - (paid.get(id) ?? 0))
  }

  it('a customer who looks on sees the truth within 10 s, in the median', async () => {
    const times = await timesToTruth(true)
    tell(`watched: median ${(median(times) / 1000).toFixed(1)} s, longest ${(Math.max(...times) / 1000).toFixed(1)} s`)
    expect(median(times)).toBeLessThanOrEqual(10 * SECOND)
  })

  it('without anybody looking on it is known within 60 s, in the median', async () => {
    const times = await timesToTruth(false)
    tell(
      `unwatched: median ${(median(times) / 1000).toFixed(1)} s, longest ${(Math.max(...times) / 1000).toFixed(1)} s`,
    )
    expect(median(times)).toBeLessThanOrEqual(60 * SECOND)
  })
})

describe('500 deposits with a customer looking on at each', () => {
  it('stay within 1500 requests a minute, and confirmations come first', async () => {
    const stage = createStage()
    const delays: number[] = []
    const deposits: CreatedDeposit[] = []
    for (let number = 0; number < 500; number++) {
      const deposit = await stage.create()
      deposits.push(deposit)
      await stage.watch(deposit, () => {})
    }
    const began = stage.time.elapsed()
    // Each second somebody pays; the callback comes, and the query it triggers must not wait behind
    // the watching.
    for (const [number, deposit] of deposits.slice(0, 120).entries()) {
      stage.time.after(60 * SECOND + number * SECOND, () => {
        const paidAt = stage.time.elapsed()
        stage.service.lock(deposit.checkoutUrl ?? '')
        stage.service.confirm(deposit.checkoutUrl ?? '')
        stage.time.after(0, () => watchEnd(deposit.id, paidAt))
      })
    }
    function watchEnd(id: string, paidAt: number): void {
      if (stage.disk.deposits.get(id)?.phase === 'succeeded') delays.push(stage.time.elapsed() - paidAt)
      else stage.time.after(50, () => watchEnd(id, paidAt))
    }
    await stage.playTo(began + 4 * MINUTE)
    tell(
      `busiest minute ${busiestMinute(stage)} requests; from paid to known: median ${median(delays)} ms, longest ${Math.max(...delays)} ms`,
    )
    expect(busiestMinute(stage)).toBeLessThanOrEqual(1500)
    expect(delays).toHaveLength(120)
    expect(Math.max(...delays)).toBeLessThan(3 * SECOND)
  })
})

describe('one key', () => {
  const order = (key: string) => ({
    method: 'POST',
    headers: { origin: SHOP_ORIGIN, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ country: 'KE', currency: 'KES', amount: 2500, payer: { name: 'Achieng Otieno' } }),
  })

  it('50 requests at once: one call to the service, 50 equal answers', async () => {
    const stage = createStage()
    const key = newKey()
    const answers = await stage.until(
      Promise.all(Array.from({ length: 50 }, () => stage.request('/v1/deposits', order(key)))),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201))
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
    expect(stage.service.requests.filter(({ kind }) => kind === 'create')).toHaveLength(1)
    expect(stage.service.ledger.size).toBe(1)
  })

  const runs = Number(process.env['HC_CREATES'] ?? 1_000)
  it(
    `${runs} purchases with timeouts, double clicks and reloads: no second transaction that could be paid`,
    async () => {
      let creates = 0
      let transactions = 0
      const refused: Record<number, number> = {}
      for (let begun = 0; begun < runs; begun += 500) {
        const counts = await purchases(Math.min(500, runs - begun), 23 + begun, refused)
        creates += counts.creates
        transactions += counts.transactions
      }
      tell(
        `${runs} purchases, ${4 * runs} clicks, ${creates} creates sent, ${transactions} transactions; not 201: ${JSON.stringify(refused)}`,
      )
      expect(transactions).toBeGreaterThan(runs * 0.5)
    },
    // Longer than the usual limit only where more are asked for.
    Math.max(180_000, runs * 50),
  )

  async function purchases(
    count: number,
    seed: number,
    refused: Record<number, number>,
  ): Promise<{ creates: number; transactions: number }> {
    const chance = createChance(seed)
    const faults = [
      'refused_connection',
      'busy',
      'cut_before',
      'cut_after',
      'half_answer',
      'server_error',
      'slow',
      'processed_late',
      undefined,
      undefined,
      undefined,
      undefined,
    ] as const
    const stage = createStage({
      seed,
      faults: {
        create: () => chance.pick(faults),
        store: () => (chance.happens(0.01) ? chance.pick(['before', 'after', 'slow'] as const) : undefined),
      },
    })
    const ids = new Map<string, Set<string>>()
    for (let number = 0; number < count; number++) {
      const key = newKey()
      const seen = new Set<string>()
      ids.set(key, seen)
      const click = async () => {
        const answer = await stage.request('/v1/deposits', order(key))
        const text = await answer.text()
        if (answer.status === 201) seen.add((JSON.parse(text) as CreatedDeposit).id)
        else refused[answer.status] = (refused[answer.status] ?? 0) + 1
      }
      // A double click, an impatient retry, and a reload long after.
      for (const wait of [0, chance.between(0, 400), chance.between(1_000, 25_000), chance.between(26_000, 90_000)])
        stage.time.after(number * 300 + wait, () => void click())
    }
    await stage.playTo(count * 300 + 10 * MINUTE)
    expect([...ids.values()].filter((seen) => seen.size > 1)).toEqual([])
    // Each key has at most one deposit, each deposit one reference, each reference one transaction.
    const keyed = [...stage.disk.idempotency.values()].map(({ depositId }) => depositId)
    expect(new Set(keyed).size).toBe(keyed.length)
    expect(stage.disk.deposits.size).toBeLessThanOrEqual(count)
    expect(stage.disk.deposits.size).toBeGreaterThan(count * 0.8)
    for (const reference of stage.service.ledger.keys()) expect(stage.disk.references.has(reference)).toBe(true)
    return {
      creates: stage.service.requests.filter(({ kind }) => kind === 'create').length,
      transactions: stage.service.ledger.size,
    }
  }
})
