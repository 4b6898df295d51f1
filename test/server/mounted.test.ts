// The companion mounted in a merchant's own server: at the root it answers, below a path the
// developer is told at once.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { nodeListener } from '../../server/node.ts'
import { createTestSystem, type TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
const said: string[] = []
const closing: (() => void)[] = []

beforeAll(async () => {
  const say = (fields: object, text = '') =>
    void said.push(`${text} ${'err' in fields ? String(fields.err) : JSON.stringify(fields)}`)
  system = await createTestSystem({ companion: { logger: { debug() {}, info() {}, warn: say, error: say } } })
})
afterAll(() => system.close())
afterEach(() => {
  said.length = 0
  for (const close of closing.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The error that reached the shop's own handler, or what was answered. */
function shopOf(mount: (app: express.Express) => void): express.Express {
  const app = express()
  mount(app)
  app.use(((error: Error, _request, response, _next) => {
    response.status(500).send(error.message)
  }) as express.ErrorRequestHandler)
  return app
}

it.each(['/v1/markets', '/pay', '/other', ''])(
  'below a path says so in Express at the first request, to %s',
  async (path) => {
    const listener = nodeListener(system.companion)
    const origin = await serve(shopOf((app) => app.use('/payments', listener)))
    const answer = await fetch(`${origin}/payments${path}`)
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 500,
      text: expect.stringMatching(/^The companion is mounted below \/payments, .* mount it at the root/),
    })
  },
)

it('at the root of Express answers its own routes and passes on the others', async () => {
  const origin = await serve(
    shopOf((app) => {
      app.use(nodeListener(system.companion))
      app.get('/shop/v1', (_request, response) => void response.send('the shop'))
    }),
  )
  expect((await fetch(`${origin}/v1/markets`)).status).toBe(200)
  expect(await (await fetch(`${origin}/shop/v1`)).text()).toBe('the shop')
})

it('below a path says so in Connect, and leaves addresses that the shop has shortened alone', async () => {
  const listener = nodeListener(system.companion)
  const origin = await serve((request, response) => {
    const { url = '' } = request
    const next = (error?: Error) => void response.end(error?.message ?? 'the shop')
    void listener(Object.assign(request, { originalUrl: url, url: url.slice('/fr'.length) }), response, next)
  })
  expect(await (await fetch(`${origin}/fr/lamp`)).text()).toBe('the shop')
  expect(await (await fetch(`${origin}/fr/v1/markets`)).text()).toMatch(/^The companion is mounted below \/fr,/)
})

it('as a route of another Hono app below a path says so in the log', async () => {
  const shop = new Hono().route('/payments', system.companion.app)
  expect((await shop.request('/payments/v1/markets')).status).toBe(500)
  expect(said.join('\n')).toMatch(/The companion is mounted below \/payments,/)
  const atRoot = new Hono().route('/', system.companion.app)
  expect((await atRoot.request('/v1/markets')).status).toBe(200)
})

it('answers an address with a path in front by where its own addresses begin', async () => {
  const answer = await system.companion.app.request('/payments/v1/markets')
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('begin at the root of its host: /v1/…, not /payments/v1/…') },
  })
})
