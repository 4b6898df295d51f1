// `hc-checkout-server sandbox`: serves the sandbox of the payment service alone, with a merchant that is generated at the first start.
import { serve, type ServerType } from '@hono/node-server'
import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { LANGUAGES } from '../sandbox/checkout-texts.ts'
import { CURRENCIES } from '../sandbox/markets.ts'
import type { MerchantSeed } from '../sandbox/merchant-seed.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { letV8Grow } from './v8.ts'

const HELP = `Usage: hc-checkout-server sandbox [options]

Serves the payment service's sandbox: API, hosted checkout and console. No account is needed. Beside its database it writes
sandbox-companion.env: the settings with which a companion of yours pays here.

  --port <number>      port to listen on (8788)
  --host <address>     address to listen on (127.0.0.1: this machine only)
  --database <file>    where its state is kept (.hc/sandbox.db); :memory: forgets everything at the end
  --public-url <url>   address that customers' browsers use (http://<host>:<port>)
  --rate <number>      requests a minute and merchant (1500); 0 switches the limit off
  --locales <codes>    languages of the hosted checkout (en,fr,sw), the first is the default; out of ${LANGUAGES.join()}
  --no-agent           no automatic agent: confirm orders by hand in the console
  --open-console       serve the console to other machines too; it has no password
  --help               this text
`

const OPTIONS = {
  port: { type: 'string', default: '8788' },
  host: { type: 'string', default: '127.0.0.1' },
  database: { type: 'string', default: '.hc/sandbox.db' },
  'public-url': { type: 'string' },
  rate: { type: 'string', default: '1500' },
  locales: { type: 'string', default: 'en,fr,sw' },
  'no-agent': { type: 'boolean', default: false },
  'open-console': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Runs until it is told to stop. @returns the exit code: 0, 1 if it could not listen, 2 for wrong arguments. */
export async function sandbox(argv: string[]): Promise<number> {
  let values
  try {
    ;({ values } = parseArgs({ args: argv, options: OPTIONS, strict: true }))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
    return 2
  }
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const port = Number(values.port)
  const rate = Number(values.rate)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    return wrong(`--port must be a number from 0 to 65535, not "${values.port}".`)
  if (!Number.isInteger(rate) || rate < 0) return wrong(`--rate must be a whole number, not "${values.rate}".`)
  const publicUrl =
    values['public-url'] ?? `http://${values.host.includes(':') ? `[${values.host}]` : values.host}:${port}`
  if (!/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? ''))
    return wrong(`--public-url must be an http or https address, not "${publicUrl}".`)

  const locales = values.locales.split(',')
  if (!locales.every((locale) => (LANGUAGES as readonly string[]).includes(locale)))
    return wrong(`--locales must be language codes out of ${LANGUAGES.join()}, not "${values.locales}".`)

  const path = values.database.replace(/^file:/, '')
  const keys = openKeys(path === ':memory:' ? undefined : join(dirname(resolve(path)), 'sandbox-merchant.json'))
  const service = createSandbox({
    database: values.database,
    publicUrl,
    merchant: keys.seed,
    rate: rate === 0 ? false : rate,
    allowHttpResultUrl: true,
    openConsole: values['open-console'],
    locales,
    ...(values['no-agent'] ? { agent: false as const } : {}),
  })
  let server: ServerType
  try {
    server = await listening(service.app.fetch, values.host, port)
  } catch (error) {
    await service.close()
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    const what = taken ? `Port ${port} is taken by another program. Choose another with --port.` : String(error)
    console.error(`The sandbox could not start: ${what}`)
    return 1
  }
  const settings = keys.file === undefined ? undefined : writeSettings(keys.file, keys.seed, publicUrl)
  service.start()
  letV8Grow()
  const { log } = console
  log(`Sandbox Pay (TEST) listens on ${publicUrl}`)
  log(`  console       ${publicUrl}/console`)
  log(`  description   ${publicUrl}/openapi.json`)
  log(`  business id   ${keys.seed.businessId}`)
  log(
    keys.file
      ? `  credentials   ${keys.file}`
      : '  credentials   in the console, for as long as this runs; upload your own public key there',
  )
  if (settings !== undefined) log(`  for your companion  --env-file ${settings}`)
  log('End it with Ctrl+C.')
  await new Promise<void>((ended) => {
    process.once('SIGINT', ended)
    process.once('SIGTERM', ended)
  })
  await new Promise<void>((closed) => {
    server.close(() => closed())
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  await service.close()
  return 0
}

function wrong(sentence: string): number {
  console.error(sentence)
  return 2
}

function listening(fetch: Parameters<typeof serve>[0]['fetch'], hostname: string, port: number): Promise<ServerType> {
  return new Promise((resolved, rejected) => {
    const server = serve({ fetch, hostname, port }, () => resolved(server))
    server.once('error', rejected)
  })
}

const privateKeyFileOf = (keysFile: string): string => join(dirname(keysFile), 'sandbox-private-key.pem')

/** Writes the service-side settings for a companion that uses this sandbox. Rewritten at each start, because the address may change. */
function writeSettings(keysFile: string, seed: MerchantSeed, publicUrl: string): string {
  const file = join(dirname(keysFile), 'sandbox-companion.env')
  const settings: Readonly<Record<string, string>> = {
    HC_AUTH_URL: publicUrl,
    HC_BASE_URL: publicUrl,
    HC_CHECKOUT_ORIGINS: new URL(publicUrl).origin,
    HC_CONSUMER_KEY: seed.consumerKey,
    HC_CONSUMER_SECRET: seed.consumerSecret,
    HC_BUSINESS_ID: seed.businessId,
    HC_PRIVATE_KEY_FILE: privateKeyFileOf(keysFile),
    HC_WALLETS: Object.entries(seed.wallets)
      .map((wallet) => wallet.join(':'))
      .join(),
  }
  const lines = Object.entries(settings).map((setting) => `${setting.join('=')}\n`)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
  return file
}

/** The merchant's keys: read from the file, or generated and written to it at the first start, readable only by the owner. */
function openKeys(file: string | undefined): { seed: MerchantSeed; file: string | undefined } {
  if (file !== undefined && existsSync(file))
    return { seed: JSON.parse(readFileSync(file, 'utf8')) as MerchantSeed, file }
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const wallet = randomInt(1_000_000, 9_999_999)
  const seed: MerchantSeed = {
    businessId: `BIZ-${randomInt(10_000_000, 99_999_999)}`,
    consumerKey: `ck_test_${randomBytes(12).toString('base64url')}`,
    consumerSecret: `cs_test_${randomBytes(24).toString('base64url')}`,
    publicKey,
    wallets: Object.fromEntries(
      CURRENCIES.map((currency, index) => [currency, `${wallet}${String(index).padStart(3, '0')}`]),
    ),
    name: 'My shop',
  }
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const privateKeyFile = privateKeyFileOf(file)
    writeFileSync(privateKeyFile, privateKey, { mode: 0o600 })
    writeFileSync(file, `${JSON.stringify({ ...seed, privateKeyFile }, null, 2)}\n`, { mode: 0o600 })
  }
  return { seed, file }
}
