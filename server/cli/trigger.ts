// `hc-checkout-server trigger SCENARIO`: runs one payment of a named scenario through a running
// companion and prints its progress.
import { phoneOf, type Scenario, SCENARIOS } from 'hc-checkout-sandbox'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CountryCode, type CreatedDeposit, type DepositView, type Markets, type Problem } from '../contract/index.ts'
import { readMerchantKey } from '../settings/settings.ts'
import { fetchFault } from './doctor-checks.ts'
import { addressOf, environmentOf } from './companion-access.ts'
import { type CommandIo, UsageError } from './io.ts'

/** Longer than the first query of an unwatched payment takes (deposits/machine/schedule.ts). */
export const DEFAULT_WAIT_SECONDS = 90

/** By it a receiver knows the payment as one of a developer's. */
const MARK = 'hc-checkout-server trigger'

export const help = `Usage: hc-checkout-server trigger <scenario> [options]
       hc-checkout-server trigger --list

Creates a payment in the running companion (in test mode only) whose phone number makes the sandbox play the scenario,
and prints each phase until the end: a way to test your own receiver of notices. Without --order the notice names an
order that your shop does not know (trigger-…), or none: a receiver credits nothing for it and answers 2xx. Each
notice has the clientReference ${MARK}, and metadata with the scenario where there is a session.

  --companion <url>   where the companion listens (HC_PUBLIC_URL, or http://127.0.0.1:8787)
  --country <code>    market of the payment (KE)
  --order <id>        pay this order of yours, in its session (by HC_MERCHANT_KEY): your receiver knows it
  --amount <number>   whole major units (the smallest quick amount of the market)
  --wait <seconds>    how long to follow it (${DEFAULT_WAIT_SECONDS})
  --env-file <file>   settings as NAME=value lines, over those of the environment. Without it and without
                      HC_MERCHANT_KEY those of "hc-checkout-server dev", if it runs in this folder
  --list              the scenarios
  --help              this text

Exit codes: 0 the payment ended as the scenario says, 1 it did not, 2 it could not be started.`

/** Longer than a companion waits for the service, even if it has to send the payment again. */
const ANSWER_WITHIN_MS = 60_000

export async function run(argv: string[], io: CommandIo): Promise<number> {
  const wanted = readArguments(argv, io)
  if (wanted === 'list') {
    for (const { name, does } of SCENARIOS) io.out(`${name.padEnd(28)} ${does}`)
    return 0
  }
  const { scenario, companion, seconds } = wanted
  const call = caller(io, companion, originOf(wanted))
  const created = await start(wanted, call)
  io.out(`${created.reference}  ${created.amount} ${created.currency}  ${scenario.name}: ${scenario.does}`)
  const { order = 'no order of your shop: your receiver credits nothing' } = wanted
  io.out(`At ${companion}, for ${order}.`)
  return follow(created, scenario, seconds, io, call)
}

