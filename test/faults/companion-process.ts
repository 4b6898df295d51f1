// Starts the program of companion.ts any number of times, kills it like a power cut, and measures
// how long it takes to be ready.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../helpers/free-port.ts'
import { root } from '../helpers/run-quietly.ts'

export interface CompanionProcess {
  /** Of the present life. */
  port(): number
  /** @returns milliseconds from the start of the process until /readyz answered 200 */
  start(): Promise<number>
  kill(): Promise<void>
  /** @returns the exit code */
  stop(): Promise<number | null>
  /**
   * It stands still while `work` goes on without it, and then goes on in the middle of whatever it
   * was doing.
   */
  standStill(work: () => Promise<unknown>): Promise<void>
  setAhead(ms: number): void
  /** Its log, over all lives. */
  output(): string
  /** Lives that ended although nobody asked for it. */
  broke(): number
}

const PATIENCE_MS = 300_000

export function companionProcess(env: Readonly<Record<string, string>>): CompanionProcess {
  let child: ChildProcess | undefined
  let port = 0
  let ahead = 0
  let output = ''
  let broken = 0
  const asked = new WeakSet<ChildProcess>()

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null
    asked.add(ending)
    const exited = once(ending, 'exit')
    ending.kill(signal)
    await exited
    return ending.exitCode
  }

  return {
    port: () => port,
    output: () => output,
    broke: () => broken,
    async start() {
      const begun = performance.now()
      port ||= await freePort()
      const made = spawn(process.execPath, ['--conditions=hc-source', 'test/faults/companion.ts'], {
        cwd: root,
        env: { ...process.env, NODE_OPTIONS: '', HC_PORT: String(port), HC_LOG_LEVEL: 'warn', ...env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      child = made
      for (const stream of [made.stdout, made.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
      made.once('exit', (code, signal) => {
        if (asked.has(made)) return
        broken += 1
        output += `ended by itself: ${signal ?? code}\n`
      })
      made.send({ ahead })
      const url = await new Promise<string>((resolve, reject) => {
        made.once('message', (message: { url: string }) => resolve(message.url))
        made.once('exit', () => reject(new Error(`The companion ended before it listened:\n${output}`)))
      })
      port = Number(new URL(url).port)
      for (const patience = performance.now() + PATIENCE_MS; performance.now() < patience; await pause(5)) {
        const ready = await fetch(`${url}/readyz`).catch(() => undefined)
        if (ready?.status === 200) return performance.now() - begun
      }
      throw new Error(`The companion does not get ready:\n${output}`)
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    async standStill(work) {
      child?.kill('SIGSTOP')
      try {
        await work()
      } finally {
        child?.kill('SIGCONT')
      }
    },
    setAhead(ms) {
      ahead = ms
      if (child?.connected === true) child.send({ ahead })
    },
  }
}
