#!/usr/bin/env node
// The program `hc-checkout-server` as it was built; in its repository, until `npm run build`, its sources by the Node that is pinned there.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (file) => fileURLToPath(new URL(file, import.meta.url))

if (existsSync(path('dist/commands/cli.js'))) await import('./dist/commands/cli.js')
else {
  const args = ['--conditions=hc-source', path('commands/cli.ts'), ...process.argv.slice(2)]
  const child = spawn(path('../node_modules/.bin/node'), args, { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  // Ctrl-C reaches both by itself, and a second one would end the program at once.
  process.on('SIGINT', () => {})
  child.on('close', (code) => process.exit(code ?? 1))
}
