// How a companion ends: a connection that has never asked anything holds nothing up.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../server/logger.ts'
import { startCompanion } from '../../server/node.ts'
import { COMPANION_URL, keys, SANDBOX_URL, SHOP_URL, wallets } from '../helpers/create-house.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function environment(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'hc-ending-'))
  folders.push(folder)
  return {
    HC_AUTH_URL: SANDBOX_URL,
    HC_BASE_URL: SANDBOX_URL,
    HC_CONSUMER_KEY: keys.consumerKey,
    HC_CONSUMER_SECRET: keys.consumerSecret,
    HC_PRIVATE_KEY: keys.privateKey,
    HC_BUSINESS_ID: keys.businessId,
    HC_WALLETS: `KES:${wallets.KES}`,
    HC_PUBLIC_URL: COMPANION_URL,
    HC_ALLOWED_ORIGINS: SHOP_URL,
    HC_CHECKOUT_ORIGINS: SANDBOX_URL,
    HC_DATABASE_URL: `file:${join(folder, 'hc.db')}`,
    HC_SECRET: keys.secret,
    HC_MERCHANT_KEY: keys.merchantKey,
    HC_PORT: '0',
  }
}

describe('the end of a companion', () => {
  it('waits for no connection that has never asked anything', async () => {
    const running = await startCompanion(environment(), { logger: silentLogger })
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    await once(socket, 'connect')
    // Known to the server once something else was answered after it.
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200)
    let patience: NodeJS.Timeout | undefined
    const tooLong = new Promise<string>((resolve) => (patience = setTimeout(resolve, 8_000, 'it waited')))
    expect(await Promise.race([running.close().then(() => 'ended'), tooLong])).toBe('ended')
    clearTimeout(patience)
    socket.destroy()
  })
})
