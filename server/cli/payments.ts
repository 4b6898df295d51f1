// `hc-checkout-server payments`: lists and shows the payments of a running companion, has notices
// sent again, and ends a review.
import { parseArgs } from 'node:util'
import type { Decision, PaymentDetail, PaymentFilter, PaymentView } from 'hc-checkout-client'
import { ACCESS_HELP, ACCESS_OPTIONS, accessTo, isLive } from './companion-access.ts'
import { type CommandIo, UsageError } from './io.ts'

export const help = `Usage: hc-checkout-server payments list [filters]
       hc-checkout-server payments show <id>
       hc-checkout-server payments resend <id>
       hc-checkout-server payments decide <id> --outcome succeeded|failed --reason <text> --by <name>

Reads the payments of a running companion with its HC_MERCHANT_KEY. <id> is the payment's id or its reference. resend
has all notices of the payment sent again. decide ends a payment under review: look it up in the service's portal first.
Both act on a payment with real money only if --companion or --env-file names the companion.

  --order, --session, --reference, --status, --phase, --currency, --country <value>   list only those
  --from, --to <time>     created from then on, and before (2026-03-01T00:00:00Z)
  --limit <number>        how many to list, newest first (20)
  --json                  what the companion answers: for list one object a line
${ACCESS_HELP}
  --help              this text

Exit codes: 0 done, 2 it could not be done, and the reason is printed.`

/** Exit code 0. @throws UsageError, and the client's CheckoutError */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    options: {
      ...ACCESS_OPTIONS,
      session: { type: 'string' },
      order: { type: 'string' },
      reference: { type: 'string' },
      status: { type: 'string' },
      phase: { type: 'string' },
      currency: { type: 'string' },
      country: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      limit: { type: 'string', default: '20' },
      json: { type: 'boolean', default: false },
      outcome: { type: 'string' },
      reason: { type: 'string' },
      by: { type: 'string' },
    },
    allowPositionals: true,
  })
  const [action, id, ...more] = positionals
  if (action === undefined || !['list', 'show', 'resend', 'decide'].includes(action) || more.length > 0)
    throw new UsageError('Say one of list, show, resend and decide.')
  if (action === 'list' && id !== undefined)
    throw new UsageError(`list takes filters: to see one payment, say payments show ${id}.`)
  if (action !== 'list' && id === undefined) throw new UsageError(`payments ${action} needs the id of a payment.`)
  const decision = action === 'decide' ? decisionOf(values) : undefined
  const limit = Number(values.limit)
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number from 1.')

  const access = accessTo(io, values)
  const { client, companion } = access
  if (action === 'list') {
    const { session: sessionId, order: orderId, reference, status, phase, currency, country, from, to } = values
    const meant = { sessionId, orderId, reference, status, phase, currency, country, from, to }
    const filter = { ...meant, limit: Math.min(limit, 200) } as PaymentFilter
    let listed = 0
    let live = 0
    for await (const payment of client.payments.list(filter)) {
      if (payment.mode === 'live' && live++ === 0) io.err(`Real payments, of ${companion}:`)
      io.out(values.json ? JSON.stringify(payment) : lineOf(payment))
      if (++listed === limit) break
    }
    if (listed === 0 && !values.json) io.err('There is no such payment.')
    return 0
  }
  const of = id ?? ''
  if (action !== 'show' && isLive(access, (await client.payments.get(of)).mode))
    io.err(`A real payment, of ${companion}:`)
  if (action === 'resend') {
    const requeued = await client.payments.resend(of)
    const said = requeued === 0 ? 'The payment has no notice yet.' : `${requeued} to be sent again.`
    io.out(values.json ? JSON.stringify({ requeued }) : said)
    return 0
  }
  if (decision !== undefined) {
    const decided = await client.payments.decide(of, decision)
    io.out(values.json ? JSON.stringify(decided) : lineOf(decided))
    return 0
  }
  const shown = await client.payments.get(of)
  io.out(values.json ? JSON.stringify(shown) : storyOf(shown))
  return 0
}

/** @throws UsageError */
function decisionOf(given: { outcome?: string; reason?: string; by?: string }): Decision {
  const { outcome, reason, by } = given
  if (outcome !== 'succeeded' && outcome !== 'failed')
    throw new UsageError('payments decide needs --outcome succeeded or --outcome failed.')
  if (reason === undefined || by === undefined)
    throw new UsageError('payments decide needs --reason and --by: both are kept in the story of the payment.')
  return { outcome, reason, by }
}

function lineOf(payment: PaymentView): string {
  const { createdAt, reference, amount, currency, phase, orderId, payer, late, duplicate } = payment
  const marks = [late ? 'late' : '', duplicate ? 'duplicate' : '', payment.disputedSum ? 'disputed sum' : '']
  const parts = [orderId, payer?.phone, payer?.name, ...marks].filter((part) => part !== undefined && part !== '')
  return `${createdAt}  ${reference}  ${`${amount} ${currency}`.padStart(13)}  ${phase.padEnd(10)}  ${parts.join('  ')}`
}

function storyOf(payment: PaymentDetail): string {
  const { id, mode, sessionId, description, result, reviewReason, timeline, notices } = payment
  const told = { id, mode, sessionId, description, result: result?.description, review: reviewReason }
  return [
    lineOf(payment),
    ...Object.entries(told).flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(12)} ${value}`])),
    ...timeline.map(
      ({ at, phase, kind, detail }) =>
        `  ${at}  ${phase.padEnd(10)}  ${kind}${detail === undefined ? '' : `: ${detail}`}`,
    ),
    ...notices.flatMap(({ type, state, attempts, lastError, nextAttemptAt }) => {
      const why = lastError === undefined ? '' : `: ${lastError}`
      const next = nextAttemptAt === undefined ? 'It is not tried again' : `The next attempt is at ${nextAttemptAt}`
      return [
        `  notice ${type.padEnd(18)} ${state}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${why}`,
        ...(state === 'delivered' ? [] : [`    ${next}; "payments resend ${id}" sends it at once.`]),
      ]
    }),
  ].join('\n')
}
