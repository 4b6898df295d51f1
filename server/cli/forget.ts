// `hc-checkout-server forget PHONE`: erases the stored details of a person on request; the facts of
// the payments stay.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CountryCode } from '../contract/index.ts'
import { normalisePhone } from '../deposits/markets.ts'
import type { Store } from '../deposits/ports/store.ts'
import { withDatabase } from './database.ts'
import { type CommandIo, UsageError } from './io.ts'

export const help = `Usage: hc-checkout-server forget PHONE [--country KE] [--env-file FILE]

Erases name, phone number and e-mail address from every payment and session with this phone number, and the callbacks
that repeat the name, while the companion runs. Amounts, references, times and results stay. Payments without this
number, older backups, the service and your own systems are not touched.

  PHONE               with its country code (+254712345678), or in its national form, with --country
  --country <code>    country of a national number: ${CountryCode.options.join(' ')}
  --env-file <file>   settings as NAME=value lines; only HC_DATABASE_URL is needed
  --help              this text

Exit codes: 0 done, also if there was nothing to erase, 1 erased, but still readable in the log of the SQLite file:
run it again, 2 nothing was changed, as with the schema of another release.`

/** While the companion empties the log itself, nobody else can. That is over in a moment. */
const TRIES = 5
const BETWEEN_TRIES_MS = 200

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      country: { type: 'string' },
      'env-file': { type: 'string' },
    },
  })
  const phone = digitsOf(positionals, values.country)
  const { payments, isGone } = await withDatabase(io, values['env-file'], async (store) => ({
    payments: await store.forgetPhone(phone),
    isGone: await isLogEmptied(store),
  }))
  io.out(`${payments} ${payments === 1 ? 'payment has' : 'payments have'} no payer any more.`)
  if (isGone) return 0
  io.err(
    'The log beside the database file (-wal) may still hold what was erased: another program, such as a ' +
      'backup, is reading it, or the disk is full. Run the same command again when that is over.',
  )
  return 1
}

async function isLogEmptied(store: Store): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    if (await store.emptyLog()) return true
    if (tries === TRIES) return false
    await pause(BETWEEN_TRIES_MS)
  }
}

/** The phone number as stored: digits with the country code. */
function digitsOf([phone, ...more]: readonly string[], country: string | undefined): string {
  if (phone === undefined || more.length > 0) throw new UsageError('Name one phone number.')
  const known = country === undefined ? undefined : CountryCode.safeParse(country.toUpperCase())
  if (known?.success === false) throw new UsageError(`There is no country ${country} here.`)
  const digits = known === undefined ? phone.replace(/\D/g, '') : normalisePhone(phone, known.data)
  if (digits.length < 5) throw new UsageError(`${phone} is no phone number.`)
  if (known === undefined && digits.startsWith('0'))
    throw new UsageError(`Write ${phone} with its country code, or say --country.`)
  return digits
}
