// What every program of the benchmark tells of itself when asked.

export interface Figures {
  readonly rss: number
  /** The most it ever held, in bytes. */
  readonly peak: number
  /** Microseconds of processor since its start, its thread pool included: what counts on a machine with other work. */
  readonly cpu: number
}

/** Answers `figures` to any message of the runner; after `collect` with garbage collected first. */
export function tellFigures(message?: unknown): void {
  if (message === 'collect') globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const figures: Figures = {
    rss: process.memoryUsage.rss(),
    peak: process.resourceUsage().maxRSS * 1024,
    cpu: user + system,
  }
  process.send?.(figures)
}
