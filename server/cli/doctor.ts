// `hc-checkout-server doctor`: checks everything that must be right before money moves, and says
// what to do where it is not.
import { parseArgs } from 'node:util'
import { codeOf } from '../platform/error-code.ts'
import { createCapabilities } from '../deposits/identity.ts'
import { CompanionError } from '../platform/errors.ts'
import { silentLogger } from '../platform/logging/logger.ts'
import { machineRandom } from '../platform/machine.ts'
import { meantEnvironment } from '../settings/environment.ts'
import { inOneLine, troubleWith } from '../operations/health.ts'
import { TROUBLES } from '../operations/troubles.ts'
import { compareMarks } from '../operations/marks.ts'
import { misspeltSettings } from '../settings/table.ts'
import { type Settings, SettingsError, readSettings } from '../settings/settings.ts'
import { mustBeCreatable } from '../store/sqlite/faults.ts'
import { diskFault, missingDatabase, sqlitePath } from '../store/open.ts'
import { UnfitDatabase, unusable } from '../store/schema/unfit-database.ts'
import { createUpstreamClient } from '../upstream/client.ts'
import { checkAlerts } from './doctor-alerts.ts'
import { checkAddresses, checkStream } from './doctor-addresses.ts'
import { withStore } from './database.ts'
import { type Check, checkClock, checkKeyPair, checkService, fail, ok, skip, warn } from './doctor-checks.ts'
import { checkInstallation, checkMode, checkPayments, newestPayments, ofMode } from './doctor-payments.ts'
import { checkReceiver } from './doctor-receiver.ts'
import { type CommandIo, withEnvFile } from './io.ts'

export const help = `Usage: hc-checkout-server doctor [--public-key FILE] [--alert] [--env-file FILE] [--json]

Checks the settings, the database, the clock, login, banks, every wallet's signed status query, the key pair, the
public address HC_PUBLIC_URL, whether a proxy holds event streams back, and whether your backend at HC_NOTIFY_URL
answers and refuses what is not signed. Business id, wallets and the origins of the payment page are judged by
payments that were made already. It creates no payment, sends no notice and changes nothing; only with --alert it
sends a message.

  --public-key <file>   the public key as the service's portal shows it, to compare with HC_PRIVATE_KEY
  --alert               sends one test alert over each channel that is set (HC_ALERT_URL, HC_ALERT_SMTP_URL)
  --env-file <file>     settings as NAME=value lines, over those of the environment
  --json                one JSON object instead of lines
  --help                this text

Exit codes: 0 no FAIL (warnings count as success), 1 at least one FAIL, 2 wrong usage.`

const MARKS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL', skip: 'skip' } as const

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      'public-key': { type: 'string' },
      alert: { type: 'boolean', default: false },
      'env-file': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const found: Check[] = []
  const tell = (checks: readonly Check[]): void => {
    found.push(...checks)
    if (!values.json) for (const { name, state, says } of checks) io.out(`${MARKS[state]}  ${name.padEnd(14)} ${says}`)
  }

  const env = withEnvFile(io, values['env-file'])
  const settings = readInto(env, tell)
  if (settings !== undefined) {
    tell(await checkDatabase(settings, io))
    // Losing test payments hurts nobody.
    const loss = settings.paymentMode === 'live' ? diskFault(settings.databaseUrl) : undefined
    if (loss !== undefined) tell([warn('database', loss)])
    tell(await checkClock(settings, io))
    tell(checkKeyPair(settings, values['public-key']))
    const upstream = createUpstreamClient({
      ...settings,
      now: io.now,
      random: machineRandom,
      fetch: io.fetch,
      logger: silentLogger,
    })
    const newest = await newestPayments(settings)
    const recent = ofMode(newest, settings)
    tell(checkMode(newest, settings))
    tell(await checkService(settings, upstream, recent))
    await upstream.close()
    tell(checkPayments(settings, recent))
    const addresses = await checkAddresses(settings, io)
    tell(addresses)
    // Where no companion answers, neither could say anything but that.
    if (addresses.some(({ name, state }) => name === 'public address' && state === 'ok')) {
      tell(await checkInstallation(settings, recent, io))
      tell(await checkStream(settings, recent, io))
    }
    tell(await checkReceiver(settings, io))
    if (values.alert) tell(await checkAlerts(settings, io))
  }
  const failed = found.some(({ state }) => state === 'fail')
  if (values.json) io.out(JSON.stringify({ ok: !failed, checks: found }, undefined, 2))
  else io.out(failed ? '\nFix what is marked FAIL, then run this again.' : '\nNo check failed.')
  return failed ? 1 : 0
}

