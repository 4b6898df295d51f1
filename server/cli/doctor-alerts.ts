// The doctor's test alert (`--alert`): one over each configured channel, since a wrong address or
// password would show only at the first real one.
import { secretsOf } from '../settings/secrets.ts'
import { installationOf, sendTestAlert } from '../operations/alerts/channels.ts'
import { createScrubber } from '../platform/logging/scrub.ts'
import type { Settings } from '../settings/settings.ts'
import { type Check, fail, ok, unreached, warn } from './doctor-checks.ts'
import type { CommandIo } from './io.ts'

const LONGEST_ANSWER = 200

/** Sends one test alert over each channel. */
export async function checkAlerts(settings: Settings, io: CommandIo): Promise<Check[]> {
  const sent = await sendTestAlert({
    settings: settings.alerts,
    fetch: io.fetch,
    installation: installationOf(settings),
  })
  if (sent.length === 0)
    return [
      warn(
        'alert',
        'no channel is set (HC_ALERT_URL or HC_ALERT_SMTP_URL): alerts reach nobody and are only in the log',
      ),
    ]
  const scrub = createScrubber(secretsOf(settings))
  return sent.map(({ channel, error }): Check => {
    const name = `alert ${channel}`
    if (error === undefined) {
      const where = channel === 'mail' ? `the inbox of ${settings.alerts.email?.to}` : 'the chat'
      return ok(name, `the test alert was accepted; look whether it arrived in ${where}`)
    }
    return fail(name, scrub(channel === 'mail' ? mailFault(error) : webhookFault(error)))
  })
}

function webhookFault(error: unknown): string {
  const { name, message } = error as Error
  if (name === 'TimeoutError') return 'HC_ALERT_URL gave no answer within 30 s: check the address and the network'
  // The only other error than one of fetch is an answer without success.
  if (name !== 'TypeError')
    return /(429|5\d\d)$/.test(message)
      ? `${message}: it is busy or failing; try again later, and look whether HC_ALERT_URL is the address ` +
          'as the chat shows it'
      : `${message}: HC_ALERT_URL must be the address as the chat shows it, still valid there, and for ` +
          'Telegram with chat_id'
  return unreached('HC_ALERT_URL', error, {
    unsafe: 'its certificate is not valid or not trusted here; name an authority of your own in NODE_EXTRA_CA_CERTS',
    silent: 'check the address, and whether this machine may connect to it',
  })
}

/** By the codes of nodemailer. */
function mailFault(error: unknown): string {
  const { code, originalCode, message, response } = error as {
    code?: string
    originalCode?: string
    message: string
    response?: string
  }
  const why = (response ?? message).replaceAll(/\s+/g, ' ').slice(0, LONGEST_ANSWER)
  if (code === 'EAUTH')
    return (
      `the mail server refuses the login (${why}): check user and password in HC_ALERT_SMTP_URL; signs ` +
      'such as @ / # must be percent-encoded'
    )
  if (code === 'EENVELOPE')
    return `the mail server refuses sender or receiver (${why}): check HC_ALERT_FROM and HC_ALERT_TO`
  if (code === 'ETLS')
    return (
      `the mail server takes no STARTTLS (${why}), and outside of this machine no alert is sent without: ` +
      'let HC_ALERT_SMTP_URL name its port for it (mostly 587), or smtps:// (mostly 465)'
    )
  if (originalCode !== undefined && /CERT|UNABLE_TO/.test(originalCode))
    return (
      `no safe connection to the mail server of HC_ALERT_SMTP_URL (${originalCode}): its certificate must ` +
      'be valid for the host name there, with its whole chain; name an authority of your own in ' +
      'NODE_EXTRA_CA_CERTS'
    )
  if (response !== undefined) return `the mail server does not take the test alert: ${why}`
  if (code === 'ETIMEDOUT')
    return (
      `the mail server of HC_ALERT_SMTP_URL does not answer (${why}): check host and port, smtps:// ` +
      '(mostly port 465) or smtp:// (587): at the port of the other, both wait for each other; and ' +
      'whether this machine may connect to it'
    )
  // At whatever point that was; of a connection that there never was the code is another.
  if (code === 'ECONNECTION' || /ECONNRESET|EPIPE/.test(why))
    return (
      `the mail server of HC_ALERT_SMTP_URL broke off the connection (${why}): look into its log, for it ` +
      'may refuse this machine or such a mail, and at the port: mostly 465 for smtps://, 587 for smtp://'
    )
  return (
    `no safe connection to the mail server of HC_ALERT_SMTP_URL (${why}): check host and port, smtps:// ` +
    '(mostly port 465) or smtp:// with STARTTLS (587), its certificate, and whether this machine may ' +
    'connect to it'
  )
}
