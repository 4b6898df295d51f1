// `hc-checkout-server sandbox`: serves the sandbox of the payment service alone, with a merchant
// that is generated at the first start.
import { getRequestListener } from '@hono/node-server'
import {
  createSandbox,
  isLoopback,
  LANGUAGES,
  type MerchantSeed,
  type Sandbox,
  type SandboxOptions,
} from 'hc-checkout-sandbox'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { listen, urlOf } from '../platform/listening.ts'
import { meantEnvironment } from '../settings/environment.ts'
import { type CommandIo, UsageError } from './io.ts'
import {
  holdFolder,
  makeMerchant,
  openMerchant,
  replaceMerchant,
  type OptionNames,
  sandboxFiles,
  type SandboxFiles,
  writeCompanionSettings,
} from './sandbox-files.ts'

export const help = `Usage: hc-checkout-server sandbox [options]

Serves the payment service's sandbox: API, hosted checkout and console. No account is needed. Beside its database it
writes sandbox-companion.env: the settings with which a companion of yours pays here.

  --port <number>      port to listen on (HC_SANDBOX_PORT, or 8788)
  --host <address>     address to listen on (127.0.0.1: this machine only)
  --database <file>    where its state is kept (.hc/sandbox.db); :memory: forgets everything at the end
  --public-url <url>   address that customers' browsers use (http://<host>:<port>, with 127.0.0.1 for the host 0.0.0.0)
  --rate <number>      requests a minute and merchant (1500); 0 switches the limit off
  --locales <codes>    languages of the hosted checkout (en,fr,sw), the first is the default; out of ${LANGUAGES.join()}
  --no-agent           no automatic agent: confirm orders by hand in the console
  --open-console       serve the console to other machines too
  --help               this text

With HC_OPS_TOKEN in the environment the console asks for it as its password, under any name. Without it the console
has no password.

Exit codes: 0 stopped on request, 1 could not listen, 2 wrong options or unusable files.`

/** Of the environment. */
const READ_HERE = ['HC_SANDBOX_PORT', 'HC_OPS_TOKEN']

const OPTIONS: OptionNames = {
  port: '--port',
  folder: '--database',
  forSecond: 'another --port, and a --database in another folder',
}

/** What the sandbox is made with, and where it listens. */
export interface SandboxCommand extends SandboxOptions {
  readonly port: number
  readonly host: string
  /** A path, or `:memory:`. */
  readonly database: string
  /** Origin that customers' browsers use. */
  readonly publicUrl: string
}

/**
 * Runs until it is told to stop. @returns the exit code: 0, or 1 if it could not listen. @throws
 * UsageError
 */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { env, notes } = meantEnvironment(io.env)
  const command = readArguments(argv, env)
  for (const { name, says } of notes) if (READ_HERE.includes(name)) io.err(says)
  const stop = io.stopped()
  const files = command.database === ':memory:' ? undefined : sandboxFiles(command.database, OPTIONS)
  const served = await serveSandbox(command, files, OPTIONS)
  if (served.fault !== undefined) {
    io.err(served.fault)
    return 1
  }
  io.out(welcome(command, served.seed, files))
  await stop
  await served.close()
  return 0
}

/** A sandbox that listens, its files written; or why it cannot listen. @throws UsageError */
export async function serveSandbox(command: SandboxCommand, files: SandboxFiles | undefined, options: OptionNames) {
  const made = files === undefined ? makeMerchant().seed : openMerchant(files)
  const giveBack = files === undefined ? undefined : holdFolder(files)
  const service = openSandbox(command, made)
  const answer = getRequestListener(service.app.fetch, { hostname: command.host })
  const server = createServer((request, response) => void answer(request, response))
  try {
    await listen(server, command.host, command.port)
  } catch (error) {
    await service.close()
    giveBack?.()
    return { fault: `The sandbox could not start: ${listenFault(error as NodeJS.ErrnoException, command, options)}` }
  }
  const seed = files === undefined ? made : await presentMerchant(service, made, command)
  if (files !== undefined) {
    if (seed.consumerKey !== made.consumerKey || seed.consumerSecret !== made.consumerSecret)
      replaceMerchant(files, seed)
    writeCompanionSettings(files, seed, { serviceUrl: serviceUrl(command), publicUrl: command.publicUrl })
  }
  service.start()
  return {
    seed,
    async close() {
      await new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      })
      await service.close()
      giveBack?.()
    },
  }
}

