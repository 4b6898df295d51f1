// What doctor finds in a whole system on loopback, and in one with a fault.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { CommandIo } from '../../server/cli/io.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { startCompanion } from '../../server/node.ts'
import { openStore } from '../../server/store/open.ts'
import { keys, wallets } from '../helpers/create-test-system.ts'
import { creation, depositRecord, noticeRecord } from '../helpers/deposit-record.ts'
import { freePort } from '../helpers/free-port.ts'
import { doctor, run } from './run-in-process.ts'
import { runningSystem } from './running-system.ts'

const { folder, env } = runningSystem()

it('doctor finds everything right, the stream through the public address included', async () => {
  await run(['trigger', 'never-answered', '--wait', '0'], env)
  const publicKey = join(folder, 'portal.pem')
  writeFileSync(publicKey, keys.publicKey)
  const { code, checks } = await doctor(env, {}, ['--public-key', publicKey])
  expect(checks.filter(({ state }) => state !== 'ok')).toEqual([
    { name: 'settings', state: 'warn', says: expect.stringContaining('HC_NOTIFY_URL') },
    { name: 'payment', state: 'skip', says: expect.stringMatching(/not proven yet for XOF: .*pay the smallest/) },
    { name: 'readiness', state: 'warn', says: expect.stringContaining('Notices wait') },
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
      'authorization',
      'widget',
      'installation',
      'readiness',
      'event stream',
    ]),
  )
  expect(code).toBe(0)
})

/** The checks that fail when the settings, or what doctor is given, are changed so. */
const failing = async (change: Record<string, string>, changes: Partial<CommandIo> = {}, argv: string[] = []) => {
  const { code, out, checks } = await doctor({ ...env, ...change }, changes, argv)
  expect(code).toBe(1)
  for (const secret of [keys.consumerSecret, keys.secret, keys.merchantKey]) expect(out).not.toContain(secret)
  return checks.filter(({ state }) => state === 'fail').map(({ name }) => name)
}

it('doctor says that the script of the card is not served', async () => {
  const withoutWidget = async (...request: Parameters<typeof fetch>) =>
    request[0] === `${env['HC_PUBLIC_URL']}/widget/v1/hc-checkout.js`
      ? new Response('', { status: 404 })
      : fetch(...request)
  const { code, checks } = await doctor(env, { fetch: withoutWidget })
  expect(code).toBe(0)
  expect(checks.find(({ name }) => name === 'widget')).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('not served (404 for /widget/v1/hc-checkout.js): install hc-checkout beside'),
  })
})

it('doctor warns of what it has passed over in the environment, and of a name that nothing reads', async () => {
  const odd = { HC_DESCRIPTION: '"Duka"', HC_SANDBOX_PORT: 'tcp://10.0.0.7:8788', HC_WALETS: 'KES:1' }
  const { checks } = await doctor({ ...env, ...odd })
  const warned = checks.filter(({ name, state }) => name === 'settings' && state === 'warn')
  for (const says of [
    /^HC_DESCRIPTION is written with quotes around its value/,
    /^HC_SANDBOX_PORT comes from a Kubernetes service named hc-sandbox: passed over/,
    /HC_WALETS.*HC_WALLETS/,
  ])
    expect(warned).toContainEqual({ name: 'settings', state: 'warn', says: expect.stringMatching(says) })
})

it('doctor names a wrong secret, a foreign key, a missing query path', async () => {
  expect(await failing({ HC_CONSUMER_SECRET: 'cs_test_wrong' })).toEqual(['login'])
  expect(await failing({ HC_PRIVATE_KEY: readFileSync('test/vectors/test-key.pem', 'utf8') })).toEqual([
    'query KES',
    'query XOF',
  ])
  // The sandbox answers any path in its envelope: that a payment of ours is not known there tells
  // the wrong one.
  expect(await failing({ HC_QUERY_PATH: '/elsewhere' })).toEqual(['query KES'])
  expect(await failing({}, {}, ['--public-key', 'test/vectors/test-key.pub.pem'])).toEqual(['key pair'])
  const { checks } = await doctor(env, {}, ['--public-key', join(folder, 'nowhere.pem')])
  expect(checks).toContainEqual({
    name: 'key pair',
    state: 'fail',
    says: expect.stringContaining('nowhere.pem cannot be read (ENOENT)') as string,
  })
})

it('doctor takes no private key for the one that the portal shows, not even our own, which agrees with itself', async () => {
  const file = join(folder, 'privatekey.pem')
  writeFileSync(file, keys.privateKey)
  expect(await failing({}, {}, ['--public-key', file])).toEqual(['key pair'])
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
    const { checks } = await doctor({ ...env, ...change })
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
  expect(out).toContain('Check HC_AUTH_URL, the network, and HC_UPSTREAM_PROXY')
  expect(out).toContain('not compared with the service')
  expect(out).not.toContain('shop:word')
})

