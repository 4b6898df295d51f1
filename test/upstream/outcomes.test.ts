// What is certain after each failure of service and network during a create or a query, over real
// sockets, by our own connections and by a fetch that is handed in.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUpstreamClient, type UpstreamClientOptions } from '../../server/upstream/client.ts'
import type { CreateOrder, CreateOutcome, QueryOutcome, Upstream } from '../../server/deposits/ports/upstream.ts'
import { readBanks, readCreated, readFound, readRefusal, readToken } from '../../server/upstream/wire.ts'
import { freePort } from '../helpers/free-port.ts'
import { contract, testKey, vectors } from './material.ts'
import { createManualTimers, createService, enveloped, fine, type Behaviour, type Mischief } from './service.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const order: CreateOrder = {
  reference: 'HC01JD7Q3V9KES',
  walletNo: '4559494901',
  amount: 2500,
  currency: 'KES',
  description: 'Order 7',
  payerName: 'Achieng Otieno',
  payerPhone: '254700000000',
  payerEmail: 'achieng@example.com',
  resultUrl: 'https://shop.example/v1/webhook/capability',
}
const asked = { walletNo: order.walletNo, reference: order.reference, payer: { name: order.payerName } }
const good = {
  transaction_id: 'CP7S36ULT8P',
  reference: order.reference,
  status: 'PENDING',
  amount: 2500,
  currency: 'KES',
  redirect_url: 'https://checkout.example/s/abc',
}
const { redirect_url: _address, ...withoutAddress } = good
const { transaction_id: _id, ...withoutId } = good
const { reference: _reference, ...withoutReference } = good
const html = { 'content-type': 'text/html' }

const reset: Mischief = (socket) => socket.resetAndDestroy()
const hangUp: Mischief = (socket) => socket.destroy()
const stall: Mischief = () => {}
const stallBody: Mischief = (_socket, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"success":true,')
}
const cutBody: Mischief = (socket, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
  response.write(JSON.stringify({ success: true, message: '', data: good }), () => socket.destroy())
}
const cutChunks: Mischief = (socket, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write(JSON.stringify({ success: true, message: '', data: good }), () => socket.destroy())
}
const flood: Mischief = (socket, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    if (!socket.destroyed) response.write('x'.repeat(65_536), more)
  }
  more()
}
const nonsense: Mischief = (socket) => socket.end('this is no HTTP\r\n\r\n')
const bomb: Behaviour = {
  status: 200,
  headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  body: gzipSync('x'.repeat(10_000_000)).toString('latin1'),
}

