// `hc-checkout-server` as npm links it: the built program, or in the repository before a build its
// sources.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-program-'))
  for (const inner of ['server/cli', 'node_modules/.bin']) mkdirSync(join(folder, inner), { recursive: true })
  writeFileSync(join(folder, 'server/package.json'), '{"type": "module"}')
  copyFileSync(join(root, 'server/program.js'), join(folder, 'server/program.js'))
  symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const program = (...args: string[]) =>
  spawn(process.execPath, [join(folder, 'server/program.js'), ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function ending(child: ReturnType<typeof program>) {
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { out, code }
}

it('runs the sources, as the system does, until it is built', async () => {
  writeFileSync(
    join(folder, 'server/cli/cli.ts'),
    'const said: string[] = [...process.execArgv, ...process.argv.slice(2)]\nconsole.log(said.join(" "))\nprocess.exitCode = 2\n',
  )
  expect(await ending(program('start', '--help'))).toEqual({ out: '--conditions=hc-source start --help\n', code: 2 })
})

function build(fault?: string) {
  for (const part of ['cli', 'platform']) mkdirSync(join(folder, 'server/dist', part), { recursive: true })
  const said = '[process.argv0 === "hc-checkout-server" ? "pinned" : "own", ...process.argv.slice(2)].join(" ")'
  writeFileSync(join(folder, 'server/dist/cli/cli.js'), `console.log(${said})\nprocess.exitCode = 1\n`)
  writeFileSync(
    join(folder, 'server/dist/platform/node-version.js'),
    `export const nodeFault = () => ${JSON.stringify(fault)}\n`,
  )
}

it('runs what was built', async () => {
  build()
  expect(await ending(program('doctor'))).toEqual({ out: 'own doctor\n', code: 1 })
})

it('runs what was built by the pinned Node where the own is too old, as before a build', async () => {
  build('too old')
  expect(await ending(program('doctor'))).toEqual({ out: 'pinned doctor\n', code: 1 })
})

it('says that its Node is too old where none is pinned, and loads nothing that it could not', async () => {
  build('too old')
  // As Node 18 and 20.0 to 20.11 fail at it, before its first line.
  writeFileSync(join(folder, 'server/dist/cli/cli.js'), "import { notThere } from 'node:util'\n")
  rmSync(join(folder, 'node_modules'), { recursive: true })
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'server/program.js'), 'doctor'], {
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: 'too old\n' })
})

it.each(['SIGTERM', 'SIGINT'] as const)('hands %s on to the sources', async (signal) => {
  writeFileSync(
    join(folder, 'server/cli/cli.ts'),
    `process.on("${signal}", () => process.exit(0))\nsetInterval(() => {}, 1000)\nconsole.log("ready")\n`,
  )
  const child = program('start')
  const end = once(child, 'close')
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await end).toEqual([0, null])
})

it('leaves no sources running when it is killed', async () => {
  writeFileSync(
    join(folder, 'server/cli/cli.ts'),
    'process.on("SIGTERM", () => process.exit(console.log("ended")))\nsetInterval(() => {}, 1000)\nconsole.log("ready")\n',
  )
  const child = program('start')
  const said = text(child.stdout)
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  expect(await said).toBe('ready\nended\n')
})

it.skipIf(!existsSync('/dev/full'))('says in a line that its output cannot be written', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--conditions=hc-source', join(root, 'server/cli/cli.ts'), '--help'], {
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')])
  expect({ said, code }).toEqual({ said: 'The output cannot be written (ENOSPC).\n', code: 1 })
})
