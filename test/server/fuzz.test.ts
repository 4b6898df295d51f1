// Generated requests at every endpoint, over a socket: no 5xx, no secret in any answer, and the
// right headers. The same requests in each run; HC_FUZZ_SEED and HC_FUZZ_RUNS change them.
import * as fc from 'fast-check'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CreatedDeposit, CreatedSession } from '../../server/contract/index.ts'
import { silentMetrics } from '../../server/platform/metrics.ts'
import { nodeListener } from '../../server/node.ts'
import { endpoints } from '../../server/http/openapi-endpoints.ts'
import {
  COMPANION_URL,
  SHOP_URL,
  createTestSystem,
  kenyanDeposit,
  keys,
  newKey,
} from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

const RUNS = Number(process.env['HC_FUZZ_RUNS'] ?? 1000)
const SEED = Number(process.env['HC_FUZZ_SEED'] ?? 1)

let system: TestSystem
let server: Server
let port: number
/** What stands for `$deposit` and the like in what is made up. */
let real: Readonly<Record<string, string>>
const faults: string[] = []

beforeAll(async () => {
  const metrics = { ...silentMetrics, count: (name: string) => void (name === 'faults' && faults.push(name)) }
  system = await createTestSystem({ companion: { metrics }, settings: { trustedProxies: ['127.0.0.1'] } })
  const listener = nodeListener(system.companion)
  server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
  const post = (body: unknown) => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'idempotency-key': newKey() },
  })
  const deposit = (await (await system.browser('/v1/deposits', post(kenyanDeposit()))).json()) as CreatedDeposit
  const order = { amount: 2500, currency: 'KES', orderId: 'A-1', description: 'A lamp' }
  const session = (await (await system.backend('/v1/sessions', post(order))).json()) as CreatedSession
  real = {
    $deposit: deposit.id,
    $token: deposit.token,
    $session: session.token,
    $merchant: keys.merchantKey,
    $link: new URL(deposit.payUrl).pathname.slice('/pay/'.length),
    $order: new URL(session.payUrl).pathname.slice('/pay/'.length),
  }
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await system.close()
})

const odd = fc.constantFrom(
  '%00', '%2e%2e', '%ED%A0%80', '%zz', '%', '%2F', '%0d%0aset-cookie:a=b', '__proto__', 'constructor', 'x'.repeat(3000), '%F0%9F%98%80', '..', ';',
) // prettier-ignore
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('$deposit', '$link', '$order', 'k'.repeat(43)) },
  { weight: 1, arbitrary: odd },
)
const tail = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('/', '//', '%20', '?') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('country', 'lang', 'limit', 'cursor', 'from', 'amount'), odd)
      .map(([name, said]) => `?${name}=${said}`),
  },
)
const otherMethod = fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST')
/** Method and target. The endpoints that take bodies come more often. */
const line = fc
  .tuple(
    fc.constantFrom(
      ...endpoints,
      ...endpoints.filter(({ method }) => method === 'post').flatMap((endpoint) => [endpoint, endpoint]),
    ),
    fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: otherMethod }),
    part,
    tail,
  )
  .map(([endpoint, other, variable, end]) => ({
    method: other ?? endpoint.method.toUpperCase(),
    target: `${endpoint.path.replaceAll(/\{\w+\}/g, variable)}${end}`,
  }))
const anyHeaders = fc.record(
  {
    origin: fc.constantFrom(SHOP_URL, COMPANION_URL, 'null', 'https://stranger.example', `${SHOP_URL}/`, `${SHOP_URL}, ${SHOP_URL}`),
    authorization: fc.constantFrom('Bearer $token', 'Bearer $session', 'Bearer $merchant', 'Bearer', 'Bearer \u00ff', 'Basic YTpi', 'Bearer $token, Bearer x'),
    'content-type': fc.constantFrom('application/json', 'application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/json; charset=utf-16'),
    'idempotency-key': fc.constantFrom('a-key-of-more-than-22-characters', '"a-key-of-more-than-22-characters"', 'short', 'x'.repeat(256), '\u00ff'.repeat(20)),
    'x-forwarded-for': fc.constantFrom('203.0.113.9', '127.0.0.1', 'unknown', ','.repeat(99), '[2001:db8::1]:5', 'fe80::1%eth0', '::ffff:10.0.0.1'),
    'accept-language': fc.constantFrom('fr-CI,en;q=0.1', ';q=,,;', '\u00ff'),
    'accept-encoding': fc.constantFrom('br', 'gzip;q=0', '*'),
    'if-none-match': fc.constantFrom('*', '"a", W/"b"'),
    'content-encoding': fc.constantFrom('gzip'),
    cookie: fc.constantFrom('hc-started=%zz', 'hc-started=$link'),
    expect: fc.constantFrom('100-continue'),
  },
  { requiredKeys: [] },
) // prettier-ignore
/** As a page, a form and a backend send them; else hardly one would get behind the first check. */
const headers = fc.oneof(
  { weight: 2, arbitrary: anyHeaders },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Readonly<Record<string, string>>>(
      { origin: SHOP_URL, 'content-type': 'application/json', 'idempotency-key': 'a-key-of-more-than-22-characters' },
      { origin: SHOP_URL, 'content-type': 'application/json', authorization: 'Bearer $token' },
      { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' },
      { authorization: 'Bearer $merchant', 'content-type': 'application/json' },
    ),
  },
)
const value = fc.oneof(
  fc.constantFrom('1e309', '-0', '9007199254740993', '2500', '"2500"', '"\\ud800"', '"\\u0000"', 'null', '[[[[[]]]]]', '{"__proto__":1}', '"<script>"'),
  fc.json({ maxDepth: 2 }),
) // prettier-ignore
const field = fc.constantFrom('country', 'currency', 'amount', 'payer', 'session', 'replaces', 'metadata', '__proto__', 'orderId', 'reference', 'hash') // prettier-ignore
const body = fc.oneof(
  fc.constantFrom(
    JSON.stringify(kenyanDeposit()),
    `key=${'k'.repeat(32)}&country=KE&amount=2500&name=Achieng+Otieno`,
  ),
  fc.tuple(field, value).map(([name, said]) => JSON.stringify(kenyanDeposit({ [name]: 0 })).replace(`"${name}":0`, `"${name}":${said}`)),
  fc.array(fc.tuple(field, value).map(([name, said]) => `"${name}":${said}`), { maxLength: 6 }).map((members) => `{${members.join(',')}}`),
  fc.constantFrom('', '{', '\uFEFF{}', '['.repeat(4000), 'x'.repeat(9000), 'x'.repeat(20_000), 'key=%00&country=KE&name=<script>', 'action=again&unpaid=yes', 'action=check'),
) // prettier-ignore

