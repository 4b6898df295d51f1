// The console: its actions on merchants, wallets, transactions and faults, and its access control.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandbox } from '../../demo/sandbox/sandbox.ts'
import { SCENARIOS } from '../../demo/sandbox/engine/scenarios.ts'
import { createSandboxFixture, hashOf, MERCHANT, signed, WALLETS, type SandboxFixture } from './sandbox-fixture.ts'

let fixture: SandboxFixture
beforeEach(() => {
  fixture = createSandboxFixture({ agent: false })
})
afterEach(() => fixture.sandbox.close())
const credentials = { consumer_key: MERCHANT.consumerKey, consumer_secret: MERCHANT.consumerSecret }
const login = (body: unknown = credentials) => fixture.post('/api/v2/auth/login', body)
const status = async (reference: string) => (await fixture.query(reference)).json.data.status as string

describe('transactions', () => {
  test('are listed with reference, payer, status and result_url, newest first', async () => {
    await fixture.create({ reference: 'ONE' })
    const [one] = (await fixture.console('GET', 'transactions')).data
    expect(one).toMatchObject({
      reference: 'ONE',
      status: 'PENDING',
      result_url: 'https://merchant.example/webhook/abc',
      payer: { name: 'Achieng Otieno', phone: '254712345678', email: 'achieng@example.com' },
    })
  })
  test.each([
    ['confirm', 'SUCCESS', 0],
    ['decline', 'FAILED', 2001],
    ['cancel', 'FAILED', 1032],
    ['expire', 'FAILED', 1037],
  ])(
    '%s ends one as %s with code %i, by reference or by id, and the callback carries a true hash',
    async (action, ending, code) => {
      const { json } = await fixture.create({ reference: 'ONE' })
      const id = code % 2 === 0 ? 'ONE' : (json.data.transaction_id as string)
      expect((await fixture.console('POST', `transactions/${id}/${action}`)).data.status).toBe(ending)
      await fixture.sandbox.tick()
      expect(await status('ONE')).toBe(ending)
      expect(fixture.callbacks).toHaveLength(1)
      const { body } = fixture.callbacks[0]!
      expect([body.result_code, body.hash]).toEqual([code, hashOf(body)])
      expect((await fixture.console('POST', `transactions/${id}/cancel`)).success).toBe(false)
    },
  )
  test('a failed one can still be confirmed, late', async () => {
    await fixture.create({ reference: 'ONE' })
    await fixture.console('POST', 'transactions/ONE/expire')
    await fixture.console('POST', 'transactions/ONE/confirm')
    await fixture.sandbox.tick()
    expect(await status('ONE')).toBe('SUCCESS')
    expect(fixture.callbacks.map(({ body }) => body.result_code)).toEqual([1037, 0])
    const { timeline } = (await fixture.console('GET', 'transactions/ONE')).data
    expect(timeline.map(({ what }: { what: string }) => what)).toEqual(['created', 'expire', 'confirm', 'receipt'])
  })
  test('expire says of a locked order that it was not confirmed, not that none was locked', async () => {
    await fixture.create({ reference: 'ONE' })
    await fixture.console('POST', 'transactions/ONE/lock')
    expect((await fixture.console('POST', 'transactions/ONE/expire')).data).toMatchObject({
      status: 'FAILED',
      result_code: 1037,
      status_description: 'The order was not confirmed within 24 hours.',
    })
  })
  test('any one can be given a scenario', async () => {
    await fixture.create({ reference: 'ONE' })
    await fixture.console('POST', 'transactions/ONE/scenario', { scenario: 'success-after-expiry' })
    await fixture.sandbox.clock.advance(10)
    expect(fixture.callbacks.map(({ body }) => body.result_code)).toEqual([1037, 0])
  })
  test('given a scenario, the automatic agent no longer confirms it: the scenario decides', async () => {
    const played = createSandboxFixture()
    for (const [reference, before] of [
      ['OPEN', []],
      ['PAID', ['lock', 'paid']],
    ] as const) {
      await played.create({ reference })
      for (const action of before) await played.console('POST', `transactions/${reference}/${action}`)
      const answer = await played.console('POST', `transactions/${reference}/scenario`, { scenario: 'never-answered' })
      expect(answer.data.scenario).toBe('never-answered')
      await played.sandbox.clock.advance(3600)
      expect((await played.query(reference)).json.data.status, reference).toBe('PENDING')
    }
    await played.sandbox.close()
  })
  test.each(['create-rate-limited', 'callback-before-answer', 'nothing'])(
    'the scenario %s cannot be given to one that exists, and the page does not offer it',
    async (scenario) => {
      await fixture.create({ reference: 'ONE' })
      expect(await fixture.console('POST', 'transactions/ONE/scenario', { scenario })).toMatchObject({
        success: false,
        message: 'No such scenario to play.',
        errors: { scenario: ['Choose one of GET scenarios whose create is "usual".'] },
      })
      const page = await (await fixture.request('/console/transactions/ONE')).text()
      expect(page).toContain('<option value="never-answered">')
      expect(page).not.toContain(`<option value="${scenario}">`)
    },
  )
  test('an unknown one is 404 in the envelope', async () => {
    expect(await fixture.console('POST', 'transactions/NOBODY/confirm')).toEqual({
      success: false,
      message: 'Transaction not found.',
    })
  })
})

