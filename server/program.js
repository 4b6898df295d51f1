#!/usr/bin/env node
// The program `hc-checkout-server` as it was built. In its repository the Node that is pinned there
// runs its sources until `npm run build`, and what was built where the machine's own Node is too
// old.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NAME = 'hc-checkout-server'
const path = (file) => fileURLToPath(new URL(file, import.meta.url))
const pinned = path('../node_modules/.bin/node')
const isBuilt = existsSync(path('dist/cli/cli.js'))
const isOnPinned = process.argv0 === NAME && process.channel !== undefined

/** Said before anything is loaded: an older Node lacks what that imports. */
async function faultOfNode() {
  if (!isBuilt || isOnPinned) return undefined
  const { nodeFault } = await import('./dist/platform/node-version.js')
  return nodeFault(process.versions.node)
}
const fault = await faultOfNode()

if (!isOnPinned && (!isBuilt || (fault !== undefined && existsSync(pinned)))) {
  const args = [
    ...(isBuilt ? [] : ['--conditions=hc-source']),
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ]
  // In a process group of its own: Ctrl-C would reach it a second time there, and a second one ends
  // the program at once.
  const child = spawn(pinned, args, { argv0: NAME, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('close', (code) => process.exit(code ?? 1))
} else if (fault !== undefined) {
  process.stderr.write(`${fault}\n`)
  process.exitCode = 2
} else {
  if (isOnPinned) {
    // Also where whoever started us was killed: a companion left behind would keep its port.
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    process.channel.unref()
  }
  await (isBuilt ? import('./dist/cli/cli.js') : import('./cli/cli.ts'))
}
