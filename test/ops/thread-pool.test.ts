// The program starts as many threads for signatures as the machine has processors, and a lookup that hangs leaves one of them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { threadsFor } from '../../server/commands/thread-pool.ts'
import { root } from '../helpers/run-quietly.ts'

it.each([
  [1, 2],
  [2, 2],
  [3, 3],
  [4, 4],
  [64, 4],
])('%i processors: %i threads', (processors, threads) => {
  expect(threadsFor(processors)).toBe(threads)
})

it.each([1, 2, 64])('%i processors: names that nobody answers for leave a thread to sign', (processors) => {
  // uv__slow_work_thread_threshold in libuv's threadpool.c.
  const lookups = Math.floor((threadsFor(processors) + 1) / 2)
  expect(lookups).toBeLessThan(threadsFor(processors))
})

/** Loaded before the program: fills its thread pool when it has nothing else to do, and counts its threads. */
const COUNTING = `
  import { pbkdf2 } from 'node:crypto'
  import { readdirSync, readFileSync } from 'node:fs'
  const nameOf = (task) => readFileSync('/proc/self/task/' + task + '/comm', 'utf8').trim()
  process.once('beforeExit', () => {
    for (let i = 0; i < 8; i++) pbkdf2('x', 'y', 10_000, 32, 'sha256', () => {})
    console.log('threads ' + readdirSync('/proc/self/task').map(nameOf).filter((name) => name === 'libuv-worker').length)
  })`

/** The size of the pool where the program may use one processor. */
function threadsOnOne(env: Record<string, string>): string | undefined {
  const allowed = /Cpus_allowed_list:\t(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  const { UV_THREADPOOL_SIZE: _, ...rest } = process.env
  const counting = `data:text/javascript,${encodeURIComponent(COUNTING)}`
  const program = [process.execPath, '--conditions=hc-source', '--import', counting, join(root, 'server/commands/cli.ts'), 'start', '--help'] // prettier-ignore
  const said = execFileSync('taskset', ['-c', allowed, ...program], { env: { ...rest, ...env }, encoding: 'utf8' })
  return /^threads (\d+)$/m.exec(said)?.[1]
}

it.runIf(process.platform === 'linux')('the program fits its pool to the machine before it uses it', () => {
  expect(threadsOnOne({})).toBe('2')
})

it.runIf(process.platform === 'linux')('a size that the operator has set holds', () => {
  expect(threadsOnOne({ UV_THREADPOOL_SIZE: '5' })).toBe('5')
})
