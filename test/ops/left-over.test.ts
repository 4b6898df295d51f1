// A command ends when it has said what it found, whatever connection is still being tried.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

it('although something in the process would go on for good', () => {
  const endless = `data:text/javascript,${encodeURIComponent('setInterval(() => {}, 1000)')}`
  const cli = join(root, 'server/commands/cli.ts')
  const said = execFileSync(process.execPath, ['--conditions=hc-source', '--import', endless, cli, 'doctor', '--help'], { encoding: 'utf8', timeout: 20_000 }) // prettier-ignore
  expect(said).toMatch(/^Usage: hc-checkout-server doctor/)
}, 30_000)
