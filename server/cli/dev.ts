// `hc-checkout-server dev`: sandbox and companion in one terminal, with generated keys, and the
// lines that a page and a backend need for them.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { ListenError, startCompanion } from '../node.ts'
import { urlOf } from '../platform/listening.ts'
import { meantEnvironment } from '../settings/environment.ts'
import { SettingsError } from '../settings/settings.ts'
import { settingsTable } from '../settings/table.ts'
import { type CommandIo, withEnvFile } from './io.ts'
import { makeSecret } from './keygen.ts'
import { portOf, serveSandbox } from './sandbox.ts'
import { envLines, type OptionNames, sandboxFiles, writePrivately } from './sandbox-files.ts'

export const help = `Usage: hc-checkout-server dev [options]

Starts the payment service's sandbox and a companion that pays there, with keys of their own, and prints the lines for
your page and your backend. No account, no settings and no real money. Pages on this machine need no --origin.

  --origin <url>         origin of a page on another machine that carries the widget; may be repeated
  --notify <url>         where your backend takes notices, for example http://127.0.0.1:3000/notices
  --port <number>        port of the companion (HC_PORT, PORT, or 8787)
  --sandbox-port <number>  port of the sandbox (HC_SANDBOX_PORT, or 8788)
  --directory <dir>      where keys, settings and payments are kept (.hc/dev)
  --env-file <file>      more settings of the companion as NAME=value lines, over those of the environment
  --help                 this text

Settings of the companion in the environment (HC_…) go before its own, but for keys, secrets and the addresses of
companion, database, notices and payment service: a shell may hold those of a companion with real payments. They are
taken from --env-file and the options alone. It writes companion.env, with all settings, and backend.env, with the
address, the key and the secret of your backend: node --env-file=.hc/dev/backend.env server.js.

Exit codes: 0 stopped on request, 1 could not listen, 2 wrong options or unusable files.`

const OPTIONS: OptionNames = {
  port: '--sandbox-port',
  folder: '--directory',
  forSecond: 'another --sandbox-port and another --port, and beside another dev also another --directory',
}

/** The settings that an option gives here: faults name what was written. */
const OPTION_OF: Readonly<Record<string, string>> = {
  HC_ALLOWED_ORIGINS: '--origin',
  HC_NOTIFY_URL: '--notify',
  HC_PORT: '--port',
}

/** Made once and kept: the payments of the first start belong to them. */
const SECRETS = ['HC_SECRET', 'HC_MERCHANT_KEY', 'HC_NOTIFY_SECRET'] as const

/**
 * Not taken from the environment: a shell that is set up for a companion with real payments would
 * lead this one to its database and to its backend.
 */
const NOT_FROM_SHELL: ReadonlySet<string> = new Set([
  'HC_AUTH_URL',
  'HC_BASE_URL',
  'HC_QUERY_PATH',
  'HC_BUSINESS_ID',
  'HC_WALLETS',
  'HC_CHECKOUT_ORIGINS',
  'HC_PAYMENT_MODE',
  'HC_PUBLIC_URL',
  'HC_NOTIFY_URL',
  ...settingsTable.flatMap(({ name, secret }) => (secret === undefined ? [] : [name, `${name}_FILE`])),
])

/** Runs until it is told to stop. @returns the exit code. @throws UsageError, SettingsError */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  const command = readArguments(argv, io)
  if (command.ignored.length > 0)
    io.err(
      `Not taken from the environment, which may be that of a companion with real payments: ${command.ignored.join(', ')}. ` +
        'What is meant for this one is given by the options or by --env-file.',
    )
  const stop = io.stopped()
  const database = join(command.directory, 'sandbox.db')
  const files = sandboxFiles(database, OPTIONS)
  const host = '127.0.0.1'
  const sandboxUrl = urlOf(host, command.sandboxPort)
  const sandbox = await serveSandbox(
    { host, port: command.sandboxPort, database, publicUrl: sandboxUrl },
    files,
    OPTIONS,
  )
  if (sandbox.fault !== undefined) {
    io.err(sandbox.fault)
    return 1
  }
  const inOptions = inOptionsOf({ ...command.given, HC_PORT: String(command.port) })
  try {
    const settings = companionSettings(command, parseEnv(readFileSync(files.companion, 'utf8')))
    const companion = await startCompanion({ ...command.env, ...settings })
    const written = writeSettings(command.directory, settings)
    io.out(welcome(settings, written, sandboxUrl))
    await stop
    void io.stopped().then(() => process.exit(1))
    await companion.close()
    return 0
  } catch (error) {
    if (error instanceof SettingsError) throw new SettingsError(error.faults.map(inOptions))
    if (!(error instanceof ListenError)) throw error
    io.err(inOptions(error.message))
    return 1
  } finally {
    await sandbox.close()
  }
}

/** What a fault says of the settings that an option has given, by the name of the option. */
function inOptionsOf(given: Readonly<Record<string, string>>) {
  return (says: string): string =>
    Object.keys(given).reduce((text, name) => text.replaceAll(name, OPTION_OF[name] ?? name), says)
}

