// PostgreSQL over a network: encrypted, and only with the right server.
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../server/store/open.ts'
import { connectionString } from '../../server/store/postgres/connections.ts'
import { unusable } from '../../server/store/schema/unfit-database.ts'
import { makeCertificate, opensslMissing } from '../helpers/certificate.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import type { TestPostgres } from '../helpers/postgres.ts'

const missing = (await postgresMissing()) ?? opensslMissing()

describe.skipIf(missing !== undefined)('PostgreSQL with a certificate', () => {
  let folder: string
  let server: TestPostgres
  let address: string
  let authority: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hc-tls-'))
    authority = join(folder, 'server.crt')
    server = await startPostgres(['-c', 'ssl=on'], (dataFolder) => {
      const [certificate, key] = [join(dataFolder, 'server.crt'), join(dataFolder, 'server.key')]
      makeCertificate('localhost', { key, certificate })
      copyFileSync(certificate, authority)
      const { uid, gid } = statSync(dataFolder)
      for (const file of [certificate, key]) chownSync(file, uid, gid)
      // A key that others may read is refused.
      chmodSync(key, 0o600)
    })
    address = (await server.freshDatabase()).replace('127.0.0.1', 'localhost')
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(['require', 'verify-ca', 'verify-full'])(
    'sslmode=%s works with its authority, on every connection',
    async (mode) => {
      const store = await openStore(`${address}?sslmode=${mode}&sslrootcert=${authority}`)
      try {
        const deposit = depositRecord()
        await store.apply(creation(deposit))
        expect((await store.deposit(deposit.id))?.id).toBe(deposit.id)
        const rows = await server.query(
          "SELECT count(*) FILTER (WHERE NOT ssl)::int AS plain, count(*)::int AS all FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'hc-checkout'",
        )
        expect(rows).toEqual([{ plain: 0, all: expect.any(Number) }])
        expect(rows[0]?.['all']).toBeGreaterThan(1)
      } finally {
        await store.close()
      }
    },
  )

  it.each(['require', 'verify-full'])('sslmode=%s refuses it without, and says what to do', async (mode) => {
    await expect(openStore(`${address}?sslmode=${mode}`)).rejects.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('sslrootcert=FILE'),
    })
  })

  it('refuses another server that has a certificate of the same authority', async () => {
    const elsewhere = address.replace('localhost', '127.0.0.1')
    await expect(openStore(`${elsewhere}?sslmode=require&sslrootcert=${authority}`)).rejects.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('another name'),
    })
  })
})

it.each([
  // To another machine the password never goes in clear because a word was forgotten.
  ['postgres://u:p@db/hc', 'postgres://u:p@db/hc?sslmode=verify-full'],
  ['postgres://u:p@10.0.0.7:5432/hc', 'postgres://u:p@10.0.0.7:5432/hc?sslmode=verify-full'],
  ['postgres://u:p@[2001:db8::1]/hc', 'postgres://u:p@[2001:db8::1]/hc?sslmode=verify-full'],
  ['postgres://u:p@localhost.example/hc', 'postgres://u:p@localhost.example/hc?sslmode=verify-full'],
  ['postgres://u:p@localhost/hc?host=db.example', 'postgres://u:p@localhost/hc?host=db.example&sslmode=verify-full'],
  ['postgres://u:p@/hc?host=db.example', 'postgres://u:p@/hc?host=db.example&sslmode=verify-full'],
  ['postgres://u:p@db/hc?ssl=0', 'postgres://u:p@db/hc?ssl=0&sslmode=verify-full'],
  ['postgres://u:p@db/hc?sslmode=allow', 'postgres://u:p@db/hc?sslmode=verify-full'],
  ['postgres://u:p@db/hc?sslmode=', 'postgres://u:p@db/hc?sslmode=verify-full'],
  // This machine.
  ['postgres://u:p@localhost/hc', 'postgres://u:p@localhost/hc'],
  ['postgres://u:p@127.0.0.1:5432/hc', 'postgres://u:p@127.0.0.1:5432/hc'],
  ['postgres://u:p@[::1]/hc', 'postgres://u:p@[::1]/hc'],
  ['postgres://u:p@/hc?host=/var/run/postgresql', 'postgres://u:p@/hc?host=/var/run/postgresql'],
  ['postgres://u:p@%2Fvar%2Frun%2Fpostgresql/hc', 'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/hc'],
  [
    'postgres://u:p@db/hc?sslmode=require&channel_binding=require',
    'postgres://u:p@db/hc?sslmode=verify-full&channel_binding=require',
  ],
  ['postgres://u:p@db/hc?sslmode=verify-full', 'postgres://u:p@db/hc?sslmode=verify-full'],
  ['postgres://u:p@db/hc?sslmode=disable', 'postgres://u:p@db/hc?sslmode=disable'],
  ['postgres://u:p@db/hc?sslmode=no-verify', 'postgres://u:p@db/hc?sslmode=no-verify'],
  [
    'postgres://u:p@db/hc?sslmode=require&uselibpqcompat=true',
    'postgres://u:p@db/hc?sslmode=require&uselibpqcompat=true',
  ],
])('the driver gets %s as %s', (given, expected) => {
  expect(connectionString(given)).toBe(expected)
})

it('a server without TLS on another machine is refused before it gets the password, and by name it is taken', async () => {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      heard.push(data.toString('latin1'))
      // No TLS here.
      socket.write('N')
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  // This machine under an address that does not say so.
  const host = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address
  const address = `postgres://hc:canary-7f3a@${host ?? '0.0.0.0'}:${port}/hc`
  const fault = await openStore(address).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(unusable(fault).message).toMatch(/TLS.*sslmode=disable/)
  expect(heard.join()).not.toMatch(/canary|hc/)
  await openStore(`${address}?sslmode=disable`).catch(() => {})
  expect(heard.join()).toContain('hc')
  await new Promise((resolve) => server.close(resolve))
})

// As PostgreSQL's own programs and the driver read it, then.
it.each([
  ['p%40ss', 'p@ss'],
  ['p%zz', 'p%zz'],
  ['p%zz^x', 'p%zz^x'],
  ['p%zz"x', 'p%zz"x'],
  ['100% ä', '100% ä'],
  ['a:b', 'a:b'],
  ['a%3Ab', 'a:b'],
  ['p^x', 'p^x'],
])('the password %s of an address reaches the server as %s', (written, meant) => {
  const { password, username } = new URL(connectionString(`postgres://h%40c:${written}@db.example/hc`))
  expect([decodeURIComponent(username), decodeURIComponent(password)]).toEqual(['h@c', meant])
})
