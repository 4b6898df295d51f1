// What a companion leaves of its settings in the database: another secret is told at the start,
// other settings by doctor.
import { beforeEach, describe, expect, it } from 'vitest'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { beginMarks, compareMarks } from '../../server/operations/marks.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { createTestSystem, keys, testSettings } from '../helpers/create-test-system.ts'
import { memoryStore } from '../helpers/memory-store.ts'

const [OLD, NEW] = ['is_old_0123456789abcdef0123456789abcdef', 'is_new_0123456789abcdef0123456789abcdef']

let store: Store
let alerts: string[]
beforeEach(() => {
  store = memoryStore()
  alerts = []
})

interface Run {
  readonly secret?: string
  readonly previous?: string
  readonly settings?: Partial<Settings>
}

const partsOf = ({ secret = keys.secret, previous, settings = {} }: Run) => ({
  store,
  settings: testSettings(settings),
  capabilities: createCapabilities(secret, previous),
})
const start = (run: Run) => beginMarks({ ...partsOf(run), alert: (kind) => void alerts.push(kind) })
const compare = (run: Run) => compareMarks(partsOf(run))

describe('the mark of HC_SECRET', () => {
  it('tells nothing at the first start nor at the next ones', async () => {
    for (const _ of [1, 2, 3]) await start({ secret: OLD })
    expect(alerts).toEqual([])
  })

  it('tells another secret once, at the start that meets it', async () => {
    for (const secret of [OLD, NEW, NEW]) await start({ secret })
    expect(alerts).toEqual(['other_secret'])
  })

  it('tells each of two companions that do not agree', async () => {
    for (const secret of [OLD, NEW, OLD]) await start({ secret })
    expect(alerts).toEqual(['other_secret', 'other_secret'])
  })

  it('takes no rotation for another secret, on one companion or in two rounds', async () => {
    await start({ secret: OLD })
    await start({ secret: NEW, previous: OLD })
    await start({ secret: NEW })
    const rounds = [
      [NEW, OLD],
      [NEW, OLD],
      [OLD, NEW],
      [NEW, OLD],
      [OLD, NEW],
    ] as const
    for (const [secret, previous] of rounds) await start({ secret, previous })
    expect(alerts).toEqual([])
  })

  it('is told by a companion that is called by tick() and never started', async () => {
    await start({ secret: OLD })
    const raise = (kind: string) => void alerts.push(kind)
    const system = await createTestSystem({ store, companion: { alerts: { raise } } })
    await system.advance(3)
    await system.close()
    expect(alerts).toEqual(['other_secret'])
  })

  it('is left as it is by who only compares', async () => {
    await start({ secret: OLD })
    expect(await compare({ secret: NEW })).toEqual({ isOtherSecret: true, settings: [] })
    expect(await compare({ secret: NEW, previous: OLD })).toEqual({ isOtherSecret: false, settings: [] })
    expect(await compare({ secret: OLD })).toEqual({ isOtherSecret: false, settings: [] })
  })
})

describe('the marks of the other settings', () => {
  it('name each one that differs, and raise no alert', async () => {
    await start({})
    const settings = { notifyUrl: 'https://staging.example/notices', retentionDays: 1 }
    expect((await compare({ settings })).settings).toEqual(['HC_NOTIFY_URL', 'HC_RETENTION_DAYS'])
    await start({ settings })
    expect((await compare({ settings })).settings).toEqual([])
    expect(alerts).toEqual([])
  })

  it('see a changed value in a record, and not the order of a list', async () => {
    const origins = ['https://a.example', 'https://b.example']
    const { limits } = testSettings()
    await start({ settings: { checkoutOrigins: origins } })
    const turned = Object.fromEntries(Object.entries(limits).toReversed()) as typeof limits
    const same = { checkoutOrigins: origins.toReversed(), limits: turned }
    expect((await compare({ settings: same })).settings).toEqual([])
    const other = { ...limits, KES: { ...limits.KES, max: limits.KES.max + 1 } }
    expect((await compare({ settings: { checkoutOrigins: origins, limits: other } })).settings).toEqual(['HC_LIMITS'])
  })

  it('say nothing under another secret, or where a release kept fewer', async () => {
    await start({ secret: OLD, settings: { rate: 3000 } })
    expect((await compare({ secret: NEW })).settings).toEqual([])
    await store.setMeta('settings_mark', JSON.stringify({ HC_SECRET: createCapabilities(keys.secret).mark() }))
    expect((await compare({})).settings).toEqual([])
  })

  it('contain no setting, and none that can be had without the secret', async () => {
    await start({})
    const kept = (await store.meta('settings_mark')) ?? ''
    const { depositToken, webhookKey } = createCapabilities(keys.secret)
    for (const value of [...Object.values(keys), depositToken('', 0), webhookKey('')]) expect(kept).not.toContain(value)
    const marks = Object.values(JSON.parse(kept) as Record<string, string>)
    expect(new Set(marks).size).toBe(marks.length)
    for (const mark of marks) expect(mark).toMatch(/^[\w-]{43}$/)
  })
})
