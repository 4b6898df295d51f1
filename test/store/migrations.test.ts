// A database of an earlier schema is brought to the newest with its payments, and each is found as before.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DepositPhase } from '../../server/contract/index.ts'
import { APPLICATION_ID } from '../../server/store/migrate-sqlite.ts'
import { migrations } from '../../server/store/migrations.ts'
import { openStore } from '../../server/store/open.ts'
import type { Dialect } from '../../server/store/query.ts'
import { START } from '../helpers/deposit-record.ts'
import { postgresMissing, startPostgres, type TestPostgres } from '../helpers/postgres.ts'

const phases = DepositPhase.options

/** As the first release wrote them: no column that came later is named. */
function firstSchema(dialect: Dialect): string[] {
  const first = migrations[0]
  if (first === undefined) throw new Error('There is no first step.')
  const rows = phases.map(
    (phase, i) =>
      `INSERT INTO deposits (id, reference, phase, version, amount, currency, country, created_at, updated_at, due_at, due_rank, asks, detail${dialect === 'postgres' ? ', change_id' : ''})
       VALUES ('dep_${phase}', 'HCT${phase}', '${phase}', 3, 1500, 'KES', 'KE', ${START + i}, ${START + i}, ${START + i}, ${phase === 'confirming' ? 0 : 1}, 0, '{}'${dialect === 'postgres' ? `, 'x'` : ''})`,
  )
  return [...first.statements(dialect), ...rows]
}

async function expectAllFound(url: string): Promise<void> {
  const store = await openStore(url)
  try {
    for (const phase of phases) {
      const found = await store.payments({ phase, limit: 50 })
      expect(found.map(({ id }) => id)).toEqual([`dep_${phase}`])
    }
    expect((await store.payments({ status: 'PENDING', limit: 50 })).map(({ phase }) => phase)).toEqual(
      phases.slice(0, 6).toReversed(),
    )
    expect((await store.stats()).depositsByPhase).toEqual(
      Object.fromEntries(phases.slice(0, 6).map((phase) => [phase, 1])),
    )
  } finally {
    await store.close()
  }
}

test('a SQLite file of the first schema keeps its payments', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-migrations-'))
  try {
    const path = join(folder, 'old.db')
    const database = new Database(path)
    for (const statement of firstSchema('sqlite')) database.exec(statement)
    database.pragma('user_version = 1')
    database.pragma(`application_id = ${APPLICATION_ID}`)
    database.close()
    await expectAllFound(`file:${path}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe.skipIf(await postgresMissing())('PostgreSQL', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  test('a database of the first schema keeps its payments', async () => {
    const url = await server.freshDatabase()
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query('CREATE TABLE hc_schema (version INT PRIMARY KEY, name TEXT NOT NULL, added_at TIMESTAMPTZ NOT NULL DEFAULT now())')
    for (const statement of firstSchema('postgres')) await client.query(statement)
    await client.query(`INSERT INTO hc_schema (version, name) VALUES (1, 'first')`)
    await client.end()
    await expectAllFound(url)
  }) // prettier-ignore
})
