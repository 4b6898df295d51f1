// The tools and suites run alike on every machine, whatever is set on it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, it, vi } from 'vitest'
import { root, run } from '../helpers/run-quietly.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('settings of a companion on this machine reach no program of the tests, but for what a test gives it', async () => {
  vi.stubEnv('HC_MODE', 'sessions')
  vi.stubEnv('HC_SECRET_FILE', '/run/secrets/hc')
  vi.stubEnv('HC_PORT', '1')
  vi.stubEnv('HC_FUZZ_SEED', '7')
  const program = 'const { HC_MODE, HC_SECRET_FILE, HC_PORT, HC_FUZZ_SEED } = process.env'
  const args = ['-e', `${program}; console.log(HC_MODE, HC_SECRET_FILE, HC_PORT, HC_FUZZ_SEED)`]
  const { output } = await run(process.execPath, args, { env: { NODE_OPTIONS: '', HC_PORT: '8787' } })
  expect(output).toBe('undefined undefined 8787 7\n')
})

/**
 * Starts a program that never ends, and that holds the output open as a browser of a killed suite
 * does.
 */
const LEAVES_ONE = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });`

it('a program that hangs is ended with all that it has started, and its end is told', async () => {
  const { code, output } = await run(process.execPath, ['-e', `${LEAVES_ONE} setInterval(() => {}, 1000)`], {
    patience: 1000,
  })
  expect(code).not.toBe(0)
  expect(output).toContain('Ended after 1 s without an end of its own.')
})

it('a program that ends while something that it started runs on holds nobody up', async () => {
  const { code } = await run(process.execPath, ['-e', `${LEAVES_ONE} process.exit(3)`], { patience: 100_000 })
  expect(code).toBe(3)
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Says its number and that of what it has started, and ends neither by itself nor when told to. */
const STUBBORN = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000);
const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
console.log(process.pid + ' ' + pid)`

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('what is told to end by %s ends all that it runs', async (signal) => {
  const helper = join(root, 'test/helpers/end-with-us.ts')
  const program = `import { spawn } from 'node:child_process'
import { endWithUs } from ${JSON.stringify(helper)}
for (const one of [1, 2]) {
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { detached: true })
  endWithUs(child)
  child.stdout.pipe(process.stdout)
}`
  const told = spawn(process.execPath, ['--input-type=module', '-e', program])
  const pids: number[] = []
  for await (const line of createInterface({ input: told.stdout })) {
    pids.push(...line.split(' ').map(Number))
    if (pids.length === 4) break
  }
  expect(pids.map(isAlive)).toEqual([true, true, true, true])
  told.kill(signal)
  const [code] = (await once(told, 'exit')) as [number]
  expect(code).toBe(130)
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false, false, false])
})

it('with nothing to end, a signal does what it does by itself', async () => {
  const before = process.listenerCount('SIGTERM')
  await run(process.execPath, ['-e', ''])
  await run('no-such-program', [])
  expect(process.listenerCount('SIGTERM')).toBe(before)
})