/** @throws UsageError */
function readArguments(argv: string[], env: CommandIo['env']): SandboxCommand {
  const { values } = parseArgs({
    args: argv,
    options: {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      database: { type: 'string', default: '.hc/sandbox.db' },
      'public-url': { type: 'string' },
      rate: { type: 'string', default: '1500' },
      locales: { type: 'string', default: 'en,fr,sw' },
      'no-agent': { type: 'boolean', default: false },
      'open-console': { type: 'boolean', default: false },
    },
  })
  const { host, rate } = values
  // The variable of `npm start`, too.
  const [from, text] =
    values.port === undefined ? ['HC_SANDBOX_PORT', env['HC_SANDBOX_PORT'] || '8788'] : ['--port', values.port]
  const port = portOf(from, text)
  if (!URL.canParse(urlOf(host, port)))
    throw new UsageError(`--host must be an address or name of this machine, not "${host}".`)
  if (!/^\d{1,9}$/.test(rate)) throw new UsageError(`--rate must be a whole number, not "${rate}".`)
  const locales = values.locales.split(',')
  if (!locales.every((locale) => LANGUAGES.some((language) => language === locale)))
    throw new UsageError(`--locales must be language codes out of ${LANGUAGES.join()}, not "${values.locales}".`)
  return {
    port,
    host,
    database: values.database.replace(/^file:/, ''),
    publicUrl: values['public-url'] === undefined ? urlOf(host, port) : originOf(values['public-url']),
    rate: Number(rate) || false,
    locales,
    agent: values['no-agent'] ? false : undefined,
    openConsole: values['open-console'],
    consolePassword: env['HC_OPS_TOKEN'] || undefined,
  }
}

/** Not 0: the address is written down before anything listens. @throws UsageError */
export function portOf(option: string, text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError(`${option} must be a number from 1 to 65535, not "${text}".`)
  return port
}

/**
 * @throws UsageError: pages and assets of the checkout are at the root, so that an address with a
 * path would not work.
 */
function originOf(text: string): string {
  const url = URL.parse(text)
  if (!/^https?:$/.test(url?.protocol ?? ''))
    throw new UsageError(`--public-url must be an http or https address, not "${text}".`)
  if (url?.href !== `${url?.origin}/`)
    throw new UsageError(`--public-url must be an address without a path, such as ${url?.origin}, not "${text}".`)
  return url.origin
}

/** What a companion calls. It refuses http except to its own machine. */
function serviceUrl({ publicUrl, host, port }: SandboxCommand): string {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || isLoopback(hostname) ? publicUrl : urlOf(host, port)
}

/** @throws UsageError when the database cannot be opened. */
function openSandbox(command: SandboxCommand, merchant: MerchantSeed): Sandbox {
  try {
    return createSandbox({ ...command, merchant, allowHttpResultUrl: true })
  } catch (error) {
    throw new UsageError(`--database: ${command.database} cannot be used: ${(error as Error).message}`)
  }
}

/** The merchant with the keys that the sandbox's database has. */
async function presentMerchant(
  service: Sandbox,
  merchant: MerchantSeed,
  { consolePassword }: SandboxCommand,
): Promise<MerchantSeed> {
  const headers = { authorization: `Bearer ${consolePassword}` }
  const answer = await service.app.request('http://localhost/console/api/merchants', { headers })
  const { data } = (await answer.json()) as {
    data: { business_id: string; consumer_key: string; consumer_secret: string }[]
  }
  const one = data.find(({ business_id }) => business_id === merchant.businessId)
  if (one === undefined) return merchant
  return { ...merchant, consumerKey: one.consumer_key, consumerSecret: one.consumer_secret }
}

function listenFault(error: NodeJS.ErrnoException, { host, port }: SandboxCommand, options: OptionNames): string {
  if (error.code === 'EADDRINUSE')
    return (
      `Port ${port} is taken, perhaps by a sandbox that runs already (npm start has one). Stop that one, or ` +
      `for a second one choose ${options.forSecond}.`
    )
  if (error.code === 'EACCES') return `This user may not listen on port ${port}. Choose another with ${options.port}.`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `This machine has no address ${host}. Choose another with --host.`
  return error.message
}

function welcome({ publicUrl }: SandboxCommand, seed: MerchantSeed, files: SandboxFiles | undefined): string {
  const credentials = files?.merchant ?? 'in the console, for as long as this runs; upload your own public key there'
  return [
    `Sandbox Pay (TEST) listens on ${publicUrl}`,
    `  console       ${publicUrl}/console`,
    `  description   ${publicUrl}/openapi.json`,
    `  business id   ${seed.businessId}`,
    `  credentials   ${credentials}`,
    ...(files === undefined ? [] : [`  for your companion  --env-file ${files.companion}`]),
    'End it with Ctrl+C.',
  ].join('\n')
}
