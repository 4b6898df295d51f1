// Drives Firefox over WebDriver BiDi, which it supports itself: no driver program is needed.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { EnginePage } from './engine-page.ts'

const PATIENCE_MS = 120_000
const CLICK_MS = 10_000

interface Tree {
  contexts: { context: string; url: string }[]
}

/** Starts Firefox without a window, with a profile of its own. */
export async function openFirefox(executable: string, address: string): Promise<EnginePage> {
  const profile = mkdtempSync(join(tmpdir(), 'hc-firefox-'))
  const child = spawn(
    executable,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  let socket: WebSocket | undefined
  async function close(): Promise<void> {
    socket?.close()
    child.kill('SIGKILL')
    await pause(300)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    socket = new WebSocket(`${await listening()}/session`)
    const send = await talk(socket)
    await send('session.new', { capabilities: {} })
    const context = ((await send('browsingContext.getTree', {})) as Tree).contexts[0]?.context
    await send('browsingContext.navigate', { context, url: address, wait: 'complete' })
    return {
      async evaluate(expression) {
        const { result } = (await send('script.evaluate', {
          // Plain values travel as themselves, all others as text.
          expression: `JSON.stringify(${expression})`,
          target: { context },
          awaitPromise: false,
        })) as { result?: { value?: string } }
        return result?.value === undefined ? undefined : JSON.parse(result.value)
      },
      async click(x, y) {
        const actions = [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ]
        const done = send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
        // When the click has put another tab in front, the answer may never come.
        await Promise.race([done, pause(CLICK_MS)])
      },
      addresses: async () => ((await send('browsingContext.getTree', {})) as Tree).contexts.map(({ url }) => url),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }

  async function listening(): Promise<string> {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(100)) {
      const [, at] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? []
      if (at !== undefined) return at
      if (child.exitCode !== null) break
    }
    throw new Error(`Firefox does not start: ${said.trim().split('\n').at(-1) ?? ''}`)
  }
}

type Send = (method: string, params: object) => Promise<object>

async function talk(socket: WebSocket): Promise<Send> {
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('Firefox does not answer.')))
  })
  let last = 0
  const waiting = new Map<number, { done: (value: object) => void; failed: (error: Error) => void }>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as { id?: number; type: string; result?: object; message?: string }
    const ask = answer.id === undefined ? undefined : waiting.get(answer.id)
    if (answer.id !== undefined) waiting.delete(answer.id)
    if (answer.type === 'error') ask?.failed(new Error(answer.message))
    else ask?.done(answer.result ?? {})
  })
  socket.addEventListener('close', () => {
    for (const { failed } of waiting.values()) failed(new Error('Firefox has gone.'))
  })
  return (method, params) =>
    new Promise((done, failed) => {
      waiting.set(++last, { done, failed })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}
