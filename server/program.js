#!/usr/bin/env node
// The program `hc-checkout-server` as it was built; in its repository, until `npm run build`, its sources by the Node that is pinned there.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const SOURCES = '--conditions=hc-source'
const path = (file) => fileURLToPath(new URL(file, import.meta.url))

if (existsSync(path('dist/commands/cli.js'))) await import('./dist/commands/cli.js')
else if (process.execArgv.includes(SOURCES) && process.channel) {
  // Also where whoever started us was killed: a companion left behind would keep its port.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
  await import('./commands/cli.ts')
} else {
  const args = [SOURCES, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  // In a process group of its own: Ctrl-C would reach it a second time there, and a second one ends the program at once.
  const child = spawn(path('../node_modules/.bin/node'), args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('close', (code) => process.exit(code ?? 1))
}