it('doctor names a clock that is wrong', async () => {
  expect(await failing({}, { now: () => Date.now() - 120_000 })).toContain('clock')
})

it('doctor names a proxy that takes the header Authorization away', async () => {
  const stripping: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    if (url.origin !== env['HC_PUBLIC_URL']) return fetch(input, init)
    const headers = new Headers(init?.headers)
    headers.delete('authorization')
    return fetch(input, { ...init, headers })
  }
  expect(await failing({}, { fetch: stripping })).toEqual(['authorization', 'event stream'])
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
    const { checks } = await doctor(given)
    return checks.filter(({ name }) => name.startsWith('payment'))
  }
  expect(await payment()).toMatchObject([{ state: 'skip' }])
  const rejected = /refused/.test(says.source)
  // One that is rejected, or that a person has to look at, ends at once, and not as the scenario
  // ends.
  expect(await run(['trigger', 'declined'], given)).toMatchObject({
    code: 1,
    err: expect.stringContaining(rejected ? 'was not created' : 'under review'),
  })
  expect(await payment()).toMatchObject([{ name: 'payment KES', state: 'warn', says: expect.stringMatching(says) }])
  await misled.close()
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

it('doctor warns of another HC_SECRET than that of the companion which used the database, unless it is given as the previous one', async () => {
  const told = async (change: Record<string, string>) => {
    const { checks } = await doctor({ ...env, HC_SECRET: `is_other_${keys.secret}`, ...change })
    return checks.filter(({ name, state }) => name === 'database' && state === 'warn').map(({ says }) => says)
  }
  expect(await told({})).toEqual([expect.stringContaining('HC_SECRET_PREVIOUS')])
  expect(await told({ HC_SECRET_PREVIOUS: keys.secret })).toEqual([])
})

it('doctor names the settings in which the companion that runs has others', async () => {
  const { checks } = await doctor({ ...env, HC_RATE: '99' })
  const warned = checks.filter(({ name, state }) => name === 'database' && state === 'warn')
  expect(warned.map(({ says }) => says)).toEqual([expect.stringContaining('(HC_RATE)')])
})

it('doctor tells how many notices wait for the receiver, and how many were given up', async () => {
  const url = `file:${join(folder, 'untold.db')}`
  const store = await openStore(url)
  const deposit = depositRecord()
  await store.apply(creation(deposit))
  await store.apply({
    notices: [noticeRecord(deposit.id), noticeRecord(deposit.id), noticeRecord(deposit.id, { state: 'dead' })],
  })
  await store.close()
  const { checks } = await doctor({ ...env, HC_DATABASE_URL: url })
  expect(checks.filter(({ name }) => name === 'notices')).toEqual([
    {
      name: 'notices',
      state: 'warn',
      says: expect.stringMatching(/^not accepted yet: 2\. .*notice not delivered/),
    },
    { name: 'notices', state: 'warn', says: expect.stringMatching(/^given up: 1\. Send them again/) },
  ])
})

it('doctor warns of live payments in a database that is now used for test payments, and judges nothing by them', async () => {
  const url = `file:${join(folder, 'both.db')}`
  const store = await openStore(url)
  await store.apply(creation(depositRecord({ mode: 'live', reference: 'HCliveOne' })))
  await store.close()
  const { code, checks } = await doctor({ ...env, HC_DATABASE_URL: url })
  expect(code).toBe(0)
  expect(checks).toContainEqual({
    name: 'database',
    state: 'warn',
    says: expect.stringMatching(/also holds live payments \(HCliveOne\).*Use a new database/) as string,
  })
  expect(checks.find(({ name }) => name === 'installation')?.state).toBe('skip')
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
    const { checks } = await doctor(given)
    return checks.find(({ name }) => name === 'receiver')
  }
  expect(await at('/401')).toMatchObject({ state: 'ok' })
  // It would refuse what is signed as well.
  expect(await at('/403')).toMatchObject({ state: 'warn', says: expect.stringContaining('CSRF check') })
  expect(await at('/419')).toMatchObject({ state: 'warn', says: expect.stringContaining('CSRF check') })
  expect(await at('/204')).toMatchObject({ state: 'warn', says: expect.stringContaining('must verify signatures') })
  expect(await at('/301')).toMatchObject({ state: 'fail', says: expect.stringContaining('follow no redirect') })
  expect(await at('/404')).toMatchObject({ state: 'fail', says: expect.stringContaining('check its path') })
  expect(await at('/502')).toMatchObject({ state: 'fail', says: expect.stringContaining('is it started?') })
  expect(await at('/500')).toMatchObject({ state: 'warn', says: expect.stringContaining('answered 500') })
  expect(knocks).toHaveLength(8)
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