function readInto(env: CommandIo['env'], tell: (checks: readonly Check[]) => void): Settings | undefined {
  const meant = meantEnvironment(env)
  const misspelt = [...meant.notes, ...misspeltSettings(meant.env)].map(({ says }) => warn('settings', says))
  try {
    const settings = readSettings(env)
    const { paymentMode, mode, wallets } = settings
    const checks = [ok('settings', `${paymentMode} payments, ${mode} mode, ${Object.keys(wallets).join(' ')}`)]
    checks.push(...misspelt)
    if (settings.confirm === 'callback') {
      const hint = 'Keep query unless your contract has none.'
      checks.push(warn('settings', `HC_CONFIRM=callback believes callbacks, whose hash can be re-cut. ${hint}`))
    }
    if (settings.notifyUrl === undefined) {
      const todo = 'Set HC_NOTIFY_URL. If a server of yours takes the notices by notices.on(…), all is well.'
      checks.push(warn('settings', `${TROUBLES.no_receiver.title}. ${todo}`))
    }
    tell(checks)
    return settings
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const { faults } = error
    const untold = misspelt.filter(({ says }) => !faults.some((fault) => fault.endsWith(says)))
    tell([...faults.map((says) => fail('settings', says)), ...untold])
    return undefined
  }
}

async function checkDatabase(settings: Settings, { now }: Pick<CommandIo, 'now'>): Promise<Check[]> {
  const path = missingDatabase(settings.databaseUrl)
  try {
    if (path !== undefined) return [toBeMade(path, `${path} is not there yet; the first start makes it.`)]
    const warnings: Check[] = []
    const tellOf = (says: string): void => void warnings.push(warn('database', says))
    const { noticesWaiting, noticesDead } = await withStore(
      settings.databaseUrl,
      async (store) => {
        await store.ping()
        const capabilities = createCapabilities(settings.secret, settings.previousSecret)
        const others = await compareMarks({ store, settings, capabilities })
        if (others.isOtherSecret) tellOf(inOneLine(troubleWith('other_secret')))
        if (others.settings.length > 0) tellOf(inOneLine(troubleWith('other_settings', others.settings.join(', '))))
        return store.stats()
      },
      { now, logger: { ...silentLogger, warn: (_fields, says = '') => tellOf(says) } },
    )
    if (noticesWaiting > 0) {
      const hint = 'If it stays so, the log line "notice not delivered" says why.'
      warnings.push(warn('notices', `not accepted yet: ${noticesWaiting}. ${hint}`))
    }
    if (noticesDead > 0)
      warnings.push(warn('notices', `given up: ${noticesDead}. Send them again once the receiver is mended.`))
    const kind = settings.databaseUrl.startsWith('file:') ? 'SQLite' : 'PostgreSQL'
    return [ok('database', `${kind} takes writes`), ...warnings]
  } catch (error) {
    if (error instanceof UnfitDatabase) return [unfitCheck(error, settings.databaseUrl)]
    if (error instanceof CompanionError) return [fail('database', error.message)]
    // PostgreSQL names the table.
    if (codeOf(error) === '42501' && error instanceof Error)
      return [
        fail(
          'database',
          `${error.message}: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public to the ` +
            'user of HC_DATABASE_URL.',
        ),
      ]
    return [fail('database', unusable(error).message)]
  }
}

/** `start` sets up an empty database and migrates an older one. It refuses any other. */
function unfitCheck({ kind, message }: UnfitDatabase, url: string): Check {
  if (kind === 'empty')
    return toBeMade(
      url.startsWith('file:') ? sqlitePath(url) : undefined,
      'it is empty yet; the first start sets it up.',
    )
  return kind === 'older' ? warn('database', message) : fail('database', message)
}

/** @param path of a SQLite file, for which there must be room */
function toBeMade(path: string | undefined, says: string): Check {
  try {
    if (path !== undefined) mustBeCreatable(path)
    return skip('database', says)
  } catch (error) {
    return fail('database', (error instanceof UnfitDatabase ? error : unusable(error)).message)
  }
}