describe('keys', () => {
  test('that were rotated no longer log in (401), their tokens end, and callbacks are keyed with the new one', async () => {
    const token = await fixture.login()
    const { data } = await fixture.console('POST', `merchants/${MERCHANT.businessId}/rotate`)
    expect(await login()).toMatchObject({ status: 401, json: { message: 'Unauthorized.' } })
    expect((await fixture.create({}, token)).status).toBe(401)
    const fresh = await login({ consumer_key: data.consumer_key, consumer_secret: data.consumer_secret })
    expect(fresh.status).toBe(200)
    await fixture.create({ acc_no: '254700000003' }, fresh.json.data.access_token as string)
    await fixture.sandbox.clock.advance(2)
    const { body } = fixture.callbacks[0]!
    expect(body.hash).toBe(hashOf(body, data.consumer_key as string))
  })
  test('that are disabled are 401 until they are enabled again', async () => {
    const token = await fixture.login()
    await fixture.console('POST', `merchants/${MERCHANT.businessId}/disable`)
    expect((await login()).status).toBe(401)
    expect((await login({ ...credentials, consumer_secret: 'wrong' })).status).toBe(400)
    expect((await fixture.create({}, token)).status).toBe(401)
    await fixture.console('POST', `merchants/${MERCHANT.businessId}/enable`)
    expect((await login()).status).toBe(200)
  })
  test('a merchant without a public key signs in vain until one is uploaded', async () => {
    const { data } = await fixture.console('POST', 'merchants', { name: 'Second' })
    const wallet = (await fixture.console('POST', 'wallets', { business_id: data.id, currency: 'KES' })).data
      .wallet_no as string
    const token = (await login({ consumer_key: data.consumer_key, consumer_secret: data.consumer_secret })).json.data
      .access_token as string
    const body = {
      wallet_no: wallet,
      reference: 'S',
      acc_name: 'Ab',
      amount: 5,
      currency: 'KES',
      channel: 420001,
      description: 'D',
      result_url: 'https://a.example/',
    }
    const headers = {
      Authorization: `Bearer ${token}`,
      Signature: signed('420001SKES5'),
      'x-hash': signed(data.id as string),
    }
    expect((await fixture.post('/api/v2/payment/', body, headers)).json.message).toBe('Invalid signature.')
    await fixture.console('POST', `merchants/${data.id}/public-key`, { public_key: MERCHANT.publicKey })
    expect((await fixture.post('/api/v2/payment/', body, headers)).status).toBe(200)
    expect(
      (await fixture.post('/api/v2/payment/', { ...body, wallet_no: WALLETS.KES, reference: 'S' }, headers)).json
        .message,
    ).toBe('Wallet not found.')
    expect(
      (await fixture.post('/api/v2/payment/', body, { ...headers, 'x-hash': signed(MERCHANT.businessId) })).json
        .message,
    ).toBe('Invalid x-hash.')
  })
  test('one merchant cannot ask about the deposits of another', async () => {
    await fixture.create({ reference: 'MINE' })
    const { data } = await fixture.console('POST', 'merchants', { public_key: MERCHANT.publicKey })
    const token = (await login({ consumer_key: data.consumer_key, consumer_secret: data.consumer_secret })).json.data
      .access_token as string
    const body = { wallet_no: WALLETS.KES, reference: 'MINE' }
    const answer = await fixture.post('/api/v2/payment/status-query', body, {
      Authorization: `Bearer ${token}`,
      Signature: signed(`${WALLETS.KES}MINE`),
    })
    expect(answer.status).toBe(404)
  })
})

