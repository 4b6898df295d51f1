// A name that nobody answers for: the program ends all the same, though Node waits for the thread
// that looks it up.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { environment } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'
import { root } from '../helpers/run-quietly.ts'

let folder: string
let child: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-lookup-'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
})
afterEach(() => {
  child?.kill('SIGKILL')
  child = undefined
  rmSync(folder, { recursive: true, force: true })
})

it('a companion that is told twice to stop ends at once', async () => {
  const port = await freePort()
  // Its only thread waits for a pipe that nobody opens: a lookup behind that ends as little as one
  // that the resolver leaves unanswered.
  const held = `data:text/javascript,import{open}from'node:fs';open('${join(folder, 'pipe')}','r',()=>{})`
  const made = spawn(process.execPath, ['--import', held, '--conditions=hc-source', 'server/cli/cli.ts', 'start'], {
    cwd: root,
    env: {
      ...process.env,
      ...environment(folder),
      NODE_OPTIONS: '',
      UV_THREADPOOL_SIZE: '1',
      HC_PORT: String(port),
      HC_AUTH_URL: 'https://service.example',
      HC_BASE_URL: 'https://service.example',
      HC_CHECKOUT_ORIGINS: 'https://service.example',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = made
  const ended = once(made, 'exit')
  let said = ''
  made.stdout.on('data', (chunk) => (said += String(chunk)))
  await expect.poll(() => said).toContain('companion is listening')
  made.kill('SIGTERM')
  await expect.poll(() => said).toContain('companion is stopping')
  made.kill('SIGTERM')
  // As it says of itself; after one signal, once the lookup is given up, it is 0.
  expect(await ended).toEqual([1, null])
})
