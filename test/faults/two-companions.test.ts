// Two companions on one PostgreSQL, customers at one and callbacks at the other: either is killed,
// all connections are cut, the server restarts. Nothing is lost, nothing happens twice, each event
// reaches the backend under one id, and everything recovers by itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresMissing, startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { startWorld, type World } from './world.ts'

const missing = await postgresMissing()

describe.skipIf(missing)(`two companions on one PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  let server: TestPostgres
  let world: World
  beforeAll(async () => {
    server = await startPostgres()
    world = await startWorld({ database: await server.freshDatabase(), companions: 2 })
  })
  afterAll(async () => {
    await world?.close()
    await server?.stop()
  })

  /**
   * Payments in every stage while `strike` happens: open, with a callback on its way, and being
   * created.
   */
  async function through(strike: () => Promise<unknown>): Promise<void> {
    const open = world.begin(2)
    const paid = world.begin(3)
    await world.created([...open, ...paid])
    const beginning = world.begin(2)
    await world.settle(paid)
    await strike()
    await world.created(beginning)
    await world.settle(open, 'decline')
    await world.settle(beginning)
    await world.end([...open, ...paid, ...beginning])
  }

  const cutAll = () =>
    server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hc-checkout'")

  test('a change that one of them writes is shown to the customers of the other', async () => {
    await through(async () => undefined)
  })

  test.each([
    ['that serves the customers', 0],
    ['that takes the callbacks', 1],
  ] as const)('the companion %s is killed, and the other does its work', async (_what, victim) => {
    await through(async () => {
      await world.companions[victim]?.kill()
      // What a balancer does.
      world.lead(1 - victim, 1 - victim)
    })
    await world.companions[victim]?.start()
    world.lead(0, 1)
    await through(async () => undefined)
  })

  test.each([
    ['that serves the customers', 0],
    ['that takes the callbacks', 1],
  ] as const)(
    'the companion %s stands still until its leases are over, and goes on beside the other',
    async (_what, victim) => {
      await through(async () => {
        await world.companions[victim]?.standStill(async () => {
          world.lead(1 - victim, 1 - victim)
          for (let minute = 0; minute < 5; minute++) await world.advance(60)
        })
      })
      world.lead(0, 1)
    },
  )

  test('both are killed and started again', async () => {
    await through(async () => {
      await Promise.all(world.companions.map((companion) => companion.kill()))
      await Promise.all(world.companions.map((companion) => companion.start()))
    })
  })

  test('every connection of both is ended by the server, again and again', async () => {
    await through(async () => {
      for (let i = 0; i < 5; i++) {
        // Companions that are still coming back have nothing to cut yet.
        await expect.poll(async () => (await cutAll()).length, { interval: 20 }).toBeGreaterThan(0)
        await world.advance(1)
      }
    })
  })

  test.each(['fast', 'immediate'] as const)('the server is restarted (%s)', async (how) => {
    await through(() => server.restart(how))
  })
})
