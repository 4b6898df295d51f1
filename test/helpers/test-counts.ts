// The counts of a suite's tests: reads those of the element tests from their runner's output, adds
// them up, and says them in one line.

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/**
 * Uses the last summary, "Chrome: |██| 4/4 test files | 84 passed, 0 failed, 1 skipped": one is
 * written after each file, with cumulative counts.
 */
export function elementCounts(output: string): Counts {
  const [, passed = 0, failed = 0, skipped = 0] =
    [...output.matchAll(/test files \| (\d+) passed, (\d+) failed(?:, (\d+) skipped)?/g)].at(-1) ?? []
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}

export function addCounts(total: Counts, more: Counts): void {
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += more[key]
}

/** `84 passed, 0 failed, 1 skipped` */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
