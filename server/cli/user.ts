// `hc-checkout-server user`: makes a password and the line of a user of the console.
import { parseArgs } from 'node:util'
import { faultOfUser, makeConsoleUser } from '../console/make-user.ts'
import type { ConsoleUser } from '../settings/values.ts'
import { type CommandIo, UsageError } from './io.ts'

export const help = `Usage: hc-checkout-server user --name NAME --role ROLE

Makes a password, and a line for HC_CONSOLE_USERS or for the file that HC_CONSOLE_USERS_FILE names. The line goes to
the standard output and holds a hash only; the password goes to the standard error, this once. Restart the companion
to let the user in. A line that is replaced or removed ends the sign-ins of its user.

  --name <name>   letters, digits and . _ @ -; the record of acts says it
  --role <role>   viewer reads, operator also acts, owner also reads what others did
  --help          this text

Exit codes: 0 made and printed, 2 nothing was made.`

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { name: { type: 'string' }, role: { type: 'string' } } })
  const { name = '', role } = values
  const fault = faultOfUser(name, role)
  if (fault !== undefined) throw new UsageError(`--${fault.join(' ')}`)
  const { line, password } = await makeConsoleUser(name, role as ConsoleUser['role'])
  io.out(line)
  io.err(`The password of ${name} is ${password} and is not shown again.`)
  return 0
}
