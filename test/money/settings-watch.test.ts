// Companions on one database with different settings: those that were there before say so once, if it lasts.
import { beforeEach, expect, it } from 'vitest'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { createSettingsWatch } from '../../server/deposits/settings-watch.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { Store } from '../../server/store/store.ts'
import { createTestSystem, keys, testSettings } from '../helpers/create-test-system.ts'
import { memoryStore } from '../helpers/memory-store.ts'

const MINUTE = 60_000

let store: Store
let clock: number
let alerts: string[]
beforeEach(() => {
  store = memoryStore()
  clock = 0
  alerts = []
})

async function start(changes: Partial<Settings> = {}, secret: string = keys.secret) {
  const watch = createSettingsWatch({
    store,
    settings: testSettings(changes),
    capabilities: createCapabilities(secret),
    now: () => clock,
    alert: (kind, detail) => void alerts.push(`${kind}: ${detail}`),
  })
  await watch.begin()
  return watch
}

async function pass(minutes: number, ...watches: readonly { look(): Promise<void> }[]): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    clock += MINUTE
    for (const { look } of watches) await look()
  }
}

it('a companion whose notices go elsewhere is told of by those that started before it, once each', async () => {
  const first = await start()
  const second = await start({ notifyUrl: 'https://staging.example/notices', retentionDays: 1 })
  await pass(60, first, second)
  expect(alerts).toEqual([
    'other_settings: The companion that started last has another HC_NOTIFY_URL, HC_RETENTION_DAYS.',
  ])
})

it('each of the settings counts, the order in which a list is written does not', async () => {
  const origins = ['https://a.example', 'https://b.example']
  const limits = testSettings().limits
  const first = await start({ checkoutOrigins: origins })
  await start({ checkoutOrigins: origins.toReversed(), limits: Object.fromEntries(Object.entries(limits).toReversed()) as typeof limits }) // prettier-ignore
  await pass(30, first)
  expect(alerts).toEqual([])
  await start({ checkoutOrigins: origins, limits: { ...limits, KES: { ...limits.KES, max: limits.KES.max + 1 } } })
  await pass(30, first)
  expect(alerts).toEqual(['other_settings: The companion that started last has another HC_LIMITS.'])
})

it('a change that reaches one after the other is none, and a difference that comes back is told again', async () => {
  const first = await start()
  await start({ rate: 3000 })
  await pass(12, first)
  await start()
  await pass(60, first)
  expect(alerts).toEqual([])
  for (let time = 0; time < 2; time++) {
    await start({ rate: 3000 })
    await pass(30, first)
    await start()
    await pass(30, first)
  }
  expect(alerts).toHaveLength(2)
})

it('another secret is told by its own alert, and the marks of an earlier release with fewer settings say nothing', async () => {
  const first = await start()
  await start({ rate: 3000 }, 'is_other_0123456789abcdef0123456789abcdef')
  await pass(30, first)
  await store.setMeta('settings_mark', JSON.stringify({ HC_SECRET: createCapabilities(keys.secret).mark() }))
  await pass(30, first)
  expect(alerts).toEqual([])
})

it('what is kept contains no setting, and no mark that can be had without the secret', async () => {
  await start()
  const kept = (await store.meta('settings_mark')) ?? ''
  for (const value of Object.values(keys)) expect(kept).not.toContain(value)
  const marks = Object.values(JSON.parse(kept) as Record<string, string>)
  expect(new Set(marks).size).toBe(marks.length)
  for (const mark of marks) expect(mark).toMatch(/^[\w-]{43}$/)
})

it('a running companion hears of one that started after it', async () => {
  const raise = (kind: string) => void alerts.push(kind)
  const system = await createTestSystem({ store, companion: { alerts: { raise }, now: () => clock } })
  await system.companion.tick()
  await start({ confirm: 'callback' })
  for (let minute = 0; minute < 25; minute++) {
    clock += MINUTE
    await system.companion.tick()
  }
  await system.close()
  expect(alerts.filter((kind) => kind === 'other_settings')).toHaveLength(1)
})
