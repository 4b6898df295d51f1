// Signing in to the console, and what an attacker tries at its doors: guessing, forged requests,
// foreign frames, a role that may not.
import { mkdtempSync, rmSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeConsoleUser } from '../../server/console/make-user.ts'
import { hashPassword } from '../../server/console/passwords.ts'
import type { ActRow } from '../../server/deposits/ports/desk-store.ts'
import type { Me, Problem } from '../../server/contract/index.ts'
import type { ConsoleUser } from '../../server/settings/values.ts'
import { consoleUsers as usersSetting } from '../../server/settings/values.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import {
  type Asked,
  ask as askOf,
  consoleUsers,
  createConsoleSystem,
  PASSWORD,
  signedIn as signedInTo,
  signIn as signInTo,
} from '../helpers/console-users.ts'
import { COMPANION_URL, createTestSystem, kenyanDeposit, newKey, SHOP_URL } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

let users: readonly ConsoleUser[]
beforeAll(async () => {
  users = await consoleUsers()
})

let system: TestSystem
afterEach(() => system.close())

const consoleOn = createConsoleSystem
const ask = <Body = Problem>(path: string, asked: Asked = {}) => askOf<Body>(system, path, asked)
const signIn = (name: string, password = PASSWORD, more: Asked = {}) => signInTo(system, name, password, more)
const from = (address: string): Asked => ({ address, headers: { origin: COMPANION_URL } })
const signedIn = (role: ConsoleUser['role']) => signedInTo(system, role)

async function payment(): Promise<string> {
  const answer = await system.browser('/v1/deposits', {
    method: 'POST',
    body: JSON.stringify(kenyanDeposit()),
    headers: { 'idempotency-key': newKey() },
  })
  return ((await answer.json()) as { id: string }).id
}

const actsSoFar = async (): Promise<readonly Pick<ActRow, 'name' | 'act' | 'result'>[]> =>
  ((await system.store.desk?.acts({ limit: 50 })) ?? []).map(({ name, act, result }) => ({ name, act, result }))

