// Companions killed at random while customers pay: nothing acknowledged is lost, nothing happens
// twice, and each restart becomes ready by itself. HC_CRASH_KILLS=100 for many; prints the time
// from each start to a green /readyz.
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type Payment, startWorld, type World } from '../faults/world.ts'
import { postgresMissing, startPostgres, type TestPostgres } from '../helpers/postgres.ts'

const KILLS = Number(process.env['HC_CRASH_KILLS'] ?? 4)
const missing = await postgresMissing()

let server: TestPostgres | undefined
let world: World | undefined
afterEach(async () => {
  await world?.close()
  await server?.stop()
  world = server = undefined
})

function report(store: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b).map(Math.round)
  process.stdout.write(
    `${store}: from start to /readyz 200 after ${times.length} kills: median ${sorted[sorted.length >> 1]} ms, max ${sorted.at(-1)} ms\n`,
  )
}

/** Customers come all the time; a companion dies at any moment of what they do. */
async function killing(open: World): Promise<number[]> {
  const payments: Payment[] = []
  const times: number[] = []
  const { companions } = open
  for (let kill = 0; kill < KILLS; kill++) {
    const more = open.begin(3)
    const waiting = payments.slice(-9)
    payments.push(...more)
    await pause(Math.random() * 400)
    const settling = open.settle(waiting)
    await pause(Math.random() * 200)
    const at = kill % companions.length
    const victim = companions[at]
    if (victim === undefined) throw new Error('Nobody to kill.')
    await victim.kill()
    const other = companions.length - 1 - at
    open.lead(other, other)
    const started = victim.start()
    await open.advance(Math.random() * 10)
    times.push(await started)
    open.lead(0, companions.length - 1)
    await settling
  }
  await open.created(payments)
  await open.settle(payments)
  await open.end(payments)
  expect(payments).toHaveLength(KILLS * 3)
  return times
}

describe(`${KILLS} kills of a whole companion at random under load`, () => {
  const timeout = 120_000 + KILLS * 20_000

  test('SQLite: one companion, started again on its file', { timeout }, async () => {
    world = await startWorld()
    report('SQLite', await killing(world))
  })

  test.skipIf(missing)(`PostgreSQL: one of two, in turn${missing ? ` (${missing})` : ''}`, { timeout }, async () => {
    server = await startPostgres()
    world = await startWorld({ database: await server.freshDatabase(), companions: 2 })
    report('PostgreSQL', await killing(world))
  })
})
