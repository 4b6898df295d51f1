// Each link of the system under each kind of bad network: whatever is delayed, cut, fragmented or
// half closed, nothing is lost, nothing happens twice, every payment ends as the service says, the
// backend gets each event under one id, and everything recovers by itself.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresMissing, startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import type { Fault } from '../helpers/tcp-proxy.ts'
import { LINKS, startWorld, type World } from './world.ts'

const missing = await postgresMissing()

const faults: Readonly<Record<string, Fault>> = {
  'everything 60 ms late': { kind: 'delay', ms: 60 },
  'every byte in a packet of its own': { kind: 'slice' },
  'cut before anything arrives': { kind: 'cut', way: 'request', after: 0, times: 3 },
  'cut in the middle of a request': { kind: 'cut', way: 'request', after: 60, times: 3 },
  'cut after the work is done, before the answer': { kind: 'cut', way: 'answer', after: 0, times: 3 },
  'cut in the middle of an answer': { kind: 'cut', way: 'answer', after: 30, times: 3 },
  'closed by one side in the middle of a request': { kind: 'half-close', way: 'request', after: 60, times: 3 },
  'closed by one side in the middle of an answer': { kind: 'half-close', way: 'answer', after: 30, times: 3 },
  'silent for a while, then going on': { kind: 'stall', way: 'answer', after: 0, times: 3 },
  'nobody there for a while': { kind: 'gone' },
}
/** These do not end what they touch; they last until all is over. */
const lasting = new Set(['delay', 'slice'])

let server: TestPostgres | undefined
let world: World
beforeAll(async () => {
  server = missing === undefined ? await startPostgres() : undefined
  world = await startWorld(server === undefined ? {} : { database: await server.freshDatabase() })
})
afterAll(async () => {
  await world?.close()
  await server?.stop()
})

describe.each(LINKS.filter((name) => name !== 'database' || missing === undefined))('the link of the %s', (name) => {
  test.each(Object.entries(faults))('%s', async (_name, fault) => {
    const link = world.links[name]
    if (link === undefined) throw new Error('No such link.')
    const before = world.begin(2)
    await world.created(before)
    await link.suffer(fault)
    const during = world.begin(2)
    await world.settle(before)
    // What is not used is not struck: a fault that struck nothing would prove nothing.
    for (let waited = 0; link.struck() === 0; waited++) {
      await pause(20)
      if (waited % 50 === 49) await world.advance(5)
      if (waited > 2000) throw new Error('The fault never struck.')
    }
    await pause(200)
    if (!lasting.has(fault.kind)) await link.heal()
    await world.created(during)
    await world.settle(during.slice(0, 1))
    await world.settle(during.slice(1), 'decline')
    await world.end([...before, ...during])
    await link.heal()
    expect(link.struck()).toBeGreaterThan(0)
  })
})
