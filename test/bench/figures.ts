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

/** Where Linux tells it, since maxRSS begins with what the program that started this one had held. */
function mostResident(): number {
  const kb = existsSync(STATUS) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS, 'utf8'))?.[1] : undefined
  return (kb === undefined ? process.resourceUsage().maxRSS : Number(kb)) * 1024
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
