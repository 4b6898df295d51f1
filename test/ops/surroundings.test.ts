// A companion in a container, in Kubernetes or on a hosting platform: it runs, and its log says
// what it made of the environment.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { startCompanion } from '../../server/node.ts'
import { environment } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-surroundings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(changes: Record<string, string>) {
  const warnings: string[] = []
  const warn = (fields: object, text = '') => void ('name' in fields && warnings.push(text))
  const env = { ...environment(folder), ...changes }
  const running = await startCompanion(env, { logger: { ...silentLogger, warn } })
  const healthy = (await fetch(`${running.url}/healthz`)).status === 200
  await running.close()
  return { healthy, port: Number(new URL(running.url).port), warnings }
}

it('listens on the PORT of a platform, and says that HC_HOST keeps others out', async () => {
  const port = await freePort()
  const told = expect.stringMatching(/HC_HOST is 127\.0\.0\.1, .* set HC_HOST=0\.0\.0\.0/)
  expect(await start({ HC_PORT: '', PORT: `${port}` })).toEqual({ healthy: true, port, warnings: [told] })
  expect(await start({ HC_PORT: '', PORT: `${port}`, HC_HOST: '0.0.0.0' })).toMatchObject({ port, warnings: [] })
  expect(await start({ PORT: `${port}` })).toMatchObject({ healthy: true, warnings: [] })
})

it('runs beside a Kubernetes service named hc, with quotes around its secret, and warns of both', async () => {
  const { HC_SECRET } = environment(folder)
  const port = await freePort()
  const changes = { HC_PORT: 'tcp://10.0.0.7:80', HC_SERVICE_HOST: '10.0.0.7', HC_SECRET: `"${HC_SECRET}"` }
  expect(await start({ ...changes, PORT: `${port}`, HC_HOST: '0.0.0.0' })).toEqual({
    healthy: true,
    port,
    warnings: [
      expect.stringMatching(/^HC_PORT and 1 more .* Kubernetes service named hc: passed over/),
      expect.stringMatching(/^HC_SECRET is written with quotes/),
    ],
  })
})