describe.each(['our own connections', 'a fetch that is handed in'] as const)('over %s', (way) => {
  let service: ReturnType<typeof createService>
  let upstream: Upstream
  let timers: ReturnType<typeof createManualTimers>
  let base: string

  const client = (more: Partial<UpstreamClientOptions> = {}) =>
    createUpstreamClient({
      authUrl: base,
      baseUrl: base,
      consumerKey: vectors.consumer_key,
      consumerSecret: 'cs_test',
      privateKey: testKey,
      ...contract,
      businessId: 'BIZ-0042',
      now: () => NOW,
      random: (count) => new Uint8Array(count),
      timers,
      // A wrapped fetch, so that it is not taken for the global one.
      ...(way === 'a fetch that is handed in' ? { fetch: (input, init) => fetch(input, init) } : {}),
      ...more,
    })

  beforeEach(async () => {
    service = createService()
    timers = createManualTimers()
    base = await service.listen()
    upstream = client()
  })
  afterEach(async () => {
    await service.close()
    await upstream.close()
  })

  it('sends a deposit as the service wants it', async () => {
    expect(await upstream.create(order)).toEqual({
      kind: 'created',
      transactionId: 'CP7S36ULT8P',
      checkoutUrl: 'https://checkout.example/s/abc',
    })
    const [call] = service.seen.deposit
    expect(call?.json).toEqual({
      wallet_no: '4559494901',
      reference: order.reference,
      acc_name: 'Achieng Otieno',
      acc_no: '254700000000',
      email: 'achieng@example.com',
      amount: 2500,
      currency: 'KES',
      channel: 420001,
      description: 'Order 7',
      result_url: order.resultUrl,
    })
    expect(call?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: 'Bearer token-1',
      signature: vectors.signature[0].base64,
      'x-hash': vectors.x_hash[0].base64,
    })
    expect(service.seen.login[0]?.json).toEqual({ consumer_key: vectors.consumer_key, consumer_secret: 'cs_test' })
    expect(service.seen.login[0]?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
    })
    expect(service.seen.login[0]?.headers).not.toHaveProperty('authorization')
    expect(timers.pending()).toBe(0)
  })

  it('sends a query and a bank list as the service wants them', async () => {
    expect(await upstream.query(asked)).toEqual({
      kind: 'found',
      reference: order.reference,
      status: 'PENDING',
      transactionId: 'CP7S36ULT8P',
      description: 'Pending',
    })
    expect(service.seen.query[0]?.json).toEqual({ wallet_no: '4559494901', reference: order.reference })
    expect(service.seen.query[0]?.headers['signature']).toBe(vectors.status_query_signature[0].base64)
    expect(await upstream.banks('KE')).toEqual([{ name: 'UBA Kenya Bank Ltd', code: '76' }])
    expect(service.seen.banks[0]?.json).toEqual({ country_code: 'KE' })
  })

  const refused = (code: string, status: number, message: string) => ({ kind: 'refused', code, status, message })
  const unknown = (reason: string) => ({ kind: 'unknown', reason })
  const creates: readonly (readonly [string, Behaviour, object])[] = [
    // Certain: created.
    ['201 instead of 200', { ...fine(good), status: 201 }, { kind: 'created' }],
    ['no amount and currency in it', fine({ ...good, amount: undefined, currency: null }), { kind: 'created' }],
    ['an empty amount and currency', fine({ ...good, amount: '', currency: ' ' }), { kind: 'created' }],
    ['a currency in small letters', fine({ ...good, currency: 'kes ' }), { kind: 'created' }],
    ['the amount as "2500.00"', fine({ ...good, amount: '2500.00' }), { kind: 'created' }],
    ['a content type of HTML', { ...fine(good), headers: html }, { kind: 'created' }],
    // Certain: refused.
    [
      '400 unsupported currency',
      enveloped(400, 'Unsupported currency.'),
      refused('unsupported_currency', 400, 'Unsupported currency.'),
    ],
    [
      '400 wallet',
      enveloped(400, 'Wallet does not match currency.'),
      refused('wallet_mismatch', 400, 'Wallet does not match currency.'),
    ],
    ['409 in any words', enveloped(409, 'Conflict.'), refused('conflict', 409, 'Conflict.')],
    [
      '422 that names it among the fields',
      {
        ...enveloped(422, ''),
        body: '{"success":false,"message":"The given data was invalid.","errors":{"reference":["The reference has already been taken."]}}',
      },
      refused('duplicate_reference', 422, 'The given data was invalid. (reference)'),
    ],
    [
      '403 that is another already',
      enveloped(403, 'Your account is already suspended.'),
      refused('refused', 403, 'Your account is already suspended.'),
    ],
    [
      '400 duplicate',
      enveloped(400, 'Duplicate reference.'),
      refused('duplicate_reference', 400, 'Duplicate reference.'),
    ],
    ...['Duplicate transaction.', 'The reference has already been taken.', 'Reference must be unique'].map(
      (message) => [`422 ${message}`, enveloped(422, message), refused('duplicate_reference', 422, message)] as const,
    ),
    ...['Transaction already exists.', 'This order has already been processed.'].map(
      (message) => [`422 ${message}`, enveloped(422, message), refused('conflict', 422, message)] as const,
    ),
    [
      '422 another fault of the reference',
      enveloped(422, 'The reference is too long.'),
      refused('invalid_fields', 422, 'The reference is too long.'),
    ],
    ['401 signature', enveloped(401, 'Invalid signature.'), refused('invalid_signature', 401, 'Invalid signature.')],
    ['401 x-hash', enveloped(401, 'Invalid x-hash.'), refused('invalid_hash', 401, 'Invalid x-hash.')],
    [
      '403 channel',
      enveloped(403, 'Channel 420001 is not allocated to this wallet.'),
      refused('market_off', 403, 'Channel 420001 is not allocated to this wallet.'),
    ],
    [
      '403 address',
      enveloped(403, 'IP address not allowed.'),
      refused('address_not_allowed', 403, 'IP address not allowed.'),
    ],
    ['403 otherwise', enveloped(403, 'Forbidden.'), refused('refused', 403, 'Forbidden.')],
    ['404 in the envelope', enveloped(404, 'No such wallet.'), refused('refused', 404, 'No such wallet.')],
    [
      '422 with fields',
      { status: 422, body: '{"success":false,"message":"Invalid.","errors":{"acc_name":["short"],"<b>":1}}' },
      refused('invalid_fields', 422, 'Invalid. (acc_name)'),
    ],
    [
      '422 for what the payer typed',
      { status: 422, body: '{"success":false,"message":"Invalid.","errors":{"acc_name":["short"],"email":["no"]}}' },
      { ...refused('invalid_fields', 422, 'Invalid. (acc_name, email)'), ofPayer: true },
    ],
    [
      '422 for that and for something of ours',
      { status: 422, body: '{"success":false,"message":"Invalid.","errors":{"acc_no":["no"],"wallet_no":["no"]}}' },
      refused('invalid_fields', 422, 'Invalid. (acc_no, wallet_no)'),
    ],
    [
      '422 with errors of another form',
      { status: 422, body: '{"success":false,"message":"Invalid.","errors":"all"}' },
      refused('invalid_fields', 422, 'Invalid.'),
    ],
    ['a message cut within a letter', enveloped(400, 'No: \ud83d'), refused('refused', 400, 'No: \ufffd')],
    ['a message of many lines', enveloped(400, 'No.\r\n\u0000\u2028Really.'), refused('refused', 400, 'No. Really.')],
    // Certain: not processed.
    [
      '429 with seconds',
      enveloped(429, 'Rate limit exceeded.', { 'retry-after': '7' }),
      { kind: 'not_processed', reason: 'rate_limited', retryAfterMs: 7_000 },
    ],
    [
      '429 with a date',
      enveloped(429, 'Rate limit exceeded.', { 'retry-after': new Date(NOW + 9_000).toUTCString() }),
      { kind: 'not_processed', reason: 'rate_limited', retryAfterMs: 9_000 },
    ],
    [
      '429 with a date gone by',
      enveloped(429, '', { 'retry-after': new Date(NOW - 9_000).toUTCString() }),
      { kind: 'not_processed', reason: 'rate_limited', retryAfterMs: 0 },
    ],
    ['429 with nothing', enveloped(429, ''), { kind: 'not_processed', reason: 'rate_limited', retryAfterMs: 1_000 }],
    [
      '429 with nonsense',
      enveloped(429, '', { 'retry-after': 'soon' }),
      { kind: 'not_processed', reason: 'rate_limited', retryAfterMs: 1_000 },
    ],
    [
      '429 for a day',
      { status: 429, headers: { 'retry-after': '86400' } },
      { kind: 'not_processed', reason: 'rate_limited', retryAfterMs: 900_000 },
    ],
    // Anything else is unknown.
    ['500 in the envelope', enveloped(500, 'Internal server error.'), unknown('http_500')],
    ['502 of a gateway', { status: 502, headers: html, body: '<h1>Bad Gateway</h1>' }, unknown('http_502')],
    ['503 with Retry-After', enveloped(503, 'Down.', { 'retry-after': '5' }), unknown('http_503')],
    ['504', { status: 504 }, unknown('http_504')],
    ['300 with a payment in it', { ...fine(good), status: 300 }, unknown('http_300')],
    ['301 elsewhere', { status: 301, headers: { location: '/api/v2/auth/login' } }, unknown('http_301')],
    ['307 elsewhere', { status: 307, headers: { location: '/api/v2/payment/' } }, unknown('http_307')],
    ['304', { status: 304 }, unknown('http_304')],
    ['408', enveloped(408, 'Request timeout.'), unknown('http_408')],
    [
      '404 of a gateway',
      { status: 404, headers: html, body: '<h1>Not Found</h1>' },
      unknown('http_404_not_in_the_envelope'),
    ],
    ['413 of a gateway', { status: 413, body: '' }, unknown('http_413_not_in_the_envelope')],
    ['400 without a message', { status: 400, body: '{"success":false}' }, unknown('http_400_not_in_the_envelope')],
    [
      '400 that says success',
      { status: 400, body: '{"success":true,"message":"ok"}' },
      unknown('http_400_not_in_the_envelope'),
    ],
    [
      '200 that says failure',
      { status: 200, body: '{"success":false,"message":"No.","errors":{"wallet_no":["off"]}}' },
      { ...unknown('refused_with_http_200'), message: 'No. (wallet_no)' },
    ],
    [
      '500 with words',
      { status: 500, body: '{"success":false,"message":"Ledger closed."}' },
      { ...unknown('http_500'), message: 'Ledger closed.' },
    ],
    [
      '200 of a framework',
      { status: 200, body: '{"message":"Unauthenticated."}' },
      { ...unknown('unreadable'), message: 'Unauthenticated.' },
    ],
    [
      '200 and success as text',
      { ...fine(good), body: JSON.stringify({ success: 'true', data: good }) },
      unknown('unreadable'),
    ],
    ['204', { status: 204 }, unknown('unreadable')],
    ['an empty body', { status: 200 }, unknown('unreadable')],
    ['half a JSON', { status: 200, body: '{"success":true,"data":{"transaction_id":"CP' }, unknown('unreadable')],
    ['an array', { status: 200, body: '[]' }, unknown('unreadable')],
    ['null', { status: 200, body: 'null' }, unknown('unreadable')],
    ['HTML', { status: 200, headers: html, body: '<html>maintenance</html>' }, unknown('unreadable')],
    ['no data', { status: 200, body: '{"success":true,"message":"ok"}' }, unknown('unreadable')],
    ['no redirect_url', fine(withoutAddress), unknown('unreadable')],
    ['a redirect_url that is none', fine({ ...good, redirect_url: 'checkout/abc' }), unknown('unreadable')],
    ['a number as redirect_url', fine({ ...good, redirect_url: 5 }), unknown('unreadable')],
    [
      'a redirect_url with lines in it',
      fine({ ...good, redirect_url: ' https://checkout.example/s/a\r\nset-cookie: b\n' }),
      { kind: 'created', checkoutUrl: 'https://checkout.example/s/aset-cookie:%20b' },
    ],
    [
      'a redirect_url that old browsers read as of another host',
      fine({ ...good, redirect_url: 'https://checkout.example\\@evil.example/s' }),
      { kind: 'created', checkoutUrl: 'https://checkout.example/@evil.example/s' },
    ],
    [
      'a redirect_url that takes the scheme of the page',
      fine({ ...good, redirect_url: '//evil.example/s' }),
      { kind: 'created', checkoutUrl: 'https://evil.example/s' },
    ],
    [
      'a redirect_url that browsers read so',
      fine({ ...good, redirect_url: ' \\\\evil.example/s' }),
      { kind: 'created', checkoutUrl: 'https://evil.example/s' },
    ],
    ['no transaction_id', fine(withoutId), unknown('unreadable')],
    ['an empty transaction_id', fine({ ...good, transaction_id: '' }), unknown('unreadable')],
    ['a NUL in the transaction_id', fine({ ...good, transaction_id: 'CP\0' }), unknown('unreadable')],
    ['no reference', fine(withoutReference), unknown('unreadable')],
    ['another reference', fine({ ...good, reference: 'HC01JD7Q3V9KET' }), unknown('other_reference')],
    ['another amount', fine({ ...good, amount: 250 }), unknown('other_amount')],
    ['another amount by a cent', fine({ ...good, amount: '2500.01' }), unknown('other_amount')],
    ['an amount in words', fine({ ...good, amount: '2,500' }), unknown('other_amount')],
    ['another currency', fine({ ...good, currency: 'TZS' }), unknown('other_currency')],
    ['another currency in small letters', fine({ ...good, currency: 'tzs' }), unknown('other_currency')],
    [
      '10 MB',
      { ...fine(good), body: `${JSON.stringify({ success: true, data: good })}${' '.repeat(10_000_000)}` },
      unknown('too_large'),
    ],
    ['an endless body', flood, unknown('too_large')],
    ['a reset', reset, unknown('reset')],
    ['a hang-up', hangUp, unknown('reset')],
    ['a body cut short of its length', cutBody, unknown('reset')],
    ['a body cut between chunks', cutChunks, unknown('reset')],
  ]
  it.each(creates)('a create answered by %s is what it is, and was sent once', async (_name, behaviour, expected) => {
    service.doors.deposit = () => behaviour
    const outcome: CreateOutcome = await upstream.create(order)
    expect(outcome).toMatchObject(expected)
    expect(service.seen.deposit).toHaveLength(1)
    expect(service.seen.login).toHaveLength(1)
    expect(timers.pending()).toBe(0)
  })

  it('an answer that is no HTTP leaves a create unknown', async () => {
    service.doors.deposit = () => nonsense
    expect((await upstream.create(order)).kind).toBe('unknown')
    expect(service.seen.deposit).toHaveLength(1)
  })

  it.each(['end', 'resetAndDestroy'] as const)(
    'an answer without a length that is cut anywhere, by %s, is never believed',
    async (cut) => {
      const whole = JSON.stringify({ success: true, message: 'Successfully initiated', data: good })
      for (let length = 0; length < whole.length; length += 9) {
        upstream = client()
        service.doors.deposit = () => (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\n\r\n${whole.slice(0, length)}`, () => socket[cut]())
        }
        expect((await upstream.create(order)).kind).toBe('unknown')
        await upstream.close()
      }
    },
  )

  it('a 100 Continue that nobody asked for leaves a create unknown, and it was sent once', async () => {
    service.doors.deposit = () => (socket) => {
      const body = JSON.stringify({ success: true, data: good })
      socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    }
    expect((await upstream.create(order)).kind).toBe('unknown')
    expect(service.seen.deposit).toHaveLength(1)
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('an answer in %s, though identity was asked, is read like any other', async (coding, compress) => {
    const zip =
      (data: unknown): Mischief =>
      (_socket, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
        response.end(compress(JSON.stringify({ success: true, message: '', data })))
      }
    service.doors.login = () => zip({ access_token: 'token-z', expires_in: 3600 })
    service.doors.deposit = () => zip(good)
    service.doors.query = () => zip(state)
    service.doors.banks = () => zip([{ name: 'A', code: '1' }])
    expect(await upstream.create(order)).toMatchObject({ kind: 'created' })
    expect(await upstream.query(asked)).toMatchObject({ kind: 'found', status: state.status })
    expect(await upstream.banks('KE')).toEqual([{ name: 'A', code: '1' }])
    expect(service.seen.deposit).toHaveLength(1)
  })

  it('a small answer that unpacks to 10 MB is not read', async () => {
    service.doors.deposit = () => (_socket, response) => {
      response.writeHead(200, { ...bomb.headers })
      response.end(Buffer.from((bomb as { body: string }).body, 'latin1'))
    }
    expect(await upstream.create(order)).toEqual(unknown('too_large'))
  })

  it.each([
    ['no head', stall, 10_000],
    ['no end', stallBody, 20_000],
  ] as const)('an answer with %s is given up at its deadline', async (_name, behaviour, deadline) => {
    await upstream.warmUp()
    service.doors.deposit = () => behaviour
    const outcome = upstream.create(order)
    await service.called('deposit')
    // Let the head of the answer arrive.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    timers.advance(deadline - 1)
    expect(await Promise.race([outcome, new Promise((resolve) => setImmediate(resolve, 'waiting'))])).toBe('waiting')
    timers.advance(1)
    expect(await outcome).toEqual(unknown('timeout'))
  })

  it('a port where nobody listens means not processed', async () => {
    const lost = client({ authUrl: base, baseUrl: `http://127.0.0.1:${await freePort()}` })
    expect(await lost.create(order)).toEqual({ kind: 'not_processed', reason: 'refused_connection' })
    expect(await lost.query(asked)).toEqual({ kind: 'failed', reason: 'refused_connection' })
    await expect(lost.banks('KE')).rejects.toMatchObject({ code: 'upstream_unavailable' })
    await lost.close()
  })

  it('a name that does not exist means not processed', async () => {
    const lost = client({ authUrl: base, baseUrl: 'https://hc-checkout.invalid' })
    expect(await lost.create(order)).toMatchObject({ kind: 'not_processed', reason: 'dns' })
    await lost.close()
  })

  it('no login means not processed, and nothing of the deposit is sent', async () => {
    service.doors.login = () => enveloped(400, 'Invalid credentials.')
    expect(await upstream.create(order)).toMatchObject({ kind: 'not_processed', reason: 'login_refused' })
    expect(service.seen.deposit).toHaveLength(0)
    expect(upstream.health()).toMatchObject({ login: 'refused', detail: 'Invalid credentials.' })
  })

  const failed = (reason: string) => ({ kind: 'failed', reason })
  const state = { reference: order.reference, transaction_id: 'CP', status: 'SUCCESS', status_description: 'Done' }
  const queries: readonly (readonly [string, Behaviour, object])[] = [
    ['SUCCESS', fine(state), { kind: 'found', status: 'SUCCESS', transactionId: 'CP', description: 'Done' }],
    [
      'FAILED with HTTP 200 and no transaction_id',
      fine({ ...state, status: 'FAILED', transaction_id: '' }),
      { kind: 'found', status: 'FAILED' },
    ],
    [
      'FAILED described as success',
      fine({ ...state, status: 'FAILED', status_description: 'Success' }),
      { kind: 'found', status: 'FAILED' },
    ],
    ['PROCESSING', fine({ ...state, status: 'PROCESSING' }), { kind: 'found', status: 'PENDING' }],
    ['a word that we do not know', fine({ ...state, status: 'REVERSED' }), { kind: 'found', status: 'PENDING' }],
    ['success in small letters', fine({ ...state, status: 'success' }), { kind: 'found', status: 'SUCCESS' }],
    ['nulls', fine({ ...state, transaction_id: null, status_description: null }), { kind: 'found', status: 'SUCCESS' }],
    ['a NUL in the transaction_id', fine({ ...state, transaction_id: 'CP\0' }), failed('unreadable')],
    // That is evidence, and not for the client to judge: the payment goes to review by it.
    ['another reference', fine({ ...state, reference: 'OTHER' }), { kind: 'found', reference: 'OTHER' }],
    ['no reference', fine({ ...state, reference: undefined }), failed('unreadable')],
    ['no status', fine({ ...state, status: undefined }), failed('unreadable')],
    [
      'success false',
      { status: 200, body: JSON.stringify({ success: false, message: 'x', data: state }) },
      { ...failed('refused_with_http_200'), message: 'x' },
    ],
    ['500 with words', enveloped(500, 'Ledger closed.'), { ...failed('http_500'), message: 'Ledger closed.' }],
    ['400 with words', enveloped(400, 'Ledger closed.'), { ...failed('refused'), message: 'Ledger closed.' }],
    ['HTML', { status: 200, body: '<html>' }, failed('unreadable')],
    ['404 in the envelope', enveloped(404, 'Transaction not found.'), { kind: 'not_found' }],
    ['404 of a gateway', { status: 404, headers: html, body: '<h1>404</h1>' }, { kind: 'path_missing', status: 404 }],
    ['404 of a framework', { status: 404, body: '{"message":"Not Found"}' }, { kind: 'path_missing', status: 404 }],
    ['405', enveloped(405, 'Method not allowed.'), { kind: 'path_missing', status: 405 }],
    ['501', { status: 501 }, { kind: 'path_missing', status: 501 }],
    ['400 wallet', enveloped(400, 'Wallet does not match currency.'), failed('wallet_mismatch')],
    ['401 signature', enveloped(401, 'Invalid signature.'), failed('invalid_signature')],
    ['403 address', enveloped(403, 'IP address not allowed.'), failed('address_not_allowed')],
    ['429', enveloped(429, '', { 'retry-after': '3' }), { kind: 'failed', reason: 'http_429', retryAfterMs: 3_000 }],
    ['500', enveloped(500, ''), failed('http_500')],
    [
      '503 with Retry-After',
      { status: 503, headers: { 'retry-after': '3' } },
      { kind: 'failed', reason: 'http_503', retryAfterMs: 3_000 },
    ],
    ['300 with a state in it', { ...fine(state), status: 300 }, failed('http_300')],
    ['302', { status: 302, headers: { location: '/' } }, failed('http_302')],
    ['a reset', reset, failed('reset')],
    ['an endless body', flood, failed('too_large')],
  ]
  it.each(queries)('a query answered by %s is what it is', async (_name, behaviour, expected) => {
    service.doors.query = () => behaviour
    const outcome: QueryOutcome = await upstream.query(asked)
    expect(outcome).toMatchObject(expected)
    expect(service.seen.query).toHaveLength(1)
    const path = { found: 'ok', not_found: 'ok', path_missing: 'missing', failed: 'unknown' }[outcome.kind]
    expect(upstream.health().queryPath).toBe(path)
  })

  it('keeps its connection for the next call', async () => {
    for (let round = 0; round < 5; round += 1) await upstream.create(order)
    // The pool takes a connection back a moment after its answer.
    expect(service.connections()).toBeLessThanOrEqual(2)
  })
})

