// An alert as an e-mail, over SMTP.
import { credentialsOf } from '../../platform/decode.ts'
import { isLoopbackHost } from '../../platform/loopback.ts'

/** One mail, as sent to the mail server. */
export interface Mail {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * From the lookup of the name to the greeting, or to the end of STARTTLS. The library cuts its
 * limit of the greeting by that of the connection. Some servers let strangers wait, or examine a
 * mail before they take it. A mail that is given up too soon would come again every minute.
 */
const CONNECT_MS = 30_000
const ANSWER_MS = 60_000

/** STARTTLS is required except on loopback, so that a password is never sent in clear text. */
export function smtpSender(smtpUrl: string): (mail: Mail) => Promise<void> {
  const url = new URL(smtpUrl)
  const { user, password } = credentialsOf(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const local = isLoopbackHost(url.hostname)
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !local,
    ignoreTLS: !secure && local,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === '' ? {} : { auth: { user, pass: password } }),
  }
  return async (mail) => {
    // Loaded with the first mail: it takes megabytes of memory that most installations never need.
    const { createTransport } = await import('nodemailer')
    await createTransport(options).sendMail(mail)
  }
}
