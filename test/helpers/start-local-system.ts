// Runs the program of `npm start` on free ports in a folder of its own; it can be stopped, killed
// and restarted.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Credentials } from '../../demo/credentials.ts'
import { freePorts } from './free-port.ts'
import { root } from './run-quietly.ts'

export interface LocalSystem {
  readonly credentials: Credentials
  /** Its output over all starts. */
  output(): string
  /** Like a power cut: no shutdown, nothing flushed. */
  kill(): Promise<void>
  /** Like Ctrl-C. @returns the exit code. */
  stop(): Promise<number | null>
  /** Starts it again, on the same ports and folder. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

/**
 * @param options.patience ms to wait for the first answer; the widget may have to be built first
 */
export async function startLocalSystem(
  options: { patience?: number; env?: Record<string, string> } = {},
): Promise<LocalSystem> {
  const directory = mkdtempSync(join(tmpdir(), 'hc-system-'))
  const [sandbox, companion, shop] = await freePorts(3)
  const env = {
    ...process.env,
    HC_DIRECTORY: directory,
    HC_SANDBOX_PORT: String(sandbox),
    HC_PORT: String(companion),
    HC_DEMO_PORT: String(shop),
    ...options.env,
  }
  let child: ChildProcess | undefined
  let output = ''

  async function start(): Promise<void> {
    const started = spawn(process.execPath, ['--conditions=hc-source', 'demo/start.ts'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    const ready = new Promise<void>((resolve, reject) => {
      const see = (chunk: unknown): void => {
        output += String(chunk)
        if (output.slice(before).includes('Click next:')) resolve()
      }
      const before = output.length
      started.stdout.on('data', see)
      started.stderr.on('data', see)
      started.once('exit', (code) => reject(new Error(`The system ended with ${code}:\n${output}`)))
      setTimeout(() => reject(new Error(`The system is not ready:\n${output}`)), options.patience ?? 150_000).unref()
    })
    await ready
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const ending = child
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null
    const exited = once(ending, 'exit')
    ending.kill(signal)
    await exited
    return ending.exitCode
  }

  await start()
  return {
    credentials: JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8')) as Credentials,
    output: () => output,
    start,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    remove: async () => {
      await end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
