// A companion and the sandbox that it is set to, both on loopback: what the commands are run
// against.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { RunningCompanion } from '../../server/node.ts'
import { startCompanion } from '../../server/node.ts'
import { createSandbox } from '../../demo/sandbox/sandbox.ts'
import type { Sandbox } from '../../demo/sandbox/sandbox.ts'
import { keys, merchant, wallets } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'

export interface RunningSystem {
  /** For files of the tests; removed with the system. */
  readonly folder: string
  /**
   * The settings of the companion, which answers at `HC_PUBLIC_URL`. Empty before the first test.
   */
  readonly env: Record<string, string>
}

/** Started before the tests of the file that calls it, and closed after them. */
export function runningSystem(): RunningSystem {
  const folder = mkdtempSync(join(tmpdir(), 'hc-commands-'))
  const env: Record<string, string> = {}
  let sandbox: Sandbox
  let service: Server
  let companion: RunningCompanion

  beforeAll(async () => {
    service = createServer((request, response) => void listener(request, response))
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    sandbox = createSandbox({ database: ':memory:', publicUrl: url, merchant, allowHttpResultUrl: true })
    const listener = getRequestListener(sandbox.app.fetch)
    sandbox.start()
    const port = await freePort()
    Object.assign(env, {
      HC_AUTH_URL: url,
      HC_BASE_URL: url,
      HC_CONSUMER_KEY: keys.consumerKey,
      HC_CONSUMER_SECRET: keys.consumerSecret,
      HC_PRIVATE_KEY: keys.privateKey,
      HC_BUSINESS_ID: keys.businessId,
      HC_WALLETS: `KES:${wallets.KES},XOF:${wallets.XOF}`,
      HC_PUBLIC_URL: `http://127.0.0.1:${port}`,
      HC_CHECKOUT_ORIGINS: url,
      HC_DATABASE_URL: `file:${join(folder, 'companion.db')}`,
      HC_SECRET: keys.secret,
      HC_MERCHANT_KEY: keys.merchantKey,
      HC_PORT: String(port),
    })
    companion = await startCompanion(env, { logger: silentLogger })
  })
  afterAll(async () => {
    await companion.close()
    await sandbox.close()
    await new Promise((resolve) => service.close(resolve))
    rmSync(folder, { recursive: true, force: true })
  })

  return { folder, env }
}
