// Programs that this process starts, each with all that it starts itself: they end with this
// process, also when that is told to end. Each has a process group of its own, which no signal to
// this one reaches.
import type { ChildProcess } from 'node:child_process'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const running = new Set<ChildProcess>()

/**
 * @param program started with `detached`
 * @returns what ends it, and all that it has started
 */
export function endWithUs(program: ChildProcess): (signal?: NodeJS.Signals) => void {
  // It could not be started.
  if (program.pid === undefined) return () => {}
  if (running.size === 0) {
    process.on('exit', endAll)
    for (const signal of SIGNALS) process.on(signal, leave)
  }
  running.add(program)
  // Something that it has started may still run, and hold its output open.
  program.once('exit', () => kill(program))
  program.once('close', () => {
    running.delete(program)
    // With nothing to end, a signal does again what it does by itself.
    if (running.size > 0) return
    process.off('exit', endAll)
    for (const signal of SIGNALS) process.off(signal, leave)
  })
  return (signal) => kill(program, signal)
}

function kill({ pid }: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // They have gone.
  }
}

export function endAll(): void {
  for (const program of running) kill(program)
}

function leave(): never {
  process.exit(130)
}
