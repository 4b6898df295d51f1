// Alerts to a person: by JSON webhook (Slack, Mattermost, Telegram) and by e-mail, at most one a kind in 15 minutes.
// What was held back is told with the next one; what could not be sent is tried again.
import type { Logger } from '../logger.ts'
import { type Metrics, silentMetrics } from '../metrics.ts'
import { createScrubber } from '../scrub.ts'
import type { Settings } from '../settings.ts'
import { adviceFor } from './alert-advice.ts'

export interface Alerts {
  /**
   * Tells a person, soon and once a kind in 15 minutes; never throws and never waits.
   * `kind` may carry a reason after a colon (`review:contradiction`); it counts as a kind of its own.
   * `detail`: references and counts, never a secret, token or payer detail.
   */
  raise(kind: string, detail: string): void
}

export interface AlertSender extends Alerts {
  /** Sends what was held back and is due now; resolves when nothing is on its way. */
  flush(): Promise<void>
}

/** One mail, as the mail server gets it. */
export interface Mail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface AlertOptions {
  readonly settings: Settings['alerts']
  readonly now: () => number
  readonly fetch: typeof fetch
  readonly logger: Logger
  readonly metrics?: Metrics
  /** Which installation speaks; the host of HC_PUBLIC_URL, with TEST before it where no real money moves. */
  readonly installation?: string
  /** Texts that must never leave; see `secretsOf`. */
  readonly secrets?: readonly string[]
  /** Sends a mail; default: SMTP to `settings.email.smtpUrl`. */
  readonly sendMail?: (mail: Mail) => Promise<void>
  /** Calls back after that many ms; the default does not keep the process alive. */
  readonly later?: (ms: number, work: () => void) => void
}

export const ALERT_QUIET_MS = 15 * 60_000
const RETRY_MS = 60_000
const TIMEOUT_MS = 10_000
const LONGEST_DETAIL = 300

interface KindState {
  quietUntil: number
  waiting: { detail: string; count: number } | undefined
  /** Ways by which the waiting text has already gone out, while another way failed. */
  told: Set<string>
}

/** See {@link Alerts}. Without a webhook and a mail server each alert is a log line and nothing more. */
export function createAlerts(options: AlertOptions): AlertSender {
  const { settings, now, fetch, logger } = options
  const metrics = options.metrics ?? silentMetrics
  const scrub = createScrubber(options.secrets ?? [])
  const later = options.later ?? ((ms, work) => void setTimeout(work, ms).unref())
  const sendMail = options.sendMail ?? (settings.email === undefined ? undefined : smtpSender(settings.email.smtpUrl))
  const kinds = new Map<string, KindState>()
  let sending: Promise<void> = Promise.resolve()

  const ways: [name: string, send: (text: string) => Promise<void>][] = []
  const { webhookUrl, email } = settings
  if (webhookUrl !== undefined) ways.push(['webhook', (text) => postText(webhookUrl, text, fetch)])
  if (email !== undefined && sendMail !== undefined) {
    ways.push([
      'mail',
      (text) => sendMail({ from: email.from, to: email.to, subject: text.split('\n', 1)[0] ?? '', text }),
    ])
  }

  async function sendDue(): Promise<void> {
    for (const [kind, state] of kinds) {
      const { waiting } = state
      if (waiting === undefined || now() < state.quietUntil) continue
      const text = textOf(kind, waiting, options.installation)
      const failed = await sendAll(kind, text, state.told)
      if (failed) {
        state.quietUntil = now() + RETRY_MS
      } else {
        state.quietUntil = now() + ALERT_QUIET_MS
        state.told.clear()
        const raisedMeanwhile = state.waiting!.count - waiting.count
        state.waiting = raisedMeanwhile > 0 ? { detail: state.waiting!.detail, count: raisedMeanwhile } : undefined
      }
      if (state.waiting !== undefined) later(state.quietUntil - now(), flushSoon)
    }
  }

  async function sendAll(kind: string, text: string, told: Set<string>): Promise<boolean> {
    let failed = false
    for (const [name, send] of ways) {
      if (told.has(name)) continue
      try {
        await send(text)
        told.add(name)
      } catch (error) {
        failed = true
        logger.error({ err: error, kind, way: name }, 'an alert could not be sent; it will be tried again')
      }
    }
    return failed
  }

  function flush(): Promise<void> {
    sending = sending.then(sendDue)
    return sending
  }
  function flushSoon(): void {
    void flush()
  }

  return {
    raise(kind, detail) {
      metrics.count('alerts', { kind: kind.split(':', 1)[0] ?? kind })
      const clean = scrub(detail).replaceAll(/\s+/g, ' ').slice(0, LONGEST_DETAIL)
      logger.warn({ kind, detail: clean }, 'alert')
      const state = kinds.get(kind) ?? { quietUntil: -Infinity, waiting: undefined, told: new Set<string>() }
      kinds.set(kind, state)
      const first = state.waiting === undefined
      state.waiting = { detail: clean, count: (state.waiting?.count ?? 0) + 1 }
      if (now() >= state.quietUntil) flushSoon()
      else if (first) later(state.quietUntil - now(), flushSoon)
    },
    flush,
  }
}

function textOf(kind: string, waiting: { detail: string; count: number }, installation = 'hc-checkout'): string {
  const advice = adviceFor(kind)
  const times = waiting.count > 1 ? `\n${waiting.count} times since the last message; this is the latest.` : ''
  return `[${installation}] ${advice.title}\n${waiting.detail}${times}\n${advice.todo}`
}

async function postText(url: string, text: string, fetch: AlertOptions['fetch']): Promise<void> {
  const address = new URL(url)
  const body: Record<string, string> = { text }
  // Telegram's sendMessage wants the chat beside the text; an address is all that a setting can hold.
  const chat = address.searchParams.get('chat_id')
  if (chat !== null) {
    body['chat_id'] = chat
    address.searchParams.delete('chat_id')
  }
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the alert webhook answered ${response.status}`)
}

/** STARTTLS is demanded everywhere but on loopback, so that a password never travels in the clear. */
function smtpSender(smtpUrl: string): (mail: Mail) => Promise<void> {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1' || url.hostname === '[::1]'
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !local,
    ignoreTLS: !secure && local,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
  }
  return async (mail) => {
    // Loaded with the first mail: it takes megabytes that most installations never use.
    const { createTransport } = await import('nodemailer')
    await createTransport(options).sendMail(mail)
  }
}