/** @throws UsageError */
function readArguments(argv: string[], io: CommandIo) {
  const { values } = parseArgs({
    args: argv,
    options: {
      origin: { type: 'string', multiple: true },
      notify: { type: 'string' },
      port: { type: 'string' },
      'sandbox-port': { type: 'string' },
      directory: { type: 'string', default: '.hc/dev' },
      'env-file': { type: 'string' },
    },
  })
  const shell = Object.fromEntries(Object.entries(io.env).filter(([name]) => !NOT_FROM_SHELL.has(name)))
  const { env } = meantEnvironment(withEnvFile({ ...io, env: shell }, values['env-file']))
  const ignored = Object.keys(io.env).filter((name) => NOT_FROM_SHELL.has(name) && io.env[name] !== '' && !env[name])
  const { origin, notify } = values
  return {
    directory: resolve(values.directory),
    port: portOf('--port', values.port ?? (env['HC_PORT'] || '8787')),
    sandboxPort: portOf('--sandbox-port', values['sandbox-port'] ?? (env['HC_SANDBOX_PORT'] || '8788')),
    env,
    /** Names of what the environment gives in vain. */
    ignored,
    /** What the options say of the companion. */
    given: {
      ...(origin === undefined ? {} : { HC_ALLOWED_ORIGINS: origin.join() }),
      ...(notify === undefined ? {} : { HC_NOTIFY_URL: notify }),
    },
  }
}

/** @param service the sandbox's own settings for a companion */
function companionSettings(
  { directory, port, env, given }: ReturnType<typeof readArguments>,
  service: NodeJS.Dict<string>,
) {
  const file = join(directory, 'companion.env')
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  const secrets = SECRETS.map((name) => [name, kept[name] ?? makeSecret[name]()])
  const own: Record<string, string | undefined> = {
    HC_PUBLIC_URL: urlOf('127.0.0.1', port),
    HC_DATABASE_URL: `file:${join(directory, 'companion.db')}`,
    // Payments and notices are seen in the sandbox's panel and by the commands.
    HC_LOG_LEVEL: 'warn',
    ...Object.fromEntries(secrets),
  }
  const theirs = Object.entries(env).filter(([name, value]) => name.startsWith('HC_') && value !== '')
  return withoutUndefined({ ...own, ...Object.fromEntries(theirs), ...service, ...given, HC_PORT: String(port) })
}

function withoutUndefined(values: NodeJS.Dict<string>): Record<string, string> {
  const there = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return Object.fromEntries(there)
}

/** What a backend needs, by the names that the documentation of the client gives it. */
const backendSettings = (settings: Readonly<Record<string, string>>) => ({
  COMPANION: settings['HC_PUBLIC_URL'] ?? '',
  HC_MERCHANT_KEY: settings['HC_MERCHANT_KEY'] ?? '',
  HC_NOTIFY_SECRET: settings['HC_NOTIFY_SECRET'] ?? '',
})

/** @throws UsageError */
function writeSettings(directory: string, settings: Readonly<Record<string, string>>) {
  const written = { companion: join(directory, 'companion.env'), backend: join(directory, 'backend.env') }
  const anew = (change: string) =>
    `# Written anew at each start of hc-checkout-server dev, with the same keys. ${change}\n`
  const companion = [anew('Set other things by its options, or in a file for its --env-file.'), ...envLines(settings)]
  const backend = [anew('It holds what a backend needs.'), ...envLines(backendSettings(settings))]
  writePrivately(written.companion, companion.join(''), '--directory')
  writePrivately(written.backend, backend.join(''), '--directory')
  // The folder lies in the developer's repository.
  writePrivately(join(directory, '.gitignore'), '*\n', '--directory')
  return written
}

function welcome(
  settings: Readonly<Record<string, string>>,
  written: ReturnType<typeof writeSettings>,
  sandboxUrl: string,
): string {
  const companion = settings['HC_PUBLIC_URL'] ?? ''
  const notify = settings['HC_NOTIFY_URL']
  return `Sandbox     ${sandboxUrl}/console   the payment service, played here: open it to see every payment
Companion   the API at ${companion}, for your page and your backend; described in ${companion}/openapi.json
            TEST: no real money moves
Settings    ${written.companion}   written anew at each start: change them by options or --env-file

In your page:

  <script type="module" src="${companion}/widget/v1/hc-checkout.js"></script>
  <hc-checkout companion="${companion}" session="TOKEN"></hc-checkout>

In the environment of your backend (these lines are in ${written.backend}):

${envLines(backendSettings(settings))
  .map((line) => `  ${line}`)
  .join('')}
In your backend, with the package hc-checkout-client. The token goes into the page in the place of TOKEN:

  import { createClient } from 'hc-checkout-client'

  const hc = createClient({ url: process.env.COMPANION, key: process.env.HC_MERCHANT_KEY })
  const { token } = await hc.sessions.create({ amount: 2300, currency: 'KES', orderId: 'A-1', description: 'Lamp' })

Pay by a phone that ends in 000001 for a success, in 000002 for a failure. ${
    notify === undefined
      ? 'Notices wait: say --notify, or run "hc-checkout-server listen".'
      : `Notices go to ${notify}.`
  }
End it with Ctrl+C. Payments and keys are kept.`
}
