// Drives WebKit over the distribution's WebDriver: WebKitGTK's MiniBrowser on a virtual screen.
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../helpers/free-port.ts'
import type { EnginePage, Found } from './engine-page.ts'

export const webkitDriver = '/usr/bin/WebKitWebDriver'
const PATIENCE_MS = 120_000
/**
 * Now and then the driver never answers a script that a navigation has overtaken; it does answer
 * the next one.
 */
const SCRIPT_MS = 10_000

/** The browser that goes with the driver. */
export function findMiniBrowser(): Found {
  const path = globSync('/usr/lib/{*/,}webkit{2gtk-4.1,gtk-6.0,2gtk-4.0}/MiniBrowser')[0]
  if (path === undefined) return { why: 'its small browser (MiniBrowser) is not where the distribution puts it' }
  return existsSync('/usr/bin/xvfb-run') ? { path } : { why: 'there is no xvfb-run to give it a screen' }
}

/** Starts the driver and one browser window. */
export async function openWebkit(miniBrowser: string, address: string): Promise<EnginePage> {
  const port = await freePort()
  const home = mkdtempSync(join(tmpdir(), 'hc-webkit-'))
  // A group of its own, since xvfb-run starts a screen, a driver and a browser.
  const child = spawn('xvfb-run', ['-a', webkitDriver, `--port=${port}`], {
    detached: true,
    stdio: 'ignore',
    // Nothing of another run is found again.
    env: { ...process.env, HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
  })

  async function ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    patience = PATIENCE_MS,
  ): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(patience),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error((value as { message?: string }).message ?? `HTTP ${answer.status}`)
    return value
  }
  let session: string | undefined
  async function close(): Promise<void> {
    if (session !== undefined) await ask('DELETE', session).catch(() => {})
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has ended by itself.
    }
    await pause(300)
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }

  try {
    await ready()
    const { sessionId } = (await ask('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
        },
      },
    })) as { sessionId: string }
    session = `/session/${sessionId}`
    const at = session
    const own = (await ask('GET', `${at}/window`)) as string
    await ask('POST', `${at}/url`, { url: address })
    return {
      evaluate: (expression) =>
        ask('POST', `${at}/execute/sync`, { script: `return (${expression})`, args: [] }, SCRIPT_MS).then(
          (value) => value ?? undefined,
          () => undefined,
        ),
      async click(x, y) {
        const actions = [
          { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ]
        await ask('POST', `${at}/actions`, { actions: [{ type: 'pointer', id: 'mouse', actions }] })
      },
      async addresses() {
        const found: string[] = []
        for (const handle of (await ask('GET', `${at}/window/handles`)) as string[]) {
          await ask('POST', `${at}/window`, { handle })
          found.push((await ask('GET', `${at}/url`)) as string)
        }
        await ask('POST', `${at}/window`, { handle: own })
        return found
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }

  async function ready(): Promise<void> {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(200)) {
      const is = await ask('GET', '/status').then(
        () => true,
        () => false,
      )
      if (is) return
      if (child.exitCode !== null) break
    }
    throw new Error('Its driver does not start on this machine.')
  }
}
