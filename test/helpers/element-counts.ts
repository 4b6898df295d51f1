// What the runner of the element tests has counted.

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The last of its summaries, "Chrome: |██| 4/4 test files | 84 passed, 0 failed, 1 skipped": it writes one after each file, and each holds those before it. */
export function elementCounts(output: string): Counts {
  const [, passed = 0, failed = 0, skipped = 0] =
    [...output.matchAll(/test files \| (\d+) passed, (\d+) failed(?:, (\d+) skipped)?/g)].at(-1) ?? []
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}
