// A restart on the same file loses nothing that was acknowledged, and slow receivers delay nobody
// else.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../helpers/run-quietly.ts'
import { createSandboxFixture, START, type SandboxFixture } from './sandbox-fixture.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

// In a process of its own, which can be ended: Node's recursive mkdir never comes back from there.
test.skipIf(process.platform !== 'linux')('a folder that cannot be made is told at once', () => {
  const script = `import('./demo/sandbox/engine/database.ts').then(({ openDatabase }) => openDatabase('file:/proc/nowhere/sandbox.db'))`
  const { status, stderr } = spawnSync(process.execPath, ['--conditions=hc-source', '--eval', script], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("mkdir '/proc/nowhere'") })
})

describe('a restart', () => {
  test('keeps deposits, keys, tokens, wallets, faults and the moved clock', async () => {
    const database = `file:${join(folder, 'state', 'sandbox.db')}`
    const before = createSandboxFixture({ database })
    const token = await before.login()
    await before.create({ reference: 'KEPT' }, token)
    await before.console('POST', 'wallets', { wallet_no: '4559494902', allocated: false })
    await before.console('POST', 'faults', { extra_field: true })
    await before.sandbox.clock.advance(300)
    await before.sandbox.close()

    const after = createSandboxFixture({ database })
    expect(after.sandbox.clock.now()).toBe(START + 300_000)
    expect((await after.query('KEPT')).json.data.status).toBe('PENDING')
    expect((await after.create({ reference: 'KEPT' }, token)).json.message).toBe('Duplicate reference.')
    expect((await after.create({ reference: 'NEW' }, token)).status).toBe(200)
    expect((await after.create({ reference: 'NO', currency: 'TZS' }, token)).status).toBe(403)
    await after.sandbox.clock.advance(599.999)
    expect(after.callbacks).toHaveLength(0)
    await after.sandbox.clock.advance(0.001)
    expect(after.callbacks.map(({ body }) => [body.reference, body.sandbox_extra])).toEqual([['KEPT', 'ignore me']])
    await after.sandbox.close()
  })

  test('finishes the deliveries and scenarios that were under way', async () => {
    const database = join(folder, 'sandbox.db')
    const before = createSandboxFixture({ database })
    before.receiver.answer = () => new Response(null, { status: 503 })
    await before.create({ reference: 'RETRIED', acc_no: '254700000003' })
    await before.create({ reference: 'PLAYING', acc_no: '254700000005' })
    await before.sandbox.clock.advance(4)
    expect(before.callbacks).toHaveLength(1)
    await before.sandbox.close()

    const after = createSandboxFixture({ database })
    await after.sandbox.clock.advance(60)
    expect(after.callbacks.map(({ body }) => [body.reference, body.result_code])).toEqual([
      ['RETRIED', 1032],
      ['PLAYING', 0],
    ])
    expect(after.callbacks[0]!.raw).toBe(before.callbacks[0]!.raw)
    await after.sandbox.close()
  })

  test('in the midst of a delivery sends it again: at least once', async () => {
    const database = join(folder, 'sandbox.db')
    const before = createSandboxFixture({ database })
    let arrived = () => {}
    const begun = new Promise<void>((resolve) => (arrived = resolve))
    let release = () => {}
    before.receiver.answer = () => {
      arrived()
      return new Promise((resolve) => (release = () => resolve(new Response(null, { status: 500 }))))
    }
    await before.create({ reference: 'MIDST', acc_no: '254700000003' })
    const moving = before.sandbox.clock.advance(2)
    await begun
    const after = createSandboxFixture({ database })
    await after.sandbox.tick()
    expect(after.callbacks.map(({ body }) => body.reference)).toEqual(['MIDST'])
    release()
    await moving
    await before.sandbox.close()
    await after.sandbox.close()
  })
})

test('closing waits for no receiver, and the callback under way is sent after the next start', async () => {
  const database = join(folder, 'sandbox.db')
  const before = createSandboxFixture({ database })
  let arrived = () => {}
  const begun = new Promise<void>((resolve) => (arrived = resolve))
  before.receiver.answer = () => {
    arrived()
    return new Promise(() => {})
  }
  await before.create({ reference: 'HANGS', acc_no: '254700000003' })
  const moving = before.sandbox.clock.advance(2)
  await begun
  await before.sandbox.close()
  await moving.catch(() => undefined)
  const after = createSandboxFixture({ database })
  await after.sandbox.tick()
  expect(after.callbacks.map(({ body }) => body.reference)).toEqual(['HANGS'])
  await after.sandbox.close()
})

