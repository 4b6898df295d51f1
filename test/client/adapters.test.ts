// The receiver in the frameworks that shops have, each the real one at a port of its own: the
// companion's notice arrives as it was signed.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express, { type RequestHandler } from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createNoticeReceiver,
  expressNotices,
  fastifyNotices,
  honoNotices,
  memoryNoticeStore,
  type NoticeReceiver,
} from '../../server/client/index.ts'
import type { CommandIo } from '../../server/cli/io.ts'
import { checkReceiver } from '../../server/cli/doctor-receiver.ts'
import { keys } from '../helpers/create-test-system.ts'
import { order, shopBackend } from './shop-backend.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  endings.push(
    () => server.closeAllConnections(),
    () => void server.close(),
  )
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const inExpress =
  (...before: RequestHandler[]) =>
  async (receiver: NoticeReceiver) => {
    const app = express()
    app.post('/notices', ...before, expressNotices(receiver))
    app.use(express.json())
    app.post('/orders', (request: { body: unknown }, response: { json(body: unknown): void }) =>
      response.json(request.body),
    )
    return listen(app as RequestListener)
  }

async function inFastify(receiver: NoticeReceiver): Promise<string> {
  const app = fastify()
  await app.register(fastifyNotices(receiver, '/notices'))
  app.post('/orders', (request, reply) => reply.send(request.body))
  endings.push(() => app.close())
  return app.listen({ port: 0, host: '127.0.0.1' })
}

async function inHono(receiver: NoticeReceiver): Promise<string> {
  const app = new Hono()
  app.post('/notices', honoNotices(receiver))
  app.post('/orders', async (c) => c.json(await c.req.json<object>()))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  endings.push(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** As Next calls `export const POST = receiver` of a route: with a second argument. */
async function asInNext(receiver: NoticeReceiver): Promise<string> {
  const POST: (request: Request, context: { params: Promise<object> }) => Response | Promise<Response> = receiver
  const app = new Hono()
  app.post('/notices', (c) => POST(c.req.raw, { params: Promise.resolve({}) }))
  app.post('/orders', async (c) => c.json(await c.req.json<object>()))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  endings.push(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What some hosts do before the shop's code runs: the body parsed, and the bytes beside it. */
const keptBeside = (request: { body: unknown; rawBody?: Buffer }, _response: unknown, next: () => void) => {
  if (request.body instanceof Buffer) {
    request.rawBody = request.body
    request.body = JSON.parse(String(request.rawBody))
  }
  next()
}
const raw = express.raw({ type: '*/*' })

const servers = [
  ['Express', inExpress()],
  ['Express, after express.raw()', inExpress(raw)],
  ['Express, after express.text()', inExpress(express.text({ type: '*/*' }))],
  ['a host that parses the body and keeps it', inExpress(raw, keptBeside)],
  ['Fastify', inFastify],
  ['Hono', inHono],
  ['a route handler of Next', asInNext],
  [
    'node:http',
    async (receiver: NoticeReceiver) => {
      const notices = expressNotices(receiver)
      return listen(
        (request, response) => void (request.url === '/notices' ? notices(request, response) : request.pipe(response)),
      )
    },
  ],
] as const

async function shopIn(open: (receiver: NoticeReceiver) => Promise<string>, secret: string = keys.notifySecret) {
  const lines: string[] = []
  const errors: unknown[] = []
  const receiver = createNoticeReceiver({
    secret,
    mode: 'test',
    store: memoryNoticeStore(),
    expects: ({ amount, currency }) => ({ amount, currency }),
    onPaid: ({ paymentId, orderId }) => void lines.push(`paid ${orderId} ${paymentId}`),
    onUncredited: ({ paymentId }, why) => void lines.push(`${why} ${paymentId}`),
    onError: (error) => void errors.push(error),
  })
  const url = await open(receiver)
  return { url, lines, errors }
}

describe.each(servers)('in %s', (_name, open) => {
  it('a notice of the companion is verified, stored and answered with 204', async () => {
    const { url, lines, errors } = await shopIn(open)
    const answers: number[] = []
    const shop = await shopBackend({
      receive: async (request) => {
        const answer = await fetch(`${url}/notices`, {
          method: 'POST',
          headers: request.headers,
          body: await request.arrayBuffer(),
        })
        answers.push(answer.status)
        return new Response(null, { status: answer.status })
      },
    })
    endings.push(() => shop.system.close())
    const { token } = await shop.client.sessions.create(order('Nº 1 – “é”'))
    const id = await shop.pay(token)
    await shop.system.advance(20)
    expect({ answers, lines, errors }).toEqual({ answers: [204], lines: [`paid Nº 1 – “é” ${id}`], errors: [] })
  })

  it('the doctor finds it right, and the shop’s other routes get their bodies parsed', async () => {
    const { url, lines } = await shopIn(open)
    const io = { fetch: globalThis.fetch } as CommandIo
    expect(await checkReceiver({ notifyUrl: `${url}/notices` }, io)).toMatchObject([{ state: 'ok' }])
    const headers = { 'content-type': 'application/json' }
    const other = await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"lamp":1}' })
    expect(await other.json()).toEqual({ lamp: 1 })
    expect(lines).toEqual([])
  })

  it('a body without end is not read, and a request that breaks off ends nothing', async () => {
    const { url } = await shopIn(open)
    const port = Number(new URL(url).port)
    const endless = connect({ host: '127.0.0.1', port }).on('error', () => {})
    endless.write(`POST /notices HTTP/1.1\r\nhost: shop\r\ncontent-length: 900000\r\n\r\n${'x'.repeat(200_000)}`)
    let answer = ''
    endless.on('data', (chunk) => (answer += String(chunk)))
    await Promise.race([once(endless, 'data'), once(endless, 'close')])
    endless.destroy()
    expect(answer).not.toMatch(/^HTTP\S+ 2/)
    const half = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).on('error', () => {})
    half.end('POST /notices HTTP/1.1\r\nhost: shop\r\ncontent-length: 100\r\n\r\nhalf')
    await once(half.resume(), 'close')
    const stranger = await fetch(`${url}/notices`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(stranger.status).toBe(401)
  })
})

it('where express.json() has taken the body before, the shop is told what to do, and the notice comes again', async () => {
  const { url, lines, errors } = await shopIn(inExpress(express.json()))
  const answer = await fetch(`${url}/notices`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect([answer.status, lines]).toEqual([500, []])
  expect(errors).toMatchObject([{ code: 'body_parsed', message: expect.stringContaining('before what parses bodies') }])
})

it('in Express another method is answered with 405', async () => {
  const { errors } = await shopIn(async (receiver) => {
    const app = express()
    app.use('/notices', expressNotices(receiver))
    const url = await listen(app as RequestListener)
    expect((await fetch(`${url}/notices`)).status).toBe(405)
    return url
  })
  expect(errors).toEqual([])
})
