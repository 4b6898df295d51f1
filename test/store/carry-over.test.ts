// Migrating from SQLite to PostgreSQL: the file is carried over completely or not at all, and only
// one of the two is used afterwards.
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommandIo } from '../../server/cli/io.ts'
import { runCommand } from '../../server/cli/run-command.ts'
import { newestMigration } from '../../server/store/schema/migrations.ts'
import { openStore } from '../../server/store/open.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'
import { createTestSystem, pay } from '../helpers/create-test-system.ts'
import {
  creation,
  depositRecord,
  idempotencyRecord,
  inboxRecord,
  move,
  noticeRecord,
  sessionRecord,
  START,
} from '../helpers/deposit-record.ts'
import type { TestPostgres } from '../helpers/postgres.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'

const missing = await postgresMissing()

describe.skipIf(missing)(`from SQLite to PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  let server: TestPostgres
  let folder: string
  let file: string
  let url: string
  let said: string[]
  let open: Store[]
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hc-carry-'))
    file = join(folder, 'hc.db')
    url = await server.freshDatabase()
    said = []
    open = []
  })
  afterEach(async () => {
    for (const store of open) await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function opened(address: string): Promise<Store> {
    const store = await openStore(address)
    open.push(store)
    return store
  }

  function command(argv: readonly string[], database = url): Promise<number> {
    const io: CommandIo = {
      env: { HC_DATABASE_URL: database },
      out: (line) => void said.push(line),
      err: (line) => void said.push(line),
      fetch: globalThis.fetch,
      now: () => START,
      stopped: () => Promise.resolve('SIGTERM'),
    }
    return runCommand(argv, io)
  }

  async function sql(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client(url)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  /** A file with a payment, and a database that takes everything but the commit. */
  async function withRefusedCommit(): Promise<void> {
    const store = await opened(`file:${file}`)
    await store.apply(creation(depositRecord()))
    await store.close()
    await command(['migrate'])
    await sql("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'commit refused'; END $$")
    await sql(
      'CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON deposits DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()',
    )
  }

  const isUsable = async () => {
    const store = await openStore(`file:${file}`)
    await store.close()
  }

  test('every payment, session, notice, callback and key is there, and waits for the same moment', async () => {
    const store = await opened(`file:${file}`)
    const session = sessionRecord({ payer: { name: 'Wanjiru', phone: '254700000001' } })
    const begun = depositRecord({ sessionId: session.id, orderId: session.orderId })
    const credited = move(begun, { phase: 'succeeded', transactionId: 'TX-1', settledAt: START + 1000 })
    const named = depositRecord({
      payer: { name: 'ሰላም ተስፋዬ "O\'Neil" \\ {,} NULL', phone: '251911223344' },
      description: 'line\nbreak\tand ",{}"',
      dueAt: START + 60_000,
      asks: 3,
    })
    // More than one batch.
    const many = Array.from({ length: 1203 }, (_, n) => depositRecord({ amount: n + 1, createdAt: START + n }))
    const notice = noticeRecord(credited.row.id, { attempts: 2, dueAt: START + 9000, lastError: 'timeout' })
    const dead = noticeRecord(named.id, { state: 'dead', type: 'payment.review' })
    const bytes = inboxRecord({
      reference: named.reference,
      depositId: named.id,
      body: Uint8Array.from({ length: 256 }, (_, n) => n),
    })
    const unmatched = inboxRecord({ verdict: 'unmatched', dueAt: START + 7000 })
    const answered = idempotencyRecord(named.id, { answer: '{"view":{}}' })
    await store.apply({ session })
    await store.apply(creation(begun))
    await store.apply({ ...credited.change, notices: [notice] })
    await store.apply({ ...creation(named), idempotency: idempotencyRecord(named.id) })
    await Promise.all(many.map((row) => store.apply(creation(row))))
    await store.apply({ idempotency: answered, notices: [dead], inbox: bytes })
    await store.apply({ inbox: unmatched })
    await store.setMeta('clock', '[1,2,3]')
    const ids = [credited.row.id, named.id, ...many.map(({ id }) => id)]
    // Thousands at once would wait for a connection longer than a store lets them.
    async function each<T>(read: (id: string) => Promise<T>): Promise<T[]> {
      const all: T[] = []
      for (let at = 0; at < ids.length; at += 20) all.push(...(await Promise.all(ids.slice(at, at + 20).map(read))))
      return all
    }
    const state = async (of: Store) => ({
      deposits: await each((id) => of.deposit(id)),
      timelines: await each((id) => of.timeline(id)),
      notices: [...(await of.notices(credited.row.id)), ...(await of.notices(named.id))],
      session: await of.session(session.id),
      credited: await of.creditedDeposit(session.id),
      keys: await of.idempotency(answered.keyHash),
      list: await of.payments({ limit: 50 }),
      stats: await of.stats(),
      clock: await of.meta('clock'),
      inbox: (await of.leaseInbox(START + 8000, START + 9000, 10)).map(({ body, ...row }) => ({
        ...row,
        body: [...body],
      })),
      due: (await of.leaseDeposits(START + 60_000, START + 90_000, 10)).map(({ id }) => id),
    })
    const raw = new Database(file, { readonly: true })
    const body = raw.prepare('SELECT body FROM inbox WHERE id = ?').pluck().get(bytes.id)
    raw.close()
    await store.close()
    const copy = join(folder, 'copy.db')
    expect(await command(['backup', copy], `file:${file}`)).toBe(0)

    expect(await command(['migrate', '--from', file])).toBe(0)

    expect(said.join('\n')).toContain('1205 payments, 1 sessions, 2 notices, 2 callbacks')
    const before = await state(await opened(`file:${copy}`))
    expect(before.due).toEqual([named.id])
    expect(await state(await opened(url))).toEqual(before)
    expect((await sql(`SELECT body FROM inbox WHERE id = '${bytes.id}'`))[0]?.['body']).toEqual(body)
  })

  test('no companion starts on the file any more, and a second run says that it was done', async () => {
    const store = await opened(`file:${file}`)
    const row = depositRecord()
    await store.apply(creation(row))
    await store.close()
    expect(await command(['migrate', '--from', `file:${file}`])).toBe(0)
    for (const argv of [['migrate'], ['forget', '+254712345678']]) {
      said = []
      expect(await command(argv, `file:${file}`)).toBe(2)
      expect(said.join()).toMatch(/was carried over to PostgreSQL \(.*\) on 2026-01-01/)
    }
    await expect(openStore(`file:${file}`)).rejects.toMatchObject({ name: 'UnfitDatabase', kind: 'moved' })
    // What has happened there since is not written over.
    const target = await opened(url)
    expect(await target.apply(move(row, { phase: 'failed' }).change)).toEqual({ applied: true })
    said = []
    expect(await command(['migrate', '--from', file])).toBe(0)
    expect(said.join()).toContain('was carried over before')
    expect(await target.deposit(row.id)).toMatchObject({ phase: 'failed' })
  })

  test('a file that was moved goes into no second database, and no backup takes its place', async () => {
    const store = await opened(`file:${file}`)
    await store.apply(creation(depositRecord()))
    await store.close()
    const before = join(folder, 'before.db')
    expect(await command(['backup', before], `file:${file}`)).toBe(0)
    expect(await command(['migrate', '--from', file])).toBe(0)
    const { hostname, port, pathname } = new URL(url)

    const second = await server.freshDatabase()
    said = []
    expect(await command(['migrate', '--from', file], second)).toBe(2)
    expect(said.join()).toContain(`was carried over to PostgreSQL (${hostname}:${port}${pathname}) on 2026-01-01`)
    expect(said.join()).toContain('a second PostgreSQL would have the same payments')
    expect(await (await opened(second)).payments({ limit: 10 })).toEqual([])

    for (const argv of [
      ['restore', before],
      ['backup', join(folder, 'after.db')],
      ['migrate', '--check'],
    ]) {
      said = []
      expect(await command(argv, `file:${file}`), argv[0]).toBe(2)
      expect(said.join(), argv[0]).toContain(`${file} was carried over to PostgreSQL (`)
    }
    await expect(openStore(`file:${file}`)).rejects.toMatchObject({ kind: 'moved' })

    // Given up on purpose: the old file is out of the way.
    renameSync(file, join(folder, 'moved.db'))
    expect(await command(['restore', before], `file:${file}`)).toBe(0)
    await isUsable()
    // The backup knows nothing of the move.
    expect(await command(['migrate', '--from', before], await server.freshDatabase())).toBe(0)
  })

  test('a commit whose outcome is not known is looked for in the same database only', async () => {
    await withRefusedCommit()
    expect(await command(['migrate', '--from', file])).toBe(2)
    said = []
    expect(await command(['migrate', '--from', file], await server.freshDatabase())).toBe(2)
    expect(said.join()).toContain('Let HC_DATABASE_URL name that one')
    // Known to be gone: it has the payments then.
    const instead = await server.freshDatabase()
    expect(await command(['migrate', '--from', file, '--former-gone'], instead)).toBe(0)
    expect(await (await opened(instead)).stats()).toMatchObject({ depositsByPhase: { open: 1 } })
  })

  test('a file in use stays where it is, and so does one whose place is taken', async () => {
    const store = await opened(`file:${file}`)
    await store.apply(creation(depositRecord()))
    expect(await command(['migrate', '--from', file])).toBe(2)
    expect(said.join()).toContain('is in use')
    expect(await store.apply(creation(depositRecord()))).toEqual({ applied: true })
    await store.close()

    const target = await opened(url)
    const other = depositRecord()
    await target.apply(creation(other))
    said = []
    expect(await command(['migrate', '--from', file])).toBe(2)
    expect(said.join()).toContain('is not empty (1 rows in deposits)')
    expect(await target.payments({ limit: 10 })).toEqual([other])
    await isUsable()
  })

  test('what fails half-way leaves the file in use and PostgreSQL empty', async () => {
    const store = await opened(`file:${file}`)
    await Promise.all(Array.from({ length: 30 }, (_, n) => store.apply(creation(depositRecord({ amount: n + 1 })))))
    await store.apply({ inbox: inboxRecord() })
    await store.close()
    await command(['migrate'])
    await sql('ALTER TABLE inbox ADD CONSTRAINT full_disk CHECK (false)')
    said = []
    expect(await command(['migrate', '--from', file])).toBe(2)
    expect(said.join()).toContain('full_disk')
    expect((await sql('SELECT count(*)::int AS n FROM deposits'))[0]).toEqual({ n: 0 })
    await isUsable()
    await sql('ALTER TABLE inbox DROP CONSTRAINT full_disk')
    expect(await command(['migrate', '--from', file])).toBe(0)
  })

  test('a connection that is ended half-way leaves the file in use and PostgreSQL empty, with the reason', async () => {
    const store = await opened(`file:${file}`)
    await store.apply(creation(depositRecord()))
    await store.close()
    await command(['migrate'])
    // An error that nobody listens for would end the process.
    const unheard: unknown[] = []
    const hear = (error: unknown) => void unheard.push(error)
    process.on('uncaughtException', hear)
    const holder = new Client(url)
    try {
      await holder.connect()
      await holder.query('BEGIN; LOCK TABLE deposits')
      said = []
      const carrying = command(['migrate', '--from', file])
      const waiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
      await expect.poll(async () => (await sql(waiting)).length, { interval: 20 }).toBe(1)
      expect(await carrying).toBe(2)
      expect(said.join()).toContain('terminating connection')
      expect(unheard).toEqual([])
    } finally {
      process.off('uncaughtException', hear)
      await holder.end()
    }
    expect((await sql('SELECT count(*)::int AS n FROM deposits'))[0]).toEqual({ n: 0 })
    await isUsable()
  })

  test('a copy that lacks rows is not taken for the whole', async () => {
    const store = await opened(`file:${file}`)
    await store.apply(creation(depositRecord()))
    await store.apply({ inbox: inboxRecord() })
    await store.close()
    await command(['migrate'])
    await sql('CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$')
    await sql('CREATE TRIGGER swallow BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION swallow()')
    said = []
    expect(await command(['migrate', '--from', file])).toBe(2)
    expect(said.join()).toContain('Of 1 rows in inbox 0 arrived')
    await isUsable()
  })

  test('at no moment can companions start on both: the file is marked before PostgreSQL has it', async () => {
    await withRefusedCommit()
    said = []
    expect(await command(['migrate', '--from', file])).toBe(2)
    expect(said.join()).toContain('run the same command again')
    await expect(openStore(`file:${file}`)).rejects.toMatchObject({ kind: 'moved' })
    await sql('DROP TRIGGER refuse ON deposits')
    expect(await command(['migrate', '--from', file])).toBe(0)
    expect(said.join()).toContain('carried over. PostgreSQL has 1 payments')
  })

  test('after an end in the last moment the same command does the rest', async () => {
    const store = await opened(`file:${file}`)
    await store.apply(creation(depositRecord()))
    await store.close()
    // The file was marked, and PostgreSQL never heard of the commit.
    const marked = new Database(file)
    marked.prepare(`INSERT INTO meta (key, value) VALUES ('carried_over_at', ?)`).run(String(START - 1000))
    marked.close()
    await expect(openStore(`file:${file}`)).rejects.toThrow('run the same "hc-checkout-server migrate --from" again')
    expect(await command(['migrate', '--from', file])).toBe(0)
    expect(said.join()).toContain('1 payments')
    expect(await (await opened(url)).stats()).toMatchObject({ depositsByPhase: { open: 1 } })
  })

  test('only a file of this release is taken, and only to PostgreSQL', async () => {
    expect(await command(['migrate', '--from', file])).toBe(2)
    expect(said.join()).toContain(`${file} is not there`)
    await isUsable()
    said = []
    expect(await command(['migrate', '--from', file], `file:${join(folder, 'new.db')}`)).toBe(2)
    expect(said.join()).toContain('let HC_DATABASE_URL name the new database, in the file of --env-file')
    const older = new Database(file)
    older.pragma('user_version = 2')
    older.close()
    said = []
    expect(await command(['migrate', '--from', file])).toBe(2)
    expect(said.join()).toContain(`has schema 2, this release needs ${newestMigration}`)
  })

  test('a payment that was open is paid after the move; its token and its callback stay good, and it is told once', async () => {
    let store = await opened(`file:${file}`)
    const current = new Proxy({} as Store, {
      get: (_, name: keyof Store) => (typeof store[name] === 'function' ? store[name].bind(store) : store[name]),
    })
    let system: TestSystem | undefined
    try {
      system = await createTestSystem({ store: current })
      const created = await pay(system, { payer: { name: 'Achieng Otieno', phone: '254700000001' } })
      expect(created.status).toBe(201)
      const { id, token } = (await created.json()) as { id: string; token: string }
      await store.close()
      expect(await command(['migrate', '--from', file])).toBe(0)
      store = await opened(url)
      await system.advance(120)
      const shown = await system.browser(`/v1/deposits/${id}`, { headers: { authorization: `Bearer ${token}` } })
      expect(await shown.json()).toMatchObject({ id, phase: 'succeeded' })
      expect(system.notices.map(({ body }) => body.type)).toEqual(['payment.succeeded'])
    } finally {
      await system?.close()
    }
  })
})