describe('faults', () => {
  const set = (faults: object) => fixture.console('POST', 'faults', faults)
  test('hit so many calls, then no more', async () => {
    await set({ server_error: 2 })
    expect([(await login()).status, (await login()).status, (await login()).status]).toEqual([500, 500, 200])
    await set({ rate_limited: 1, on: ['login'] })
    const refused = await login()
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '2'])
  })
  test('a cut connection comes after the work was done', async () => {
    const token = await fixture.login()
    await set({ cut: 1, on: ['create'] })
    await expect(fixture.create({ reference: 'CUT' }, token)).rejects.toThrow()
    expect(await status('CUT')).toBe('PENDING')
  })
  test('a timeout comes after the work was done, and is a 504 after 30 seconds', async () => {
    const token = await fixture.login()
    await set({ timeout: 1, on: ['create'] })
    const creating = fixture.create({ reference: 'SLOW' }, token)
    while ((await fixture.console('GET', 'transactions')).data.length === 0);
    await fixture.sandbox.clock.advance(30)
    expect((await creating).status).toBe(504)
    expect(await status('SLOW')).toBe('PENDING')
  })
  test.each([
    [true, 404],
    [404, 404],
    [405, 405],
    [501, 501],
  ])('a missing query path (%s) answers %i without the envelope', async (wish, code) => {
    await set({ query_path_missing: wish })
    const response = await fixture.request('/api/v2/payment/status-query', { method: 'POST' })
    expect(response.status).toBe(code)
    expect(response.headers.get('Content-Type')).toMatch(/html/)
    // Which every 405 must have (RFC 9110, 15.5.6); empty, for no method is allowed.
    expect(response.headers.get('Allow')).toBe(code === 405 ? '' : null)
  })
  test('callbacks can carry an extra field and amounts as 2500.00, with a hash over what is sent', async () => {
    await set({ extra_field: true, decimal_amount: true })
    await fixture.create({ acc_no: '254700000001' })
    await fixture.sandbox.clock.advance(3)
    const { body } = fixture.callbacks[0]!
    expect(body).toMatchObject({ amount: '2500.00', sandbox_extra: 'ignore me', hash: hashOf(body) })
  })
  test('dates can come in 24 hours, and the rate can be lowered', async () => {
    await set({ date_24_hours: true })
    await fixture.sandbox.clock.advance(5 * 3600)
    expect((await fixture.create()).json.data.date).toBe('2026-11-21 14:00:00 PM')
    await set({ date_24_hours: false })
    expect((await fixture.create()).json.data.date).toBe('2026-11-21 02:00:00 PM')
    await set({ rate: 1 })
    expect([(await login()).status, (await login()).status].includes(429)).toBe(true)
  })
  test('an allow-list refuses other addresses', async () => {
    await set({ ip_allow_list: ['203.0.113.7'] })
    expect(await login()).toMatchObject({ status: 403, json: { success: false, message: 'IP address not allowed.' } })
    const from = (remoteAddress: string) =>
      fixture.sandbox.app.request(
        '/api/v2/auth/login',
        { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(credentials) },
        { incoming: { socket: { remoteAddress } } },
      )
    expect((await from('203.0.113.7')).status).toBe(200)
    expect((await from('::ffff:203.0.113.7')).status).toBe(200)
    expect((await from('203.0.113.8')).status).toBe(403)
  })
  test('that do not exist are refused by name', async () => {
    expect(await set({ sharks: true })).toMatchObject({
      success: false,
      errors: { body: [expect.stringContaining('sharks')] },
    })
  })
})

test.each([
  ['wallets', { wallet_no: '123456', allocated: false }, { currency: ['Name the currency of the new wallet.'] }],
  ['tokens', {}, { revoke: ['Give the id of a token, or "all".'] }],
])('%s says what is missing', async (path, body, errors) => {
  const fixture = createSandboxFixture()
  expect(await fixture.console('POST', path, body)).toMatchObject({ success: false, errors })
  await fixture.sandbox.close()
})

