// A database that is used with another HC_SECRET than before: the start says so, once, and doctor before it.
import { beforeEach, expect, it } from 'vitest'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { checkSecret, isOtherSecret } from '../../server/deposits/secret-mark.ts'
import type { Store } from '../../server/store/store.ts'
import { createTestSystem } from '../helpers/create-test-system.ts'
import { memoryStore } from '../helpers/memory-store.ts'

const [OLD, NEW] = ['is_old_0123456789abcdef0123456789abcdef', 'is_new_0123456789abcdef0123456789abcdef']

let store: Store
let alerts: string[]
beforeEach(() => {
  store = memoryStore()
  alerts = []
})
const start = (secret: string, previous?: string) =>
  checkSecret({ store, capabilities: createCapabilities(secret, previous), alert: (kind) => void alerts.push(kind) })

it('the first start has nothing to compare with, and the next ones find the same', async () => {
  for (const _ of [1, 2, 3]) await start(OLD)
  expect(alerts).toEqual([])
})

it('another secret is told at the start that meets it, and is the one from then on', async () => {
  for (const secret of [OLD, NEW, NEW]) await start(secret)
  expect(alerts).toEqual(['other_secret'])
})

it('is told to each of two companions that do not agree', async () => {
  for (const secret of [OLD, NEW, OLD]) await start(secret)
  expect(alerts).toEqual(['other_secret', 'other_secret'])
})

it('a rotation is none: on one companion, and in two rounds on several', async () => {
  await start(OLD)
  await start(NEW, OLD)
  await start(NEW)
  expect(alerts).toEqual([])
  for (const [secret, previous] of [[NEW, OLD], [NEW, OLD], [OLD, NEW], [NEW, OLD], [OLD, NEW]] as const) await start(secret, previous) // prettier-ignore
  expect(alerts).toEqual([])
})

it('what is kept does not contain the secret, nor anything derived for a payment', async () => {
  await start(OLD)
  const kept = (await store.meta('secret_mark')) ?? ''
  const { depositToken, webhookKey } = createCapabilities(OLD)
  expect(kept).toMatch(/^[\w-]{43}$/)
  for (const other of [OLD, depositToken('', 0), webhookKey('')]) expect(kept).not.toContain(other)
})

it('is told once by a companion that is called by tick() and never started', async () => {
  await start(OLD)
  const raise = (kind: string) => void alerts.push(kind)
  const system = await createTestSystem({ store, companion: { alerts: { raise } } })
  await system.advance(3)
  await system.close()
  expect(alerts).toEqual(['other_secret'])
})

it('is only looked at by who asks', async () => {
  await start(OLD)
  expect(await isOtherSecret(store, createCapabilities(NEW))).toBe(true)
  expect(await isOtherSecret(store, createCapabilities(NEW, OLD))).toBe(false)
  expect(await isOtherSecret(store, createCapabilities(OLD))).toBe(false)
})
