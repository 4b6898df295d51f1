// The commands against a whole system on loopback: their output, what they leave unchanged, and their exit codes.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import Database from 'better-sqlite3'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkAddresses } from '../../server/commands/doctor-addresses.ts'
import { checkReceiver } from '../../server/commands/doctor-receiver.ts'
import type { CommandIo } from '../../server/commands/io.ts'
import { type RunningCompanion, startCompanion } from '../../server/node.ts'
import type { Settings } from '../../server/settings.ts'
import { silentLogger } from '../../server/logger.ts'
import { APPLICATION_ID } from '../../server/store/migrate-sqlite.ts'
import { openStore } from '../../server/store/open.ts'
import { namingFile } from '../../server/store/sqlite-faults.ts'
import { createSandbox, type Sandbox } from '../../server/sandbox/sandbox.ts'
import type { PaymentDetail } from '../../server/contract/index.ts'
import { kenyanDeposit, keys, merchant, newKey, wallets } from '../helpers/create-test-system.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { freePort } from '../helpers/free-port.ts'
import { postgresMissing, startPostgres } from '../helpers/postgres.ts'
import { run } from './run-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-commands-'))
const noPostgres = await postgresMissing()

describe('against a running system', () => {
  let sandbox: Sandbox
  let service: Server
  let companion: RunningCompanion
  let env: Record<string, string>

  beforeAll(async () => {
    service = createServer((request, response) => void listener(request, response))
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    sandbox = createSandbox({
      database: ':memory:',
      publicUrl: url,
      merchant,
      allowHttpResultUrl: true,
    })
    const listener = getRequestListener(sandbox.app.fetch)
    sandbox.start()
    const port = await freePort()
    env = {
      HC_AUTH_URL: url,
      HC_BASE_URL: url,
      HC_CONSUMER_KEY: keys.consumerKey,
      HC_CONSUMER_SECRET: keys.consumerSecret,
      HC_PRIVATE_KEY: keys.privateKey,
      HC_BUSINESS_ID: keys.businessId,
      HC_WALLETS: `KES:${wallets.KES},XOF:${wallets.XOF}`,
      HC_PUBLIC_URL: `http://127.0.0.1:${port}`,
      HC_CHECKOUT_ORIGINS: url,
      HC_DATABASE_URL: `file:${join(folder, 'companion.db')}`,
      HC_SECRET: keys.secret,
      HC_MERCHANT_KEY: keys.merchantKey,
      HC_PORT: String(port),
    }
    companion = await startCompanion(env, { logger: silentLogger })
  })
  afterAll(async () => {
    await companion.close()
    await sandbox.close()
    await new Promise((resolve) => service.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })

  it('trigger plays a scenario to its end, and reconcile finds it in the statement', async () => {
    const played = await run(['trigger', 'success', '--amount', '2500'], env)
    expect(played).toMatchObject({ code: 0, out: expect.stringContaining('succeeded') })
    const [reference = ''] = /HCT[0-9A-Z]{21}/.exec(played.out) ?? []
    const today = new Date().toISOString().slice(0, 10)
    const compare = async (...lines: string[]) => {
      const file = join(folder, 'statement.csv')
      writeFileSync(file, ['Merchant Reference;Status;Amount;Currency;Date', ...lines].join('\r\n'))
      return run(['reconcile', '--statement', file, '--from', today, '--to', today], env)
    }
    expect(await compare(`${reference};Completed;2,500.00;KES;${today} 10:00:00`)).toMatchObject({ code: 0 })
    expect(await compare(`${reference};Completed;2501;UGX;`)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/different .*amount 2501.*currency UGX/),
    })
    expect(await compare(`${reference};FAILED;2500;KES;`)).toMatchObject({
      code: 1,
      out: expect.stringContaining('failed in the statement, succeeded here'),
    })
    expect(await compare(`HCT0;SUCCESS;10;KES;`)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/missing +HCT0 .*\nextra +HCT/),
    })
    expect(await compare(`${reference};SUCCESS;2500;KES;`, `${reference};SUCCESS;2500;KES;`)).toMatchObject({
      code: 1,
      out: expect.stringContaining('paid twice'),
    })
  })

  it('forget erases a person by the number as dialled at home or abroad, from payments and callbacks, and nobody else', async () => {
    const pay = async (name: string, phone: string) => {
      const answer = await fetch(`${companion.url}/v1/deposits`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': newKey() },
        body: JSON.stringify(kenyanDeposit({ payer: { name, phone }, bankCode: undefined })),
      })
      expect(answer.status).toBe(201)
      return ((await answer.json()) as { id: string }).id
    }
    const asha = await pay('Asha Otieno', '0712000111')
    const brian = await pay('Brian Kamau', '0712000222')
    const payerOf = async (id: string) => {
      const answer = await fetch(`${companion.url}/v1/payments/${id}`, {
        headers: { authorization: `Bearer ${keys.merchantKey}` },
      })
      const { amount, payer } = (await answer.json()) as PaymentDetail
      expect(amount).toBe(2500)
      return payer?.name
    }
    expect(await run(['forget', '0712000111'], env)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--country'),
    })
    expect(await run(['forget', '0712 000 111', '--country', 'ke'], env)).toMatchObject({
      code: 0,
      out: '1 payment has no payer any more.',
    })
    expect([await payerOf(asha), await payerOf(brian)]).toEqual([undefined, 'Brian Kamau'])
    expect(await run(['forget', '+254 712 000 222'], env)).toMatchObject({ code: 0 })
    expect(await payerOf(brian)).toBeUndefined()
    expect(await run(['forget', '+254712000222'], env)).toMatchObject({
      code: 0,
      out: '0 payments have no payer any more.',
    })
  })

  it('trigger answers 1 when the ending does not come, and 2 when nobody is there', async () => {
    expect(await run(['trigger', 'declined', '--wait', '0'], env)).toMatchObject({ code: 1 })
    expect(await run(['trigger', 'success', '--companion', 'http://127.0.0.1:1'], env)).toMatchObject({
      code: 2,
      err: expect.stringContaining('No companion answers'),
    })
  })

  it('doctor finds everything right, the stream through the public address included', async () => {
    await run(['trigger', 'never-answered', '--wait', '0'], env)
    const publicKey = join(folder, 'portal.pem')
    writeFileSync(publicKey, keys.publicKey)
    const { code, out } = await run(['doctor', '--public-key', publicKey, '--json'], env)
    const { checks } = JSON.parse(out) as { checks: { name: string; state: string; says: string }[] }
    expect(checks.filter(({ state }) => state !== 'ok')).toEqual([
      { name: 'settings', state: 'warn', says: expect.stringContaining('HC_NOTIFY_URL') },
      { name: 'payment', state: 'skip', says: expect.stringMatching(/not proven yet for XOF: .*pay the smallest/) },
    ])
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'database',
        'clock',
        'key pair',
        'login',
        'banks',
        'query KES',
        'query XOF',
        'payment KES',
        'public address',
        'webhook',
        'installation',
        'readiness',
        'event stream',
      ]),
    )
    expect(code).toBe(0)
  })

  const failing = async (change: Record<string, string>, changes: Partial<CommandIo> = {}, argv: string[] = []) => {
    const { code, out } = await run(['doctor', '--json', ...argv], { ...env, ...change }, changes)
    expect(code).toBe(1)
    for (const secret of [keys.consumerSecret, keys.secret, keys.merchantKey]) expect(out).not.toContain(secret)
    return (JSON.parse(out) as { checks: { name: string; state: string }[] }).checks
      .filter(({ state }) => state === 'fail')
      .map(({ name }) => name)
  }

  it('doctor leaves it to the first start to make the database, whose owner must be the companion', async () => {
    const path = join(folder, 'not-yet.db')
    const { code, out } = await run(['doctor', '--json'], { ...env, HC_DATABASE_URL: `file:${path}` })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      checks: expect.arrayContaining([{ name: 'database', state: 'skip', says: expect.stringContaining(path) }]),
    })
    expect(existsSync(path)).toBe(false)
  })

  it('doctor and migrate --check leave a database of another schema, and one of another program, as they are', async () => {
    const at = async (name: string, make: (database: Database.Database) => void, checked = 1) => {
      const path = join(folder, name)
      const database = new Database(path)
      make(database)
      database.close()
      const before = readFileSync(path)
      const given = { ...env, HC_DATABASE_URL: `file:${path}` }
      const { out } = await run(['doctor', '--json'], given)
      const { code } = await run(['migrate', '--check'], given)
      expect(code).toBe(checked)
      expect(readFileSync(path).equals(before)).toBe(true)
      const { checks } = JSON.parse(out) as { checks: { name: string; state: string; says: string }[] }
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

  it('doctor names a wrong secret, a foreign key, a missing query path', async () => {
    expect(await failing({ HC_CONSUMER_SECRET: 'cs_test_wrong' })).toEqual(['login'])
    expect(await failing({ HC_PRIVATE_KEY: readFileSync('test/vectors/test-key.pem', 'utf8') })).toEqual([
      'query KES',
      'query XOF',
    ])
    // The sandbox answers any path in its envelope: that a payment of ours is not known there tells the wrong one.
    expect(await failing({ HC_QUERY_PATH: '/elsewhere' })).toEqual(['query KES'])
    expect(await failing({}, {}, ['--public-key', 'test/vectors/test-key.pub.pem'])).toEqual(['key pair'])
  })

  it('doctor finds nothing wrong with a contract that has no status query, where callbacks decide', async () => {
    const withoutQuery: typeof fetch = (input, init) =>
      (input instanceof Request ? input.url : String(input)).endsWith('/status-query')
        ? Promise.resolve(new Response('<h1>404</h1>', { status: 404 }))
        : fetch(input, init)
    expect(await failing({}, { fetch: withoutQuery })).toEqual(['query KES', 'query XOF'])
    const decided = { ...env, HC_CONFIRM: 'callback' }
    expect(await run(['doctor'], decided, { fetch: withoutQuery })).toMatchObject({ code: 0 })
  })

  it('doctor blames the address, not the key, when nothing answers there', async () => {
    const queries = async (change: Record<string, string>) => {
      const { out } = await run(['doctor', '--json'], { ...env, ...change })
      const { checks } = JSON.parse(out) as { checks: { name: string; says: string }[] }
      return checks.find(({ name }) => name === 'query KES')?.says
    }
    expect(await queries({ HC_BASE_URL: 'http://127.0.0.1:9' })).toContain(
      'nothing answers at HC_BASE_URL (refused_connection)',
    )
    const foreign = await queries({ HC_PRIVATE_KEY: readFileSync('test/vectors/test-key.pem', 'utf8') })
    expect(foreign).toMatch(/check HC_PRIVATE_KEY/)
    expect(foreign).not.toContain('HC_BASE_URL')
  })

  it('doctor goes to the service through HC_UPSTREAM_PROXY', async () => {
    const { out } = await run(['doctor'], { ...env, HC_UPSTREAM_PROXY: 'http://shop:word@127.0.0.1:9' })
    expect(out).toContain('check the address and HC_UPSTREAM_PROXY')
    expect(out).toContain('not compared with the service')
    expect(out).not.toContain('shop:word')
  })

  it('doctor names a clock that is wrong', async () => {
    expect(await failing({}, { now: () => Date.now() - 120_000 })).toContain('clock')
  })

  it('doctor names a proxy that holds streams back, and one that does not lead here', async () => {
    const proxied = (answer: (path: string) => Promise<Response> | undefined): Partial<CommandIo> => ({
      fetch: (input, init) => {
        const url = new URL(input instanceof Request ? input.url : String(input))
        return (url.origin === env['HC_PUBLIC_URL'] ? answer(url.pathname) : undefined) ?? fetch(input, init)
      },
    })
    // Buffered: headers come, bytes do not until the end, which never comes.
    const buffering = proxied((path) =>
      path.endsWith('/events')
        ? Promise.resolve(
            new Response(new ReadableStream({ start: (c) => void setTimeout(() => c.error(new Error('cut')), 50) }), {
              headers: { 'content-type': 'text/event-stream' },
            }),
          )
        : undefined,
    )
    expect(await failing({}, buffering)).toEqual(['event stream'])
    expect(
      await failing(
        {},
        proxied((path) =>
          path.startsWith('/v1/webhook') ? Promise.resolve(new Response('<h1>404</h1>', { status: 404 })) : undefined,
        ),
      ),
    ).toEqual(['webhook'])
    expect(
      await failing(
        {},
        proxied(() => Promise.resolve(new Response('hello'))),
      ),
    ).toEqual(['public address'])
    const refused = proxied(() => Promise.reject(new TypeError('fetch failed')))
    expect(await failing({}, refused)).toEqual(['public address'])
  })

  it.each([
    ['HC_BUSINESS_ID', { HC_BUSINESS_ID: 'BIZ-0043' }, /refused HCT.*check HC_BUSINESS_ID/],
    ['a wallet', { HC_WALLETS: `KES:${wallets.TZS}` }, /refused HCT.*check the wallet of this currency in HC_WALLETS/],
    ['a foreign wallet', { HC_WALLETS: 'KES:1234567890' }, /refused HCT.*check the wallet/],
    ['HC_CHECKOUT_ORIGINS', { HC_CHECKOUT_ORIGINS: 'https://elsewhere.example' }, /outside HC_CHECKOUT_ORIGINS/],
  ])('doctor tells from a payment that %s is wrong, which nothing else proves', async (_what, wrong, says) => {
    const path = join(mkdtempSync(join(folder, 'wrong-')), 'companion.db')
    const port = await freePort()
    const given = {
      ...env,
      HC_WALLETS: `KES:${wallets.KES}`,
      ...wrong,
      HC_DATABASE_URL: `file:${path}`,
      HC_PORT: String(port),
      HC_PUBLIC_URL: `http://127.0.0.1:${port}`,
    }
    const misled = await startCompanion(given, { logger: silentLogger })
    const payment = async () => {
      const { out } = await run(['doctor', '--json'], given)
      const { checks } = JSON.parse(out) as { checks: { name: string; state: string; says: string }[] }
      return checks.filter(({ name }) => name.startsWith('payment'))
    }
    expect(await payment()).toMatchObject([{ state: 'skip' }])
    const rejected = /refused/.test(says.source)
    // One that is rejected, or that a person has to look at, ends at once, and not as the scenario ends.
    expect(await run(['trigger', 'declined'], given)).toMatchObject({
      code: 1,
      err: expect.stringContaining(rejected ? 'refused to create the payment' : 'under review'),
    })
    expect(await payment()).toMatchObject([{ name: 'payment KES', state: 'warn', says: expect.stringMatching(says) }])
    await misled.close()
  })

  it('doctor says why a database that can be opened takes no writes', async () => {
    const path = join(folder, 'held.db')
    await (await openStore(`file:${path}`)).close()
    const holder = new Database(path)
    holder.exec('BEGIN IMMEDIATE')
    const { out } = await run(['doctor', '--json'], { ...env, HC_DATABASE_URL: `file:${path}` })
    holder.close()
    const { checks } = JSON.parse(out) as { checks: { name: string; state: string; says: string }[] }
    expect(checks).toContainEqual({
      name: 'database',
      state: 'fail',
      says: expect.stringMatching(/cannot be written now \(SQLITE_BUSY\).*other programs/) as string,
    })
  })

  it('doctor names a companion of another secret or another database at the public address', async () => {
    await run(['trigger', 'success', '--wait', '0'], env)
    expect(await failing({ HC_SECRET: 'is_test_another_90f1a2b3c4d5e6f7a8b9c0d1' })).toContain('installation')
    const path = join(folder, 'of-another.db')
    const store = await openStore(`file:${path}`)
    await store.apply(creation(depositRecord({ phase: 'succeeded', settledAt: Date.now() })))
    await store.close()
    expect(await failing({ HC_DATABASE_URL: `file:${path}` })).toEqual(['installation'])
  })

  it('doctor names the origin of the last payment page when HC_CHECKOUT_ORIGINS has lost it', async () => {
    await run(['trigger', 'success', '--wait', '0'], env)
    expect(await failing({ HC_CHECKOUT_ORIGINS: 'https://elsewhere.example' })).toEqual(['payment KES'])
  })

  it('doctor knocks at the merchant’s backend with nothing that could be credited', async () => {
    const knocks: { method: string | undefined; signed: boolean; body: string }[] = []
    const backend = createServer((request, response) => {
      const signed = Object.keys(request.headers).some((name) => name.startsWith('webhook-'))
      void textOf(request).then((body) => {
        knocks.push({ method: request.method, signed, body })
        const status = Number(request.url?.slice(1))
        response.writeHead(status, status === 301 ? { location: '/401' } : {}).end()
      })
    })
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
    const at = async (path: string) => {
      const given = { ...env, HC_NOTIFY_URL: base + path, HC_NOTIFY_SECRET: keys.notifySecret }
      const { out } = await run(['doctor', '--json'], given)
      const { checks } = JSON.parse(out) as { checks: { name: string; state: string; says: string }[] }
      return checks.find(({ name }) => name === 'receiver')
    }
    expect(await at('/401')).toMatchObject({ state: 'ok' })
    expect(await at('/204')).toMatchObject({ state: 'warn', says: expect.stringContaining('must verify signatures') })
    expect(await at('/301')).toMatchObject({ state: 'fail', says: expect.stringContaining('follow no redirect') })
    expect(await at('/404')).toMatchObject({ state: 'fail', says: expect.stringContaining('check its path') })
    expect(await at('/502')).toMatchObject({ state: 'fail', says: expect.stringContaining('is it started?') })
    expect(await at('/500')).toMatchObject({ state: 'warn', says: expect.stringContaining('answered 500') })
    expect(knocks).toHaveLength(6)
    expect(new Set(knocks.map((knock) => JSON.stringify(knock)))).toEqual(
      new Set(['{"method":"POST","signed":false,"body":"{}"}']),
    )
    await new Promise((resolve) => backend.close(resolve))
    expect(await at('/401')).toMatchObject({ state: 'fail', says: expect.stringContaining('(ECONNREFUSED)') })
  })

  it('doctor sends a test alert when asked to, and none otherwise', async () => {
    let posts = 0
    const chat = createServer((_request, response) => {
      posts += 1
      response.end('ok')
    })
    await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/canary-hook`
    const given = { ...env, HC_ALERT_URL: address }
    expect((await run(['doctor'], given)).out).not.toContain('alert')
    expect(posts).toBe(0)
    const { code, out } = await run(['doctor', '--alert'], given)
    expect({ code, posts }).toEqual({ code: 0, posts: 1 })
    expect(out).toMatch(/^ok {4}alert webhook +the test alert was accepted/m)
    await new Promise((resolve) => chat.close(resolve))
    const away = await run(['doctor', '--alert'], given)
    expect(away.code).toBe(1)
    expect(away.out).toMatch(/^FAIL {2}alert webhook +nothing answers at HC_ALERT_URL \(ECONNREFUSED\)/m)
    expect(out + away.out).not.toContain('canary')
  })

  it('doctor tells a certificate that is not trusted from a backend or a proxy that is away', async () => {
    const refusing = (code: string) => ({
      fetch: () => Promise.reject(new TypeError('fetch failed', { cause: { code } })),
    })
    const shop = { notifyUrl: 'https://shop.example/notices', publicUrl: 'https://pay.shop.example' } as Settings
    for (const check of [checkReceiver, checkAddresses]) {
      const says = async (code: string) => (await check(shop, refusing(code) as unknown as CommandIo))[0]?.says
      for (const code of [
        'CERT_HAS_EXPIRED',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        'ERR_TLS_CERT_ALTNAME_INVALID',
        'EPROTO',
      ])
        expect(await says(code)).toMatch(new RegExp(`^no safe connection .*${code}.*certificate`))
      expect(await says('ENOTFOUND')).toMatch(/^nothing answers at \S+ \(ENOTFOUND\): is /)
    }
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
      expect(code).toBe(argv[0] === 'start' && /letters|below/.test(name) ? 1 : 2)
    }
    const { out } = await run(['doctor', '--json'], given)
    expect(JSON.parse(out)).toMatchObject({
      checks: expect.arrayContaining([{ name: 'database', state: 'fail', says: expect.stringMatching(says) }]),
    })
    expect(existsSync(join(place, 'copy.db'))).toBe(false)
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
    const { out } = await run(['doctor', '--json'], { ...env, HC_DATABASE_URL: `file:${join(place, 'new/hc.db')}` })
    const { checks } = JSON.parse(out) as { checks: { name: string; state: string }[] }
    // Root may write everywhere.
    expect(checks.find(({ name }) => name === 'database')?.state).toBe(process.getuid?.() === 0 ? 'skip' : 'fail')
    expect(existsSync(join(place, 'new'))).toBe(false)
  })

  it.skipIf(noPostgres !== undefined)('doctor ends though PostgreSQL shows it no payments', async () => {
    const server = await startPostgres()
    try {
      const address = await server.freshDatabase()
      await (await openStore(address)).close()
      await server.query("CREATE ROLE onlooker LOGIN PASSWORD 'x'")
      const onDatabase = new Client(address)
      await onDatabase.connect()
      await onDatabase.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO onlooker; REVOKE ALL ON deposits FROM onlooker')
      await onDatabase.end()
      const given = { ...env, HC_DATABASE_URL: address.replace('postgres:password', 'onlooker:x') }
      const { out } = await run(['doctor', '--json'], given)
      expect(JSON.parse(out)).toMatchObject({
        checks: expect.arrayContaining([
          { name: 'database', state: 'fail', says: expect.stringMatching(/^permission denied for table deposits: GRANT /) },
        ]),
      })
      // The server notes a little later that a connection has ended.
      await expect.poll(() => server.query("SELECT 1 FROM pg_stat_activity WHERE usename = 'onlooker'")).toEqual([])
    } finally {
      await server.stop()
    }
  }) // prettier-ignore

  it('a second companion on the port says which setting to change, and leaves the first alone', async () => {
    const { code, err } = await run(['start'], {
      ...env,
      HC_LOG_LEVEL: 'error',
      HC_DATABASE_URL: `file:${join(folder, 'other.db')}`,
    })
    expect(code).toBe(1)
    expect(err).toMatch(/port \d+ is taken by another program: .*HC_PORT/)
    expect((await fetch(`${companion.url}/healthz`)).status).toBe(200)
  })

  it.each([
    ['a folder', (inside: string) => `file:${inside}`],
    ['a server that is not there', () => 'postgres://hc:canary-7f3a@127.0.0.1:1/hc'],
    ['a name with two addresses and no server', () => 'postgres://hc:canary-7f3a@localhost:1/hc'],
    ['not there, and its password no percent-encoding', () => 'postgres://hc:canary%zz@127.0.0.1:1/hc'],
    ['not there, and its password encoded as no UTF-8', () => 'postgres://hc:canary%ff@127.0.0.1:1/hc'],
  ])('start names the setting when the database is %s', async (_what, url) => {
    const { code, err } = await run(['start'], { ...env, HC_LOG_LEVEL: 'error', HC_DATABASE_URL: url(folder) })
    expect(code).toBe(1)
    expect(err).toMatch(/HC_DATABASE_URL cannot be used: .*(is a folder|ECONNREFUSED)/)
    expect(err).not.toContain('canary')
  })
})
