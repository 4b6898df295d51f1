// The commands and a database that is not there, not theirs, damaged, held or closed to them: each
// says what is wrong, and leaves it as it is.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { APPLICATION_ID } from '../../server/store/sqlite/migrate.ts'
import { openStore } from '../../server/store/open.ts'
import { namingFile } from '../../server/store/sqlite/faults.ts'
import { unusable } from '../../server/store/schema/unfit-database.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import { doctor, run } from './run-in-process.ts'
import { runningSystem } from './running-system.ts'

const { folder, env } = runningSystem()
type Given = Parameters<typeof doctor>[0]
const noPostgres = await postgresMissing()

it('doctor leaves it to the first start to make the database, whose owner must be the companion', async () => {
  const path = join(folder, 'not-yet.db')
  const { code, checks } = await doctor({ ...env, HC_DATABASE_URL: `file:${path}` })
  expect(code).toBe(0)
  expect(checks).toEqual(
    expect.arrayContaining([{ name: 'database', state: 'skip', says: expect.stringContaining(path) }]),
  )
  expect(existsSync(path)).toBe(false)
})

it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'doctor says of a full disk that no start could make a database there (a real one, mounted by root)',
  async ({ skip }) => {
    const disk = mkdtempSync(join(folder, 'full-'))
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0)
      skip('This machine lets nobody mount a file system.')
    try {
      const path = join(disk, 'companion.db')
      const given = { ...env, HC_DATABASE_URL: `file:${path}` }
      const database = async () => (await doctor(given)).checks.filter(({ name }) => name === 'database')
      const full = [{ name: 'database', state: 'fail', says: `${path} cannot be made: its disk is full.` }]
      expect(await database()).toEqual(full)
      expect(await run(['migrate'], given)).toMatchObject({
        code: 2,
        err: `${path} cannot be written (SQLITE_FULL): its disk is full or failing.`,
      })
      // What such an attempt leaves.
      expect(existsSync(path)).toBe(true)
      expect(await database()).toEqual(full)
    } finally {
      execFileSync('umount', [disk])
      rmSync(disk, { recursive: true })
    }
  },
)

it('doctor and migrate --check leave a database of another schema, and one of another program, as they are', async () => {
  const at = async (name: string, make: (database: Database.Database) => void, checked = 1) => {
    const path = join(folder, name)
    const database = new Database(path)
    make(database)
    database.close()
    const before = readFileSync(path)
    const given = { ...env, HC_DATABASE_URL: `file:${path}` }
    const { checks } = await doctor(given)
    const { code } = await run(['migrate', '--check'], given)
    expect(code).toBe(checked)
    expect(readFileSync(path).equals(before)).toBe(true)
    return checks.find((check) => check.name === 'database')
  }
  const ours = `PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE deposits (id TEXT)`
  expect(await at('older.db', (database) => database.exec(`${ours}; PRAGMA user_version = 1`))).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('migrate'),
  })
  expect(await at('newer.db', (database) => database.exec(`${ours}; PRAGMA user_version = 99`))).toMatchObject({
    state: 'fail',
    says: expect.stringContaining('newer release'),
  })
  expect(await at('foreign.db', (database) => database.exec('CREATE TABLE notes (text TEXT)'), 2)).toMatchObject({
    state: 'fail',
    says: expect.stringContaining('another program'),
  })
  expect(await at('empty.db', (database) => database.exec('VACUUM'))).toMatchObject({
    state: 'skip',
    says: expect.stringContaining('first start'),
  })
})

it('doctor says why a database that can be opened takes no writes', async () => {
  const path = join(folder, 'held.db')
  await (await openStore(`file:${path}`)).close()
  const holder = new Database(path)
  holder.exec('BEGIN IMMEDIATE')
  const { checks } = await doctor({ ...env, HC_DATABASE_URL: `file:${path}` })
  holder.close()
  expect(checks).toContainEqual({
    name: 'database',
    state: 'fail',
    says: expect.stringMatching(/cannot be written now \(SQLITE_BUSY\).*other programs/) as string,
  })
})

