// The clients in PHP and Python, by their own interpreters, do what the one in JavaScript does:
// against a real companion, and the same in both.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeListener } from '../../server/node.ts'
import { signatureHeaders } from '../../server/notices/send-notice.ts'
import { keys } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'
import { root, run } from '../helpers/run-quietly.ts'
import { order, shopBackend } from './shop-backend.ts'

const languages = [
  {
    name: 'PHP',
    command: 'php',
    probe: ['-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
    client: 'php/HcCheckout.php',
    program: 'backend.php',
  },
  {
    name: 'Python',
    command: 'python3',
    probe: ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
    client: 'python/hccheckout.py',
    program: 'backend.py',
  },
] as const

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

/** Each a request, and what is to be made of it. */
function notices() {
  const text = (data: object) =>
    JSON.stringify({ type: 'payment.succeeded', timestamp: '2026-11-21T09:00:07.000Z', data })
  const body = text({ paymentId: 'dep_1', orderId: 'Nº 1 – “é”', amount: 2500, currency: 'KES', version: 4 })
  const secret = keys.notifySecret
  const other = `whsec_${Buffer.alloc(24, 5).toString('base64')}`
  const signed = (signedBody = body, secrets: readonly string[] = [secret], at = Date.now()) =>
    signatureHeaders({ id: 'msg_1', body: signedBody }, secrets, at)
  const short = text({ paymentId: 'dep_1', amount: 2500, currency: 'KES' })
  return [
    { body, headers: signed(), is: 'none' },
    { body, headers: signed(body, [other, secret]), is: 'none' },
    { body, headers: signed(), secret: `${other},${secret}`, is: 'none' },
    { body, headers: signed(body, [other]), is: 'forged' },
    { body: body.replace('2500', '25000'), headers: signed(), is: 'forged' },
    { body, headers: { ...signed(), 'webhook-id': 'msg_2' }, is: 'forged' },
    { body, headers: { ...signed(), 'webhook-timestamp': 'soon' }, is: 'forged' },
    { body, headers: { ...signed(), 'webhook-signature': 'v1,AAAA v2,é v1' }, is: 'forged' },
    { body, headers: signed(body, [secret], Date.now() - 360_000), is: 'out_of_time' },
    { body, headers: signed(body, [secret], Date.now() + 86_400_000), is: 'out_of_time' },
    { body, headers: { 'webhook-id': 'msg_1' }, is: 'unsigned' },
    { body: 'hello', headers: signed('hello'), is: 'unreadable' },
    { body: short, headers: signed(short), is: 'unreadable' },
    { body, headers: signed(), secret: '', is: 'argument' },
    { body, headers: signed(), secret: 'whsec_', is: 'argument' },
    { body, headers: signed(), secret: 'whsec_short', is: 'argument' },
    { body, headers: signed(), secret: 'notbase64', is: 'argument' },
    { body, headers: signed(), secret: secret.slice('whsec_'.length), is: 'argument' },
    { body, headers: signed(), secret: secret.slice(0, -1), is: 'argument' },
    { body, headers: signed(), secret: `whsec_${Buffer.alloc(65, 1).toString('base64')}`, is: 'argument' },
  ] as const
}

describe.each(languages)('the client in $name', ({ command, probe, client, program }) => {
  const isHere = spawnSync(command, probe).status === 0

  it.skipIf(!isHere)('makes sessions, finds and decides payments, and believes genuine notices alone', async () => {
    const shop = await shopBackend({
      agent: false,
      network: async (request, next) => {
        if (!request.url.endsWith('/status-query')) return next()
        const { reference } = (await request.clone().json()) as { reference: string }
        return Response.json({ success: true, message: '', data: { reference, status: 'SUCCESS', amount: '25' } })
      },
    })
    endings.push(() => shop.system.close())
    const paymentIds: string[] = []
    for (const orderId of ['P-1', 'P-2']) {
      paymentIds.push(await shop.pay((await shop.client.sessions.create(order(orderId))).token))
      // Else they have one time, and the list either order.
      await shop.system.advance(1)
    }
    const { url, asked } = await companionBehindBadLine(nodeListener(shop.system.companion))
    const given = {
      url,
      closed: `http://127.0.0.1:${await freePort()}`,
      key: keys.merchantKey,
      secret: keys.notifySecret,
      paymentId: paymentIds[0],
      notices: notices(),
    }
    const args = [join(import.meta.dirname, 'programs', program), join(root, 'server/client', client)]
    const { code, output } = await run(command, args, { env: { GIVEN: JSON.stringify(given) } })
    expect(code, output).toBe(0)
    expect(JSON.parse(output)).toEqual({
      same: true,
      session: 'Nº 1 – “é”',
      listed: ['P-2', 'P-1'],
      phases: ['review', 'succeeded'],
      found: true,
      resent: 2,
      faults: [
        ['decision_not_open', null],
        ['invalid_request', 'payer.phone'],
        ['bearer_wrong', null],
        ['network', null],
        ['network', null],
        ['not_the_companion', null],
        ['redirected', null],
        ['argument', null],
        ['argument', null],
        ['argument', null],
      ],
      believed: notices().map(({ is }) => is),
      orderId: 'Nº 1 – “é”',
    })
    // The first session was asked for twice with one key, the lost resend once, and a redirect was
    // not followed.
    const sessions = asked.filter(({ path }) => path === 'POST /v1/sessions').map(({ key }) => key)
    expect(sessions).toHaveLength(4)
    expect(sessions[0]).toMatch(/^[\w-]{32,}$/)
    expect([sessions[1], new Set(sessions).size]).toEqual([sessions[0], 3])
    expect(asked.filter(({ path }) => path.includes('dep_lost'))).toHaveLength(1)
    expect(asked.filter(({ path }) => path.includes('elsewhere'))).toHaveLength(0)
  })
})

interface Asked {
  readonly path: string
  readonly key: string | undefined
}

/**
 * The first request, and one payment, meet a connection that breaks; one path is a hotel's,
 * another leads away.
 */
async function companionBehindBadLine(listener: ReturnType<typeof nodeListener>) {
  const asked: Asked[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const key = request.headers['idempotency-key']
    asked.push({ path: `${request.method} ${request.url}`, key: Array.isArray(key) ? key[0] : key })
    if (asked.length === 1 || request.url?.includes('dep_lost') === true) request.socket.destroy()
    else if (request.url?.startsWith('/hotel') === true) response.end('<h1>Welcome</h1>')
    else if (request.url?.startsWith('/moved') === true) response.writeHead(301, { location: '/elsewhere' }).end()
    else void listener(request, response)
  }).listen(0, '127.0.0.1')
  endings.push(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
