// What a developer reads whose `npm ci` was interrupted.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-installed-'))
  cpSync(join(root, 'installed.js'), join(folder, 'installed.js'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  writeFileSync(join(folder, 'main.ts'), 'const said: string = "started"\nconsole.log(said)\n')
  mkdirSync(join(folder, 'node_modules'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = (...flags: string[]) =>
  spawnSync(process.execPath, [...flags, '--import', './installed.js', 'main.ts'], { cwd: folder, encoding: 'utf8' })
/** npm writes it once all else is there. */
const complete = () => writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')

it('an interrupted installation is named, with what to do', () => {
  const { status, stdout, stderr } = start()
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    'The installation is not complete. It was interrupted, or never run.\n' +
      'Run `npm ci` to its end; it brings the Node that this repository runs on.\n',
  )
})

it('so is a Node that does not run TypeScript', () => {
  complete()
  const { status, stderr } = start('--no-experimental-strip-types')
  expect(status).toBe(1)
  expect(stderr).toContain(`This is Node ${process.version}, which does not run TypeScript.`)
  expect(stderr).not.toContain('ERR_')
})

it('a complete one starts', () => {
  complete()
  expect(start()).toMatchObject({ status: 0, stdout: 'started\n' })
})

it('the commands of the README look first', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>
  }
  for (const name of ['start', 'dev', 'test']) expect(scripts[name]).toContain('--import ./installed.js ')
})
