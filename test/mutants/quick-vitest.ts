// The part of vitest that the tests of the money files use: its own `expect`, and the functions that define tests. Stops at the first failure.
import * as vitest from '../../node_modules/vitest/dist/index.js'

export const { expect } = vitest

type Work = (...values: unknown[]) => unknown

const tests: { readonly name: string; readonly work: Work; readonly values: readonly unknown[] }[] = []

/** Spreads a table row over the arguments, like vitest. */
const valuesOf = (row: unknown): readonly unknown[] => (Array.isArray(row) ? (row as unknown[]) : [row])

/** `it(name, work)` or `it(name, options, work)`. */
function add(name: string, ...rest: readonly unknown[]): void {
  const work = rest.find((each) => typeof each === 'function')
  tests.push({ name, work: work as Work, values: [] })
}

export const it = Object.assign(add, {
  each: (rows: readonly unknown[]) => (name: string, work: Work) => {
    for (const row of rows) tests.push({ name, work, values: valuesOf(row) })
  },
})

export const describe = Object.assign((_name: string, body: () => void) => body(), {
  each: (rows: readonly unknown[]) => (_name: string, body: Work) => {
    for (const row of rows) body(...valuesOf(row))
  },
})

/** Runs the defined tests in order; returns how many. Throws the first failure, with the test's name. */
export async function runAll(): Promise<number> {
  for (const { name, work, values } of tests) {
    try {
      await work(...values)
    } catch (error) {
      throw new Error(name, { cause: error })
    }
  }
  return tests.length
}
