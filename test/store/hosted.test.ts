// PostgreSQL as hosts and their administrators hand it out: users with few rights, with time limits
// and defaults of their own, and connections that are ended.
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { type Stats, chownSync, mkdtempSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migratePostgresAt } from '../../server/store/postgres/migrate.ts'
import { newestMigration } from '../../server/store/schema/migrations.ts'
import { carryOver } from '../../server/store/carry-over.ts'
import { createStore } from '../../server/store/engine/create-store.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createChangeListeners } from '../../server/store/engine/change-listeners.ts'
import { openStore } from '../../server/store/open.ts'
import { adviceOn, faultKindOf } from '../../server/store/postgres/faults.ts'
import { createConnections } from '../../server/store/postgres/connections.ts'
import { createPostgresNotifications } from '../../server/store/postgres/notifications.ts'
import { postgresEngine } from '../../server/store/postgres/postgres.ts'
import { creation, depositRecord, move, noticeRecord } from '../helpers/deposit-record.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import type { TestPostgres } from '../helpers/postgres.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'

const missing = await postgresMissing()

describe.skipIf(missing !== undefined)('PostgreSQL of a host', () => {
  let server: TestPostgres
  let folder: string
  let owner: Stats
  let users = 0
  beforeAll(async () => {
    server = await startPostgres([], (dataFolder) => {
      folder = dataFolder
      owner = statSync(dataFolder)
    })
  })
  afterAll(async () => {
    await server?.stop()
  })

  /** A session as superuser in the database at `address`, for the length of `work`. */
  async function asAdministrator<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(address)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** A user of its own for a database. */
  async function userOf(address: string, settings: readonly string[] = []): Promise<{ user: string; url: string }> {
    const user = `shop_${(users += 1)}`
    await server.query(`CREATE ROLE ${user} LOGIN PASSWORD 'p%40 ß'`)
    for (const setting of settings) await server.query(`ALTER ROLE ${user} SET ${setting}`)
    const url = new URL(address)
    url.username = user
    url.password = encodeURIComponent('p%40 ß')
    return { user, url: url.href }
  }

  async function ownerOf(address: string, settings: readonly string[] = []): Promise<string> {
    const { user, url } = await userOf(address, settings)
    await server.query(`ALTER DATABASE ${new URL(address).pathname.slice(1)} OWNER TO ${user}`)
    return url
  }

  /** Until as many sessions as that wait for a lock. */
  async function waiting(count: number, kind: string): Promise<void> {
    const text = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event = '${kind}'`
    await expect.poll(async () => (await server.query(text)).length).toBe(count)
  }

  it.each([
    ['ahead', 8000, [1]],
    ['behind', -8000, [-1]],
    ['right', 0, []],
  ])('a clock that is %s of that of the database by %i ms is told of at the start', async (_name, by, told) => {
    const signs: number[] = []
    const warn = (fields: { readonly aheadMs?: number }) => void signs.push(Math.sign(fields.aheadMs ?? NaN))
    const store = await openStore(await server.freshDatabase(), {
      now: () => Date.now() + by,
      logger: { ...silentLogger, warn },
    })
    await store.close()
    expect(signs.filter((one) => !Number.isNaN(one))).toEqual(told)
  })

  it('a connection that breaks in the middle of a change ends neither the process nor the change', async () => {
    const address = new URL(await server.freshDatabase())
    const direct = address.href
    const proxy = await startTcpProxy(Number(address.port))
    address.port = String(proxy.port)
    const store = await openStore(address.href)
    try {
      const row = depositRecord()
      await store.apply(creation(row))
      await asAdministrator(direct, async (other) => {
        await other.query('BEGIN')
        await other.query('SELECT FROM deposits FOR UPDATE')
        const change = store.apply({ deposit: { row: { ...row, version: 2 }, expect: 1, before: row } })
        await waiting(1, 'transactionid')
        proxy.cutAll()
        await other.query('COMMIT')
        expect(await change).toEqual({ applied: true })
      })
      expect((await store.deposit(row.id))?.version).toBe(2)
    } finally {
      await store.close()
      await proxy.close()
    }
  })

  it('behind a lock that lasts, a payment is refused for good and its ping says why; both work when it is gone', async () => {
    const address = await server.freshDatabase()
    const store = await openStore(address)
    try {
      const row = depositRecord()
      await asAdministrator(address, async (other) => {
        // As a backup tool, VACUUM FULL or CREATE INDEX hold one: what is there can still be read
        // by some of them.
        await other.query('BEGIN')
        await other.query('LOCK TABLE deposits IN SHARE MODE')
        const why = { code: 'store_unavailable', detail: expect.stringContaining('pg_stat_activity') as string }
        await Promise.all([
          expect(store.ping()).rejects.toMatchObject(why),
          expect(store.apply(creation(row))).rejects.toMatchObject(why),
        ])
        // Nothing of ours waits at the server, to be written when the lock is gone.
        await waiting(0, 'relation')
        await other.query('COMMIT')
      })
      expect(await store.deposit(row.id)).toBeUndefined()
      await store.ping()
      expect(await store.apply(creation(row))).toEqual({ applied: true })
    } finally {
      await store.close()
    }
  })

  it('a change that was committed, and whose answer was lost in any of these ways, is found to be written', async () => {
    const engine = await postgresEngine({ url: await server.freshDatabase() })
    const store = createStore(engine)
    const codes = '57P01 57P02 57P03 57P05 25P04 40003 08003 08006 08007 ECONNRESET EPIPE ETIMEDOUT'.split(' ')
    const messages = [
      'Connection terminated unexpectedly',
      'connection ended',
      'Client has encountered a connection error and is not queryable',
      'Query read timeout',
    ]
    const losses = [
      ...codes.map((code) => Object.assign(new Error('…'), { code })),
      ...messages.map((message) => new Error(message)),
    ]
    const pool = engine.pool as unknown as { query: (asked: { readonly text: string }) => Promise<unknown> }
    const query = pool.query.bind(engine.pool)
    let next: Error | undefined
    pool.query = async (asked) => {
      const answer = await query(asked)
      const loss = next
      if (loss === undefined || !asked.text.includes('update "deposits"')) return answer
      next = undefined
      throw loss
    }
    try {
      for (const loss of losses) {
        const row = depositRecord()
        await store.apply(creation(row))
        next = loss
        const change = store.apply({ deposit: { row: { ...row, version: 2 }, expect: 1, before: row } })
        expect([loss, await change]).toEqual([loss, { applied: true }])
        expect(next).toBe(undefined)
        expect((await store.deposit(row.id))?.version).toBe(2)
      }
    } finally {
      await store.close()
    }
  })

  it('says nothing of what was written where the answer was lost and then there is no room', async () => {
    const engine = await postgresEngine({ url: await server.freshDatabase() })
    const store = createStore(engine)
    const pool = engine.pool as unknown as { query: (asked: { readonly text: string }) => Promise<unknown> }
    const query = pool.query.bind(engine.pool)
    const losses = ['ECONNRESET', '53100']
    pool.query = async (asked) => {
      const code = asked.text.includes('deposits') ? losses.shift() : undefined
      const answer = code === '53100' ? undefined : await query(asked)
      if (code === undefined) return answer
      throw Object.assign(new Error('…'), { code })
    }
    try {
      const row = depositRecord()
      const refusal = await store.apply(creation(row)).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'store_unavailable', detail: expect.stringContaining('no room') })
      expect((await store.deposit(row.id))?.id).toBe(row.id)
      expect(refusal).not.toMatchObject({ detail: expect.stringContaining('Nothing') })
    } finally {
      await store.close()
    }
  })

  it('a change is one statement, with all that belongs to it', async () => {
    const engine = await postgresEngine({ url: await server.freshDatabase() })
    const store = createStore(engine)
    try {
      const rows = Array.from({ length: 10 }, () => depositRecord())
      await Promise.all(rows.map((row) => store.apply(creation(row))))
      const asked = vi.spyOn(engine.pool, 'query')
      const moved = await Promise.all(
        rows.map((row) =>
          store.apply({ ...move(row, { phase: 'succeeded' }).change, notices: [noticeRecord(row.id)] }),
        ),
      )
      expect(moved).toEqual(moved.map(() => ({ applied: true })))
      const texts = asked.mock.calls.map(([query]) => (query as unknown as { text: string }).text)
      expect(texts.filter((text) => !text.includes('pg_notify'))).toHaveLength(rows.length)
      for (const { id } of rows) {
        expect((await store.deposit(id))?.version).toBe(2)
        expect(await store.notices(id)).toHaveLength(1)
      }
    } finally {
      vi.restoreAllMocks()
      await store.close()
    }
  })

  it('a limit on transactions (25P04) ends the connection in the middle of a change, and the change is made on another', async () => {
    const address = await server.freshDatabase()
    const engine = await postgresEngine({ url: address, poolSize: 1 })
    const store = createStore(engine)
    let others = 0
    try {
      const row = depositRecord()
      await store.apply(creation(row))
      // On this one connection, as if the user's; the next one has none.
      const had = await engine.pool.query(
        `SELECT set_config(name, '50ms', false) FROM pg_settings WHERE name = 'transaction_timeout'`,
      )
      // PostgreSQL 16 has no `transaction_timeout`.
      if (had.rowCount === 0) return
      await asAdministrator(address, async (other) => {
        await other.query('BEGIN')
        await other.query('SELECT FROM deposits FOR UPDATE')
        const replaced = new Promise<void>((resolve) =>
          engine.pool.on('connect', () => {
            others += 1
            resolve()
          }),
        )
        const change = store.apply({ deposit: { row: { ...row, version: 2 }, expect: 1, before: row } })
        await replaced
        await other.query('COMMIT')
        expect(await change).toEqual({ applied: true })
      })
      expect(others).toBe(1)
      expect((await store.deposit(row.id))?.version).toBe(2)
    } finally {
      await store.close()
    }
  })

  it('defaults and time limits of the user do not reach the payments', async () => {
    const address = await server.freshDatabase()
    const url = await ownerOf(address, ["lock_timeout = '1ms'", "default_transaction_isolation = 'serializable'"])
    const engine = await postgresEngine({ url })
    const store = await openStore(url)
    try {
      const { rows } = await engine.pool.query('SHOW transaction_isolation')
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
      const row = depositRecord()
      await store.apply(creation(row))
      await asAdministrator(address, async (other) => {
        await other.query('BEGIN')
        await other.query('SELECT FROM deposits FOR UPDATE')
        const change = store.apply({ deposit: { row: { ...row, version: 2 }, expect: 1, before: row } })
        await waiting(1, 'transactionid')
        await other.query('COMMIT')
        expect(await change).toEqual({ applied: true })
      })
    } finally {
      await store.close()
      await engine.close()
    }
  })

  it('two migrations at once do not do the same twice, though their user reads repeatably', async () => {
    const address = await server.freshDatabase()
    const url = await ownerOf(address, ["default_transaction_isolation = 'repeatable read'"])
    await asAdministrator(address, async (other) => {
      // Both shall have begun before one of them does anything.
      await other.query('SELECT pg_advisory_lock(7521962888917082987)')
      const migrating = Promise.all([migratePostgresAt(url, false), migratePostgresAt(url, false)])
      await waiting(2, 'advisory')
      await other.query('SELECT pg_advisory_unlock(7521962888917082987)')
      const added = (await migrating).map((one) => one.added.length)
      expect(added).toHaveLength(2)
      expect(new Set(added)).toEqual(new Set([0, newestMigration]))
    })
  })

  it('time limits of the user end no migration, nor a move of payments, which take as long as the tables are large', async () => {
    const address = await server.freshDatabase()
    const limits = ['statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout']
    const url = await ownerOf(
      address,
      limits.map((limit) => `${limit} = '200ms'`),
    )
    await asAdministrator(address, async (other) => {
      await other.query('SELECT pg_advisory_lock(7521962888917082987)')
      const migrating = migratePostgresAt(url, false)
      await waiting(1, 'advisory')
      // All the limits have passed, by the server's clock.
      await other.query('SELECT pg_sleep(0.3)')
      await other.query('SELECT pg_advisory_unlock(7521962888917082987)')
      expect((await migrating).added).toHaveLength(newestMigration)

      const folder = mkdtempSync(join(tmpdir(), 'hc-moved-'))
      const file = join(folder, 'companion.db')
      const row = depositRecord()
      const from = await openStore(`file:${file}`)
      await from.apply(creation(row))
      await from.close()
      await other.query('BEGIN')
      await other.query('LOCK TABLE deposits IN SHARE MODE')
      const moving = carryOver(file, url, Date.now())
      await waiting(1, 'relation')
      await other.query('SELECT pg_sleep(0.3)')
      await other.query('COMMIT')
      expect((await moving).rows.deposits).toBe(1)
      rmSync(folder, { recursive: true })
    })
  })

  it('a migration whose connection is ended fails with the reason, and nothing else breaks', async () => {
    const address = await server.freshDatabase()
    // An error that nobody listens for would end the process.
    const unheard: unknown[] = []
    const hear = (error: unknown) => void unheard.push(error)
    process.on('uncaughtException', hear)
    try {
      await asAdministrator(address, async (other) => {
        await other.query('SELECT pg_advisory_lock(7521962888917082987)')
        const migrating = migratePostgresAt(address, false)
        migrating.catch(() => undefined)
        await waiting(1, 'advisory')
        await other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'advisory'`)
        await expect(migrating).rejects.toMatchObject({ code: '57P01' })
      })
      expect(unheard).toEqual([])
    } finally {
      process.off('uncaughtException', hear)
    }
  })

  it('a user who may only read and write rows is enough once the owner has migrated', async () => {
    const address = await server.freshDatabase()
    const { user, url } = await userOf(address)
    await migratePostgresAt(address, false)
    await asAdministrator(address, (other) =>
      other.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user}`),
    )
    const store = await openStore(url)
    try {
      const row = depositRecord()
      expect(await store.apply(creation(row))).toEqual({ applied: true })
      expect((await store.deposit(row.id))?.id).toBe(row.id)
    } finally {
      await store.close()
    }
  })

  it('a user without rights on the tables is told so before the first start, and at it', async () => {
    const address = await server.freshDatabase()
    const { user, url } = await userOf(address)
    await migratePostgresAt(address, false)
    const refused = (tables: string) => ({
      kind: 'inaccessible',
      message: expect.stringMatching(
        new RegExp(`lacks rights on ${tables}\\. .*GRANT SELECT, INSERT, UPDATE, DELETE`),
      ) as string,
    })
    for (const migrate of [false, true])
      await expect(openStore(url, { migrate })).rejects.toMatchObject(refused('hc_schema'))
    await asAdministrator(address, (other) =>
      other.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${user}; REVOKE DELETE ON inbox, counters FROM ${user}`),
    )
    await expect(openStore(url)).rejects.toMatchObject(refused('counters, inbox'))
    // To compare with a statement, reading is enough.
    await (await openStore(url, { migrate: false })).close()
  })

  it.each([
    ['a user who may make no tables', [], /GRANT CREATE ON SCHEMA public/],
    ['a user without a schema', ["search_path = ''"], /search_path/],
  ])('%s is told so before the first start, and at it', async (_name, settings, says) => {
    const { url } = await userOf(await server.freshDatabase(), settings)
    const refused = { kind: 'inaccessible', message: expect.stringMatching(says) as string }
    await expect(openStore(url, { migrate: false })).rejects.toMatchObject(refused)
    await expect(openStore(url)).rejects.toMatchObject(refused)
    await expect(migratePostgresAt(url, false)).rejects.toMatchObject(refused)
  })

  it('a full disk is told by its ping, though a page of it finds room, until a payment has room again', async ({
    skip,
  }) => {
    const disk = mkdtempSync(join(tmpdir(), 'hc-disk-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=14m', 'tmpfs', disk])
    if (mounted.status !== 0) skip('This machine lets nobody mount a file system.')
    try {
      chownSync(disk, owner.uid, owner.gid)
      await server.query(`CREATE TABLESPACE small LOCATION '${disk}'`)
      await server.query('CREATE DATABASE small TABLESPACE small')
      const address = new URL(await server.freshDatabase())
      address.pathname = '/small'
      const store = await openStore(address.href)
      await store.ping()
      const large = () => creation(depositRecord({ description: randomBytes(30_000).toString('base64') }))
      const full = { code: 'store_unavailable', detail: expect.stringContaining('no room') as string }
      await expect((async () => { for (;;) await store.apply(large()) })()).rejects.toMatchObject(full) // prettier-ignore
      for (let i = 0; i < 3; i++) await expect(store.ping()).rejects.toMatchObject(full)
      execFileSync('mount', ['-o', 'remount,size=40m', disk])
      await store.ping()
      expect(await store.apply(large())).toEqual({ applied: true })
      await store.ping()
      expect(await store.meta('ping')).toBe('written')
      await store.close()
      await server.query('DROP DATABASE small')
      await server.query('DROP TABLESPACE small')
    } finally {
      execFileSync('umount', ['--lazy', disk])
      rmdirSync(disk)
    }
  })

  it('a login that is refused while it runs is told as a database that is away, and works again when it is let in', async () => {
    const address = new URL(await server.freshDatabase())
    const login = `hc_${address.pathname.slice(-1)}_login`
    await server.query(`CREATE ROLE ${login} LOGIN PASSWORD 'first'`)
    await server.query(`ALTER DATABASE ${address.pathname.slice(1)} OWNER TO ${login}`)
    Object.assign(address, { username: login, password: 'first' })
    const store = await openStore(address.href)
    const lockOut = async (how: string) => {
      await server.query(`ALTER ROLE ${login} ${how}`)
      await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${login}'`)
    }
    try {
      const row = depositRecord()
      for (const [how, code] of [
        [`PASSWORD 'second'`, '28P01'],
        [`PASSWORD 'first' NOLOGIN`, '28000'],
      ] as const) {
        await lockOut(how)
        const away = { code: 'store_unavailable', detail: expect.stringContaining(`refuses the login (${code})`) }
        await expect(store.apply(creation(row))).rejects.toMatchObject(away)
        await expect(store.deposit(row.id)).rejects.toMatchObject(away)
        await expect(store.ping()).rejects.toMatchObject(away)
      }
      await server.query(`ALTER ROLE ${login} LOGIN`)
      expect(await store.apply(creation(row))).toEqual({ applied: true })
    } finally {
      await store.close()
    }
  })

  it('a standby says what it is, and takes what waited for it once it is promoted', async () => {
    const address = await server.freshDatabase()
    const store = await openStore(address)
    const signal = join(folder, 'standby.signal')
    writeFileSync(signal, '')
    chownSync(signal, owner.uid, owner.gid)
    // Ends with the promotion: only then does the server take connections that write.
    const promoted = server.restart('fast')
    const isStandby = () => server.query('SELECT pg_is_in_recovery() AS yes').catch(() => [])
    await expect.poll(isStandby).toEqual([{ yes: true }])
    // A companion that starts meanwhile waits for the promotion as well.
    const another = await openStore(address)
    try {
      const standby = { code: 'store_unavailable', detail: expect.stringContaining('standby') as string }
      await expect(another.ping()).rejects.toMatchObject(standby)
      const row = depositRecord()
      const change = store.apply(creation(row))
      await server.query('SELECT pg_promote()')
      expect(await change).toEqual({ applied: true })
      await promoted
      await another.ping()
      expect((await another.deposit(row.id))?.id).toBe(row.id)
    } finally {
      await store.close()
      await another.close()
    }
  })

  it('an empty database whose encoding lacks letters is refused; one that keeps any bytes is not', async () => {
    const address = new URL(await server.freshDatabase())
    for (const encoding of ['LATIN1', 'SQL_ASCII'])
      await server.query(`CREATE DATABASE in_${encoding} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`)
    address.pathname = '/in_latin1'
    const refused = { kind: 'encoding', message: expect.stringContaining("ENCODING 'UTF8'") as string }
    await expect(openStore(address.href)).rejects.toMatchObject(refused)
    await expect(openStore(address.href, { migrate: false })).rejects.toMatchObject(refused)
    address.pathname = '/in_sql_ascii'
    const store = await openStore(address.href)
    try {
      const row = depositRecord({ payer: { name: 'ደበበ Nuñez' } })
      await store.apply(creation(row))
      expect((await store.deposit(row.id))?.payer).toEqual(row.payer)
    } finally {
      await store.close()
    }
  })

  it('that it cannot listen is told once, however often it is tried again, and so is that it can again', async () => {
    const address = new URL(await server.freshDatabase())
    const proxy = await startTcpProxy(Number(address.port))
    address.port = String(proxy.port)
    const told: string[] = []
    const tell = (level: string) => () => void told.push(level)
    await proxy.suffer({ kind: 'gone' })
    const notifications = createPostgresNotifications({
      listeners: createChangeListeners(silentLogger),
      config: { connectionString: address.href },
      instance: 'a',
      now: Date.now,
      logger: { ...silentLogger, info: tell('info'), warn: tell('warn'), debug: tell('debug') },
      notify: () => Promise.resolve(),
      changedSince: () => Promise.resolve([]),
    })
    try {
      await expect.poll(() => told.slice(0, 3)).toEqual(['warn', 'debug', 'debug'])
      await proxy.heal()
      await expect.poll(() => told.at(-1)).toBe('info')
      await proxy.suffer({ kind: 'gone' })
      await expect.poll(() => told.slice(told.indexOf('info')).slice(0, 3)).toEqual(['info', 'warn', 'debug'])
    } finally {
      await notifications.close()
      await proxy.close()
    }
  })

  it('changes made while a notification is on its way go with the next, as many as it holds', async () => {
    const sent: { readonly payload: string; readonly arrive: () => void }[] = []
    const notifications = createPostgresNotifications({
      listeners: createChangeListeners(silentLogger),
      config: { connectionString: await server.freshDatabase() },
      instance: 'a',
      now: Date.now,
      logger: silentLogger,
      notify: (_channel, payload) => new Promise<void>((arrive) => void sent.push({ payload, arrive })),
      changedSince: () => Promise.resolve([]),
    })
    const turn = () => new Promise(setImmediate)
    try {
      notifications.notify({ id: 'one', version: 1 })
      await turn()
      for (let i = 0; i < 300; i++) notifications.notify({ id: `dep_${'0'.repeat(26)}${i}`, version: 2 })
      await turn()
      expect(sent.map(({ payload }) => payload)).toEqual(['a one:1'])
      for (let i = 0; i < 3; i++) {
        sent[i]?.arrive()
        await turn()
      }
      expect(sent).toHaveLength(3)
      expect(sent.every(({ payload }) => Buffer.byteLength(payload) < 8000)).toBe(true)
      const told = sent.flatMap(({ payload }) => payload.split(' ').slice(1))
      expect(new Set(told).size).toBe(301)
    } finally {
      await notifications.close()
    }
  })

  it('the connection that listens is looked after at each poll, replaced by one alone, and not after its end', async () => {
    const address = await server.freshDatabase()
    const asked = vi.spyOn(Client.prototype, 'query')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const notifications = createPostgresNotifications({
      listeners: createChangeListeners(silentLogger),
      config: { connectionString: address },
      instance: 'a',
      now: Date.now,
      logger: silentLogger,
      notify: () => Promise.resolve(),
      changedSince: () => Promise.resolve([]),
    })
    const said = (text: string) =>
      asked.mock.calls.filter(([query]) => (query as unknown as { text?: string }).text === text).length
    /**
     * All that is waited for: the next poll alone, once it listens and every question is answered.
     */
    const timers = (count: number) => expect.poll(() => vi.getTimerCount()).toBe(count)
    try {
      await notifications.ready
      for (let poll = 1; poll <= 3; poll++) {
        await timers(1)
        vi.advanceTimersByTime(5000)
        await expect.poll(() => said('SELECT 1')).toBe(poll)
      }
      await timers(1)
      await server.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT 1'")
      // Its error and its end are one loss.
      await timers(2)
      vi.advanceTimersByTime(250)
      await expect.poll(() => said('LISTEN hc_deposit')).toBe(2)
      await notifications.close()
      await new Promise((turn) => setImmediate(turn))
      expect([vi.getTimerCount(), said('LISTEN hc_deposit')]).toEqual([0, 2])
    } finally {
      vi.useRealTimers()
      asked.mockRestore()
      await notifications.close()
    }
  })

  it('a full line for the connections is not called an unreachable database', async () => {
    const { pool, close } = createConnections({ url: await server.freshDatabase(), poolSize: 1, logger: silentLogger })
    const held = await pool.connect()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const waiting = pool.query('SELECT 1').catch((error: unknown) => error)
    vi.advanceTimersByTime(5000)
    vi.useRealTimers()
    const error = await waiting
    expect([faultKindOf(error), adviceOn(error)]).toEqual(['severed', expect.stringContaining('pg_stat_activity')])
    held.release()
    await close(Promise.resolve())
  })
})

it.each([
  ['25006', 'standby'],
  ['55P03', 'pg_stat_activity'],
  ['53300', 'max_connections'],
  ['53100', 'no room'],
  ['ECONNREFUSED', 'HC_DATABASE_URL'],
  ['3D000', 'HC_DATABASE_URL'],
  ['CERT_HAS_EXPIRED', 'renew it'],
])('a fault %s that lasts is explained by %s', (code, word) => {
  expect(adviceOn(Object.assign(new Error('…'), { code }))).toContain(word)
})

it.each([new Error('Query read timeout'), Object.assign(new Error('…'), { code: '57014' })])(
  'a statement that waits too long behind a lock is not called an unreachable database: %s',
  (error) => {
    expect(adviceOn(error)).toContain('pg_stat_activity')
  },
)

it('a statement that an operator cancelled was undone and is run again', () => {
  expect(faultKindOf(Object.assign(new Error('…'), { code: '57014' }))).toBe('undone')
})

it.each(['ECONNABORTED', 'EHOSTDOWN', 'ENETDOWN', 'ENETRESET', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'])(
  'a connection that fails by %s is tried again, as one that is refused is',
  (code) => {
    expect(faultKindOf(Object.assign(new Error('…'), { code }))).toBe('severed')
  },
)
