// Behind the distribution's nginx with its packaged configuration: status events reach the customer
// while the response is open, not when it ends, and no customer meets the end of a connection that
// was kept.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nodeListener } from '../../server/node.ts'
import {
  createTestSystem,
  kenyanDeposit,
  newKey,
  pay,
  SHOP_URL,
  type TestSystem,
} from '../helpers/create-test-system.ts'
import { nginxMissing, startDefaultNginx, startNginx, type Nginx } from '../helpers/nginx.ts'

const missing = await nginxMissing()

describe.skipIf(missing)(`behind nginx with its defaults${missing ? ` (${missing})` : ''}`, () => {
  let system: TestSystem
  let server: Server
  let nginx: Nginx
  let companionUrl: string
  const opened: AbortController[] = []

  async function served(listener: Parameters<typeof createServer>[1]): Promise<[Server, string]> {
    const made = createServer(listener)
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
    return [made, `http://127.0.0.1:${(made.address() as AddressInfo).port}`]
  }

  beforeAll(async () => {
    system = await createTestSystem()
    const [made, url] = await served((request, response) => void nodeListener(system.companion)(request, response))
    server = made
    companionUrl = url
    nginx = await startDefaultNginx(url)
  })
  afterEach(() => {
    for (const controller of opened.splice(0)) controller.abort()
  })
  afterAll(async () => {
    await nginx?.stop()
    server?.closeAllConnections()
    server?.close()
    await system?.close()
  })

  async function open(
    url: string,
    headers: Record<string, string> = {},
  ): Promise<{ response: Response; until: (text: RegExp) => Promise<string> }> {
    const controller = new AbortController()
    opened.push(controller)
    const response = await fetch(url, { headers, signal: controller.signal })
    const reader = response.body?.getReader()
    let text = ''
    return {
      response,
      async until(wanted) {
        while (!wanted.test(text)) {
          const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
          if (done) throw new Error(`The stream ended after: ${text}`)
          text += Buffer.from(value ?? []).toString()
        }
        return text
      },
    }
  }

  test('the first event and each change arrive while the stream is open', async () => {
    const created = await fetch(`${nginx.url}/v1/deposits`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': newKey(), origin: SHOP_URL },
      body: JSON.stringify(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone: '0700000001' } })),
    })
    expect(created.status).toBe(201)
    const { id, token } = (await created.json()) as { id: string; token: string }
    const stream = await open(`${nginx.url}/v1/deposits/${id}/events`, { authorization: `Bearer ${token}` })
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream')
    await stream.until(/"phase":"open"/)
    await system.advance(10)
    expect(await stream.until(/"phase":"succeeded"/)).toMatch(/event: deposit/)
  })

  test('heartbeats arrive too, so that no proxy on the way thinks the stream dead', async () => {
    const created = await pay(system)
    const { id, token } = (await created.json()) as { id: string; token: string }
    const stream = await open(`${nginx.url}/v1/deposits/${id}/events`, { authorization: `Bearer ${token}` })
    await stream.until(/"phase":"open"/)
    await system.advance(20)
    await stream.until(/^: /m)
  })

  test('a customer pays on the connection on which a stranger was refused before his body was read', async () => {
    const port = new URL(companionUrl).port
    const keeping = await startNginx(
      (own) => `events {}
http {
  upstream companions { server 127.0.0.1:${port}; keepalive 8; }
  server {
    listen 127.0.0.1:${own};
    proxy_http_version 1.1;
    proxy_set_header Connection '';
    location / { proxy_pass http://companions; }
  }
}`,
    )
    try {
      for (let round = 0; round < 5; round += 1) {
        const refused = await fetch(`${keeping.url}/nothing`, { method: 'POST', body: 'x'.repeat(300_000) })
        expect(refused.status).toBe(404)
        await refused.text()
        const created = await fetch(`${keeping.url}/v1/deposits`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': newKey(), origin: SHOP_URL },
          body: JSON.stringify(kenyanDeposit()),
        })
        expect(created.status).toBe(201)
        await created.text()
      }
    } finally {
      await keeping.stop()
    }
  })

  test('the same nginx holds back a stream that does not ask for more: so the two tests above can fail', async () => {
    const begun = Promise.withResolvers<() => void>()
    const [other, url] = await served((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: first\n\n')
      begun.resolve(() => void response.end('data: last\n\n'))
    })
    const buffering = await startDefaultNginx(url)
    try {
      // Not even the head of the answer comes before its end.
      const opening = open(`${buffering.url}/`)
      const end = await begun.promise
      const first = await Promise.race([
        opening.then(() => 'arrived'),
        new Promise((resolve) => setTimeout(() => resolve('held back'), 400)),
      ])
      end()
      expect(await (await opening).until(/last/)).toBe('data: first\n\ndata: last\n\n')
      expect(first).toBe('held back')
    } finally {
      await buffering.stop()
      other.closeAllConnections()
      other.close()
    }
  })
})
