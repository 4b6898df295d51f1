// The list of commands and how to run one: `hc-checkout-server <command> [options]`.
import { ownVersion } from '../platform/own-version.ts'
import { SettingsError } from '../settings/settings.ts'
import { type CommandIo, UsageError } from './io.ts'

/** Of a command's file. */
interface Command {
  readonly help: string
  readonly run: (argv: string[], io: CommandIo) => Promise<number>
}

/** Each file is loaded only when its command is run: most need a database driver or the sandbox. */
const COMMANDS: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Command> }>> = {
  start: { about: 'start the companion with the settings of the environment', load: () => import('./start.ts') },
  dev: { about: 'start sandbox and companion for a shop that you are writing', load: () => import('./dev.ts') },
  sandbox: { about: 'run the payment service on this machine, without an account', load: () => import('./sandbox.ts') },
  doctor: {
    about: 'check settings, clock, login, banks, key pair, addresses and proxies',
    load: () => import('./doctor.ts'),
  },
  keygen: { about: 'make an RSA key pair and your own secrets', load: () => import('./keygen.ts') },
  user: { about: 'make a user of the console', load: () => import('./user.ts') },
  migrate: { about: 'bring the database to the schema of this version', load: () => import('./migrate.ts') },
  backup: { about: 'copy the database while the companion runs', load: () => import('./backup.ts') },
  restore: { about: 'put a backup in place of the database', load: () => import('./restore.ts') },
  forget: { about: 'erase the details of a person, by phone number', load: () => import('./forget.ts') },
  trigger: {
    about: 'play one payment of a named scenario against the sandbox',
    load: () => import('./trigger.ts'),
  },
  payments: {
    about: 'list and show payments, have notices sent again, end a review',
    load: () => import('./payments.ts'),
  },
  listen: {
    about: 'print notices as they come about, and post them to a backend',
    load: () => import('./listen.ts'),
  },
  reconcile: { about: "compare the portal's statement with ours", load: () => import('./reconcile.ts') },
}

const HELP = `Usage: hc-checkout-server <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join('\n')}

hc-checkout-server <command> --help explains a command, --version prints the release. Exit codes: 0 success, 1
something is wrong, 2 the command could not be run, 9 Node could not read the file of --env-file. Settings come from
environment variables (HC_…), each secret also from the file that <name>_FILE names.`

/**
 * Never rejects: an unexpected error is one line and exit code 2, with its stack if
 * HC_LOG_LEVEL=debug.
 */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  if (argv[0] === 'help' && argv[1] !== undefined) return runCommand([argv[1], '--help'], io)
  const [name, ...rest] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    io.out(HELP)
    return name === undefined ? 2 : 0
  }
  if (name === '--version') {
    io.out(ownVersion() ?? 'unknown')
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    io.err(`There is no command ${name}.\n\n${HELP}`)
    return 2
  }
  try {
    // A variable of a script was not set. Its value would mean the present folder, or no limit.
    const empty = rest.find((argument) => argument === '' || /^--[\w-]+=$/.test(argument))
    if (empty !== undefined)
      throw new UsageError(`${empty.replace('=', '') || 'An argument'} is empty: give it a value.`)
    const { help, run } = await command.load()
    if (!rest.some((argument) => argument === '--help' || argument === '-h')) return await run(rest, io)
    io.out(help)
    return 0
  } catch (error) {
    if (
      error instanceof UsageError ||
      (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    ) {
      io.err(`${error.message}\nhc-checkout-server ${name} --help explains it.`)
    } else if (error instanceof SettingsError) {
      io.err(['The settings are not usable:', ...error.faults.map((fault) => `  ${fault}`)].join('\n'))
    } else {
      io.err(error instanceof Error ? error.message : String(error))
      if (io.env['HC_LOG_LEVEL'] === 'debug' && error instanceof Error) io.err(error.stack ?? '')
    }
    return 2
  }
}
