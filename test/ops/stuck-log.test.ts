// Nobody reads the log: payments go on, and the process still exits, both after a signal and after
// a disk fault.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogOutput } from '../../server/platform/logging/log-output.ts'
import { environment, keys } from '../helpers/create-test-system.ts'
import { root } from '../helpers/run-quietly.ts'
import { freePort } from '../helpers/free-port.ts'

let folder: string
let pipe: string
/** Holds the pipe open and reads nothing unless asked to. */
let reader: number
let child: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-stuck-'))
  pipe = join(folder, 'log')
  execFileSync('mkfifo', [pipe])
  reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
})
afterEach(() => {
  child?.kill('SIGKILL')
  child = undefined
  if (reader !== -1) closeSync(reader)
  rmSync(folder, { recursive: true, force: true })
})

function fill(): void {
  for (let size = 4096; size > 0; size >>= 1) {
    try {
      for (;;) writeSync(reader, Buffer.alloc(size, 'x'))
    } catch (error) {
      expect(error).toMatchObject({ code: 'EAGAIN' })
    }
  }
}

function read(): string {
  const all: Buffer[] = []
  const part = Buffer.alloc(65_536)
  try {
    for (;;) all.push(Buffer.from(part.subarray(0, readSync(reader, part))))
  } catch (error) {
    expect(error).toMatchObject({ code: 'EAGAIN' })
  }
  return Buffer.concat(all).toString()
}

/** The program as a merchant starts it; `limit`: shell words that narrow what it may do. */
async function start(stdout: number | 'pipe', limit = ':'): Promise<{ url: string; ended: Promise<unknown[]> }> {
  const port = await freePort()
  const command = `${limit}; exec "$0" --conditions=hc-source server/cli/cli.ts start`
  const made = spawn('sh', ['-c', command, process.execPath], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', ...environment(folder), HC_PORT: String(port), HC_LOG_LEVEL: 'debug' },
    stdio: ['ignore', stdout, 'inherit'],
  })
  child = made
  const ended = once(made, 'exit')
  const url = `http://127.0.0.1:${port}`
  while ((await fetch(`${url}/healthz`).catch(() => undefined))?.status !== 200) {
    if (made.exitCode !== null) throw new Error(`It ended with ${made.exitCode} before it answered.`)
    await pause(50)
  }
  return { url, ended }
}

describe('a companion whose log nobody reads', () => {
  it('answers, and ends as asked', async () => {
    fill()
    const out = openSync(pipe, 'w')
    const { url, ended } = await start(out)
    closeSync(out)
    expect((await fetch(`${url}/v1/markets`)).status).toBe(200)
    child?.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it('ends with 70 when the disk fails, so that it is started again', async () => {
    fill()
    const out = openSync(pipe, 'w')
    // A file may not grow beyond 1 MiB: to SQLite that is a disk that refuses a write.
    const { url, ended } = await start(out, "trap '' XFSZ; ulimit -f 2048")
    closeSync(out)
    const headers = { authorization: `Bearer ${keys.merchantKey}`, 'content-type': 'application/json' }
    let orders = 1000
    /**
     * Each is an order of its own: a known one is answered with its session, and nothing is
     * written.
     */
    const asked = async () => {
      const session = { amount: 2300, currency: 'KES', orderId: `NURU-${orders++}`, description: 'Nuru Lantern' }
      const request = { method: 'POST', headers, body: JSON.stringify(session) }
      return (await fetch(`${url}/v1/sessions`, request).catch(() => undefined))?.status
    }
    expect(await asked()).toBe(201)
    while ((await Promise.all(Array.from({ length: 20 }, asked))).some((status) => status !== undefined));
    expect(await ended).toEqual([70, null])
  })

  it('goes on when its reader has gone, and ends as asked', async () => {
    const out = openSync(pipe, 'w')
    const { url, ended } = await start(out)
    closeSync(out)
    closeSync(reader)
    reader = -1
    for (let i = 0; i < 20; i++) expect((await fetch(`${url}/v1/nothing`)).status).toBe(404)
    child?.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe('lines that were not read in time', () => {
  const line = (n: number) => `${JSON.stringify({ n, text: 'é'.repeat(50) })}\n`
  const lines = (text: string) =>
    text.split('\n').flatMap((row) => (row === '' ? [] : [JSON.parse(row) as { n?: number; msg?: string }]))

  it('are dropped whole and counted, and the others keep their order', async () => {
    const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    const output = createLogOutput({ fd, maxBytes: 200_000 })
    const COUNT = 5000
    for (let n = 0; n < COUNT; n++) output.write(line(n))
    let text = read()
    // Once there is room, the buffer is written again within a second.
    while (!text.includes('were dropped')) {
      await pause(50)
      text += read()
    }
    output.write(line(COUNT))
    text += read()
    closeSync(fd)
    const told = lines(text)
    const numbers = told.flatMap((row) => (row.n === undefined ? [] : [row.n]))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    const [dropped] = told.flatMap(({ msg }) => (msg === undefined ? [] : [Number.parseInt(msg, 10)]))
    expect(numbers.at(-1)).toBe(COUNT)
    expect(dropped).toBe(COUNT + 1 - numbers.length)
  })

  it('do not hold the exit longer than the patience', () => {
    const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    const output = createLogOutput({ fd, patienceMs: 1 })
    for (let n = 0; n < 5000; n++) output.write(line(n))
    output.flushSync()
    expect(lines(read().replace(/[^\n]*$/, '')).length).toBeGreaterThan(100)
    closeSync(fd)
  })
})