it.each([
  ['a letter', 'letter.txt', /letter\.txt is no SQLite database\. Point HC_DATABASE_URL at/],
  ['a folder', 'letters', /letters is a folder\. HC_DATABASE_URL must name a file/],
  ['below a file', 'letter.txt/below/hc.db', /hc\.db cannot be: a part of its path is a file/],
  ["another program's", 'notes.db', /notes\.db is a database of another program/],
  ['damaged', 'damaged.db', /damaged\.db is damaged\. .* restore a backup/],
])('every command says what is wrong with a database that is %s', async (_what, name, says) => {
  const place = mkdtempSync(join(folder, 'unfit-'))
  mkdirSync(join(place, 'letters'))
  writeFileSync(join(place, 'letter.txt'), 'Dear shop, this is no database.'.repeat(9))
  new Database(join(place, 'notes.db')).exec('CREATE TABLE notes (text TEXT)').close()
  const damaged = join(place, 'damaged.db')
  await (await openStore(`file:${damaged}`)).close()
  // The tree of its tables; the header is whole.
  writeFileSync(damaged, readFileSync(damaged).fill(0xff, 100, 2000))
  const given = { ...env, HC_LOG_LEVEL: 'error', HC_DATABASE_URL: `file:${join(place, name)}` }
  for (const argv of [['start'], ['migrate'], ['migrate', '--check'], ['backup', join(place, 'copy.db')]]) {
    const { code, err } = await run(argv, given)
    expect({ argv, code, err }).toMatchObject({ code: expect.any(Number), err: expect.stringMatching(says) })
    // Not 1, for which a supervisor would start it again each second.
    expect(code).toBe(2)
  }
  const { checks } = await doctor(given)
  expect(checks).toEqual(
    expect.arrayContaining([{ name: 'database', state: 'fail', says: expect.stringMatching(says) }]),
  )
  expect(existsSync(join(place, 'copy.db'))).toBe(false)
})

it.each([
  ['the link itself', 'hc.db', 'disk/hc.db'],
  ['a folder above it', 'data', 'disk'],
])('a link to a disk that is not mounted yet is named, by start and doctor alike: %s', async (_what, link, target) => {
  const place = mkdtempSync(join(folder, 'link-'))
  symlinkSync(join(place, target), join(place, link))
  const path = join(place, link === 'data' ? 'data/hc.db' : link)
  const given = { ...env, HC_LOG_LEVEL: 'error', HC_DATABASE_URL: `file:${path}` }
  const says = `${path} cannot be opened: the link ${join(place, link)} leads to ${join(place, target)}, which is not there. Is the disk of that mounted?`
  expect((await doctor(given)).checks).toContainEqual({ name: 'database', state: 'fail', says })
  // It may pass: worth a further start.
  expect(await run(['start'], given)).toMatchObject({ code: 1, err: expect.stringContaining(says) as string })
  expect(existsSync(join(place, 'disk'))).toBe(false)
  mkdirSync(join(place, 'disk'))
  expect((await doctor(given)).checks).toContainEqual({
    name: 'database',
    state: 'skip',
    says: expect.stringContaining('not there yet') as string,
  })
  expect(await run(['migrate'], given)).toMatchObject({ code: 0 })
  expect(existsSync(join(place, 'disk/hc.db'))).toBe(true)
})

it.each(['EACCES', 'EPERM', 'SQLITE_CANTOPEN', 'SQLITE_READONLY_DIRECTORY'])(
  'rights that are missing (%s) are told as what the user who runs it needs',
  (code) => {
    const refused = () => {
      throw Object.assign(new Error('raw'), { code })
    }
    expect(() => namingFile('/data/hc.db', refused)).toThrow(
      /^\/data\/hc\.db cannot be opened .* the user who runs this must have the right to read and write both\.$/,
    )
  },
)

it('doctor says that a database cannot be made, instead of leaving it to the first start', async () => {
  const place = mkdtempSync(join(folder, 'unmade-'))
  chmodSync(place, 0o500)
  const { checks } = await doctor({ ...env, HC_DATABASE_URL: `file:${join(place, 'new/hc.db')}` })
  // Root may write everywhere.
  expect(checks.find(({ name }) => name === 'database')?.state).toBe(process.getuid?.() === 0 ? 'skip' : 'fail')
  expect(existsSync(join(place, 'new'))).toBe(false)
})

