// The order of the test files: what takes long begins first, so that no worker is left alone with
// it at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Small files that take long. Where the runner knows no times, as on a fresh machine, it begins
 * with the largest.
 */
export const LONG = [
  'sim/sim',
  'faults/silent',
  'crash/companion-kills',
  'faults/links',
  'browser/breaks',
  'browser/steps',
  'crash/crash',
].map((name) => `/test/${name}.test.ts`)

export function longestFirst<T extends { readonly moduleId: string }>(files: readonly T[]): T[] {
  const rank = ({ moduleId }: T): number => {
    const at = LONG.findIndex((path) => moduleId.endsWith(path))
    return at === -1 ? LONG.length : at
  }
  return files.toSorted((a, b) => rank(a) - rank(b))
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the runner's own, which is no array's
    return longestFirst(await super.sort(files))
  }
}