const filled = (text: string): string => text.replaceAll(/\$[a-z]+/g, (name) => real[name] ?? name)

interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** What comes until the connection ends, or until the head of an event stream is there. */
async function send(raw: Buffer): Promise<Answer> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    if (/text\/event-stream[^]*\r\n\r\n/.test(text)) socket.destroy()
  })
  socket.on('error', () => {})
  socket.write(raw)
  await once(socket, 'close')
  const [head = '', ...rest] = text.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '').split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const named = lines.map((line): [string, string] => {
    const [name = '', ...said] = line.split(': ')
    return [name.toLowerCase(), said.join(': ')]
  })
  return { status: Number(first.split(' ')[1]), headers: new Map(named), text: rest.join('\r\n\r\n') }
}

const request = fc.record({ line, headers, body, chunked: fc.boolean() })

it(`${RUNS} made-up requests are no fault of ours and tell no secret`, async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(request, async ({ line: { method, target }, ...made }) => {
      const content = Buffer.from(method === 'POST' ? filled(made.body) : '')
      const sized =
        made.chunked && content.length > 0 ? 'transfer-encoding: chunked' : `content-length: ${content.length}`
      const framed =
        made.chunked && content.length > 0
          ? Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')])
          : content
      const lines = Object.entries<string>({ ...made.headers }).map(([name, said]) => `${name}: ${filled(said)}`)
      const head = [`${method} ${filled(target)} HTTP/1.1`, 'host: x', 'connection: close', sized, ...lines]
      const answer = await send(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), framed]))
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      expect(answer.status).toBeLessThan(500)
      hasRightHeaders(answer, target)
      for (const secret of [keys.consumerKey, keys.consumerSecret, keys.secret, keys.merchantKey, keys.notifySecret])
        expect(answer.text).not.toContain(secret)
      expect(answer.text).not.toMatch(/^\s+at /m)
      expect(answer.text).not.toContain('<script>"')
      expect(answer.headers.get('set-cookie') ?? '').not.toMatch(/^a=b/)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  expect(faults).toEqual([])
  // What is made up reaches behind the first checks, or it proves little.
  for (const status of [200, 400, 401, 403, 404, 405, 415, 422])
    expect(seen.get(status), `answers with ${status}`).toBeGreaterThan(0)
  expect((seen.get(201) ?? 0) + (seen.get(303) ?? 0), 'payments that were started').toBeGreaterThan(0)
})

function hasRightHeaders({ status, headers: has, text }: Answer, path: string): void {
  expect(has.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(has.get('x-content-type-options')).toBe('nosniff')
  expect(has.get('referrer-policy')).toMatch(/^(no-referrer|strict-origin)$/)
  if (has.get('content-type')?.startsWith('text/event-stream') !== true)
    expect(has.get('content-security-policy')).toContain("default-src 'none'")
  const caching = has.get('cache-control') ?? ''
  // The tokens of the description's examples are made up.
  const hasToken = !path.startsWith('/openapi.json') && /"token":"|data-token=/.test(text)
  if (status >= 400 || hasToken) expect(caching).toContain('no-store')
  const allowed = has.get('access-control-allow-origin')
  if (allowed === '*') expect(path).toMatch(/^\/(openapi|widget)/)
  else if (allowed !== undefined) {
    expect([SHOP_URL, COMPANION_URL]).toContain(allowed)
    expect(has.get('vary')).toContain('Origin')
  }
  expect(has.has('access-control-allow-credentials')).toBe(false)
}
