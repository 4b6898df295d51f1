// What runs at the moment, kept in a file: when a suite hangs and is ended, the file says in which
// test. A test that never yields cannot be ended by its own limit, and so nobody would hear of its
// name.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/** Name of the variable with the path of the file. */
export const RUNNING = 'HC_RUNNING_TESTS'

/** The names that run, one a line. Does nothing where no file is named. */
export function createRunningList(file: string | undefined = process.env[RUNNING]) {
  const running = new Set<string>()
  const write = (): void => {
    if (file !== undefined) writeFileSync(file, [...running].join('\n'))
  }
  return {
    begin(name: string): void {
      running.add(name)
      write()
    },
    /**
     * Of a file: its tests end with it, of which vitest may have told that one is ready after it
     * had told its result.
     */
    end(name: string): void {
      const ended = [...running].filter((one) => one === name || one.startsWith(`${name} > `))
      for (const one of ended) running.delete(one)
      if (ended.length > 0) write()
    },
  }
}

/** What to say of a suite that was ended; empty when nothing is known. */
export function stillRunning(file: string): string {
  let names = ''
  try {
    names = readFileSync(file, 'utf8')
  } catch {
    // It ended before it began its first test.
  }
  return names === '' ? '' : `Still running at the end:\n${names.replace(/^/gm, '  ')}\n`
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`

/** For vitest. A file stands for its tests until the first of them is known to run. */
// oxlint-disable-next-line import/no-default-export -- vitest takes a reporter's default export.
export default class RunningTests implements Reporter {
  readonly #list = createRunningList()

  onTestModuleQueued(module: TestModule): void {
    this.#list.begin(module.relativeModuleId)
  }
  onTestModuleEnd(module: TestModule): void {
    this.#list.end(module.relativeModuleId)
  }
  onTestCaseReady(test: TestCase): void {
    this.#list.begin(nameOf(test))
  }
  onTestCaseResult(test: TestCase): void {
    this.#list.end(nameOf(test))
  }
}
