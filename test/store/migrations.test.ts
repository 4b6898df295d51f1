// A database with an earlier schema is migrated with its payments, and each is found as before.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DepositPhase } from '../../server/contract/index.ts'
import { APPLICATION_ID } from '../../server/store/sqlite/migrate.ts'
import { searchFor } from '../../server/deposits/machine/search-terms.ts'
import { migratePostgres } from '../../server/store/postgres/migrate.ts'
import { migrations } from '../../server/store/schema/migrations.ts'
import { openStore } from '../../server/store/open.ts'
import type { Dialect } from '../../server/store/schema/query.ts'
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
  const line = `INSERT INTO timeline (deposit_id, at, kind, phase, version, detail) VALUES ('dep_open', ${START}, 'created', 'open', 3, 'old')`
  return [...first.statements(dialect), ...rows, line]
}

/** What reads beside a companion must leave the database as that companion knows it. */
async function expectRefused(url: string, why: RegExp): Promise<void> {
  await expect(openStore(url, { migrate: false })).rejects.toThrow(why)
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
    const row = (await store.deposit('dep_open'))!
    const old = { depositId: row.id, at: START, kind: 'created', phase: 'open', version: 3, detail: 'old' } as const
    const now = { ...old, at: START + 1, kind: 'still_pending', version: 4 }
    expect(await store.timeline(row.id)).toEqual([old])
    const deposit = { row: { ...row, version: 4 }, expect: 3 }
    expect(await store.apply({ deposit, timeline: [now] })).toEqual({ applied: true })
    expect(await store.timeline(row.id)).toEqual([old, now])
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
    await expectRefused(
      `file:${path}`,
      /old\.db has schema 1, this release needs \d+\. Run "hc-checkout-server migrate"/,
    )
    expect(sqliteSchema(path)).toBe(1)
    await expectAllFound(`file:${path}`)
    const beside = new Database(path)
    beside.exec(
      `INSERT INTO timeline (deposit_id, at, kind, phase, version) VALUES ('dep_open', ${START}, 'by the release before', 'open', 5)`,
    )
    beside.close()
    const store = await openStore(`file:${path}`, { migrate: false })
    expect((await store.timeline('dep_open')).map(({ version }) => version)).toEqual([3, 4, 5])
    await store.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function sqliteSchema(path: string, set?: number): unknown {
  const database = new Database(path)
  if (set !== undefined) database.pragma(`user_version = ${set}`)
  const schema = database.pragma('user_version', { simple: true })
  database.close()
  return schema
}

/** Rows of a release that made any number of sessions for an order, and credited each. */
function ordersOfThirdSchema(dialect: Dialect): string[] {
  const postgres = dialect === 'postgres'
  const session = (id: string, orderId: string, at: number) =>
    `INSERT INTO sessions (id, created_at, expires_at, detail)
     VALUES ('${id}', ${START + at}, ${START + 86_400_000}, '${JSON.stringify({ generation: 1, amount: 1500, currency: 'KES', orderId, description: 'x', metadata: {} })}')`
  const deposit = (id: string, sessionId: string, orderId: string, phase: string, at: number) =>
    `INSERT INTO deposits (id, reference, phase, stage, version, amount, currency, country, session_id, order_id, live_session,
       credited_session, created_at, updated_at, settled_at, due_at, due_rank, asks, detail${postgres ? ', change_id' : ''})
     VALUES ('${id}', 'HCT${id}', '${phase}', '${phase}', 3, 1500, 'KES', 'KE', '${sessionId}', '${orderId}',
       ${phase === 'open' ? `'${sessionId}'` : 'NULL'}, ${phase === 'succeeded' ? `'${sessionId}'` : 'NULL'},
       ${START + at}, ${START + at}, ${phase === 'succeeded' ? START + at : 'NULL'}, ${START}, 1, 0, '{"duplicate":false}'${postgres ? `, 'x'` : ''})`
  return [
    session('ses-a1', 'A', 1), session('ses-a2', 'A', 2), session('ses-b1', 'B', 1), session('ses-b2', 'B', 2), session('ses-c1', 'C "1"', 1), session('ses-c2', 'C "1"', 2),
    deposit('dep-a1', 'ses-a1', 'A', 'succeeded', 3), deposit('dep-a2', 'ses-a2', 'A', 'succeeded', 4), deposit('dep-b1', 'ses-b1', 'B', 'open', 3), deposit('dep-b2', 'ses-b2', 'B', 'failed', 4),
  ] // prettier-ignore
}

async function expectOneSessionEach(url: string): Promise<void> {
  const store = await openStore(url)
  try {
    const held = await Promise.all(['A', 'B', 'C "1"'].map(async (order) => (await store.sessionOfOrder(order))?.id))
    // The paid one, the one that can be paid, the newest.
    expect(held).toEqual(['ses-a1', 'ses-b1', 'ses-c2'])
    expect((await store.session('ses-b2'))?.starts).toBe(1)
    expect((await store.session('ses-c1'))?.closedAt).toBeUndefined()
    expect(await Promise.all(['dep-a1', 'dep-a2'].map(async (id) => (await store.deposit(id))?.duplicate))).toEqual([
      false,
      false,
    ])
    const late = (await store.deposit('dep-b2'))!
    const open = (await store.deposit('dep-b1'))!
    const succeed = async (row: typeof late) =>
      store.apply({ deposit: { row: { ...row, phase: 'succeeded', version: 4 }, expect: 3 } })
    expect(await succeed(open)).toEqual({ applied: true })
    expect(await succeed(late)).toEqual({ applied: false, conflict: 'credited' })
  } finally {
    await store.close()
  }
}

const beforeOrders = migrations.filter(({ version }) => version < 4)

test('a SQLite file with several sessions for an order keeps one as its session', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-migrations-'))
  try {
    const path = join(folder, 'old.db')
    const database = new Database(path)
    for (const { statements } of beforeOrders) for (const statement of statements('sqlite')) database.exec(statement)
    for (const statement of ordersOfThirdSchema('sqlite')) database.exec(statement)
    database.pragma('user_version = 3')
    database.pragma(`application_id = ${APPLICATION_ID}`)
    database.close()
    await expectOneSessionEach(`file:${path}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A payment whose operator's number was reported before numbers could be searched. */
function seventhSchema(dialect: Dialect): string[] {
  const postgres = dialect === 'postgres'
  return [
    ...migrations.filter(({ version }) => version < 8).flatMap(({ statements }) => statements(dialect)),
    `INSERT INTO deposits (id, reference, phase, stage, version, amount, currency, country, order_id, transaction_id,
       created_at, updated_at, due_rank, asks, timeline, detail${postgres ? ', change_id' : ''})
     VALUES ('dep_a', 'HCTa', 'succeeded', 'succeeded', 3, 1500, 'KES', 'KE', 'NURU-2A', 'CPS36ULT8P', ${START}, ${START}, 1, 0, '',
       '{"reportedThirdPartyId":"SPQ7XK21"}'${postgres ? `, 'x'` : ''})`,
  ]
}

async function expectNumbersFound(url: string): Promise<void> {
  const store = await openStore(url)
  try {
    for (const [text, by] of [
      ['spq7xk21', 'operator'],
      ['cps36ult8p', 'transaction'],
      ['nuru-2a', 'order'],
    ] as const)
      expect(await store.payments({ search: searchFor(text, by), limit: 9 }), by).toMatchObject([{ id: 'dep_a' }])
    // The rest of what it is found by is still written.
    expect(await store.desk?.makeSearchable(() => false)).toBe(1)
  } finally {
    await store.close()
  }
}

test('in a SQLite file of the seventh schema the numbers of others are found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-migrations-'))
  try {
    const path = join(folder, 'old.db')
    const database = new Database(path)
    for (const statement of seventhSchema('sqlite')) database.exec(statement)
    database.pragma('user_version = 7')
    database.pragma(`application_id = ${APPLICATION_ID}`)
    database.close()
    await expectNumbersFound(`file:${path}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a SQLite file that is not there, empty, newer or of another program is left as it is when it must not be migrated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-migrations-'))
  try {
    await expectRefused(`file:${join(folder, 'deep', 'none.db')}`, /./)
    await expectRefused(`file:${join(folder, 'none.db')}`, /./)
    expect(readdirSync(folder)).toEqual([])

    writeFileSync(join(folder, 'empty.db'), '')
    await expectRefused(`file:${join(folder, 'empty.db')}`, /schema 0/)
    expect(statSync(join(folder, 'empty.db')).size).toBe(0)

    const newer = join(folder, 'newer.db')
    await (await openStore(`file:${newer}`)).close()
    sqliteSchema(newer, 99)
    await expectRefused(`file:${newer}`, /has schema 99, .*newer release/)
    expect(sqliteSchema(newer)).toBe(99)

    const foreign = join(folder, 'foreign.db')
    const database = new Database(foreign)
    database.exec('CREATE TABLE theirs (id INT)')
    database.close()
    const before = readFileSync(foreign)
    await expectRefused(`file:${foreign}`, /another program/)
    expect(readFileSync(foreign)).toEqual(before)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** What a database of the first schema lacks. */
const later = migrations.slice(1).map(({ version }) => version)

describe.skipIf(await postgresMissing())('PostgreSQL', () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  /** A database as the first release left it, and a connection to it. */
  async function firstDatabase(): Promise<{ readonly url: string; readonly client: Client }> {
    const url = await server.freshDatabase()
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(
      'CREATE TABLE hc_schema (version INT PRIMARY KEY, name TEXT NOT NULL, added_at TIMESTAMPTZ NOT NULL DEFAULT now())',
    )
    for (const statement of firstSchema('postgres')) await client.query(statement)
    await client.query(`INSERT INTO hc_schema (version, name) VALUES (1, 'first')`)
    return { url, client }
  }

  test('a database of an older or newer schema is refused unchanged where it must not be migrated', async () => {
    const { url, client } = await firstDatabase()
    await expectRefused(url, /The database has schema 1, this release needs \d+\. Run "hc-checkout-server migrate"/)
    expect((await client.query('SELECT max(version) AS version FROM hc_schema')).rows).toEqual([{ version: 1 }])
    await expectAllFound(url)
    await (await openStore(url, { migrate: false })).close()
    await client.query(`INSERT INTO hc_schema (version, name) VALUES (99, 'later')`)
    await expectRefused(url, /has schema 99, .*newer release/)
    await client.end()
  })

  test('in a database of the seventh schema the numbers of others are found', async () => {
    const url = await server.freshDatabase()
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(
      'CREATE TABLE hc_schema (version INT PRIMARY KEY, name TEXT NOT NULL, added_at TIMESTAMPTZ NOT NULL DEFAULT now())',
    )
    for (const statement of seventhSchema('postgres')) await client.query(statement)
    await client.query("INSERT INTO hc_schema (version, name) SELECT generate_series(1, 7), 'x'")
    await client.end()
    await expectNumbersFound(url)
  })

  test('a database with several sessions for an order keeps one as its session', async () => {
    const url = await server.freshDatabase()
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(
      'CREATE TABLE hc_schema (version INT PRIMARY KEY, name TEXT NOT NULL, added_at TIMESTAMPTZ NOT NULL DEFAULT now())',
    )
    for (const { version, name, statements } of beforeOrders) {
      for (const statement of statements('postgres')) await client.query(statement)
      await client.query('INSERT INTO hc_schema (version, name) VALUES ($1, $2)', [version, name])
    }
    for (const statement of ordersOfThirdSchema('postgres')) await client.query(statement)
    await client.end()
    await expectOneSessionEach(url)
  })

  test('an empty database stays empty when it must not be migrated', async () => {
    const url = await server.freshDatabase()
    await expectRefused(url, /schema 0/)
    const client = new Client({ connectionString: url })
    await client.connect()
    expect((await client.query(`SELECT to_regclass('hc_schema') AS made`)).rows).toEqual([{ made: null }])
    await client.end()
  })

  test('a database of the first schema keeps its payments', async () => {
    const { url, client } = await firstDatabase()
    await client.end()
    await expectAllFound(url)
  })

  test('an instance that runs goes on reading payments when a later release adds a column', async () => {
    const { url, client } = await firstDatabase()
    const store = await openStore(url)
    const reads = async () => {
      const leased = await store.leaseDeposits(START + 100, START, 50)
      return [
        leased.length,
        (await store.deposit('dep_open'))?.id,
        (await store.depositByReference('HCTopen'))?.id,
        (await store.payments({ limit: 50 })).length,
        (await store.payments({ limit: 50, status: 'PENDING' })).length,
        (await store.timeline('dep_open')).length,
      ]
    }
    try {
      const before = await reads()
      await client.query(`ALTER TABLE deposits ADD COLUMN later TEXT NOT NULL DEFAULT ''`)
      // On each connection of the pool, whichever it comes to.
      const after = await Promise.all(Array.from({ length: 20 }, reads))
      for (const read of after) expect(read.slice(1)).toEqual(before.slice(1))
    } finally {
      await store.close()
      await client.end()
    }
  })

  test('a step may take longer than any other statement of the connection', async () => {
    const { url, client } = await firstDatabase()
    await client.query(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.4); RETURN NEW; END $$`,
    )
    await client.query('CREATE TRIGGER slow BEFORE UPDATE ON deposits FOR EACH ROW EXECUTE FUNCTION slow()')
    await client.query(`SET statement_timeout = '2s'`)
    expect(await migratePostgres(client)).toEqual(later)
    // As before, for all that comes after.
    await expect(client.query('SELECT pg_sleep(60)')).rejects.toThrow(/statement timeout/)
    await client.end()
    await expectAllFound(url)
  })

  test('who holds a table is waited for a little at a time, and named in a sentence at last', async () => {
    const { url, client } = await firstDatabase()
    const other = new Client({ connectionString: url })
    await other.connect()
    await other.query('BEGIN')
    await other.query('SELECT count(*) FROM inbox')
    const hasty = { lockWaitMs: 50, pauseMs: 50, retries: 2 }
    await expect(migratePostgres(client, hasty)).rejects.toThrow(/could not be migrated: other programs hold/)
    const migrating = migratePostgres(client, { ...hasty, retries: 100 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await other.query('COMMIT')
    expect(await migrating).toEqual(later)
    await other.end()
    await client.end()
  })
})
