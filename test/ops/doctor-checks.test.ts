// What doctor says of a service, a companion and a proxy that a test cannot easily have whole: each
// fault has its line, and the line says what to do.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { checkAddresses, checkStream } from '../../server/cli/doctor-addresses.ts'
import { checkClock, checkService } from '../../server/cli/doctor-checks.ts'
import { checkReceiver } from '../../server/cli/doctor-receiver.ts'
import type { CommandIo } from '../../server/cli/io.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { QueryOrder, Upstream, UpstreamHealth } from '../../server/deposits/ports/upstream.ts'
import { depositRecord } from '../helpers/deposit-record.ts'

const settings = {
  publicUrl: 'https://pay.shop.example',
  paymentMode: 'test',
  confirm: 'query',
  queryPath: '/api/v2/payment/status-query',
  secret: 'is_test_90f1a2b3c4d5e6f7a8b9c0d1e2f3',
  wallets: { KES: '1' },
} as unknown as Settings

const answering = (answer: (path: string) => Response) =>
  ({ fetch: async (input: string) => answer(new URL(input).pathname) }) as unknown as CommandIo

describe('doctor on the clock', () => {
  const THEIRS = Date.parse('2026-03-01T10:00:00Z')
  const look = async (ahead: number, date = new Date(THEIRS).toUTCString()) => {
    const fetch = async () => new Response(null, { headers: { date } })
    // The service cuts its time down to the second.
    const io = { fetch, now: () => THEIRS + 500 + ahead * 1000 } as unknown as CommandIo
    const [check] = await checkClock({ authUrl: 'https://service.example' }, io)
    return check
  }

  it.each([
    [0, 'ok', /within 5 s/],
    [5, 'ok', /within 5 s/],
    [-6, 'warn', /^6 s behind the service; .*NTP/],
    [60, 'warn', /^60 s ahead of the service; .*NTP/],
    [-61, 'fail', /^61 s behind/],
    [61, 'fail', /^61 s ahead of/],
  ])('tells how far it is off, and to which side: by %i s', async (ahead, state, says) => {
    expect(await look(ahead)).toEqual({ name: 'clock', state, says: expect.stringMatching(says) })
  })

  it('says when it cannot compare', async () => {
    expect(await look(0, 'yesterday')).toMatchObject({ state: 'skip', says: 'the service sends no Date header' })
  })
})