/** @throws UsageError */
function readArguments(argv: string[], io: CommandIo) {
  const { values, positionals } = parseArgs({
    args: argv,
    options: {
      companion: { type: 'string' },
      country: { type: 'string', default: 'KE' },
      amount: { type: 'string' },
      order: { type: 'string' },
      wait: { type: 'string', default: String(DEFAULT_WAIT_SECONDS) },
      'env-file': { type: 'string' },
      list: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.list) return 'list' as const
  const scenario = SCENARIOS.find(({ name }) => name === positionals[0])
  if (scenario === undefined || positionals.length !== 1) {
    throw new UsageError(`Name one scenario: ${SCENARIOS.map(({ name }) => name).join(', ')}.`)
  }
  const env = environmentOf(io, values['env-file'])
  const companion = addressOf(values, env)
  const country = CountryCode.safeParse(values.country.toUpperCase())
  const seconds = Number(values.wait)
  if (!country.success) throw new UsageError(`--country must be one of ${CountryCode.options.join(', ')}.`)
  if (values.amount !== undefined && !/^[1-9]\d*$/.test(values.amount))
    throw new UsageError('--amount must be a whole number of major units, such as 2500.')
  if (!Number.isInteger(seconds) || seconds < 0) throw new UsageError('--wait must be a whole number of seconds.')
  return {
    scenario,
    companion,
    country: country.data,
    amount: values.amount === undefined ? undefined : Number(values.amount),
    order: values.order,
    /** How long to follow the payment. */
    seconds,
    env,
  }
}

type Wanted = Exclude<ReturnType<typeof readArguments>, 'list'>

/** Its own origin, which the companion admits. --companion may name an inner address. */
function originOf({ companion, env }: Wanted): string {
  const publicUrl = env['HC_PUBLIC_URL'] ?? ''
  return new URL(URL.canParse(publicUrl) ? publicUrl : companion).origin
}

/** Creates the payment, under a session where the companion takes nothing else. */
async function start({ scenario, country, env, ...wanted }: Wanted, call: Call): Promise<CreatedDeposit> {
  const { mode, markets, sessionsOnly } = await call<Markets>('GET', '/v1/markets')
  if (mode === 'live') throw new UsageError('This companion takes live payments; trigger is for the sandbox.')
  if (mode !== 'test') throw noCompanion(wanted.companion)
  const market = markets.find((row) => row.country === country)
  if (market === undefined) throw new UsageError(`${country} is not on offer there.`)
  const { currency, callingCode, quickAmounts, min } = market
  const terms = { country, currency, amount: wanted.amount ?? quickAmounts[0] ?? min }
  const { order } = wanted
  const session =
    sessionsOnly === true || order !== undefined
      ? await openSession({ ...terms, order, metadata: { trigger: scenario.name } }, env, call)
      : undefined
  const payer = { name: 'Test Trigger', phone: phoneOf(scenario, callingCode.replace('+', '')) }
  return call<CreatedDeposit>(
    'POST',
    '/v1/deposits',
    { ...terms, payer, session, clientReference: MARK },
    { 'idempotency-key': randomBytes(24).toString('base64url') },
  )
}

async function openSession(
  { order, ...terms }: { readonly order: string | undefined; readonly metadata: object },
  env: CommandIo['env'],
  call: Call,
): Promise<string> {
  const merchantKey = readMerchantKey(env)
  if (merchantKey === undefined)
    throw new UsageError(
      order === undefined
        ? 'That companion takes sessions only: give HC_MERCHANT_KEY.'
        : 'The order is paid in its session: give HC_MERCHANT_KEY.',
    )
  const orderId = order ?? `trigger-${randomBytes(4).toString('hex')}`
  const body = { ...terms, orderId, description: order ?? 'Trigger' }
  const headers = { authorization: `Bearer ${merchantKey}` }
  return (await call<{ token: string }>('POST', '/v1/sessions', body, headers)).token
}

/**
 * Prints each phase until the payment ends as the scenario does, or the time is over. @returns the
 * exit code
 */
async function follow(
  created: CreatedDeposit,
  scenario: Scenario,
  seconds: number,
  io: CommandIo,
  call: Call,
): Promise<number> {
  const startedAt = io.now()
  let view: DepositView = created
  let told = ''
  /** Why the last request for its state got none. A companion that restarts answers again soon. */
  let lost: string | undefined
  for (;;) {
    const phase = `${view.phase}${view.late === true ? ' (late)' : ''}`
    if (phase !== told)
      io.out(
        `${((io.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ` +
          `${phase}${view.result === undefined ? '' : `  ${view.result.description}`}`,
      )
    told = phase
    // No scenario ends like this: the service refused the payment or was not reached, or a person
    // has to look.
    if (view.phase === 'rejected' || view.phase === 'review') {
      const what = view.phase === 'rejected' ? 'The payment was not created' : 'The payment is under review'
      io.err(`${what}, so nothing is played. "hc-checkout-server doctor" tells why.`)
      return 1
    }
    if (view.status === scenario.ending || io.now() - startedAt >= seconds * 1000) break
    await wait(500)
    try {
      view = await call<DepositView>('GET', `/v1/deposits/${created.id}`, undefined, {
        authorization: `Bearer ${created.token}`,
      })
      lost = undefined
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      lost = error.message
    }
  }
  if (
    view.status === scenario.ending ||
    (lost === undefined && scenario.ending === 'NONE' && view.status !== 'SUCCESS')
  )
    return 0
  io.err(
    `The scenario ends ${scenario.ending}; after ${seconds} s the payment is ${view.status} ` +
      `(${view.phase})${lost === undefined ? '.' : `, as far as is known: ${lost}`}`,
  )
  return 1
}

const noCompanion = (address: string): UsageError =>
  new UsageError(`What answers at ${address} is no companion. Name another address with --companion.`)

/** Calls the companion's API. @throws UsageError for any answer but a success */
type Call = ReturnType<typeof caller>

function caller(io: CommandIo, companion: string, origin: string) {
  return async function call<Answer>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    let response: Response
    let answer: unknown
    try {
      response = await io.fetch(`${companion}${path}`, {
        method,
        headers: { origin, 'content-type': 'application/json', ...headers },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      answer = await response.json().catch((error: unknown) => {
        if (!(error instanceof SyntaxError)) throw error
      })
    } catch (error) {
      const { reason, isUnsafe } = fetchFault(error)
      throw new UsageError(
        isUnsafe
          ? `There is no safe connection to ${companion}${reason}. Look at its certificate, or name the ` +
              "companion's own address with --companion."
          : `No companion answers at ${companion}${reason}. Start it, or name another with --companion.`,
      )
    }
    if (typeof answer !== 'object' || answer === null) throw noCompanion(companion)
    if (response.ok) return answer as Answer
    const { code, detail = '' } = answer as Partial<Problem>
    if (code === undefined) throw noCompanion(companion)
    const advice = response.status < 500 ? '' : ' "hc-checkout-server doctor" tells why.'
    throw new UsageError(`${method} ${path} was answered ${response.status} ${code}: ${detail}${advice}`)
  }
}