describe('the console is closed to', () => {
  const call = (headers: Record<string, string>, method = 'POST') =>
    fixture.request('/console/api/clock', {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(method === 'GET' ? {} : { body: '{"advance":0}' }),
    })
  test.each([
    ['a page of another site', { Origin: 'https://evil.example' }],
    ['a page without an origin', { Origin: 'null' }],
    ['the same machine on another port', { Origin: 'http://localhost:3000' }],
    ['a rebound name', { Host: 'evil.example' }],
    ['a form of another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('%s', async (_who, headers) => {
    expect((await call(headers as Record<string, string>)).status).toBe(403)
  })
  test('other machines, unless it was opened', async () => {
    const from = (one: SandboxFixture, remoteAddress: string) =>
      one.sandbox.app.request('/console', {}, { incoming: { socket: { remoteAddress } } })
    expect((await from(fixture, '192.168.1.9')).status).toBe(403)
    expect((await from(fixture, '::ffff:127.0.0.1')).status).toBe(200)
    const open = createSandboxFixture({ openConsole: true })
    expect((await from(open, '192.168.1.9')).status).toBe(200)
    await open.sandbox.close()
  })
  test('the public name, which a proxy hands on that adds no header, unless it was opened', async () => {
    const through = async (openConsole: boolean) => {
      const one = createSandboxFixture({ publicUrl: 'https://sandbox.example', openConsole })
      const { status: code } = await one.sandbox.app.request(
        '/console',
        { headers: { Host: 'sandbox.example' } },
        { incoming: { socket: { remoteAddress: '127.0.0.1' } } },
      )
      await one.sandbox.close()
      return code
    }
    expect([await through(false), await through(true)]).toEqual([403, 200])
  })
  test('everybody without its password, on this machine too, once it has one', async () => {
    const locked = createSandboxFixture({ consolePassword: 'console-password-0123456789' })
    const ask = async (authorization?: string, remoteAddress = '127.0.0.1') => {
      const headers = {
        Host: 'localhost:8788',
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      }
      const answer = await locked.sandbox.app.request(
        '/console/api/merchants',
        { headers },
        { incoming: { socket: { remoteAddress } } },
      )
      const text = await answer.text()
      return [answer.status, answer.headers.has('WWW-Authenticate'), text.includes('consumer_secret')]
    }
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    for (const wrong of [undefined, '', 'Bearer x', 'Bearer', basic('ops:'), basic('console-password-0123456789:')])
      expect(await ask(wrong)).toEqual([401, true, false])
    for (const right of ['Bearer console-password-0123456789', basic('ops:console-password-0123456789')])
      for (const from of ['127.0.0.1', '203.0.113.9']) expect(await ask(right, from)).toEqual([200, false, true])
    await locked.sandbox.close()
  })
  test.each([
    'X-Forwarded-For',
    'Forwarded',
    'Via',
    'X-Real-IP',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-By',
    'Fly-Client-IP',
  ])('other machines behind a proxy on this one, which says so in %s, unless it was opened', async (name) => {
    const through = (one: SandboxFixture) =>
      one.sandbox.app.request(
        '/console/api/merchants',
        { headers: { [name]: '203.0.113.9' } },
        { incoming: { socket: { remoteAddress: '127.0.0.1' } } },
      )
    const refused = await through(fixture)
    expect([refused.status, await refused.text()]).toEqual([403, expect.not.stringContaining('consumer_secret')])
    const open = createSandboxFixture({ openConsole: true })
    expect((await through(open)).status).toBe(200)
    await open.sandbox.close()
  })
  test('forms that pretend to be JSON', async () => {
    expect((await call({ 'Content-Type': 'text/plain' })).status).toBe(415)
  })
  test('nobody who belongs here', async () => {
    expect((await call({})).status).toBe(200)
    expect((await call({ Origin: 'http://localhost', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
    expect((await call({ Host: '127.0.0.1:8788', Origin: 'http://127.0.0.1:8788' })).status).toBe(200)
  })
})

const submit = (path: string, fields: Record<string, string> | [string, string][]) =>
  fixture.request(`/console/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

test.each(['/', '/console/'])('%s leads to the console', async (path) => {
  const { status: code, headers } = await fixture.request(path)
  expect([code, headers.get('Location')]).toEqual([302, '/console'])
})

test('a callback is listed with the reference of its transaction', async () => {
  await fixture.create({ reference: 'ONE' })
  await fixture.console('POST', 'transactions/ONE/confirm')
  await fixture.sandbox.tick()
  expect((await fixture.console('GET', 'deliveries')).data).toMatchObject([
    { reference: 'ONE', body: { reference: 'ONE' }, state: 'delivered' },
  ])
  for (const page of ['deliveries', 'deliveries/1'])
    expect(await (await fixture.request(`/console/${page}`)).text(), page).toMatch(/<a class="ref"[^>]*>ONE</)
})

test('every page of the console is there, framed by nobody, and its forms do what they say', async () => {
  await fixture.create({ reference: 'ONE' })
  for (const page of [
    '',
    '/inbox',
    '/deliveries',
    '/merchants',
    '/scenarios',
    '/faults',
    '/clock',
    '/transactions/ONE',
  ]) {
    const response = await fixture.request(`/console${page}`)
    expect(response.status, page).toBe(200)
    expect(response.headers.get('Content-Security-Policy')).toMatch(/frame-ancestors 'none'/)
  }
  expect((await submit('transactions/ONE/cancel', {})).status).toBe(303)
  expect(await status('ONE')).toBe('FAILED')
  const failed = await (await fixture.request('/console/transactions/ONE')).text()
  const buttons = [...failed.matchAll(/<button class="\w*">([^<]*)</g)].map(([, name]) => name)
  expect(buttons.slice(0, 3)).toEqual(['Confirm', 'Send a re-cut callback', 'Send a forged callback'])
  await submit('faults', {
    extra_field: 'on',
    server_error: 'all',
    rate: '70',
    query_path_missing: '405',
    ip_allow_list: '',
  })
  expect((await fixture.console('GET', 'faults')).data).toMatchObject({
    extra_field: true,
    server_error: true,
    rate: 70,
    query_path_missing: 405,
    decimal_amount: false,
  })
  await submit('faults/clear', {})
  expect((await fixture.console('GET', 'faults')).data).toMatchObject({
    extra_field: false,
    server_error: false,
    rate: null,
  })
  await submit('wallets', { wallet_no: WALLETS.KES!, allocated: 'no' })
  expect((await fixture.create()).json.message).toBe('Channel 420001 is not allocated to this wallet.')
  const before = fixture.sandbox.clock.now()
  await submit('clock', { advance: '60' })
  expect(fixture.sandbox.clock.now()).toBe(before + 60_000)
})

test('the tokens of a merchant are listed whoever else has logged in, and the page says that it shows the newest ten', async () => {
  const other = (await fixture.console('POST', 'merchants', { name: 'Other shop' })).data
  await login({ consumer_key: other.consumer_key, consumer_secret: other.consumer_secret })
  for (let n = 0; n < 201; n++) await login()
  const page = await (await fixture.request('/console/merchants')).text()
  const [own = '', others = ''] = page.split('<h2>Other shop</h2>')
  expect(own.split('/revoke"')).toHaveLength(11)
  expect(own).toContain('The newest 10.')
  expect(others.split('/revoke"')).toHaveLength(2)
  expect(others).not.toContain('The newest')
  const more = /href="\/console\/(api\/tokens[^"]*)"/.exec(own)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const { data } = (await (await fixture.request(`/console/${more}`)).json()) as { data: unknown[] }
  expect(data).toHaveLength(201)
  expect((await fixture.console('GET', 'tokens')).data).toHaveLength(200)
})

test('the form of the faults chooses which calls are hit, and says when none is left to be hit', async () => {
  const heading = async () =>
    /No fault is on|Some faults are on/.exec(await (await fixture.request('/console/faults')).text())?.[0]
  const off: [string, string][] = [
    ['query_path_missing', 'no'],
    ['on', 'login'],
    ['on', 'query'],
  ]
  await submit('faults', off)
  expect(await heading()).toBe('No fault is on')
  await submit('faults', [...off, ['server_error', '1']])
  expect((await fixture.console('GET', 'faults')).data.on).toEqual(['login', 'query'])
  const form = await (await fixture.request('/console/faults')).text()
  expect(form).toMatch(/value="query"\s+checked/)
  expect(form).not.toMatch(/value="create"\s+checked/)
  expect(await heading()).toBe('Some faults are on')
  expect((await login()).status).toBe(500)
  expect(await heading()).toBe('No fault is on')
})

test.each([
  ['faults', { latency_ms: 'soon', query_path_missing: 'no' }, 'latency_ms: Give a whole number from 0 to 120000.'],
  ['faults', { cut: '-1', query_path_missing: 'no' }, 'cut: Give a whole number from 0 to 1000000.'],
  ['clock', { advance: 'soon' }, 'advance: Give a number of seconds, at most ten years.'],
])('a form of the console that is filled in wrongly says which field and why: %s %j', async (path, fields, why) => {
  const response = await submit(path, fields)
  const page = await fixture.request(response.headers.get('Location')!)
  expect(await page.text()).toContain(`<p class="said" role="status">The given data was invalid. ${why}</p>`)
})

test('a long list has pages, the newest first', async () => {
  const token = await fixture.login()
  for (let number = 1; number <= 201; number += 1) await fixture.create({ reference: `LONG-${number}` }, token)
  const page = async (query: string) => (await fixture.request(`/console${query}`)).text()
  const references = (text: string) => [...text.matchAll(/>(LONG-\d+)</g)].map(([, reference]) => reference)
  const pages = await Promise.all(['', '?page=2', '?page=3'].map(page))
  expect(pages.map((text) => references(text).length)).toEqual([100, 100, 1])
  expect(new Set(pages.flatMap(references)).size).toBe(201)
  expect(pages[1]).toMatch(/101 to 200\s+of 201/)
  expect(pages[1]).toContain('href="/console?page=1"')
  expect(pages[1]).toContain('href="/console?page=3"')
  expect(pages[2]).not.toContain('page=4')
  expect(references(await page('?page=-7'))).toHaveLength(100)
})

test('a payment is found by reference or id', async () => {
  const { json } = await fixture.create({ reference: 'LOST/1' })
  for (const id of ['LOST/1', json.data.transaction_id as string]) {
    const response = await fixture.request(`/console/find?id=+${encodeURIComponent(id)}`)
    expect(response.headers.get('Location')).toBe(`/console/transactions/${json.data.transaction_id}`)
  }
})

describe('the panel is written for people:', () => {
  const page = async (path: string) => (await fixture.request(`/console${path}`)).text()

  test('amounts in groups, agents by name, times from now, and a tally', async () => {
    await fixture.create({ reference: 'ONE', amount: 2_345_678 })
    await fixture.create({ reference: 'TWO' })
    await fixture.console('POST', 'transactions/ONE/lock')
    await fixture.console('POST', 'transactions/TWO/cancel')
    const { agent, created_at } = (await fixture.console('GET', 'transactions/ONE')).data
    const title = `${String(created_at).replace('T', ' ').slice(0, 19)} UTC`
    await fixture.console('POST', 'clock', { advance: 7200 })
    for (const path of ['', '/inbox', '/transactions/ONE']) expect(await page(path), path).toContain('KES 2,345,678')
    expect(await page('')).toMatch(new RegExp(`<time datetime="[^"]+" title="${title}">2 hours ago</time>`))
    for (const path of ['/inbox', '/transactions/ONE']) {
      expect(await page(path), path).toMatch(/>\s*\p{L}+ Agency\s*</u)
      expect(await page(path), path).not.toContain(agent)
    }
    const tally = [...(await page('')).matchAll(/<dt>([^<]+)<\/dt>\s*<dd>(\d+)</g)].map(([, what, many]) => [
      what,
      many,
    ])
    expect(tally).toEqual([['Under way', '1'], ['Paid', '0'], ['Not paid', '1']]) // prettier-ignore
  })

  test('a callback line by line, its numbers as sent, and to the letter', async () => {
    await fixture.console('POST', 'faults', { decimal_amount: true })
    await fixture.create({ reference: 'ONE', amount: 2500 })
    await fixture.console('POST', 'transactions/ONE/confirm')
    const { raw_body } = (await fixture.console('GET', 'deliveries/1')).data
    const [lines = '', letters = ''] = [...(await page('/deliveries/1')).matchAll(/<pre>([^<]*)<\/pre>/g)].map(
      ([, text = '']) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    )
    expect(letters).toBe(raw_body)
    expect(lines.split('\n').length).toBeGreaterThan(5)
    expect(lines).toContain('  "reference": "ONE"')
    expect(lines.replaceAll(/\n\s*/g, '').replaceAll('": ', '":')).toBe(raw_body)
  })

  test('keys and references can be copied', async () => {
    await fixture.create({ reference: 'ONE' })
    const { consumer_key, consumer_secret, business_id } = (await fixture.console('GET', 'merchants')).data[0]
    const copied = async (path: string) =>
      [...(await page(path)).matchAll(/data-copy="([^"]+)"/g)].map(([, text]) => text)
    expect(await copied('/merchants')).toEqual([business_id, consumer_key, consumer_secret])
    expect(await copied('/transactions/ONE')).toEqual(['ONE'])
    expect(await copied('/scenarios')).toHaveLength(SCENARIOS.length)
  })

  test('a scenario is played from its row on the newest payment that has not ended', async () => {
    expect(await page('/scenarios')).not.toContain('Play this')
    await fixture.create({ reference: 'OLD' })
    await fixture.console('POST', 'clock', { advance: 5 })
    await fixture.create({ reference: 'OPEN' })
    await fixture.console('POST', 'clock', { advance: 5 })
    await fixture.create({ reference: 'ENDED' })
    await fixture.console('POST', 'transactions/ENDED/cancel')
    const { transaction_id } = (await fixture.console('GET', 'transactions/OPEN')).data
    const forms = [
      ...(await page('/scenarios')).matchAll(/action="\/console\/([^"]+)">\s*<input[^>]*value="([\w-]+)"/g),
    ]
    expect(new Set(forms.map(([, action]) => action))).toEqual(new Set([`transactions/${transaction_id}/scenario`]))
    const names = forms.map(([, , name]) => name)
    expect(names).toContain('success-after-expiry')
    expect(names).not.toContain('create-timeout')
    await submit(forms[0]?.[1] ?? '', { scenario: 'declined' })
    expect((await fixture.console('GET', 'transactions/OPEN')).data.scenario).toBe('declined')
  })
})