describe('doctor on the service', () => {
  const look = (
    health: Partial<UpstreamHealth>,
    service: Partial<Upstream> = {},
    wallets = settings.wallets,
    recent: Parameters<typeof checkService>[2] = new Map(),
  ) =>
    checkService(
      { ...settings, wallets },
      {
        warmUp: async () => {},
        health: () => ({ login: 'ok', addressRefused: false, ...health }),
        banks: async () => [],
        query: async () => ({ kind: 'not_found' }),
        ...service,
      } as unknown as Upstream,
      recent,
    )

  it.each([
    [{ addressRefused: true }, /allow-list/],
    [
      { login: 'refused', detail: 'Invalid credentials.' },
      /Invalid credentials.*HC_CONSUMER_KEY and HC_CONSUMER_SECRET/,
    ],
    [{ login: 'unreachable', detail: 'dns' }, /gives no login \(dns\)\. Check HC_AUTH_URL, the network/],
    [
      { login: 'unreachable', detail: 'tls: ERR_SSL_WRONG_VERSION_NUMBER' },
      /^what answers at HC_AUTH_URL speaks no TLS \(tls: ERR_SSL_WRONG_VERSION_NUMBER\)/,
    ],
    [
      { login: 'unreachable', detail: 'tls: CERT_HAS_EXPIRED' },
      /no safe connection to HC_AUTH_URL \(tls: CERT_HAS_EXPIRED\): .*clock.*NODE_EXTRA_CA_CERTS/,
    ],
  ] as const)('stops at a login that fails: %j', async (health, says) => {
    expect(await look(health)).toEqual([{ name: 'login', state: 'fail', says: expect.stringMatching(says) }])
  })

  it('warns of a bank list that cannot be read, and goes on', async () => {
    const checks = await look({}, { banks: () => Promise.reject(new Error('unreadable')) })
    expect(checks).toMatchObject([
      { name: 'login' },
      { name: 'banks', state: 'warn' },
      { name: 'query KES', state: 'ok' },
    ])
  })

  it('does not take the state of another payment for that of the one it asked about', async () => {
    const row = depositRecord({ transactionId: 'CP1' })
    const states = []
    for (const reference of [row.reference, 'HCTANOTHER']) {
      const query = async () => ({ kind: 'found', status: 'PENDING', reference }) as const
      states.push((await look({}, { query }, settings.wallets, new Map([['KES', [row]]]))).at(-1)?.state)
    }
    expect(states).toEqual(['ok', 'fail'])
  })

  it('says once that nothing answers at HC_BASE_URL, and tries no further', async () => {
    const asked: string[] = []
    const checks = await look(
      {},
      {
        banks: async (country) => (asked.push(country), []),
        query: async ({ walletNo }) => (asked.push(walletNo), { kind: 'failed', reason: 'dns' }),
      },
      { KES: '1', XOF: '2' },
    )
    expect(checks).toEqual([
      { name: 'login', state: 'ok', says: expect.anything() },
      { name: 'query KES', state: 'fail', says: expect.stringContaining('nothing answers at HC_BASE_URL (dns)') },
    ])
    expect(asked).toEqual(['1'])
  })

  it.each(['refused_connection', 'dns', 'timeout', 'reset', 'network'])(
    'blames no key where no answer came: %s',
    async (reason) => {
      const query = async () => ({ kind: 'failed', reason }) as Awaited<ReturnType<Upstream['query']>>
      const says = (await look({}, { query })).at(-1)?.says
      expect(says).toContain(`nothing answers at HC_BASE_URL (${reason})`)
      expect(says).not.toContain('HC_PRIVATE_KEY')
    },
  )

  it.each([
    [
      'tls: CERT_HAS_EXPIRED',
      /^no safe connection to HC_BASE_URL \(tls: CERT_HAS_EXPIRED\): .*clock.*NODE_EXTRA_CA_CERTS/,
    ],
    ['tls: ERR_SSL_WRONG_VERSION_NUMBER', /^what answers at HC_BASE_URL speaks no TLS/],
  ])('says what is wrong with the certificate of HC_BASE_URL: %s', async (reason, says) => {
    const asked: string[] = []
    const query = async ({ walletNo }: QueryOrder) => (asked.push(walletNo), { kind: 'failed', reason } as const)
    expect((await look({}, { query }, { KES: '1', XOF: '2' })).at(-1)).toEqual({
      name: 'query KES',
      state: 'fail',
      says: expect.stringMatching(says),
    })
    expect(asked).toEqual(['1'])
  })

  it('names the countries without a bank list in one line', async () => {
    const banks: Upstream['banks'] = async (country) => {
      if (country === 'SN') return [{ name: 'A', code: '1' }]
      throw new Error('unreadable')
    }
    const checks = await look({}, { banks }, { XOF: '2' })
    expect(checks.filter(({ name }) => name === 'banks')).toEqual([
      { name: 'banks', state: 'warn', says: expect.stringMatching(/CI.*BF|BF.*CI/) },
      { name: 'banks', state: 'ok', says: 'SN 1' },
    ])
  })

  it('believes no service that knows a reference nobody has made', async () => {
    const checks = await look({}, { query: async ({ reference }) => ({ kind: 'found', status: 'PENDING', reference }) })
    expect(checks.at(-1)).toMatchObject({
      name: 'query KES',
      state: 'fail',
      says: expect.stringContaining('proves nothing'),
    })
  })
})

