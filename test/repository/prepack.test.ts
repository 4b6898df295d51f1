// What is packed for npm: never a package without its build, and nothing in it that npm would
// refuse.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly repository?: unknown
  readonly scripts?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly provenance?: boolean }
}

const published = globSync(['*/package.json', '{server,demo}/*/package.json'], { cwd: root })
  .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest)
  .filter((manifest) => manifest.private !== true)

it('each published package is built before it is packed, and asks for no provenance without a repository', () => {
  expect(published.map(({ name }) => name).toSorted()).toEqual([
    'hc-checkout',
    'hc-checkout-client',
    'hc-checkout-sandbox',
    'hc-checkout-server',
  ])
  for (const { scripts, repository, publishConfig } of published) {
    expect(scripts?.['prepack']).toMatch(/^node (\.\.\/)+prepack\.js$/)
    expect(repository === undefined && publishConfig?.provenance === true).toBe(false)
  }
})

describe('npm pack in a repository of its own', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hc-prepack-'))
    cpSync(join(root, 'prepack.js'), join(folder, 'prepack.js'))
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    for (const name of ['widget', 'demo/sandbox', 'server', 'server/client']) makePackage(name, MAKES)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const MAKES = `import { mkdirSync, writeFileSync } from 'node:fs'
    console.log('it builds')
    mkdirSync('dist', { recursive: true })
    for (const name of ['index.js', 'index.d.ts']) writeFileSync('dist/' + name, '')`

  function makePackage(name: string, build: string): void {
    mkdirSync(join(folder, name), { recursive: true })
    const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './*': './dist/*' }
    const scripts = { prepack: 'node ../prepack.js' }
    const manifest = {
      name: `a-${basename(name)}`,
      version: '1.0.0',
      type: 'module',
      files: ['dist'],
      exports,
      scripts,
    }
    writeFileSync(join(folder, name, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, name, 'build.ts'), build)
  }

  function installTools(): void {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    mkdirSync(join(folder, 'node_modules/vite'))
    symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
  }

  function pack(name: string) {
    const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--offline'], {
      cwd: join(folder, name),
      encoding: 'utf8',
    })
    return { status, stdout, stderr, made: globSync('**/*.tgz', { cwd: folder }) }
  }

  it('builds the package first, and those of widget, sandbox and client for the server', () => {
    installTools()
    const { status, stdout } = pack('server')
    expect(status).toBe(0)
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ files: { path: string }[] }]
    expect(packed.files.map(({ path }) => path).toSorted()).toEqual([
      'dist/index.d.ts',
      'dist/index.js',
      'package.json',
    ])
    for (const built of ['widget', 'server/client'])
      expect(globSync(`${built}/dist/*`, { cwd: folder })).toHaveLength(2)
  })

  it.each([
    ['are not installed', ''],
    ['are not all installed', 'node_modules/.bin/node'],
    ['are installed without their Node', 'node_modules/vite'],
  ])('stops with a sentence where the tools %s', (_how, kept) => {
    installTools()
    for (const part of ['node_modules/.bin/node', 'node_modules/vite'])
      if (part !== kept) rmSync(join(folder, part), { recursive: true })
    const { status, stderr, made } = pack('widget')
    expect({ failed: status !== 0, made }).toEqual({ failed: true, made: [] })
    expect(stderr).toMatch(/a-widget is not packed: what builds it is not installed\. Run npm ci in /)
  })

  it.each([
    ['fails', 'process.exit(3)', /a-widget is not packed: the build of .*widget has failed/],
    ['makes nothing', '', /a-widget is not packed: its build has made no \.\/dist\/index\.d\.ts/],
  ])('stops with a sentence where the build %s', (_what, build, says) => {
    installTools()
    makePackage('widget', build)
    const { status, stderr, made } = pack('widget')
    expect({ failed: status !== 0, made }).toEqual({ failed: true, made: [] })
    expect(stderr).toMatch(says)
  })
})
