// Memory and CPU figures of the benchmark's programs.
import { existsSync, readFileSync } from 'node:fs'

export interface Figures {
  readonly rss: number
  /** Peak resident memory, in bytes. */
  readonly peak: number
  /**
   * CPU time since its start in microseconds, including its thread pool: comparable even on a busy
   * machine.
   */
  readonly cpu: number
}

const STATUS = '/proc/self/status'
/** Ticks per second in /proc, on every Linux that Node runs on. */
const TICKS = 100

function kbOf(status: string, name: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
}

/**
 * From /proc where available, because maxRSS includes the memory of the program that started this
 * one.
 */
function mostResident(): number {
  const kb = existsSync(STATUS) ? kbOf(readFileSync(STATUS, 'utf8'), 'VmHWM') : process.resourceUsage().maxRSS
  return kb * 1024
}

/** Figures of another process from /proc, so that no benchmark code runs in it. */
export function figuresOf(pid: number): Figures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which may contain anything, fields 12 and 13 are user and system time.
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return {
    rss: kbOf(status, 'VmRSS') * 1024,
    peak: kbOf(status, 'VmHWM') * 1024,
    cpu: times.reduce((sum, ticks) => sum + Number(ticks), 0) * (1e6 / TICKS),
  }
}

/**
 * Ticks since the machine started: all of them, and those that its host gave to other machines
 * (steal).
 */
function ticks(): { readonly all: number; readonly stolen: number } {
  if (!existsSync('/proc/stat')) return { all: 0, stolen: 0 }
  // user, nice, system, idle, iowait, irq, softirq, steal; the rest is already counted in user.
  const counts = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '')
    .trim()
    .split(/\s+/)
    .slice(1, 9)
    .map(Number)
  return { all: counts.reduce((sum, count) => sum + count, 0), stolen: counts[7] ?? 0 }
}

/**
 * Returns a function for the CPU time stolen since, in percent: the lower it is, the more reliable
 * a measurement.
 */
export function watchStolen(): () => number {
  const before = ticks()
  return () => {
    const after = ticks()
    return (100 * (after.stolen - before.stolen)) / Math.max(1, after.all - before.all)
  }
}

/** Sends `figures` for any message of the runner; `collect` runs garbage collection first. */
export function tellFigures(message?: unknown): void {
  if (message === 'collect') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const figures: Figures = {
    rss: process.memoryUsage.rss(),
    peak: mostResident(),
    cpu: user + system,
  }
  process.send?.(figures)
}
