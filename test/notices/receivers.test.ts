// Runs the documentation's receivers as they are, against the real outbox.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { CommandIo } from '../../server/cli/io.ts'
import { checkReceiver } from '../../server/cli/doctor-receiver.ts'
import type { NoticeType } from '../../server/contract/index.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createOutbox } from '../../server/notices/outbox.ts'
import { signatureHeaders } from '../../server/notices/send-notice.ts'
import { sqliteStore } from '../../server/store/sqlite/sqlite.ts'
import { samples } from '../../demo/app/code-samples.ts'
import { creation, depositRecord, fresh, noticeRecord } from '../helpers/deposit-record.ts'
import { freePort } from '../helpers/free-port.ts'
import { postgresMissing, startPostgres, type TestPostgres } from '../helpers/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-receivers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
// Where the receiver in Express finds its packages.
mkdirSync(join(folder, 'node_modules'))
for (const name of ['express', 'standardwebhooks'])
  symlinkSync(join(import.meta.dirname, '../../node_modules', name), join(folder, 'node_modules', name))

const page = readFileSync(join(import.meta.dirname, '../../demo/docs/receivers.md'), 'utf8')
const secret = `whsec_${Buffer.alloc(32, 21).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 22).toString('base64')}`

/**
 * `probe` asks a language for the database that its receiver keeps its credits in: a package of its
 * own in some distributions.
 */
const languages = [
  { name: 'node', file: 'receiver.mjs', command: 'node', probe: ['--version'], args: (file: string) => [file] },
  { name: 'express', file: 'receiver.mjs', command: 'node', probe: ['--version'], args: (file: string) => [file] },
  {
    name: 'php',
    file: 'receiver.php',
    command: 'php',
    probe: ['-r', 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);'],
    // Without a php.ini, as in Docker's image, errors are displayed; an uncaught one is then
    // answered with 200.
    args: (file: string, port: number) => ['-d', 'display_errors=1', '-S', `127.0.0.1:${port}`, file],
  },
  {
    name: 'python',
    file: 'receiver.py',
    command: 'python3',
    probe: ['-c', 'import sqlite3'],
    args: (file: string) => [file],
  },
] as const

const noPostgres = await postgresMissing()
let postgres: TestPostgres | undefined
afterAll(() => postgres?.stop())

