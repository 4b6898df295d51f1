// Runs before npm packs or publishes a package of this repository, in that package's folder: builds
// it, or stops with the reason, so that no package without its build can come about.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const node = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

/** On standard error alone: standard output belongs to `npm pack --json`. */
function stop(reason) {
  process.stderr.write(`${readPackage(process.cwd()).name} is not packed: ${reason}\n`)
  process.exit(1)
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Each file that an importer of the package would be led to. */
function exportedBy(folder) {
  const places = Object.values(readPackage(folder).exports).flatMap((to) =>
    typeof to === 'string' ? [to] : [to.types, to.default],
  )
  return places.filter((place) => !place.includes('*'))
}

function missingIn(folder) {
  return exportedBy(folder).find((place) => !existsSync(join(folder, place)))
}

function build(folder) {
  const { status } = spawnSync(node, ['build.ts'], { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) stop(`the build of ${folder} has failed; what it says stands above.`)
}

if (!existsSync(node) || !existsSync(join(root, 'node_modules/vite')))
  stop(`what builds it is not installed. Run npm ci in ${root}, then pack again.`)
// The companion has the texts of the widget and the sandbox in it, and its program calls by the
// client.
if (process.cwd() === join(root, 'server'))
  for (const folder of ['widget', 'demo/sandbox', 'server/client'].map((name) => join(root, name)))
    if (missingIn(folder) !== undefined) build(folder)
build(process.cwd())
const missing = missingIn(process.cwd())
if (missing !== undefined) stop(`its build has made no ${missing}, which its exports name.`)
