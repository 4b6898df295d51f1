// A connection pooler in front of PostgreSQL: one that mixes connections is refused before the
// first payment.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run as start } from '../../server/cli/start.ts'
import { openStore } from '../../server/store/open.ts'
import { createStatements } from '../../server/store/postgres/statements.ts'
import { queries } from '../../server/store/queries/queries.ts'
import { environment } from '../helpers/create-test-system.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import type { TestPostgres } from '../helpers/postgres.ts'
import { startTransactionPooler } from '../helpers/transaction-pooler.ts'

const missing = await postgresMissing()

describe.skipIf(missing !== undefined)('PostgreSQL behind a pooler', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await server?.stop()
  })

  it.each([1, 4])(
    'in transaction mode with a pool of %i is refused, with what to do, and nothing is made in it',
    async (connections) => {
      const direct = await server.freshDatabase()
      const pooler = await startTransactionPooler(direct, connections)
      try {
        const refused = expect.objectContaining({
          kind: 'pooled',
          message: expect.stringMatching(/pooler in transaction mode.*session mode/),
        })
        await expect(openStore(pooler.url)).rejects.toEqual(refused)
        await expect(openStore(pooler.url, { migrate: false })).rejects.toEqual(refused)
        await expect(openStore(direct, { migrate: false })).rejects.toMatchObject({ kind: 'empty' })
        // Its supervisor shall not start it again and again.
        const said: string[] = []
        const code = await start([], {
          env: { ...environment('.'), HC_DATABASE_URL: pooler.url },
          out: () => {},
          err: (line) => void said.push(line),
          fetch,
          now: Date.now,
          stopped: () => new Promise(() => {}),
        })
        expect({ code, said }).toEqual({ code: 2, said: [expect.stringContaining('HC_DATABASE_URL')] })
      } finally {
        await pooler.close()
      }
    },
  )
})

it('statements have the same name only if they are the same, in whatever order a process comes to need them', () => {
  const [here, there] = [createStatements(), createStatements()]
  const all = Object.values(queries)
  const names = new Set(all.map((query) => here.prepare(query).name))
  expect(names.size).toBe(new Set(all.map((query) => here.prepare(query).compiled.sql)).size)
  for (const query of all.toReversed()) expect(there.prepare(query).name).toBe(here.prepare(query).name)
  const steps = [
    { query: queries.insertDeposit, values: {} },
    { query: queries.insertNotice, values: {} },
  ]
  expect(names).not.toContain(here.together(steps).name)
  expect(there.together(steps).name).toBe(here.together(steps).name)
  // A longer one would be cut by the server, and might then be another's.
  for (const name of [...names, here.together(steps).name]) expect(name.length).toBeLessThan(63)
})
