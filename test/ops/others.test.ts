// Several companions on one database: what only one of them would do is told, before a payment is
// missed.
import { afterEach, describe, expect, it } from 'vitest'
import { createOthers } from '../../server/operations/others.ts'
import type { ReadyCheck } from '../../server/http/operations.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import { createTestSystem, type TestSystem } from '../helpers/create-test-system.ts'
import { memoryStore } from '../helpers/memory-store.ts'

const FROM_THIS_MACHINE = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
const HALF_MINUTE = 30_000

describe('whole companions on one file', () => {
  const open: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close()
  })

  async function onOneFile() {
    const file = sqliteStore({ path: ':memory:' })
    open.push(() => file.close())
    const store: Store = { ...file, close: async () => {} }
    const companions = []
    for (const _ of ['first', 'second']) {
      const alerts: string[] = []
      const system = await createTestSystem({
        store,
        companion: { alerts: { raise: (kind) => void alerts.push(kind) } },
      })
      companions.push({ system, alerts })
    }
    const [first, second] = companions as [(typeof companions)[0], (typeof companions)[0]]
    return { first, second }
  }

  async function pass(seconds: number, ...systems: TestSystem[]): Promise<void> {
    for (let second = 0; second < seconds; second++) for (const system of systems) await system.advance(1)
  }

  async function detailOf(system: TestSystem): Promise<string | undefined> {
    const response = await system.companion.app.request('http://localhost/readyz', {}, FROM_THIS_MACHINE)
    const { checks } = (await response.json()) as { readonly checks: readonly ReadyCheck[] }
    expect(response.status).toBe(200)
    return checks.find(({ name }) => name === 'companions')?.detail
  }

  it('the one without the handlers of the other is told, until the other has gone', async () => {
    const { first, second } = await onOneFile()
    open.push(() => second.system.close())
    first.system.companion.notices.on('payment.succeeded', () => {})
    await pass(150, first.system, second.system)
    expect(await detailOf(second.system)).toMatch(
      /^Another companion on this database has handlers of notices that this one has not \(payment\.succeeded\)\./,
    )
    expect(second.alerts).toContain('other_handlers')
    expect(first.alerts).not.toContain('other_handlers')
    await first.system.close()
    await pass(130, second.system)
    expect(await detailOf(second.system)).toBeUndefined()
  })

  it('with the same handlers both are told of the file, and not at once', async () => {
    const { first, second } = await onOneFile()
    for (const { system } of [first, second]) {
      open.push(() => system.close())
      system.companion.notices.on('*', () => {})
    }
    await pass(28, first.system, second.system)
    expect([...first.alerts, ...second.alerts]).toEqual([])
    await pass(130, first.system, second.system)
    for (const { alerts, system } of [first, second]) {
      expect(new Set(alerts)).toEqual(new Set(['shared_file']))
      expect(await detailOf(system)).toMatch(/^Another companion works on the same SQLite file\. Stop one of them\./)
    }
  })
})

describe('what is told', () => {
  let seed = 0
  function others(store: Store, changes: { url?: string; hears?: string[]; skewMs?: number; notifyUrl?: null } = {}) {
    const { url = 'postgres://db/hc', hears = [], skewMs = 0 } = changes
    const bytes = ++seed
    let now = 1_000_000
    const made = createOthers({
      store,
      settings: { databaseUrl: url, notifyUrl: changes.notifyUrl === null ? undefined : 'https://shop.example/hc' },
      now: () => now + skewMs,
      random: (length) => new Uint8Array(length).fill(bytes),
      hears: () => hears,
    })
    return {
      ...made,
      async look() {
        now += HALF_MINUTE
        await made.look()
      },
      pass: (ms: number) => void (now += ms),
    }
  }
  const rounds = async (count: number, ...each: { look(): Promise<void> }[]) => {
    for (let round = 0; round < count; round++) for (const one of each) await one.look()
  }
  const NOTHING = { sharesFile: false, heardElsewhere: [] }

  it('several companions with the same handlers on PostgreSQL are as it should be', async () => {
    const store = memoryStore()
    const [one, two] = [others(store, { hears: ['payment.failed'] }), others(store, { hears: ['payment.failed'] })]
    await rounds(4, one, two)
    expect([one.seen(), two.seen()]).toEqual([NOTHING, NOTHING])
  })

  it('what a killed companion has left is none that runs', async () => {
    const store = memoryStore()
    const killed = others(store, { url: 'file:hc.db', hears: ['payment.failed'] })
    await rounds(5, killed)
    const next = others(store, { url: 'file:hc.db' })
    await rounds(5, next)
    expect(next.seen()).toEqual(NOTHING)
  })

  it('one that stops writing counts no longer after 100 s', async () => {
    const store = memoryStore()
    const [one, two] = [others(store, { url: 'file:hc.db' }), others(store, { url: 'file:hc.db' })]
    await rounds(3, one, two)
    expect(one.seen().sharesFile).toBe(true)
    one.pass(100_000)
    expect(one.seen().sharesFile).toBe(false)
  })

  it('clocks a day apart hide nobody', async () => {
    const store = memoryStore()
    const [one, two] = [others(store, { hears: ['payment.failed'], skewMs: 86_400_000 }), others(store)]
    await rounds(3, one, two)
    expect(two.seen().heardElsewhere).toEqual(['payment.failed'])
  })

  it('one that sends to no address delivers nothing that another has a handler for', async () => {
    const store = memoryStore()
    const [one, two] = [others(store, { hears: ['payment.failed'] }), others(store, { notifyUrl: null })]
    await rounds(3, one, two)
    expect(two.seen()).toEqual(NOTHING)
  })

  it('what many short-lived companions leave is removed', async () => {
    const store = memoryStore()
    for (let index = 0; index < 5; index++) await others(store).look()
    const last = others(store)
    last.pass(3_700_000)
    await last.look()
    expect(Object.keys(JSON.parse((await store.meta('companions')) ?? '{}') as object)).toHaveLength(1)
    await last.leave()
    expect(await store.meta('companions')).toBe('{}')
  })
})
