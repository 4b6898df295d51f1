// `npm run release`: publishes the packages that have a new version. The address of the repository
// stands in one place,
// the root package.json; each package is given it here, because npm shows it, and refuses
// provenance without it.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = import.meta.dirname
const PACKAGES = ['widget', 'server', 'server/client', 'demo/sandbox']

function stop(reason) {
  process.stderr.write(`Nothing is released: ${reason}\n`)
  process.exit(1)
}

function read(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

function run(command, args, env = {}) {
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 1e8 }
  const { status, stdout } = spawnSync(command, args, { ...options, stdio: ['inherit', 'pipe', 'inherit'] })
  if (status !== 0) stop(`${command} ${args[0]} has failed.`)
  return stdout
}

/** The page of a repository that git reads by this address. */
function pageOf(url) {
  const [, page] = /^(?:git\+)?(https:\/\/[^/]+\/.+?)(?:\.git)?\/?$/.exec(url) ?? []
  if (page === undefined)
    stop(`repository.url of the root package.json is "${url}". Write it as https://host.example/owner/name.git.`)
  return page
}

const { url = '' } = read('.').repository ?? {}
if (url === '')
  stop('the address of the repository is not known. Write it into repository.url of the root package.json.')
const page = pageOf(url)
for (const folder of PACKAGES) {
  const manifest = read(folder)
  const repository = { type: 'git', url: `git+${page}.git`, directory: folder }
  const more = { repository, homepage: `${page}#readme`, bugs: `${page}/issues` }
  writeFileSync(join(root, folder, 'package.json'), `${JSON.stringify({ ...manifest, ...more }, undefined, 2)}\n`)
  // What is in it, for who has to know: CycloneDX, by npm itself.
  const sbom = run('npm', ['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx', '--workspace', folder])
  writeFileSync(join(root, folder, 'sbom.cdx.json'), sbom)
}
// Only these can issue it; elsewhere npm would refuse to publish.
const canProve = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'SIGSTORE_ID_TOKEN'].some((name) => process.env[name])
// Whatever is set on this machine: `prepack` is what builds a package before it is packed.
const built = { NPM_CONFIG_IGNORE_SCRIPTS: 'false' }
process.stdout.write(run('changeset', ['publish'], canProve ? { ...built, NPM_CONFIG_PROVENANCE: 'true' } : built))
