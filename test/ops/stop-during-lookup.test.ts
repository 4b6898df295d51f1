// A stop while the name server does not answer: the lookup holds a thread of the process, which the
// end of a process otherwise waits for.
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { environment } from '../helpers/create-test-system.ts'
import { root } from '../helpers/run-quietly.ts'

/** A process of its own may see another /etc/resolv.conf. */
const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true']).status === 0

it.skipIf(!canMount)('SIGTERM ends the companion although the lookup of a name hangs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-lookup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const names = createSocket('udp4')
  names.bind(53, '127.0.0.77')
  await once(names, 'listening')
  onTestFinished(() => void names.close())
  const isAsked = once(names, 'message')
  const conf = join(folder, 'resolv.conf')
  // Nine minutes: longer than this test may take.
  writeFileSync(conf, `nameserver 127.0.0.77\noptions timeout:30 attempts:5\n${'nameserver 127.0.0.77\n'.repeat(2)}`)
  const cli = join(root, 'server/cli/cli.ts')
  const start = [process.execPath, '--conditions=hc-source', cli, 'start']
  const mounted = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
  const companion = spawn('unshare', ['-m', 'sh', '-c', mounted, conf, ...start], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...environment(folder),
      PATH: process.env['PATH'],
      HC_AUTH_URL: 'https://service.example',
      HC_BASE_URL: 'https://service.example',
      HC_CHECKOUT_ORIGINS: 'https://checkout.example',
    },
  })
  onTestFinished(() => void companion.kill('SIGKILL'))
  const ended = once(companion, 'exit')
  await isAsked
  companion.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
