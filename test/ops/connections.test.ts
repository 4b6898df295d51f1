// What the program does with connections beyond its commands: it ends whatever is still being
// tried, and gives each address of a name its time.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

it('a command ends although something in the process would go on for good', () => {
  const endless = `data:text/javascript,${encodeURIComponent('setInterval(() => {}, 1000)')}`
  const cli = join(root, 'server/cli/cli.ts')
  const said = execFileSync(process.execPath, ['--conditions=hc-source', '--import', endless, cli, 'doctor', '--help'], { encoding: 'utf8', timeout: 120_000 }) // prettier-ignore
  expect(said).toMatch(/^Usage: hc-checkout-server doctor/)
})

it('each address of a name is tried for longer than a lost packet takes', () => {
  const asks = `import net from 'node:net'; process.once('beforeExit', () => console.log('ms ' + net.getDefaultAutoSelectFamilyAttemptTimeout()))`
  const asking = `data:text/javascript,${encodeURIComponent(asks)}`
  const cli = join(root, 'server/cli/cli.ts')
  const said = execFileSync(process.execPath, ['--conditions=hc-source', '--import', asking, cli, '--version'], { encoding: 'utf8', timeout: 120_000 }) // prettier-ignore
  expect(said).toMatch(/^ms 2500$/m)
})
