// A test that never ends and never yields, planted: each runner's list of what runs has its name.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { createRunningList, RUNNING, stillRunning } from '../helpers/running-tests.ts'
import { bin, root } from '../helpers/run-quietly.ts'

const planted = `it('goes on', () => {})
it('hangs for ever', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  for (;;);
})
it('comes later', () => {})
`
let child: ChildProcess | undefined
let folder = ''
afterEach(async () => {
  if (child?.pid !== undefined) {
    // Asked to end, a runner ends its browser too, which has a process group of its own.
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await Promise.race([gone, pause(10_000)])
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All have gone.
    }
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the runner, and waits until its list names the test. */
async function hung(command: string, args: readonly string[], running: string): Promise<string> {
  let output = ''
  child = spawn(bin(command), args, { cwd: root, detached: true, env: { ...process.env, [RUNNING]: running } })
  child.stdout?.on('data', (chunk) => (output += String(chunk)))
  child.stderr?.on('data', (chunk) => (output += String(chunk)))
  const list = () => {
    if (child?.exitCode != null) throw new Error(`The runner has ended: ${output}`)
    return stillRunning(running)
  }
  await expect.poll(list, { interval: 50 }).toContain('hangs for ever')
  return readFileSync(running, 'utf8')
}

/** Outside of `test`, whose files other tests count. */
function plant(text: string): string {
  mkdirSync(join(root, '.hc'), { recursive: true })
  folder = mkdtempSync(join(root, '.hc/hang-'))
  writeFileSync(join(folder, 'planted.test.ts'), text)
  return join(folder, 'running')
}

it('a file that has ended leaves none of its tests behind', () => {
  const running = plant('')
  const list = createRunningList(running)
  for (const name of ['a.test.ts', 'a.test.ts > told too late', 'b.test.ts > runs']) list.begin(name)
  list.end('a.test.ts')
  expect(stillRunning(running)).toBe('Still running at the end:\n  b.test.ts > runs\n')
})

it('a hang in a test of the server is named', async () => {
  const running = plant(`import { it } from 'vitest'\n${planted}`)
  writeFileSync(join(folder, 'vitest.config.ts'), "export default { test: { include: ['planted.test.ts'] } }")
  const reporter = join(root, 'test/helpers/running-tests.ts')
  const list = await hung('vitest', ['run', '--root', folder, `--reporter=${reporter}`], running)
  expect(list).toContain('planted.test.ts > hangs for ever')
  expect(list).not.toMatch(/goes on|comes later/)
})

it('a hang in a test of the element is named', async () => {
  const running = plant(planted)
  const list = await hung('wtr', ['--files', join(folder, 'planted.test.ts')], running)
  expect(list).toContain('planted.test.ts > hangs for ever')
  expect(list).not.toMatch(/goes on|comes later/)
})
