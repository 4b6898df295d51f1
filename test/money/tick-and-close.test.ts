// A companion that a scheduler calls by `tick()`, as where no process lives long, and that is
// closed in the middle of a round.
import { expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import { createTestSystem, pay } from '../helpers/create-test-system.ts'

it('what the service has answered by then is stored before the close is done', async () => {
  const held = Promise.withResolvers<void>()
  let isHeld = false
  const store = sqliteStore({ path: ':memory:' })
  const system = await createTestSystem({
    store,
    agent: false,
    async network(request, next) {
      // The callback is lost.
      if (request.url.includes('/v1/webhook/')) return new Response(null, { status: 503 })
      const answer = await next()
      if (isHeld && request.url.endsWith('/status-query')) await held.promise
      return answer
    },
  })
  const pressed = await pay(system, { bankCode: undefined })
  const { id, reference } = (await pressed.json()) as CreatedDeposit
  for (const step of ['lock', 'paid', 'confirm'])
    await system.service(`/console/api/transactions/${reference}/${step}`, { method: 'POST' })
  await system.advance(59)
  isHeld = true
  const round = system.advance(1)
  // The query is under way.
  await expect.poll(async () => (await store.deposit(id))?.dueAt).toBeGreaterThan(system.now() + 10_000)
  const closed = system.companion.close()
  held.resolve()
  await closed
  expect((await store.deposit(id))?.phase).toBe('succeeded')
  await round
  await system.sandbox.close()
  await store.close()
})
