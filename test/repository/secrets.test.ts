// Keys and settings that a merchant puts where the guides say are published neither by npm nor by
// git.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

/** compose.yaml and README.md. */
const secret = [
  'companion.env',
  'privatekey.pem',
  'companion.db-wal',
  'server/deploy/companion.env',
  'server/deploy/secrets/private_key',
  'server/deploy/certificates/privkey.pem',
]

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hc-secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('the package of the server has the files for deployment, and no secret beside them', () => {
  const server = join(folder, 'server')
  cpSync(join(root, 'server/package.json'), join(server, 'package.json'))
  // Without those of whoever runs this.
  const filter = (path: string): boolean => !/(secrets|certificates|companion\.env)$/.test(path)
  cpSync(join(root, 'server/deploy'), join(server, 'deploy'), { recursive: true, filter })
  const deploy = globSync('deploy/*', { cwd: server }).toSorted()
  for (const path of secret) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), 'secret')
  }
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: server, encoding: 'utf8' }),
  ) as [{ files: { path: string }[] }]
  const files = packed.files.map(({ path }) => path).filter((path) => path !== 'package.json')
  expect(files.toSorted()).toEqual(deploy)
})

it.runIf(spawnSync('git', ['--version']).status === 0)('git ignores them, and not the example', () => {
  cpSync(join(root, '.gitignore'), join(folder, '.gitignore'))
  const git = (args: string[], input = '') => spawnSync('git', args, { cwd: folder, input, encoding: 'utf8' }).stdout
  git(['init', '--quiet'])
  const asked = [...secret, 'server/deploy/companion.env.example']
  expect(git(['check-ignore', '--stdin'], asked.join('\n')).trim().split('\n')).toEqual(secret)
})
