// `npm run release` stops while nobody knows the address of the repository, and gives it to each
// package.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

const PACKAGES = ['widget', 'server', 'server/client', 'demo/sandbox']
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-release-'))
  cpSync(join(root, 'release.js'), join(folder, 'release.js'))
  for (const place of [...PACKAGES, 'bin']) mkdirSync(join(folder, place), { recursive: true })
  for (const place of PACKAGES) write(`${place}/package.json`, JSON.stringify({ name: place, version: '1.0.0' }))
  tool('npm', 'echo \'{"bomFormat":"CycloneDX"}\'')
  tool('changeset', 'echo "$@ provenance=$NPM_CONFIG_PROVENANCE ignored=$NPM_CONFIG_IGNORE_SCRIPTS" > published')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

function tool(name: string, line: string): void {
  write(`bin/${name}`, `#!/bin/sh\n${line}\n`)
  chmodSync(join(folder, 'bin', name), 0o755)
}

function release(url: string | undefined, env: Record<string, string> = {}) {
  write('package.json', JSON.stringify({ type: 'module', ...(url === undefined ? {} : { repository: { url } }) }))
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'release.js')], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, ...env },
  })
  return { status, stderr, isPublished: existsSync(join(folder, 'published')) }
}

it.each([[undefined], ['']])('stops while the address is %j', (url) => {
  expect(release(url)).toEqual({
    status: 1,
    stderr:
      'Nothing is released: the address of the repository is not known. Write it into repository.url of the root package.json.\n',
    isPublished: false,
  })
  expect(read('widget/package.json')).not.toContain('repository')
})

it('stops at an address that npm would not lead to', () => {
  expect(release('git@host.example:owner/name')).toMatchObject({ status: 1, isPublished: false })
})

it('gives each package address and parts, builds it, and proves it where that can be done', () => {
  expect(release('https://host.example/owner/name.git')).toMatchObject({ status: 0, isPublished: true })
  for (const place of PACKAGES) {
    expect(JSON.parse(read(`${place}/package.json`))).toEqual({
      name: place,
      version: '1.0.0',
      repository: { type: 'git', url: 'git+https://host.example/owner/name.git', directory: place },
      homepage: 'https://host.example/owner/name#readme',
      bugs: 'https://host.example/owner/name/issues',
    })
    expect(read(`${place}/sbom.cdx.json`)).toContain('CycloneDX')
  }
  expect(read('published')).toBe('publish provenance= ignored=false\n')
  release('https://host.example/owner/name', { SIGSTORE_ID_TOKEN: 'x', NPM_CONFIG_IGNORE_SCRIPTS: 'true' })
  expect(read('published')).toBe('publish provenance=true ignored=false\n')
})

it('stops where a tool fails', () => {
  tool('npm', 'exit 3')
  expect(release('https://host.example/owner/name')).toMatchObject({ status: 1, isPublished: false })
})
