// Start and stop of a companion: its log names the version, and a connection without any request
// does not delay the stop.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { startCompanion } from '../../server/node.ts'
import { openCompanion } from '../../server/open-companion.ts'
import { createTestSystem, environment, kenyanDeposit, newKey, pay } from '../helpers/create-test-system.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'

const folders: string[] = []
afterEach(() => {
  vi.unstubAllGlobals()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'hc-ending-'))
  folders.push(made)
  return made
}

it('the first line of its log says which release runs where', async () => {
  const lines: object[] = []
  const logger = { ...silentLogger, info: (fields: object) => void lines.push(fields) }
  const running = await startCompanion(environment(folder()), { logger })
  await running.close()
  expect(lines[0]).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), url: running.url })
})

describe('the end of a companion', () => {
  it('keeps no connection for a next request, on which nothing would be begun any more', async () => {
    const running = await startCompanion(environment(folder()), { logger: silentLogger })
    const { hostname, port } = new URL(running.url)
    const headers = { 'content-type': 'application/json', 'content-length': 2, 'idempotency-key': newKey() }
    const asked = request({ hostname, port, path: '/v1/deposits', method: 'POST', headers, agent: new Agent({ keepAlive: true }) }) // prettier-ignore
    asked.write('{')
    // Its headers have arrived once something else was answered after them.
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200)
    const ended = running.close()
    asked.end('}')
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.headers.connection).toBe('close')
    await ended
  })

  it('refuses a payment that comes too late at once, and writes nothing', async () => {
    const system = await createTestSystem()
    await system.companion.close()
    const body = JSON.stringify(kenyanDeposit())
    const answer = await system.browser('/v1/deposits', {
      method: 'POST',
      body,
      headers: { 'idempotency-key': newKey() },
    })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'upstream_unavailable'])
    expect(await system.store.payments({ limit: 1 })).toEqual([])
    await system.close()
  })

  it('begins no other payment while it waits for the answer to one', async () => {
    const held = Promise.withResolvers<void>()
    const system = await createTestSystem({
      async network(sent, next) {
        if (sent.url.endsWith('/api/v2/payment/')) await held.promise
        return next()
      },
    })
    const ask = async () => pay(system)
    const count = async () => (await system.store.payments({ limit: 9 })).length
    const first = ask()
    await expect.poll(count).toBe(1)
    const closed = system.companion.close()
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    const second = ask()
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    held.resolve()
    expect([(await second).status, (await first).status, await count()]).toEqual([503, 201, 1])
    await closed
    await system.close()
  })

  it('makes the call of a payment whose row is being stored when the stop comes', async () => {
    const system = await createTestSystem()
    const apply = system.store.apply.bind(system.store)
    let goOn = () => {}
    const held = new Promise<void>((resolve) => (goOn = resolve))
    const storing = new Promise<void>((resolve) => {
      system.store.apply = async (change) => {
        if (change.timeline?.some(({ kind }) => kind === 'started')) {
          resolve()
          await held
        }
        return apply(change)
      }
    })
    const asked = pay(system)
    await storing
    const closed = system.companion.close()
    // Whatever the stop does without waiting for the payment, it has done after these turns.
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    goOn()
    expect(await (await asked).json()).toMatchObject({ phase: 'open' })
    await closed
    await system.close()
  })

  it('that is mounted in a server of the shop takes no more requests, ends its work, and then closes the store', async () => {
    const opened = await openCompanion(environment(folder()), { logger: silentLogger })
    const { companion, store } = opened
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const did: string[] = []
    const [endWork, closeStore] = [companion.close.bind(companion), store.close.bind(store)]
    Object.assign(companion, {
      close: async () => {
        did.push(`work ends, ${server.listening ? 'and more is taken' : 'and no more is taken'}`)
        await endWork()
        await store.apply(creation(depositRecord()))
        did.push('the last of it is on disk')
      },
    })
    Object.assign(store, {
      close: async () => {
        await closeStore()
        did.push('the store is closed')
      },
    })
    await Promise.all([opened.close(server), opened.close(server)])
    expect(did).toEqual(['work ends, and no more is taken', 'the last of it is on disk', 'the store is closed'])
  })

  it('waits for an alert that is on its way to a person', async () => {
    const answer = Promise.withResolvers<Response>()
    const sent: string[] = []
    vi.stubGlobal('fetch', async (_url: string, { body }: { readonly body: string }) => {
      sent.push(body)
      return answer.promise
    })
    const env = { ...environment(folder()), HC_ALERT_URL: 'https://alerts.example/hook' }
    const { companion, store, close } = await openCompanion(env, { logger: silentLogger })
    await store.apply(creation(depositRecord({ phase: 'review' })))
    await companion.tick()
    await expect.poll(() => sent).toEqual([expect.stringContaining('Waiting for a decision now: 1.')])
    let hasEnded = false
    const ended = close().then(() => (hasEnded = true))
    await companion.close()
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    expect(hasEnded).toBe(false)
    answer.resolve(new Response(null, { status: 204 }))
    await ended
  })

  it('waits for no connection that has never asked anything', async () => {
    const running = await startCompanion(environment(folder()), { logger: silentLogger })
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    await once(socket, 'connect')
    // Known to the server once something else was answered after it.
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200)
    // The grace period never ends: who waits for it waits for ever.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await running.close()
    } finally {
      vi.useRealTimers()
      socket.destroy()
    }
  })
})
