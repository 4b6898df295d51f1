// What every program of the benchmark tells of itself when asked.
import { existsSync, readFileSync } from 'node:fs'

export interface Figures {
  readonly rss: number
  /** The most it ever held, in bytes. */
  readonly peak: number
  /** Microseconds of processor since its start, its thread pool included: what counts on a machine with other work. */
  readonly cpu: number
}

const STATUS = '/proc/self/status'
/** Ticks of /proc a second, on every Linux that Node runs on. */
const TICKS = 100

function kbOf(status: string, name: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
}

/** Where Linux tells it, since maxRSS begins with what the program that started this one had held. */
function mostResident(): number {
  const kb = existsSync(STATUS) ? kbOf(readFileSync(STATUS, 'utf8'), 'VmHWM') : process.resourceUsage().maxRSS
  return kb * 1024
}

/** Of another program, as Linux tells them: so that nothing of the benchmark runs in it. */
export function figuresOf(pid: number): Figures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // Behind the name, which may hold anything: the 12th and 13th are user and system time.
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

/** Ticks since the start of the machine: in all, and those that its host gave to other machines instead. */
function ticks(): { readonly all: number; readonly stolen: number } {
  if (!existsSync('/proc/stat')) return { all: 0, stolen: 0 }
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in user already.
  const counts = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '')
    .trim()
    .split(/\s+/)
    .slice(1, 9)
    .map(Number)
  return { all: counts.reduce((sum, count) => sum + count, 0), stolen: counts[7] ?? 0 }
}

/** Starts to look; what it answers tells, in percent, how much of the processors was taken away since: a figure is worth as much as it is low. */
export function watchStolen(): () => number {
  const before = ticks()
  return () => {
    const after = ticks()
    return (100 * (after.stolen - before.stolen)) / Math.max(1, after.all - before.all)
  }
}

/** Answers `figures` to any message of the runner; after `collect` with garbage collected first. */
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