describe('the console', () => {
  it('lets in whoever has the password, says who it is, and lets them out', async () => {
    system = await consoleOn({ settings: { consoleContact: 'Amina, 0700 000 000', timeZone: 'Africa/Nairobi' } })
    const { status, body, headers } = await signIn('The.Operator')
    expect([status, body.name, body.role]).toEqual([200, 'the.operator', 'operator'])
    expect(body.shop).toMatchObject({
      mode: 'test',
      timeZone: 'Africa/Nairobi',
      today: '2026-11-21',
      contact: 'Amina, 0700 000 000',
      markets: expect.arrayContaining([{ country: 'KE', currency: 'KES', min: 10, max: 150_000 }]),
    })
    expect(headers.get('set-cookie')).toMatch(/^hc-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    const by = await signedIn('operator')
    expect((await ask<Me>('/v1/console/me', { headers: by })).body).toMatchObject({ name: 'the.operator' })
    expect((await ask('/v1/console/sign-out', { method: 'POST', headers: by })).status).toBe(204)
    expect((await ask('/v1/console/me', { headers: by })).body.code).toBe('sign_in_missing')
    expect((await actsSoFar()).map(({ name, act, result }) => `${name} ${act} ${result}`).toSorted()).toEqual([
      'the.operator sign_in done',
      'the.operator sign_in done',
      'the.operator sign_out done',
    ])
  })

  it('is off without users: no page and no sign-in', async () => {
    system = await createTestSystem()
    for (const path of ['/console', '/console/payments', '/v1/console/me'])
      expect((await ask(path)).body.code).toBe('not_found')
    expect((await signIn('the.owner')).body.code).toBe('not_found')
    expect((await ask('/v1/payments')).body.code).toBe('bearer_missing')
  })

  it('lets nobody in without the password, and tells no name from another', async () => {
    system = await consoleOn()
    const wrong = await signIn('the.owner', 'four plain words her')
    const nobody = await signIn('nobody')
    expect([wrong.status, wrong.body.code]).toEqual([401, 'sign_in_refused'])
    expect({ ...nobody.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    expect([wrong.headers.get('set-cookie'), nobody.headers.get('set-cookie')]).toEqual([null, null])
    for (const cookie of ['hc-console=', `hc-console=${'A'.repeat(43)}`, `hc-console=${users[2]?.hash}`])
      for (const path of ['/v1/payments', '/v1/payments.csv', '/v1/console/me'])
        expect((await ask(path, { headers: { cookie } })).body.code).toBe('sign_in_missing')
    // What the store keeps of a sign-in is no cookie.
    const { cookie } = await signedIn('viewer')
    expect(cookie.length).toBeGreaterThan(40)
    expect(await actsSoFar()).toContainEqual({ name: 'the.owner', act: 'sign_in_refused', result: 'done' })
  })

  it('limits how often a password can be guessed, from one address and from many', async () => {
    system = await consoleOn()
    const guess = async (address: string) =>
      (await signIn('the.owner', 'guess', { address, headers: { origin: COMPANION_URL } })).body
    const codes: string[] = []
    for (let n = 0; n < 12; n++) codes.push((await guess('198.51.100.1')).code)
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 'sign_in_refused'), 'rate_limited', 'rate_limited'])
    // The right password does not help whoever has used up the attempts; from another address it
    // does.
    const right = (address: string) =>
      signIn('the.owner', PASSWORD, { address, headers: { origin: COMPANION_URL } }).then(({ status }) => status)
    expect([await right('198.51.100.1'), await right('198.51.100.2')]).toEqual([429, 200])
    for (let n = 0; n < 89; n++) await guess(`198.51.101.${n}`)
    expect(await right('198.51.100.3')).toBe(429)
  })

  it('limits the attempts of an address and of a network, whatever the names', async () => {
    system = await consoleOn()
    const statuses = async (count: number, addressOf: (n: number) => string) => {
      const found: number[] = []
      for (let n = 0; n < count; n++)
        found.push((await signIn(`somebody ${addressOf(n)} ${n}`, 'guess', from(addressOf(n)))).status)
      return found
    }
    const refused = (count: number) => Array.from({ length: count }, () => 401)
    expect(await statuses(31, () => '198.51.100.1')).toEqual([...refused(30), 429])
    // A household has 256 blocks of addresses, and each block counts as one address.
    expect(await statuses(31, (n) => `2001:db8:1:100::${n}`)).toEqual([...refused(30), 429])
    expect(await statuses(31, (n) => `2001:db8:1:1${n + 10}::1`)).toEqual([...refused(30), 429])
    expect((await signIn('the.owner', PASSWORD, from('198.51.100.2'))).status).toBe(200)
  })

  it('counts the attempts of an address at both companions of a database', async () => {
    const store = sqliteStore({ path: ':memory:', isSearchable: true })
    system = await consoleOn({ store })
    const other = await createTestSystem({ store, settings: { consoleUsers: users } })
    const tries = async (at: TestSystem, count: number) => {
      const found: number[] = []
      for (let n = 0; n < count; n++)
        found.push((await signInTo(at, `somebody ${found.length}`, 'guess', from('198.51.100.1'))).status)
      return found
    }
    expect(new Set(await tries(system, 15))).toEqual(new Set([401]))
    expect(await tries(other, 16)).toEqual([...Array.from({ length: 15 }, () => 401), 429])
    expect(await tries(system, 1)).toEqual([429])
    await other.companion.close()
  })

  it('keeps nobody out by the name or the address that another gives', async () => {
    system = await consoleOn()
    for (let n = 0; n < 11; n++) await signIn('the.owner 198.51.100.1', 'guess', from(`198.51.101.${n}`))
    expect((await signIn('the.owner', PASSWORD, from('198.51.100.1'))).status).toBe(200)
    // Of one block of IPv6 addresses somebody has them all.
    for (let n = 0; n < 10; n++) await signIn('the.owner', 'guess', from(`2001:db8:1:2::${n}`))
    expect((await signIn('the.owner', PASSWORD, from('2001:db8:1:2::ff'))).status).toBe(429)
    expect((await signIn('the.owner', PASSWORD, from('2001:db8:1:3::ff'))).status).toBe(200)
  })

  it('lets no crowd wait in front of the people of the shop', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const store = sqliteStore({ path: ':memory:', isSearchable: true })
    let counted = 0
    system = await consoleOn({
      store: {
        ...store,
        async take(name, ...more) {
          if (name.startsWith('sign-in')) {
            counted += 1
            if (counted > 20) resolve()
            await promise
          }
          return store.take(name, ...more)
        },
      },
    })
    const crowd = Array.from({ length: 50 }, (_, n) => signIn(`somebody ${n}`, 'guess', from(`198.51.101.${n}`)))
    await Promise.any(crowd)
    // Who is refused uses up no counter.
    expect(counted).toBe(20)
    resolve()
    const codes = (await Promise.all(crowd)).map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(30)
    expect(codes.filter((code) => code === 'sign_in_refused')).toHaveLength(20)
    expect((await signIn('the.owner')).status).toBe(200)
  })

  it('answers a wrong password before it has written down that a user was meant', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const store = sqliteStore({ path: ':memory:', isSearchable: true })
    const desk = store.desk!
    system = await consoleOn({
      store: { ...store, desk: { ...desk, addAct: (row) => promise.then(() => desk.addAct(row)) } },
    })
    expect((await signIn('the.owner', 'guess')).status).toBe(401)
    expect(await actsSoFar()).toEqual([])
    resolve()
    await system.companion.idle()
    expect(await actsSoFar()).toEqual([{ name: 'the.owner', act: 'sign_in_refused', result: 'done' }])
  })

  it('ends a sign-in after two idle hours, and after twelve in any case', async () => {
    let at = Date.UTC(2026, 10, 21, 9)
    const hours = (number: number) => (at += number * 3_600_000)
    system = await consoleOn({ companion: { now: () => at } })
    const idle = await signedIn('viewer')
    const busy = await signedIn('viewer')
    hours(1.9)
    expect((await ask('/v1/console/me', { headers: busy })).status).toBe(200)
    hours(0.2)
    expect((await ask('/v1/console/me', { headers: idle })).body.code).toBe('sign_in_missing')
    for (let n = 0; n < 9; n++) {
      hours(1)
      expect((await ask('/v1/console/me', { headers: busy })).status).toBe(200)
    }
    hours(1)
    expect((await ask('/v1/console/me', { headers: busy })).body.code).toBe('sign_in_missing')
  })

  it('holds a sign-in on a second companion, and ends it with the password or the user', async () => {
    const store = sqliteStore({ path: ':memory:' })
    system = await consoleOn({ store })
    const by = await signedIn('owner')
    const others = async (changed: readonly ConsoleUser[]) => {
      const other = await createTestSystem({ store, settings: { consoleUsers: changed } })
      const answer = await other.companion.app.request(`${COMPANION_URL}/v1/console/me`, { headers: by })
      await other.companion.close()
      return answer.status
    }
    expect(await others(users)).toBe(200)
    const hash = await hashPassword('another one', 10)
    expect(await others(users.map((user) => ({ ...user, hash })))).toBe(401)
    expect(await others(users.filter(({ role }) => role !== 'owner'))).toBe(401)
  })

  it('refuses each act that a foreign page makes the browser send', async () => {
    system = await consoleOn()
    const id = await payment()
    const { cookie, origin, 'x-hc-csrf': csrf } = await signedIn('owner')
    const act = (headers: Record<string, string>) =>
      ask(`/v1/payments/${id}/notices`, { method: 'POST', headers: { cookie, ...headers } })
    for (const foreign of [SHOP_URL, 'https://evil.example', 'null', `${COMPANION_URL}.evil.example`])
      expect((await act({ origin: foreign, 'x-hc-csrf': csrf })).body.code).toBe('origin_not_allowed')
    expect((await act({ 'x-hc-csrf': csrf })).body.code).toBe('origin_not_allowed')
    expect((await act({ origin })).body.code).toBe('csrf_wrong')
    const other = await signedIn('owner')
    expect((await act({ origin, 'x-hc-csrf': other['x-hc-csrf'] })).body.code).toBe('csrf_wrong')
    expect((await act({ origin, 'x-hc-csrf': csrf })).status).toBe(202)
    // A foreign page signs nobody in, either: its acts would go by another name.
    const forced = await signIn('the.viewer', PASSWORD, { headers: { origin: 'https://evil.example' } })
    expect([forced.body.code, forced.headers.get('set-cookie')]).toEqual(['origin_not_allowed', null])
    // No page of another origin may read an answer.
    const read = await ask('/v1/payments', { headers: { cookie, origin: SHOP_URL } })
    expect(read.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('lets a viewer read and never act', async () => {
    system = await consoleOn()
    const id = await payment()
    const by = await signedIn('viewer')
    expect((await ask('/v1/payments', { headers: by })).status).toBe(200)
    expect((await ask(`/v1/payments/${id}`, { headers: by })).status).toBe(200)
    const acts = [
      [`/v1/payments/${id}/refresh`, undefined],
      [`/v1/payments/${id}/notices`, undefined],
      [`/v1/payments/${id}/decision`, { outcome: 'succeeded', reason: 'x', by: 'x' }],
    ] as const
    for (const [path, json] of acts)
      expect((await ask(path, { method: 'POST', headers: by, json })).body.code).toBe('role_too_low')
    expect((await ask('/v1/payments.csv', { headers: by })).body.code).toBe('role_too_low')
    expect((await actsSoFar()).map(({ act }) => act)).toEqual(['sign_in'])
  })

  it('opens the sessions of the backend to nobody with a cookie', async () => {
    system = await consoleOn()
    const by = await signedIn('owner')
    const json = { amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp' }
    expect((await ask('/v1/sessions', { headers: by, json })).body.code).toBe('bearer_missing')
  })

  it('asks for https, and gives a cookie that stays on its host', async () => {
    const url = 'https://pay.shop.example'
    system = await consoleOn({ settings: { publicUrl: url } })
    const { headers, status } = await signIn('the.owner', PASSWORD, { url, headers: { origin: url } })
    expect([status, headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^__Host-hc-console=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ])
    await system.close()
    system = await consoleOn({ settings: { publicUrl: 'http://192.168.1.4:8787' } })
    const refused = await signIn('the.owner', PASSWORD, { headers: { origin: 'http://192.168.1.4:8787' } })
    expect([refused.status, refused.body.code, refused.headers.get('set-cookie')]).toEqual([
      403,
      'console_needs_https',
      null,
    ])
    expect(refused.body.detail).toContain('everybody on the network could read the password')
  })

  it('serves its pages with a policy that lets in nothing else, and in no frame', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hc-console-'))
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<hc-console></hc-console>')
    writeFileSync(join(folder, 'assets', 'main-1.js'), 'void 0')
    try {
      system = await consoleOn({ companion: { consolePages: pathToFileURL(`${folder}/`) } })
      const page = await ask<string>('/console/')
      expect(page.body).toBe('<hc-console></hc-console>')
      expect(page.headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types lit-html',
      ])
      const { 'x-frame-options': frames, 'cache-control': caching } = Object.fromEntries(page.headers)
      expect([frames, caching]).toEqual(['DENY', 'no-store, no-transform'])
      // Relative, as the files of the page are: so it works below a path too.
      const without = await ask('/console')
      expect([without.status, without.headers.get('location')]).toEqual([308, 'console/'])
      const script = await ask<string>('/console/assets/main-1.js')
      expect([script.body, script.headers.get('content-type')]).toEqual(['void 0', 'text/javascript; charset=utf-8'])
      for (const path of ['/console/assets/..%2findex.html', '/console/assets/nothing.js'])
        expect((await ask(path)).status).toBe(404)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the record of acts', () => {
  it('names who did what, why, and how it ended', async () => {
    system = await consoleOn()
    const id = await payment()
    const by = await signedIn('operator')
    await ask(`/v1/payments/${id}/notices`, { headers: by, json: { why: 'The till was off.' } })
    await system.advance(1)
    const decision = { outcome: 'succeeded', reason: 'Seen in the portal.', by: 'somebody else' }
    expect((await ask(`/v1/payments/${id}/decision`, { headers: by, json: decision })).body.code).toBe(
      'decision_not_open',
    )
    const acts = (await system.store.desk?.actsOf(id)) ?? []
    expect(acts).toMatchObject([
      { name: 'the.operator', role: 'operator', act: 'resend', why: 'The till was off.', result: 'done' },
      { name: 'the.operator', act: 'decision', why: 'Seen in the portal.', result: 'decision_not_open' },
    ])
    const detail = (await (await system.backend(`/v1/payments/${id}`)).json()) as { acts: unknown[] }
    expect(detail.acts).toMatchObject([{ by: 'the.operator', act: 'resend' }, { act: 'decision' }])
  })
})

it.each([
  ['a name with a colon', 'a:b', 'owner', undefined, 'name must have'],
  ['no name', '', 'owner', undefined, 'name must have'],
  ['a role that does not exist', 'amina', 'king', undefined, 'role must be one of'],
  ['an empty password', 'amina', 'owner', '', 'password must have'],
])('no user is made of %s', async (_what, name, role, password, fault) => {
  await expect(makeConsoleUser(name, role as 'owner', password)).rejects.toThrow(fault)
})

it('a user is made with a password, and the setting takes the line', async () => {
  system = await createTestSystem()
  const { line, password } = await makeConsoleUser('amina', 'operator')
  expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
  const parsed = usersSetting.parse(line)
  expect(parsed).toEqual([{ name: 'amina', role: 'operator', hash: line.slice('amina:operator:'.length) }])
  expect(usersSetting.safeParse(`${line}\n${line}`).error?.issues[0]?.message).toBe('has two entries of one name.')
  for (const wrong of [
    'amina',
    'amina:boss:scrypt-15',
    line.replace('operator', 'boss'),
    line.replace('scrypt-15', 'scrypt-10'),
  ])
    expect(usersSetting.safeParse(wrong).error?.issues[0]?.message).toMatch(/no name:role:hash/)
})