describe('doctor on the public address', () => {
  const look = async (ready: () => Response, changed = settings) => {
    const headers = { 'x-request-id': '1' }
    const problem = { 'content-type': 'application/problem+json' }
    const io = answering((path) => {
      if (path === '/healthz') return Response.json({}, { headers })
      return path === '/readyz' ? ready() : new Response('{}', { status: 404, headers: problem })
    })
    return (await checkAddresses(changed, io)).filter(({ name }) => name === 'readiness' || name === 'proxy')
  }

  it.each([
    [401, 'bearer_wrong', 'ok', /reaches the companion$/],
    [401, 'bearer_missing', 'fail', /Authorization does not reach the companion: a proxy removes it\. .*proxies/],
    [401, 'bearer_malformed', 'fail', /with other content: a proxy replaces it/],
    [403, undefined, 'fail', /something else answered \(403\).*the proxy answers itself/],
  ] as const)('says whether Authorization reaches the companion: %i %s', async (status, code, state, says) => {
    const asked: unknown[] = []
    const fetch = async (input: string, init?: RequestInit) => {
      if (input.endsWith('/healthz')) return Response.json({}, { headers: { 'x-request-id': '1' } })
      if (!input.includes('/v1/deposits/')) return new Response(null, { status: 404 })
      asked.push(new Headers(init?.headers).get('authorization'))
      return Response.json({ code }, { status })
    }
    // Not the bearer of /readyz, which a proxy may pass on there alone.
    const checks = await checkAddresses({ ...settings, opsToken: 'ops-token-1' }, { fetch } as unknown as CommandIo)
    expect(checks).toContainEqual({ name: 'authorization', state, says: expect.stringMatching(says) as string })
    expect(asked).toEqual(['Bearer doctor'])
  })

  it('repeats what /readyz says is wrong, and asks for HC_OPS_TOKEN when it does not say', async () => {
    const checks = [
      { name: 'query', ok: false, detail: 'Set HC_QUERY_PATH.' },
      { name: 'store', ok: true },
    ]
    expect(await look(() => Response.json({ ok: false, checks }, { status: 503 }))).toEqual([
      { name: 'readiness', state: 'fail', says: 'query: Set HC_QUERY_PATH.' },
    ])
    expect(await look(() => Response.json({ ok: false }, { status: 503 }))).toEqual([
      { name: 'readiness', state: 'warn', says: expect.stringContaining('HC_OPS_TOKEN') },
      { name: 'proxy', state: 'skip', says: expect.stringContaining('HC_OPS_TOKEN') },
    ])
    expect(await look(() => Response.json({ ok: true }))).toMatchObject([
      { name: 'readiness', state: 'ok' },
      { name: 'proxy', state: 'skip', says: expect.stringContaining('HC_TRUSTED_PROXIES') },
    ])
  })

  it('warns of what /readyz has to say while it is green', async () => {
    const checks = [{ name: 'notices', ok: true, detail: 'No handler takes payment.review; these notices wait.' }]
    expect(await look(() => Response.json({ ok: true, checks }))).toEqual([
      { name: 'readiness', state: 'warn', says: expect.stringContaining('No handler takes payment.review') },
      { name: 'readiness', state: 'ok', says: expect.anything() },
    ])
  })

  it('asks with HC_OPS_TOKEN, and follows nobody who sends it elsewhere', async () => {
    const asked: unknown[] = []
    const fetch = async (_input: string, init?: RequestInit) => {
      asked.push(new Headers(init?.headers).get('authorization'))
      const away = new Response(null, { status: 301, headers: { location: 'https://elsewhere.example' } })
      return init?.redirect === 'manual' ? away : Response.json({}, { headers: { 'x-request-id': '1' } })
    }
    const checks = await checkAddresses({ ...settings, opsToken: 'ops-token-1' }, { fetch } as unknown as CommandIo)
    expect(checks).toEqual([
      { name: 'public address', state: 'fail', says: expect.stringContaining('something else answered (301)') },
    ])
    expect(asked).toEqual(['Bearer ops-token-1'])
  })

  it('warns of a proxy that is not declared', async () => {
    expect(await look(() => Response.json({ ok: true, checks: [], untrustedProxy: '10.0.0.5' }))).toEqual([
      { name: 'proxy', state: 'warn', says: expect.stringMatching(/10\.0\.0\.5, .*HC_TRUSTED_PROXIES/) },
      { name: 'readiness', state: 'ok', says: expect.anything() },
    ])
  })

  it('warns of a proxy that does not say where the customer is', async () => {
    const ready = (forwardedFor: boolean) => () => Response.json({ ok: true, checks: [], forwardedFor })
    const readiness = { name: 'readiness', state: 'ok', says: expect.anything() }
    const secure = { ...settings, publicUrl: 'https://pay.shop.example' }
    expect(await look(ready(false), secure)).toEqual([
      { name: 'proxy', state: 'warn', says: expect.stringContaining('X-Forwarded-For') },
      readiness,
    ])
    expect(await look(ready(true), secure)).toEqual([readiness])
    // No proxy on the way: nobody else ends TLS.
    expect(await look(ready(false), { ...settings, publicUrl: 'http://127.0.0.1:8787' })).toEqual([readiness])
  })

  it.each([
    [
      'a companion of another database',
      'open',
      () => Response.json({}, { status: 404 }),
      'fail',
      /answered 404: .*this database/,
    ],
    [
      'a stream that ends without an event',
      'open',
      () => new Response(': hello\n\n'),
      'fail',
      /ended without an event/,
    ],
    ['a payment whose stream ends at once', 'rejected', () => new Response('event: deposit\n\n'), 'skip', /not over/],
  ] as const)('takes no stream for right by %s', async (_what, phase, answer, state, says) => {
    const recent = new Map([['KES', [depositRecord({ phase })]]] as const)
    const checks = await checkStream(settings, recent, answering(answer))
    expect(checks).toEqual([{ name: 'event stream', state, says: expect.stringMatching(says) }])
  })

  describe('where a proxy compresses event streams', () => {
    const stream = (body: ConstructorParameters<typeof Response>[0]) =>
      checkStream(
        settings,
        new Map([['KES', [depositRecord({ phase: 'open' })]]]),
        answering(() => new Response(body, { headers: { 'content-encoding': 'gzip' } })),
      )

    it('warns if the events arrive all the same', async () => {
      expect(await stream('event: deposit\n\n')).toEqual([
        { name: 'event stream', state: 'warn', says: expect.stringMatching(/arrive, .*text\/event-stream/) },
      ])
    })

    it('fails if they are held back until the end', async () => {
      const heldBack = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) })
      expect(await stream(heldBack)).toEqual([
        { name: 'event stream', state: 'fail', says: expect.stringMatching(/compresses .*text\/event-stream/) },
      ])
    })
  })
})

it('https at a port that speaks http is told from a certificate that is not trusted', async () => {
  const server = createServer((_request, response) => void response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const shop = { notifyUrl: `${address}/notices`, publicUrl: address } as Settings
  const says = (
    await Promise.all([checkReceiver, checkAddresses].map((check) => check(shop, { fetch } as CommandIo)))
  ).map(([first]) => first?.says)
  server.close()
  expect(says).toEqual([
    expect.stringMatching(/^what answers at HC_NOTIFY_URL speaks no TLS \(EPROTO\): /),
    expect.stringMatching(/^what answers at HC_PUBLIC_URL speaks no TLS \(ERR_SSL_WRONG_VERSION_NUMBER\): /),
  ])
})

it('a certificate that is not trusted is told from a backend or a proxy that is away', async () => {
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
    expect(await says('ECONNREFUSED')).toMatch(/^nothing answers at \S+ \(ECONNREFUSED\): is /)
    // Nobody was asked: to look at backend or proxy would lead astray.
    for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])
      expect(await says(code)).toMatch(
        new RegExp(`^the host name in HC_(NOTIFY|PUBLIC)_URL leads to no address \\(${code}\\): .*DNS`),
      )
  }
})
