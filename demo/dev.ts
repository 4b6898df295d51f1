// `npm run dev`: like `npm start`, but restarted when a source of the server or the shop changes,
// and with the widget and the pages rebuilt on every change.
import { spawn } from 'node:child_process'
import { globSync, watch } from 'node:fs'
import { join } from 'node:path'
import { buildConsoleIfStale } from './console-pages.ts'
import { buildPagesIfStale } from './page-build.ts'
import { buildWidgetIfStale } from './widget-bundle.ts'

const root = join(import.meta.dirname, '..')
const say = (line: string) => console.log(line)
await buildWidgetIfStale(say)
await buildPagesIfStale(say)
await buildConsoleIfStale(say)

const watched = [
  'server',
  'demo/dist/shop',
  'demo/sandbox',
  'demo/shop',
  'widget/dist/bundle',
  ...globSync('demo/*.ts', { cwd: root }),
].map((folder) => `--watch-path=${join(root, folder)}`)
const start = spawn(
  process.execPath,
  [
    '--watch',
    ...watched,
    '--watch-preserve-output',
    '--conditions=hc-source',
    'demo/start.ts',
    '--no-build',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
start.once('exit', (code) => process.exit(code ?? 0))

let waiting: NodeJS.Timeout | undefined
let building = Promise.resolve()
for (const folder of ['widget', 'demo/app', 'server/console/web'])
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (name === null || name.startsWith('dist')) return
    // Editors save a file in several steps: wait for the last one.
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      building = building
        .then(() => buildWidgetIfStale(say))
        .then(() => buildPagesIfStale(say))
        .then(() => buildConsoleIfStale(say))
        .catch((error: Error) => console.error(error.message))
    }, 150)
  })

// The terminal sends Ctrl-C to the child too; SIGTERM is forwarded. Either way this process ends
// after it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => start.kill('SIGTERM'))
