// The ways that an alert reaches a person, a chat and e-mail, and its words on each.
import type { Settings } from '../../settings/settings.ts'
import { type AdvisedKind, adviceFor } from './advice.ts'
import { postText } from './chat.ts'
import { type Mail, smtpSender } from './mail.ts'

/** A chat webhook or a mail server. */
export interface Channel {
  readonly name: 'webhook' | 'mail'
  readonly send: (text: string) => Promise<void>
}

export interface ChannelOptions {
  readonly settings: Settings['alerts']
  readonly fetch: typeof fetch
  /** The host of HC_PUBLIC_URL, with TEST before it where no real money moves. */
  readonly installation?: string
  /** Sends a mail; default: SMTP to `settings.email.smtpUrl`. */
  readonly sendMail?: (mail: Mail) => Promise<void>
}

/** Name of an installation in its alerts; see {@link ChannelOptions.installation}. */
export function installationOf(settings: Pick<Settings, 'paymentMode' | 'publicUrl'>): string {
  const { host } = new URL(settings.publicUrl)
  return settings.paymentMode === 'test' ? `TEST ${host}` : host
}

/**
 * Sends one test alert over each configured channel; never throws.
 * @returns a row for each channel, with the error if it failed. The error of a webhook may contain
 * its URL, which is a secret.
 */
export async function sendTestAlert(
  options: Omit<ChannelOptions, 'sendMail'>,
): Promise<readonly { readonly channel: Channel['name']; readonly error?: unknown }[]> {
  const text = textOf('test', 'Sent by hc-checkout-server doctor --alert.', 1, options.installation)
  return Promise.all(
    channelsOf(options).map(({ name, send }) =>
      send(text).then(
        () => ({ channel: name }),
        (error: unknown) => ({ channel: name, error }),
      ),
    ),
  )
}

export function channelsOf({ settings, fetch, sendMail }: ChannelOptions): Channel[] {
  const channels: Channel[] = []
  const { webhookUrl, email } = settings
  if (webhookUrl !== undefined) channels.push({ name: 'webhook', send: (text) => postText(webhookUrl, text, fetch) })
  if (email !== undefined) {
    const send = sendMail ?? smtpSender(email.smtpUrl)
    channels.push({
      name: 'mail',
      send: (text) => send({ from: email.from, to: email.to, subject: text.split('\n', 1)[0] ?? '', text }),
    })
  }
  return channels
}

/** @param raisedAt when it was raised, if it was held back: what it says may have passed by now */
export function textOf(
  kind: AdvisedKind,
  detail: string,
  count: number,
  installation = 'hc-checkout',
  raisedAt?: number,
): string {
  const advice = adviceFor(kind)
  const at = raisedAt === undefined ? '' : new Date(raisedAt).toISOString()
  const latest = `\n${count} times since the last message; this is the latest${at && `, of ${at}`}.`
  const times = count > 1 ? latest : at && `\nThat was at ${at}.`
  // The log has the detail alone, so some details say what the title says.
  const news = detail === `${advice.title}.` ? '' : `\n${detail}`
  return `[${installation}] ${advice.title}${news}${times}\n${advice.todo}`
}
