// Starts the programs of the benchmark, each in its own process, and talks to them over Node's
// channel: one request, one answer.
import { spawn } from 'node:child_process'
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Program<Ready> {
  /** Its first message. */
  readonly ready: Ready
  readonly pid: number
  ask<T>(message: unknown): Promise<T>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

function nextMessage<T>(child: ChildProcess, file: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${file} ended with ${code}.`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })
}

/**
 * Starts Node with these arguments. The limit of open files is raised as far as allowed; it ends
 * with this process at the latest.
 */
export function launch(
  args: readonly string[],
  { env = {}, stdio }: { readonly env?: Readonly<Record<string, string>>; readonly stdio: StdioOptions },
): ChildProcess {
  const child = spawn('sh', ['-c', 'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"', process.execPath, ...args], {
    stdio,
    env: { ...process.env, ...env },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (!running.has(child)) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Runs a file of this folder. Its first message is `ready`. */
export async function startProgram<Ready>(
  file: string,
  args: readonly string[] = [],
  options: { readonly nodeFlags?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Program<Ready>> {
  const flags = ['--conditions=hc-source', ...(options.nodeFlags ?? [])]
  const child = launch([...flags, fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: options.env,
  })
  const ready = await nextMessage<Ready>(child, file)
  return {
    ready,
    pid: child.pid ?? 0,
    ask<T>(message: unknown) {
      const answer = nextMessage<T>(child, file)
      child.send(message as object)
      return answer
    },
    stop: () => end(child),
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
