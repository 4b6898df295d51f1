// `npm run dev`: the same house, started anew when a source of the server changes, with the widget rebuilt on every change.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildWidgetIfStale } from './widget-bundle.ts'

const root = join(import.meta.dirname, '..')
await buildWidgetIfStale((line) => console.log(line))

const children: ChildProcess[] = [
  start(join(root, 'node_modules/.bin/vite'), ['build', '--watch', '--logLevel', 'warn']),
  start(process.execPath, [
    '--watch',
    '--watch-preserve-output',
    '--conditions=hc-source',
    'demo/start.ts',
    '--no-build',
    ...process.argv.slice(2),
  ]),
]

function start(command: string, args: string[]): ChildProcess {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' })
  child.once('exit', (code) => {
    for (const other of children) other.kill('SIGTERM')
    process.exitCode = code ?? 0
  })
  return child
}

// Ctrl-C reaches the children by the terminal; a SIGTERM is passed on. Either way this process ends after them.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {
  for (const child of children) child.kill('SIGTERM')
})
