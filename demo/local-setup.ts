// The local setup: sandbox, companion and demo shop as three HTTP servers in one process, connected
// only by their URLs.
import { join, resolve } from 'node:path'
import { Hono } from 'hono'
import { makeConsoleUser, startCompanion } from 'hc-checkout-server/node'
import { type Sandbox, createSandbox } from 'hc-checkout-sandbox'
import { type Keys, keepPresentKeys, openCredentials } from './credentials.ts'
import { listen, PortTakenError } from './listen.ts'
import { createShop } from './shop/shop.ts'

export interface LocalSetupOptions {
  /** Absolute path of the folder for keys and databases. */
  readonly directory: string
  /** Address for browsers: 127.0.0.1, or this machine's address on the local network. */
  readonly host: string
  readonly ports: { sandbox: number; companion: number; shop: number }
  /** Answers addresses under /docs beside the shop. */
  readonly docs?: Hono
  /** Settings of the companion (HC_*) that override the ones made here. */
  readonly settings?: Readonly<Record<string, string | undefined>>
}

/** Who signs in to the console of the local companion, which no other machine reaches. */
export const CONSOLE_USER = { name: 'demo', password: 'demo-console' } as const

export interface LocalSetup {
  readonly keys: Keys
  close(): Promise<void>
}

/**
 * @param given HC_DIRECTORY. Empty is as not given: keys would be written to wherever it is
 *   started, as the repository's root, where git takes them.
 */
export function stateDirectory(given: string | undefined): string {
  return resolve(given || join(import.meta.dirname, '../.hc'))
}

/** @throws PortTakenError, or the companion's SettingsError. */
export async function startLocalSetup({
  directory,
  host,
  ports,
  docs,
  settings,
}: LocalSetupOptions): Promise<LocalSetup> {
  // Also with --lan the companion calls the sandbox on loopback, so that keys never cross the
  // network.
  const bind = host === '127.0.0.1' ? host : '0.0.0.0'
  const kept = openCredentials(directory, {
    companionUrl: `http://${host}:${ports.companion}`,
    sandboxUrl: `http://${host}:${ports.sandbox}`,
    shopUrl: `http://${host}:${ports.shop}`,
  })
  const closers: (() => Promise<void> | void)[] = []
  const close = async (): Promise<void> => {
    for (const step of closers.splice(0).toReversed()) await step()
  }
  try {
    const sandbox = createSandbox({
      database: join(directory, 'sandbox.db'),
      publicUrl: kept.sandboxUrl,
      merchant: {
        businessId: kept.businessId,
        consumerKey: kept.consumerKey,
        consumerSecret: kept.consumerSecret,
        publicKey: kept.publicKey,
        wallets: kept.wallets,
        name: 'Nuru',
      },
      allowHttpResultUrl: true,
      ...(settings?.['HC_LOCALES'] === undefined ? {} : { locales: settings['HC_LOCALES'].split(',') }),
    })
    closers.push(() => sandbox.close())
    const keys = keepPresentKeys(directory, kept, await presentKeys(sandbox, kept.businessId))
    const sandboxServer = await listen({
      fetch: sandbox.app.fetch,
      host: bind,
      port: ports.sandbox,
      who: 'sandbox',
      variable: 'HC_SANDBOX_PORT',
    })
    closers.push(sandboxServer.close)
    sandbox.start()

    // The shop listens before the companion starts, so that it gets the first notice after a
    // restart.
    const HC_CONSOLE_USERS = (await makeConsoleUser(CONSOLE_USER.name, 'owner', CONSOLE_USER.password)).line
    let companion: Awaited<ReturnType<typeof openCompanion>> | undefined
    const openCompanion = () =>
      startCompanion({ ...companionSettings(keys, directory, bind, ports), HC_CONSOLE_USERS, ...settings }).catch(
        (error: NodeJS.ErrnoException) => {
          throw error.code === 'EADDRINUSE' ? new PortTakenError(ports.companion, 'companion', 'HC_PORT') : error
        },
      )
    const restartCompanion = async (): Promise<void> => {
      await companion?.close()
      companion = await openCompanion()
    }
    const shop = createShop({
      database: join(directory, 'shop.db'),
      keys,
      staff: { ...CONSOLE_USER, url: `${keys.companionUrl}/console/` },
      // On a network anybody could restart it, and again.
      ...(bind === '127.0.0.1' ? { restartCompanion } : {}),
    })
    closers.push(() => shop.close())
    const beside = new Hono().route('/', docs ?? new Hono()).route('/', shop.app)
    const shopServer = await listen({
      fetch: beside.fetch,
      host: bind,
      port: ports.shop,
      who: 'demo shop',
      variable: 'HC_DEMO_PORT',
    })
    closers.push(shopServer.close)

    companion = await openCompanion()
    closers.push(() => companion?.close())
    return { keys, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The consumer key and secret that are valid now: a rotation in the console made others than those
 * of the first start.
 */
async function presentKeys(sandbox: Sandbox, businessId: string): Promise<Partial<Keys>> {
  const answer = await sandbox.app.request('http://localhost/console/api/merchants')
  const { data } = (await answer.json()) as {
    data: { business_id: string; consumer_key: string; consumer_secret: string }[]
  }
  const merchant = data.find(({ business_id }) => business_id === businessId)
  return merchant === undefined ? {} : { consumerKey: merchant.consumer_key, consumerSecret: merchant.consumer_secret }
}

function companionSettings(
  keys: Keys,
  directory: string,
  bind: string,
  ports: LocalSetupOptions['ports'],
): Record<string, string> {
  const service = `http://127.0.0.1:${ports.sandbox}`
  return {
    HC_AUTH_URL: service,
    HC_BASE_URL: service,
    HC_CONSUMER_KEY: keys.consumerKey,
    HC_CONSUMER_SECRET: keys.consumerSecret,
    HC_PRIVATE_KEY_FILE: keys.privateKeyFile,
    HC_BUSINESS_ID: keys.businessId,
    HC_WALLETS: Object.entries(keys.wallets)
      .map((entry) => entry.join(':'))
      .join(','),
    HC_PUBLIC_URL: keys.companionUrl,
    HC_ALLOWED_ORIGINS: keys.shopUrl,
    HC_CHECKOUT_ORIGINS: keys.sandboxUrl,
    HC_DATABASE_URL: `file:${join(directory, 'companion.db')}`,
    HC_SECRET: keys.secret,
    HC_MERCHANT_KEY: keys.merchantKey,
    HC_NOTIFY_URL: `http://127.0.0.1:${ports.shop}/notices`,
    HC_NOTIFY_SECRET: keys.notifySecret,
    HC_DESCRIPTION: 'Light credit',
    HC_CHECKOUT_LANGUAGE_PARAM: 'lang',
    HC_SHOP_NAME: 'Nuru',
    HC_SHOP_LOGO: join(import.meta.dirname, 'app/public/favicon.svg'),
    HC_SHOP_PHONE: '+254 700 000 100',
    HC_SHOP_EMAIL: 'help@nuru.example',
    HC_HOST: bind,
    HC_PORT: String(ports.companion),
    HC_LOG_LEVEL: 'warn',
    HC_TIME_ZONE: 'Africa/Nairobi',
  }
}