it('no answer is believed whose end is missing, wherever it is cut', () => {
  const token = { access_token: 'token-1', token_type: 'bearer', expires_in: 3600 }
  const found = { reference: order.reference, status: 'SUCCESS', transaction_id: '12', status_description: '' }
  const answers: [read: (text: string) => unknown, answer: unknown][] = [
    [readCreated, { data: good, message: 'Successfully initiated', success: true }],
    [readFound, { data: found, success: true }],
    [readToken, { data: token, success: true }],
    [readBanks, { data: [{ name: 'UBA Kenya Bank Ltd', currency: 'KES', code: '76' }], success: true }],
    [readRefusal, { message: 'Duplicate reference.', errors: { reference: ['taken'] }, success: false }],
  ]
  for (const [read, answer] of answers) {
    const whole = JSON.stringify(answer)
    expect(read(whole)).toBeDefined()
    for (let length = 0; length < whole.length; length += 1) expect(read(whole.slice(0, length))).toBeUndefined()
  }
})

it('the words that are looked through in a refusal are few: a long one would hold up all payments for minutes', () => {
  const long = 'reference '.repeat(100_000)
  const refusal = readRefusal(JSON.stringify({ success: false, message: long, errors: { a: [long] } }))
  expect(refusal?.words.length).toBeLessThan(2100)
  const both = readRefusal(JSON.stringify({ success: false, message: long, errors: { reference: ['already taken'] } }))
  expect(both?.words).toContain('already taken')
})
