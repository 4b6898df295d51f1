// Two companions on one PostgreSQL: work is shared, change events reach both, and a lost connection
// or server loses nothing.
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore } from '../../server/store/engine/create-store.ts'
import { openStore } from '../../server/store/open.ts'
import { postgresEngine } from '../../server/store/postgres/postgres.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import {
  creation,
  depositRecord,
  fresh,
  idempotencyRecord,
  inboxRecord,
  move,
  noticeRecord,
  sessionRecord,
  START,
} from '../helpers/deposit-record.ts'
import type { TestPostgres } from '../helpers/postgres.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'

const MINUTE = 60_000
const missing = await postgresMissing()

describe.skipIf(missing)(`two stores on one PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  let server: TestPostgres
  let url: string
  let a: Store
  let b: Store
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    url = await server.freshDatabase()
    // Both migrate the empty database at once.
    ;[a, b] = await Promise.all([openStore(url), openStore(url)])
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await a.close()
    await b.close()
  })

  async function sql(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client(url)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  const cutAll = () =>
    sql(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )

  function heard(store: Store, id: string, version: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = store.onChange((ringId, ringVersion) => {
        if (ringId !== id || ringVersion < version) return
        stop()
        resolve()
      })
    })
  }

  test('no row of due work is given to both', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => depositRecord({ dueAt: START + i }))
    await Promise.all(rows.map((row) => a.apply(creation(row))))
    await a.apply({
      notices: rows.map(({ id }) => noticeRecord(id)),
    })
    await Promise.all(rows.map(() => a.apply({ inbox: inboxRecord({ verdict: 'unmatched', dueAt: START }) })))
    const now = START + 1000
    for (const lease of ['leaseDeposits', 'leaseNotices', 'leaseInbox'] as const) {
      const turns = Array.from({ length: 30 }, (_, i) => (i % 2 ? a : b)[lease](now, now + 60_000, 20))
      const taken = (await Promise.all(turns)).map((rows) => rows.map(({ id }) => id))
      const all = taken.flat()
      // Nobody got more than was asked for; the last ones find what the first, who ran into each
      // other, left.
      expect(Math.max(...taken.map(({ length }) => length))).toBeLessThanOrEqual(20)
      for (
        let more = await a[lease](now, now + 60_000, 50);
        more.length > 0;
        more = await a[lease](now, now + 60_000, 50)
      )
        all.push(...more.map(({ id }) => id))
      expect(all).toHaveLength(300)
      expect(new Set(all).size).toBe(300)
    }
  })

  test('a row that somebody holds does not keep anybody waiting for the others', async () => {
    const [held, free] = [depositRecord({ dueAt: START }), depositRecord({ dueAt: START + 1 })]
    for (const row of [held, free]) await a.apply(creation(row))
    const holder = new Client(url)
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM deposits WHERE id = $1 FOR UPDATE', [held.id])
      expect((await b.leaseDeposits(START + 9, START + 50, 1)).map(({ id }) => id)).toEqual([free.id])
    } finally {
      await holder.end()
    }
  })

  test('a limit is shared by both', async () => {
    const granted = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? a : b).take('upstream', START, 9, 100)),
    )
    expect(granted.reduce((sum, each) => sum + each, 0)).toBe(100)
  })

  test('of two writers of one version, on two machines, one moves the deposit', async () => {
    const rows = Array.from({ length: 50 }, () => depositRecord())
    await Promise.all(rows.map((row) => a.apply(creation(row))))
    for (const row of rows) {
      const both = await Promise.all([a, b].map((store) => store.apply(move(row, { phase: 'confirming' }).change)))
      expect(both.filter(({ applied }) => applied)).toHaveLength(1)
    }
  })

  test('two browsers with one key, at two machines, make one deposit', async () => {
    for (let i = 0; i < 20; i++) {
      const idempotency = idempotencyRecord('either')
      const sessionId = fresh('ses')
      const both = await Promise.all(
        [a, b].map((store) => store.apply({ ...creation(depositRecord({ sessionId })), idempotency })),
      )
      expect(both.map((each) => (each.applied ? 'applied' : each.conflict)).toSorted()).toEqual([
        'applied',
        'idempotency',
      ])
    }
  })

  test('a change on one machine is notified on the other', async () => {
    const row = depositRecord()
    const notified = heard(b, row.id, 1)
    await a.apply(creation(row))
    await notified
  })

  test('many changes at once are all notified on the other', async () => {
    const rows = Array.from({ length: 400 }, () => depositRecord())
    const notified = Promise.all(rows.map(({ id }) => heard(b, id, 1)))
    await Promise.all(rows.map((row) => a.apply(creation(row))))
    await notified
  })

  test('when a machine dies between commit and notification, polling finds the change', async () => {
    // The net goes by the time of the change, which a busy machine writes late: a minute ahead of
    // it, as a clock may be.
    const row = depositRecord({ updatedAt: Date.now() })
    const notified = heard(b, row.id, 2)
    await a.apply(creation(row))
    // A change that no notification told of.
    await sql(
      `UPDATE deposits SET version = 2, updated_at = ${Date.now() + MINUTE}, change_id = 'dead-1' WHERE id = '${row.id}'`,
    )
    await notified
  })

  test('what a machine wrote whose clock was a day ahead is not read by every poll of that day', async () => {
    const present = Date.now()
    const ahead = Array.from({ length: 50 }, () => depositRecord({ updatedAt: present + 86_400_000 }))
    const rows = [...ahead, depositRecord({ updatedAt: present + MINUTE })]
    await Promise.all(rows.map((row) => a.apply(creation(row))))
    const engine = await postgresEngine({ url })
    const polled: number[] = []
    const { pool } = engine
    const ask = pool.query.bind(pool) as (query: { text: string }) => Promise<{ rows: unknown[] }>
    pool.query = (async (query: { text: string }) => {
      const answer = await ask(query)
      if (query.text.includes('"updated_at" >= ')) polled.push(answer.rows.length)
      return answer
    }) as unknown as typeof pool.query
    try {
      const notified = new Promise<void>((resolve) => void engine.onChange(() => resolve()))
      // It polls when it comes back.
      await cutAll()
      await notified
      expect(polled.at(-1)).toBe(1)
    } finally {
      await engine.close()
    }
  })

  test('with every connection cut under load, nothing acknowledged is lost, nothing is written twice, and the notifications come back', async () => {
    // Nobody loses patience, however long a busy machine takes to connect again.
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const load = { on: true }
    const done: string[] = []
    const writers = Array.from({ length: 10 }, async (_, i) => {
      while (load.on) {
        const row = depositRecord({ sessionId: fresh('ses') })
        const store = i % 2 ? a : b
        expect(await store.apply({ ...creation(row), idempotency: idempotencyRecord(row.id) })).toEqual({
          applied: true,
        })
        const settled = move(row, { phase: 'succeeded' })
        const change = { ...settled.change, notices: [noticeRecord(row.id, { id: `msg-${row.id}` })] }
        expect(await store.apply(change)).toEqual({ applied: true })
        done.push(row.id)
      }
    })
    for (let cut = 0; cut < 5; cut++) {
      const before = done.length
      while (done.length < before + 30) await new Promise((resolve) => setTimeout(resolve, 5))
      await cutAll()
    }
    load.on = false
    await Promise.all(writers)
    for (const id of done) {
      expect((await a.deposit(id))?.version).toBe(2)
      expect(await a.timeline(id)).toHaveLength(2)
      expect(await a.notices(id)).toHaveLength(1)
    }
    const row = depositRecord({ updatedAt: Date.now() + MINUTE })
    const notified = heard(b, row.id, 1)
    await a.apply(creation(row))
    await notified
  })

  /** What becomes of the next statements that write a change; those after them are answered. */
  type Fate = 'answered' | 'lost on the way' | 'lost on the way back'

  async function withFates(fates: readonly Fate[], work: (store: Store) => Promise<void>): Promise<void> {
    const engine = await postgresEngine({ url })
    const { pool } = engine
    const ask = pool.query.bind(pool) as (query: { text: string }) => Promise<unknown>
    const left = [...fates]
    pool.query = (async (query: { text: string }) => {
      const fate = query.text.startsWith('with ') ? left.shift() : undefined
      const answer = fate === 'lost on the way' ? undefined : await ask(query)
      if (fate !== undefined && fate !== 'answered') throw new Error('Connection terminated unexpectedly')
      return answer
    }) as unknown as typeof pool.query
    try {
      await work(createStore(engine))
      expect(left).toEqual([])
    } finally {
      await engine.close()
    }
  }

  test.each<[string, Fate[]]>([
    ['once', ['lost on the way back']],
    ['twice, in both directions', ['lost on the way back', 'lost on the way']],
  ])('a change whose connection is lost %s is applied once', async (_how, fates) => {
    const row = depositRecord({ sessionId: fresh('ses') })
    const idempotency = idempotencyRecord(row.id)
    const session = sessionRecord()
    const settled = move(row, { phase: 'succeeded' }).change
    const changes = [{ ...creation(row), idempotency }, { ...settled, notices: [noticeRecord(row.id)] }, { session }]
    for (const change of changes)
      await withFates(fates, async (store) => expect(await store.apply(change)).toEqual({ applied: true }))
    expect(await a.deposit(row.id)).toMatchObject({ version: 2, phase: 'succeeded' })
    expect(await a.timeline(row.id)).toHaveLength(2)
    expect(await a.notices(row.id)).toHaveLength(1)
    expect((await a.idempotency(idempotency.keyHash))?.depositId).toBe(row.id)
    expect(await a.session(session.id)).toEqual(session)
  })

  test('what another machine wrote while ours was lost is not taken for ours', async () => {
    const fates: readonly Fate[] = ['lost on the way']
    const row = depositRecord()
    await a.apply(creation(row))
    await b.apply(move(row, { phase: 'failed' }).change)
    const idempotency = idempotencyRecord(row.id)
    await b.apply({ idempotency })
    await withFates(fates, async (store) =>
      expect(await store.apply(move(row, { phase: 'succeeded' }).change)).toEqual({
        applied: false,
        conflict: 'version',
      }),
    )
    await withFates(fates, async (store) =>
      expect(await store.apply({ ...creation(depositRecord()), idempotency })).toEqual({
        applied: false,
        conflict: 'idempotency',
      }),
    )
    // A key that is answered with an attempt that is live already: nothing else is written.
    await withFates(fates, async (store) =>
      expect(await store.apply({ idempotency })).toEqual({ applied: false, conflict: 'idempotency' }),
    )
    expect((await a.deposit(row.id))?.phase).toBe('failed')
  })

  test('nor is what this machine wrote before', async () => {
    const row = depositRecord()
    await a.apply(creation(row))
    await withFates(['answered', 'lost on the way'], async (store) => {
      expect(await store.apply(move(row, { phase: 'failed' }).change)).toEqual({ applied: true })
      expect(await store.apply(move(row, { phase: 'succeeded' }).change)).toEqual({
        applied: false,
        conflict: 'version',
      })
    })
    expect((await a.deposit(row.id))?.phase).toBe('failed')
  })

  test.each(['fast', 'immediate'] as const)(
    'a server that is restarted (%s) under load loses nothing; writers wait for it, or are told',
    async (how) => {
      const load = { on: true }
      const done: string[] = []
      const writers = Array.from({ length: 8 }, async (_, i) => {
        while (load.on) {
          const row = depositRecord({ sessionId: fresh('ses') })
          try {
            expect(await (i % 2 ? a : b).apply(creation(row))).toEqual({ applied: true })
            done.push(row.id)
          } catch (error) {
            expect(error).toMatchObject({ code: 'store_unavailable' })
          }
        }
      })
      while (done.length < 50) await new Promise((resolve) => setTimeout(resolve, 5))
      await server.restart(how)
      const after = done.length
      while (done.length < after + 50) await new Promise((resolve) => setTimeout(resolve, 5))
      load.on = false
      await Promise.all(writers)
      for (const id of done) expect((await b.deposit(id))?.version).toBe(1)
      await a.ping()
    },
  )

  test('another database in the place of the first is told as such, and a start is not advised', async () => {
    await sql('ALTER TABLE deposits RENAME TO elsewhere')
    const gone = {
      code: 'store_unavailable',
      detail: expect.stringMatching(/tables are gone .* bring the payments back/),
    }
    const row = depositRecord()
    await expect(a.ping()).rejects.toMatchObject(gone)
    await expect(a.apply(creation(row))).rejects.toMatchObject(gone)
    await expect(a.deposit(row.id)).rejects.toMatchObject(gone)
    await sql('ALTER TABLE elsewhere RENAME TO deposits')
    expect(await a.apply(creation(row))).toEqual({ applied: true })
  })

  test('a server whose disk is full is told as such at once, and used again when there is room', async () => {
    await sql(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON deposits FOR EACH ROW EXECUTE FUNCTION no_room()`)
    const rows = Array.from({ length: 5 }, () => depositRecord())
    const refused = await Promise.allSettled(rows.map((row) => a.apply(creation(row))))
    for (const one of refused)
      expect(one).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_unavailable', detail: expect.stringContaining('no room') },
      })
    await sql('DROP TRIGGER full_disk ON deposits')
    for (const row of rows) expect(await a.deposit(row.id)).toBeUndefined()
    for (const row of rows) expect(await a.apply(creation(row))).toEqual({ applied: true })
  })

  test('"acknowledged" means on disk, also on a server whose default is otherwise', async () => {
    await sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`)
    const engine = await postgresEngine({ url })
    const { rows } = await engine.pool.query('SHOW synchronous_commit')
    expect(rows).toEqual([{ synchronous_commit: 'on' }])
    await engine.close()
  })
})
