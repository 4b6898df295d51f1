// The part of vitest that the tests of the mutated files use: its own `expect` and `vi`, and the
// functions that define tests and what runs around them. Stops at the first failure.
import * as vitest from 'vitest'

export const { vi } = vitest

// Fake timers look here for their settings; vitest's own runner puts them there.
Object.assign(globalThis, { __vitest_worker__: { config: { fakeTimers: {} } } })

type Work = (...values: unknown[]) => unknown

/**
 * As in vitest, whose own needs its runner: asserts again and again until it holds or the time is
 * over.
 */
function poll(read: Work, { timeout = 1000, interval = 50 } = {}) {
  const matchers = (isNot: boolean) =>
    new Proxy<Record<string, unknown>>(
      {},
      {
        get: (_target, name: string) => {
          if (name === 'not') return matchers(true)
          return async (...values: unknown[]): Promise<void> => {
            for (const until = performance.now() + timeout; ;) {
              try {
                const asserted: object = vitest.expect(await read())
                const target = isNot ? (Reflect.get(asserted, 'not') as object) : asserted
                return void Reflect.apply(Reflect.get(target, name) as Work, target, values)
              } catch (error) {
                if (performance.now() > until) throw error
              }
              await new Promise((settle) => setTimeout(settle, interval))
            }
          }
        },
      },
    )
  return matchers(false)
}

export const expect: unknown = Object.assign((value: unknown) => vitest.expect(value), vitest.expect, { poll })

interface Suite {
  readonly parent: Suite | undefined
  readonly beforeAll: Work[]
  readonly beforeEach: Work[]
  readonly afterEach: Work[]
  readonly afterAll: Work[]
  readonly parts: (Suite | Test)[]
}
interface Test {
  readonly name: string
  readonly work: Work
  readonly values: readonly unknown[]
}

const emptySuite = (parent: Suite | undefined): Suite => ({
  parent,
  beforeAll: [],
  beforeEach: [],
  afterEach: [],
  afterAll: [],
  parts: [],
})

const files: Suite[] = []
let current = emptySuite(undefined)

/**
 * Call before each test file is imported: what a file defines to run around its tests is for its
 * own tests only.
 */
export function startFile(): void {
  current = emptySuite(undefined)
  files.push(current)
}

/** Spreads a table row over the arguments, like vitest. */
const valuesOf = (row: unknown): readonly unknown[] => (Array.isArray(row) ? (row as unknown[]) : [row])

/** `it(name, work)` or `it(name, options, work)`. */
function add(name: string, ...rest: readonly unknown[]): void {
  const work = rest.find((each) => typeof each === 'function')
  current.parts.push({ name, work: work as Work, values: [] })
}

export const it = Object.assign(add, {
  skipIf: (skip: unknown) => (skip ? () => undefined : add),
  runIf: (runs: unknown) => (runs ? add : () => undefined),
  each: (rows: readonly unknown[]) => (name: string, work: Work) => {
    for (const row of rows) current.parts.push({ name, work, values: valuesOf(row) })
  },
})
export { it as test }

function group(_name: string, body: Work, values: readonly unknown[] = []): void {
  const parent = current
  current = emptySuite(parent)
  parent.parts.push(current)
  body(...values)
  current = parent
}

export const describe = Object.assign((name: string, body: Work) => group(name, body), {
  each: (rows: readonly unknown[]) => (name: string, body: Work) => {
    for (const row of rows) group(name, body, valuesOf(row))
  },
})

export const beforeAll = (work: Work) => void current.beforeAll.push(work)
export const beforeEach = (work: Work) => void current.beforeEach.push(work)
export const afterEach = (work: Work) => void current.afterEach.push(work)
export const afterAll = (work: Work) => void current.afterAll.push(work)

/** The suite and those around it, outermost first. */
const around = (suite: Suite | undefined): Suite[] => (suite === undefined ? [] : [...around(suite.parent), suite])

/**
 * The limit of one test. Its timer also keeps the process alive for a test that waits for
 * `AbortSignal.timeout` alone, whose timer does not.
 */
const LIMIT_IN_MS = 30_000

async function run({ name, work, values }: Test, suite: Suite): Promise<void> {
  const suites = around(suite)
  const { promise: limit, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The test has not ended within its limit.')), LIMIT_IN_MS)
  try {
    for (const each of suites.flatMap(({ beforeEach: all }) => all)) await each()
    await Promise.race([work(...values), limit])
    for (const each of suites.toReversed().flatMap(({ afterEach: all }) => all.toReversed())) await each()
  } catch (error) {
    throw new Error(name, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function runSuite(suite: Suite): Promise<number> {
  let ran = 0
  for (const each of suite.beforeAll) await each()
  for (const part of suite.parts) {
    if ('parts' in part) {
      ran += await runSuite(part)
    } else {
      await run(part, suite)
      ran += 1
    }
  }
  for (const each of suite.afterAll.toReversed()) await each()
  return ran
}

/**
 * Runs the defined tests in order; returns how many. Throws the first failure, with the test's
 * name.
 */
export async function runAll(): Promise<number> {
  let ran = 0
  for (const file of files) ran += await runSuite(file)
  return ran
}
