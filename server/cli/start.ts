// `hc-checkout-server start`: runs a companion until it is told to stop.
import { parseArgs } from 'node:util'
import type { Logger } from '../platform/logging/logger.ts'
import { ListenError, flushLog, startCompanion } from '../node.ts'
import { SettingsError } from '../settings/settings.ts'
import { type SettingVariable, settingsTable } from '../settings/table.ts'
import { type CommandIo, withEnvFile } from './io.ts'
import { UnfitDatabase } from '../store/schema/unfit-database.ts'

export const help = `Usage: hc-checkout-server start [--env-file FILE]

Starts the companion with the settings of the environment, listed below. There is no default address of the payment
service: HC_AUTH_URL and HC_BASE_URL must be given. SIGTERM or Ctrl-C stops it gracefully, a second one at once.

  --env-file <file>   settings as NAME=value lines, over those of the environment
  --help              this text

Exit codes: 0 stopped on request, 1 could not start for a reason that may pass (database unreachable, port in use), 2
invalid settings or a database that this release cannot use, 9 Node could not read the file of --env-file, 70 failed
while running.

Settings; those with * are required:

${settingsTable.map(settingLine).join('\n')}`

function settingLine(row: SettingVariable): string {
  const fallback = row.fallback === undefined ? '' : ` Default: ${row.fallback}.`
  return `${row.required ? '*' : ' '} ${row.name.padEnd(24)} ${row.about}${fallback}`
}

/**
 * Exit codes: 0 after a graceful stop; 1 if it could not start for a reason that may pass (database
 * down, port in use), so worth a retry; 2 for wrong settings, including the database they name; 70
 * for an unexpected failure while running.
 */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { 'env-file': { type: 'string' } },
  })
  const env = withEnvFile(io, values['env-file'])
  const stop = io.stopped()
  try {
    const running = await startCompanion(env)
    exitOnFault(running.logger)
    await stop
    void io.stopped().then(() => process.exit(1))
    await running.close()
    // Work that the stop has cut off may still be pending on a peer that does not answer: exit
    // without waiting for it.
    setTimeout(() => process.exit(0), 0).unref()
    return 0
  } catch (error) {
    if (error instanceof SettingsError) throw error
    const what = error instanceof Error ? error.message : String(error)
    io.err(error instanceof ListenError ? what : `The companion cannot start: ${what}`)
    const { cause } = error as { cause?: unknown }
    return cause instanceof UnfitDatabase && cause.kind !== 'inaccessible' ? 2 : 1
  }
}

/**
 * Nothing can be promised after such an error. All acknowledged work is on disk: exit, and be
 * restarted.
 */
function exitOnFault(logger: Logger): void {
  const end = (error: unknown): void => {
    logger.error({ err: error }, 'something broke that nobody foresaw; the process ends')
    flushLog(logger)
    process.exit(70)
  }
  process.on('unhandledRejection', end)
  process.on('uncaughtException', end)
}