it.skipIf(noPostgres !== undefined)('doctor repeats what the start warns of in PostgreSQL, and ends though it is shown no payments', async () => {
  const server = await startPostgres()
  try {
    const address = await server.freshDatabase()
    await (await openStore(address)).close()
    const { checks: early } = await doctor({ ...env, HC_DATABASE_URL: address }, { now: () => Date.now() - 8000 })
    expect(early.filter(({ name }) => name === 'database')).toEqual([
      { name: 'database', state: 'ok', says: 'PostgreSQL takes writes' },
      { name: 'database', state: 'warn', says: expect.stringContaining('Let both follow NTP') },
    ])
    await server.query("CREATE ROLE onlooker LOGIN PASSWORD 'x'")
    const onDatabase = new Client(address)
    await onDatabase.connect()
    await onDatabase.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO onlooker; REVOKE ALL ON deposits FROM onlooker')
    await onDatabase.end()
    const given = { ...env, HC_DATABASE_URL: address.replace('postgres:password', 'onlooker:x') }
    const { checks } = await doctor(given)
    expect(checks).toEqual(expect.arrayContaining([
        { name: 'database', state: 'fail', says: expect.stringMatching(/^permission denied for table deposits: GRANT /) },
      ]))
    // The server notes a little later that a connection has ended.
    await expect.poll(() => server.query("SELECT 1 FROM pg_stat_activity WHERE usename = 'onlooker'")).toEqual([])
  } finally {
    await server.stop()
  }
}) // prettier-ignore

it.each([
  [
    'doctor',
    (given: Given) => doctor(given).then(({ checks }) => checks.find(({ name }) => name === 'database')?.says),
  ],
  ['forget', (given: Given) => run(['forget', '+254712000111'], given).then(({ err }) => err)],
  ['migrate --check', (given: Given) => run(['migrate', '--check'], given).then(({ err }) => err)],
])(
  '%s names a password that PostgreSQL asks for and is not given, and leaves no connection that would keep it from ending',
  async (_name, says) => {
    const left = Promise.withResolvers<void>()
    // As far as the driver goes with it: the first two steps of SCRAM.
    const server = createServer((socket) => {
      let step = 0
      socket.on('error', () => {}).on('close', left.resolve)
      onTestFinished(() => void socket.destroy())
      socket.on('data', () => {
        const [code, text] = [
          [10, 'SCRAM-SHA-256\0\0'],
          [11, 'r=x,s=c2FsdA==,i=4096'],
        ][step++] as [number, string]
        const head = Buffer.from([0x52, 0, 0, 0, 8 + text.length, 0, 0, 0, code])
        socket.write(Buffer.concat([head, Buffer.from(text)]))
      })
    })
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `postgres://hc@127.0.0.1:${(server.address() as AddressInfo).port}/hc`
    const said = await says({ ...env, HC_DATABASE_URL: url })
    await left.promise
    expect(said).toMatch(/cannot be used: .*password must be a string. Look at user and password/)
  },
)

it.each([
  ['28P01', 'password authentication failed for user "hc"', /"hc"\. Look at user and password there: .*%40/],
  ['3D000', 'database "x" does not exist', /CREATE DATABASE/],
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND db.example', /Look at host and port/],
  ['', 'The server does not support SSL connections', /sslmode/],
  ['', 'Connection terminated unexpectedly', /may be no PostgreSQL/],
  ['', 'Connection terminated due to connection timeout', /nothing answers\. .*firewall/],
  ['', 'timeout expired', /nothing answers\. .*firewall/],
])('a fault of its address (%s %s) is told with what to do', (code, message, says) => {
  expect(unusable(Object.assign(new Error(message), { code })).message).toMatch(says)
})

it.each([
  ['a folder', (inside: string) => `file:${inside}`, 2],
  ['a server that is not there', () => 'postgres://hc:canary-7f3a@127.0.0.1:1/hc'],
  ['a name with two addresses and no server', () => 'postgres://hc:canary-7f3a@localhost:1/hc'],
  ['not there, and its password no percent-encoding', () => 'postgres://hc:canary%zz@127.0.0.1:1/hc'],
  ['not there, and its password encoded as no UTF-8', () => 'postgres://hc:canary%ff@127.0.0.1:1/hc'],
])('start names the setting when the database is %s', async (_what, url, fault = 1) => {
  const { code, err } = await run(['start'], { ...env, HC_LOG_LEVEL: 'error', HC_DATABASE_URL: url(folder) })
  expect(code).toBe(fault)
  expect(err).toMatch(/HC_DATABASE_URL cannot be used: .*(is a folder|ECONNREFUSED)/)
  expect(err).not.toContain('canary')
})