test('where nothing is, a person gets a page and a program the envelope', async () => {
  for (const path of [
    '/console/find?id=NOBODY',
    '/console/transactions/NOBODY',
    '/console/deliveries/7',
    '/console/x',
  ]) {
    const page = await fixture.request(path, { headers: { Accept: 'text/html,*/*;q=0.8' } })
    expect([page.status, page.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8'])
    expect(await page.text()).toContain('href="/console"')
    expect((await (await fixture.request(path)).json()) as object).toMatchObject({ success: false })
  }
  const api = await fixture.request('/console/api/transactions/NOBODY', { headers: { Accept: 'text/html' } })
  expect(await api.json()).toEqual({ success: false, message: 'Transaction not found.' })
})

test.each([
  ['PUT', '/openapi.json', 'GET, HEAD'],
  ['POST', '/', 'GET, HEAD'],
  ['DELETE', '/checkout/x', 'GET, HEAD, POST'],
  ['POST', '/checkout/x/state', 'GET, HEAD'],
  ['POST', '/assets/checkout.css', 'GET, HEAD'],
  ['PUT', '/console', 'GET, HEAD'],
  ['POST', '/console/', 'GET, HEAD'],
  ['GET', '/console/deliveries/1/resend', 'POST'],
  ['PATCH', '/console/api/clock', 'GET, HEAD, POST'],
  ['HEAD', '/console/api/transactions/x/confirm', 'POST'],
  ['OPTIONS', '/console/api/scenarios', 'GET, HEAD'],
])('%s %s is refused with the methods that the address takes: %s', async (method, path, allow) => {
  const fixture = createSandboxFixture()
  const response = await fixture.request(path, { method })
  expect([response.status, response.headers.get('Allow')]).toEqual([405, allow])
  if (method !== 'HEAD') expect(await response.json()).toEqual({ success: false, message: 'Method not allowed.' })
  await fixture.sandbox.close()
})

test('a sandbox made without options has a console, where merchants are made', async () => {
  const { app, close } = createSandbox()
  const answer = await app.request('http://127.0.0.1:8788/console/api/merchants', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }) // prettier-ignore
  expect(answer.status).toBeLessThan(300)
  expect(await (await app.request('http://127.0.0.1:8788/console/api/merchants')).json()).toMatchObject({
    data: [{ enabled: true }],
  })
  await close()
})

test('the buttons of a transaction say what they do, as the inbox does', async () => {
  await fixture.create({ reference: 'BUTTONS' })
  const { transaction_id } = (await fixture.console('GET', 'transactions')).data[0]
  const page = await (await fixture.request(`/console/transactions/${transaction_id}`)).text()
  const names = [...page.matchAll(/<button class="[^"]*">([^<]+)</g)].map(([, name]) => name)
  expect(names).toEqual([
    'Confirm',
    'Decline',
    'Cancel',
    'Expire',
    'Lock an order',
    'Set to PROCESSING',
    'Send a forged callback',
  ])
})