test('a redirect is no acknowledgement and is not followed', async () => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(request.url === '/first' ? 307 : 200, { Location: '/second' }).end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const fixture = createSandboxFixture({ fetch, allowHttpResultUrl: true })
  await fixture.create({
    acc_no: '254700000003',
    result_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/first`,
  })
  await fixture.sandbox.clock.advance(2)
  expect(paths).toEqual(['/first'])
  expect((await fixture.console('GET', 'deliveries')).data[0]).toMatchObject({ state: 'waiting', attempts: 1 })
  await fixture.sandbox.close()
  await new Promise((closed) => {
    server.close(closed)
    server.closeAllConnections()
  })
})

describe('a slow receiver', () => {
  test('of one merchant does not delay the callbacks of another', async () => {
    const fixture = createSandboxFixture()
    let release = () => {}
    const stuck = new Promise<void>((resolve) => (release = resolve))
    fixture.receiver.answer = async (url) => {
      if (url.includes('slow')) await stuck
      return new Response('OK')
    }
    for (let count = 0; count < 20; count += 1) {
      await fixture.create({ acc_no: '254700000003', result_url: 'https://slow.example/x' })
    }
    await fixture.create({ reference: 'QUICK', acc_no: '254700000003', result_url: 'https://quick.example/x' })
    const moving = fixture.sandbox.clock.advance(2)
    const quick = async (): Promise<string> => {
      const { data } = await fixture.console('GET', 'deliveries')
      return (data as { url: string; state: string }[]).find(({ url }) => url.includes('quick'))?.state ?? 'none'
    }
    while ((await quick()) !== 'delivered') await new Promise((resolve) => setImmediate(resolve))
    const { data } = await fixture.console('GET', 'deliveries')
    expect((data as { state: string }[]).filter(({ state }) => state === 'waiting')).toHaveLength(20)
    release()
    await moving
    await fixture.sandbox.close()
  })

  test('is sent to again by hand at once, and what it answers to the first attempt changes nothing any more', async () => {
    const fixture = createSandboxFixture()
    let fail = () => {}
    fixture.receiver.answer = () =>
      new Promise((resolve) => (fail = () => resolve(new Response(null, { status: 503 }))))
    await fixture.create({ acc_no: '254700000003' })
    const moving = fixture.sandbox.clock.advance(2)
    while (fixture.callbacks.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const delivery = async () => (await fixture.console('GET', 'deliveries')).data[0]
    fixture.receiver.answer = () => new Response('OK')
    fixture.sandbox.start()
    await fixture.console('POST', `deliveries/${(await delivery()).id}/resend`)
    while ((await delivery()).state !== 'delivered') await new Promise((resolve) => setImmediate(resolve))
    fail()
    await moving
    const { state, attempts, next_at, log } = await delivery()
    expect({ state, attempts, next_at }).toEqual({ state: 'delivered', attempts: 2, next_at: null })
    expect(log.map(({ number, status }: { number: number; status: number }) => [number, status])).toEqual([
      [1, 200],
      [2, 503],
    ])
    await fixture.sandbox.clock.advance(100_000)
    expect(fixture.callbacks).toHaveLength(2)
    await fixture.sandbox.close()
  })

  test('is given up after 10 seconds, and an answer without end is not read to its end', async () => {
    let signal: AbortSignal | null | undefined
    const fixture: SandboxFixture = createSandboxFixture({
      fetch: async (_url, init) => {
        signal = init?.signal
        return new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024).fill(97)) }),
        )
      },
    })
    await fixture.create({ acc_no: '254700000003' })
    await fixture.sandbox.clock.advance(2)
    const [delivery] = (await fixture.console('GET', 'deliveries')).data
    expect(delivery.log[0].answer).toHaveLength(4096)
    expect(signal).toBeInstanceOf(AbortSignal)
    await fixture.sandbox.close()
  })
})
