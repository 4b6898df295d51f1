// Reads the test counts from the output of the element tests' runner.

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Uses the last summary, "Chrome: |██| 4/4 test files | 84 passed, 0 failed, 1 skipped": one is written after each file, with cumulative counts. */
export function elementCounts(output: string): Counts {
  const [, passed = 0, failed = 0, skipped = 0] =
    [...output.matchAll(/test files \| (\d+) passed, (\d+) failed(?:, (\d+) skipped)?/g)].at(-1) ?? []
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}
