// `hc-checkout-server listen`: prints the notices of a running companion as they come about, and
// posts them, signed, to a backend that the companion does not know.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Client, PaymentView } from 'hc-checkout-client'
import type { Notice } from '../contract/index.ts'
import { sendNotice } from '../notices/send-notice.ts'
import { readNotifySecrets } from '../settings/settings.ts'
import { isLoopback } from '../settings/values.ts'
import { ACCESS_HELP, ACCESS_OPTIONS, accessTo, isLive } from './companion-access.ts'
import { type CommandIo, UsageError } from './io.ts'
import { makeSecret } from './keygen.ts'

/** How often it looks. */
const EVERY_MS = 1_000
/** The longest page that the companion gives. */
const WATCHED = 200
/** Enough for a backend that restarts. One notice must not hold back the others for ever. */
const MOST_TRIES = 60

export const help = `Usage: hc-checkout-server listen [--forward-to URL] [options]

Prints each notice that a running companion makes from now on, for its ${WATCHED} newest payments, and posts it to your
backend, signed as the companion signs. The companion needs no HC_NOTIFY_URL for it, and what it sends there by itself
stays as it is. A notice that your backend does not take is posted again every second, ${MOST_TRIES} times. Notices
of real payments are posted only if --companion or --env-file names the companion.

  --forward-to <url>  where your backend takes notices, for example http://127.0.0.1:3000/notices
  --json              each notice as one line of JSON
${ACCESS_HELP}
  --help              this text

It signs with HC_NOTIFY_SECRET. Without one it makes a secret and prints it: give it to your backend.

Exit codes: 0 stopped on request, 2 the companion could not be asked.`

interface Caught {
  readonly id: string
  readonly body: string
  tries: number
}

/**
 * Runs until it is told to stop. @throws UsageError, and the client's CheckoutError at its first
 * question
 */
export async function run(argv: string[], io: CommandIo): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { ...ACCESS_OPTIONS, 'forward-to': { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const to = values['forward-to']
  if (to !== undefined) mustBeSafe(to)
  const stopped = io.stopped()
  const access = accessTo(io, values)
  const { client, companion, env } = access
  const given = readNotifySecrets(env)
  const secrets = given.length > 0 ? given : [makeSecret.HC_NOTIFY_SECRET()]

  const look = createLook(client)
  const [newest] = await look.begin()
  const hasReal = newest !== undefined && (to === undefined ? newest.mode === 'live' : isLive(access, newest.mode))
  io.err(`Listening to ${companion}${hasReal ? ', which takes real payments' : ''}. End it with Ctrl+C.`)
  if (to !== undefined && given.length === 0) io.err(`Give your backend HC_NOTIFY_SECRET=${secrets[0]}`)
  const over = stopped.then(() => 'over' as const)
  const waiting: Caught[] = []
  let fault = ''
  while ((await Promise.race([over, wait(EVERY_MS)])) !== 'over') {
    try {
      const news = await look.again()
      for (const notice of news) io.out(values.json ? notice.body : lineOf(notice.body))
      if (to !== undefined) for (const { body } of news) isLive(access, toldIn(body).mode)
      if (to !== undefined) waiting.push(...news)
      fault = ''
    } catch (error) {
      if (error instanceof UsageError) throw error
      const says = error instanceof Error ? error.message : String(error)
      if (says !== fault) io.err(says)
      fault = says
    }
    if (to !== undefined) await forward(waiting, { to, secrets, io })
  }
  return 0
}

/** In order, up to the first that is not taken: it waits for the next round. */
async function forward(
  waiting: Caught[],
  { to, secrets, io }: { to: string; secrets: readonly string[]; io: CommandIo },
): Promise<void> {
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    next.tries++
    const outcome = await sendNotice(next, { url: to, secrets, fetch: io.fetch, now: io.now, timeoutMs: 15_000 })
    const isLast = next.tries >= MOST_TRIES
    if (outcome.kind === 'delivered') io.out(`  -> ${to} has taken ${next.id}`)
    else if (next.tries === 1 || isLast) {
      const why = outcome.kind === 'gone' ? 'answered 410' : outcome.reason
      io.err(`  -> ${to} has not taken ${next.id}: ${why}${isLast ? '; given up' : '; posted again every second'}`)
    }
    if (outcome.kind !== 'delivered' && !isLast) return
    waiting.shift()
  }
}

/** A notice has the version of its payment: a payment whose version is known has no new one. */
function createLook(client: Client) {
  const known = new Map<string, number>()
  const page = async () => (await client.payments.page({ limit: WATCHED })).payments

  async function noticesSince(version: number, { id }: PaymentView): Promise<Caught[]> {
    const { notices } = await client.payments.get(id)
    return notices
      .filter(({ body }) => toldIn(body).version > version)
      .map((notice) => ({ id: notice.id, body: notice.body, tries: 0 }))
  }

  return {
    /** The newest payments. What they have told until now is no news. */
    async begin(): Promise<readonly PaymentView[]> {
      const payments = await page()
      for (const { id, version } of payments) known.set(id, version)
      return payments
    },
    /** The notices that have come about since the look before. */
    async again(): Promise<Caught[]> {
      const payments = await page()
      const moved = payments.filter(({ id, version }) => version > (known.get(id) ?? 0))
      const caught = await Promise.all(moved.map((payment) => noticesSince(known.get(payment.id) ?? 0, payment)))
      // A payment may have moved on between the list and its notices: what they tell is known then.
      for (const [at, { id, version }] of moved.entries())
        known.set(id, Math.max(version, ...(caught[at] ?? []).map(({ body }) => toldIn(body).version)))
      const shown = new Set(payments.map(({ id }) => id))
      for (const id of known.keys()) if (!shown.has(id)) known.delete(id)
      return caught.flat()
    },
  }
}

const toldIn = (body: string): Notice['data'] => (JSON.parse(body) as Notice).data

function lineOf(body: string): string {
  const { type, timestamp, data } = JSON.parse(body) as Notice
  const order = data.orderId === undefined ? '' : `  ${data.orderId}`
  return `${timestamp}  ${type.padEnd(18)} ${data.reference}  ${data.amount} ${data.currency}${order}`
}

/** @throws UsageError */
function mustBeSafe(to: string): void {
  const url = URL.parse(to)
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback(to)))
    throw new UsageError(
      '--forward-to must be https, or http on this machine, for example http://127.0.0.1:3000/notices.',
    )
}
