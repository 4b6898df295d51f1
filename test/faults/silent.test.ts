// Connections that go silent without an error, as behind a firewall that dropped its state: each
// side gives them up and continues on new ones.
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { postgresMissing, startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { type LinkName, startWorld, type World } from './world.ts'

const missing = await postgresMissing()

let server: TestPostgres | undefined
let world: World | undefined
afterEach(async () => {
  await world?.close()
  await server?.stop()
  world = server = undefined
})

/**
 * All connections that are open on these links, or are opened for one payment more, go silent for
 * ever; later ones are good.
 */
async function silence(names: readonly LinkName[]): Promise<void> {
  if (world === undefined) throw new Error('No world.')
  const before = world.begin(3)
  await world.created(before)
  for (const name of names) {
    const link = world.links[name]
    await link?.suffer({ kind: 'stall', way: 'answer', after: 0, times: link.connections() + 1 })
  }
  const during = world.begin(2)
  await world.settle(before)
  for (const name of names) while (world.links[name]?.struck() === 0) await pause(20)
  await world.created(during)
  await world.settle(during)
  await world.end([...before, ...during])
  for (const name of names) expect(world.links[name]?.struck()).toBeGreaterThan(0)
}

test('the service, its callbacks and the backend: given up within their deadlines, asked and told again', async () => {
  world = await startWorld()
  await silence(['service', 'webhooks', 'receiver'])
})

test.skipIf(missing)(`PostgreSQL, the ear for other instances included${missing ? ` (${missing})` : ''}`, async () => {
  server = await startPostgres()
  world = await startWorld({ database: await server.freshDatabase() })
  await silence(['database'])
  // The silent ones are replaced, the listening one too: it finds out by a question of its own,
  // whenever the payments have ended.
  const hearing = async () => {
    const ears = await server!.query(
      "SELECT client_port FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query = 'SELECT 1'",
    )
    const silent = world!.links.database!.struckPorts()
    return ears.filter(({ client_port: port }) => !silent.includes(Number(port))).length
  }
  await expect.poll(hearing).toBeGreaterThan(0)
})

test.skipIf(missing)(
  `a stop while PostgreSQL is silent ends all the same, and the next start goes on${missing ? ` (${missing})` : ''}`,
  async () => {
    server = await startPostgres()
    world = await startWorld({ database: await server.freshDatabase() })
    const payments = world.begin(2)
    await world.created(payments)
    await world.links.database?.suffer({ kind: 'stall', way: 'answer', after: 0 })
    expect(await world.companions[0]?.stop()).toBe(0)
    await world.links.database?.heal()
    await world.companions[0]?.start()
    await world.settle(payments)
    await world.end(payments)
  },
)

test.skipIf(process.env['HC_FAULTS_LONG'] === undefined)(
  'the customers: the widget comes back by itself (HC_FAULTS_LONG=1)',
  { timeout: 300_000 },
  async () => {
    world = await startWorld()
    await silence(['customers'])
  },
)