function code(name: string): string {
  const block = new RegExp(`<!-- receiver: ${name} -->\\s*\`\`\`[^\\n]+\\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1]
  if (block === undefined) throw new Error(`receivers.md has no receiver for ${name}`)
  return block
}

let child: ChildProcess | undefined
afterEach(() => {
  child?.kill()
  child = undefined
})

async function start(
  language: (typeof languages)[number],
  configured = secret,
  files: Readonly<Record<string, string>> = { [language.file]: code(language.name) },
): Promise<{ url: string; credits: () => string[]; notes: () => string[] }> {
  const place = mkdtempSync(join(folder, language.name))
  const file = join(place, language.file)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  const port = await freePort()
  let output = ''
  child = spawn(language.command, language.args(file, port), {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      HC_NOTIFY_SECRET: configured,
      DATABASE: join(place, 'shop.db'),
    },
  })
  child.stdout?.on('data', (chunk) => (output += String(chunk)))
  child.stderr?.on('data', (chunk) => (output += String(chunk)))
  const url = `http://127.0.0.1:${port}/notices`
  // Any answer will do: the program listens.
  while ((await fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`the receiver did not start: ${output}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    credits: () => output.match(/credit \S+ .*/g) ?? [],
    notes: () => output.match(/note \S+ \S+/g) ?? [],
  }
}

/** Sends half a request and closes the connection; resolves when the receiver has closed it too. */
async function brokenOff(url: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true })
  socket.on('error', () => {})
  socket.end('POST /notices HTTP/1.1\r\nhost: shop\r\ncontent-length: 100\r\n\r\nhalf')
  await once(socket.resume(), 'close')
}

/**
 * What is answered, or that the connection is closed, while the sender of a body of negative length
 * goes on.
 */
async function answerToEndless(url: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  socket.on('error', () => {})
  socket.write(`POST /notices HTTP/1.1\r\nhost: shop\r\ncontent-length: -1\r\n\r\n${'x'.repeat(65_536)}`)
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  socket.destroy()
  return answer
}

/** An outbox at the machine's own time, since receivers look at the clock. */
async function told(
  url: string,
  secrets: readonly string[],
  notices: readonly { type: NoticeType; version: number }[],
) {
  const store = sqliteStore({ path: ':memory:' })
  const deposit = depositRecord()
  await store.apply(creation(deposit))
  const rows = notices.map(({ type, version }) =>
    noticeRecord(deposit.id, {
      id: fresh('msg'),
      type,
      createdAt: Date.now(),
      dueAt: Date.now(),
      body: JSON.stringify({
        type,
        timestamp: new Date().toISOString(),
        data: { paymentId: deposit.id, amount: 2500, currency: 'KES', orderId: 'Nº 1 – “é”', version },
      }),
    }),
  )
  await store.apply({ notices: rows })
  const outbox = createOutbox({
    store,
    settings: { notifyUrl: url, notifySecrets: secrets },
    now: Date.now,
    random: (bytes) => randomBytes(bytes),
    fetch: globalThis.fetch,
    logger: silentLogger,
    parallel: 1,
  })
  while ((await outbox.deliverDue()) > 0);
  const ends = new Map((await store.notices(deposit.id)).map(({ id, state }) => [id, state]))
  await store.close()
  return { rows, depositId: deposit.id, states: rows.map(({ id }) => ends.get(id)) }
}

describe.each(languages)('the receiver in $name', (language) => {
  const isHere = spawnSync(language.command, language.probe).status === 0

  it.runIf(isHere)('credits a genuine notice once, however often and in whatever order it comes', async () => {
    const { url, credits, notes } = await start(language)
    const failedThenPaid = await told(
      url,
      [secret],
      [
        { type: 'payment.succeeded', version: 5 },
        { type: 'payment.failed', version: 4 },
      ],
    )
    expect(failedThenPaid.states).toEqual(['delivered', 'delivered'])
    const twice = await told(
      url,
      [secret],
      [
        { type: 'payment.failed', version: 3 },
        { type: 'payment.duplicate', version: 4 },
        { type: 'payment.duplicate', version: 4 },
      ],
    )
    // A failure that comes after the success it preceded releases no order.
    await expect
      .poll(notes)
      .toEqual([`note payment.failed ${twice.depositId}`, `note payment.duplicate ${twice.depositId}`])
    const [first] = failedThenPaid.rows
    const again = await fetch(url, {
      method: 'POST',
      body: first!.body,
      headers: { 'content-type': 'application/json', ...signatureHeaders(first!, [secret], Date.now()) },
    })
    expect(again.status).toBe(204)
    await expect.poll(credits).toEqual([expect.stringContaining(`credit ${failedThenPaid.depositId} 2500 KES`)])
  })

  it.runIf(isHere)(
    'does not accept what it fails to store, and survives a request that breaks off and a connection that stays silent',
    async () => {
      const { url, credits } = await start(language)
      await brokenOff(url)
      const silent = connect({ host: '127.0.0.1', port: Number(new URL(url).port) }).on('error', () => {})
      await once(silent, 'connect')
      const notice = { id: 'msg_1', body: 'genuine, but not JSON' }
      const headers = { 'content-type': 'application/json', ...signatureHeaders(notice, [secret], Date.now()) }
      const answered = await fetch(url, { method: 'POST', body: notice.body, headers }).catch(() => undefined)
      expect(answered?.ok ?? false).toBe(false)
      expect((await told(url, [secret], [{ type: 'payment.succeeded', version: 3 }])).states).toEqual(['delivered'])
      await expect.poll(credits).toHaveLength(1)
      silent.destroy()
    },
  )

  it.runIf(isHere)('does not read a body without end', async () => {
    const { url } = await start(language)
    expect(await answerToEndless(url)).not.toMatch(/^HTTP\S+ 2/)
  })

  it.runIf(isHere)('is what the doctor calls right', async () => {
    const { url, credits } = await start(language)
    const io = { fetch: globalThis.fetch } as CommandIo
    expect(await checkReceiver({ notifyUrl: url }, io)).toMatchObject([{ state: 'ok' }])
    expect(credits()).toEqual([])
  })

  it.runIf(isHere)('accepts a notice that is signed with an old and a new secret', async () => {
    const { url, credits } = await start(language)
    expect((await told(url, [other, secret], [{ type: 'payment.succeeded', version: 3 }])).states).toEqual([
      'delivered',
    ])
    await expect.poll(credits).toHaveLength(1)
  })

  it.runIf(isHere)('refuses another secret, another body, another id, an old notice, and no signature', async () => {
    const { url, credits } = await start(language)
    const notice = {
      id: 'msg_1',
      body: JSON.stringify({
        type: 'payment.succeeded',
        data: { paymentId: 'p', amount: 1, currency: 'KES', version: 1 },
      }),
    }
    const post = async (headers: Record<string, string>, body = notice.body) =>
      (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })).status
    const good = signatureHeaders(notice, [secret], Date.now())
    expect(await post(signatureHeaders(notice, [other], Date.now()))).toBe(401)
    expect(await post(good, notice.body.replace('"amount":1', '"amount":1000'))).toBe(401)
    expect(await post({ ...good, 'webhook-id': 'msg_2' })).toBe(401)
    expect(await post(signatureHeaders(notice, [secret], Date.now() - 301_000))).toBe(401)
    expect(await post({ ...good, 'webhook-timestamp': 'soon' })).toBe(401)
    expect(await post({ ...good, 'webhook-signature': '' })).toBe(401)
    expect(await post({ ...good, 'webhook-signature': 'v1,AAAA v2,x v1' })).toBe(401)
    expect(await post({})).toBe(401)
    expect(credits()).toEqual([])
    expect(await post(good)).toBe(204)
  })

  it.runIf(isHere).each(['', 'whsec_'])('whose secret is empty (%j) believes nobody', async (empty) => {
    const { url, credits } = await start(language, empty)
    const body = JSON.stringify({
      type: 'payment.succeeded',
      data: { paymentId: 'p', amount: 1, currency: 'KES', version: 1 },
    })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', '').update(`msg_1.${timestamp}.${body}`).digest('base64')
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    }
    const { status } = await fetch(url, { method: 'POST', body, headers })
    expect(status).toBe(401)
    expect(credits()).toEqual([])
  })
})

it('the code of the shop’s tab “The notice” is a receiver in Express', async () => {
  const express = languages.find(({ name }) => name === 'express')!
  const credit = `const credited = new Set()
export async function creditOnce({ paymentId, amount, currency, orderId }) {
  if (!credited.has(paymentId)) console.log('credit', paymentId, amount, currency, orderId)
  credited.add(paymentId)
}`
  const { url, credits } = await start(express, secret, {
    'receiver.mjs': samples['The notice']!({
      companion: '',
      country: 'KE',
      currency: 'KES',
      amount: 1,
      description: '',
      order: '',
      session: '',
    }),
    'credit.js': credit,
    'package.json': '{"type":"module"}',
  })
  const { states, depositId } = await told(
    url,
    [secret],
    [
      { type: 'payment.succeeded', version: 3 },
      { type: 'payment.duplicate', version: 4 },
      { type: 'payment.succeeded', version: 5 },
    ],
  )
  expect(states).toEqual(['delivered', 'delivered', 'delivered'])
  await expect.poll(credits).toEqual([expect.stringContaining(`credit ${depositId} 2500 KES`)])
  expect((await told(url, [other], [{ type: 'payment.succeeded', version: 3 }])).states).toEqual(['waiting'])
  expect(credits()).toHaveLength(1)
})

describe.skipIf(noPostgres !== undefined)(
  `what a receiver stores${noPostgres === undefined ? '' : ` (${noPostgres})`}`,
  () => {
    it.each(['php', 'python'])('%s: its statements mean the same in PostgreSQL', async (name) => {
      postgres ??= await startPostgres()
      const shop = new Client({ connectionString: await postgres.freshDatabase() })
      await shop.connect()
      // Python's are strings in several pieces.
      const sql = code(name).replaceAll(/"\s+"/g, '')
      const run = (pattern: RegExp, ...values: unknown[]) => {
        let count = 0
        const text = pattern.exec(sql)?.[0].replaceAll('?', () => `$${++count}`) ?? ''
        return shop.query(text, values).then(({ rowCount }) => rowCount)
      }
      try {
        await run(/CREATE TABLE.*NOT NULL\)/)
        const news = /INSERT INTO payments[^'"]*/
        for (const [version, rows] of [
          [2, 1],
          [2, 0],
          [1, 0],
          [3, 1],
        ] as const)
          // prettier-ignore
          expect(await run(news, 'dep_1', version), `version ${version}`).toBe(rows)
        const credit = /UPDATE payments SET credited[^'"]*/
        expect([await run(credit, 'dep_1'), await run(credit, 'dep_1')]).toEqual([1, 0])
      } finally {
        await shop.end()
      }
    })
  },
)
