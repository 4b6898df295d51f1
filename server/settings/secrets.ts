// What must never leave the process: log and alerts blank these texts wherever they appear.
import { credentialsOf } from '../decode.ts'
import type { Settings } from './settings.ts'

/** Every secret of an installation, in each way that it may be written. */
export function secretsOf(settings: Settings): string[] {
  const {
    consumerKey,
    consumerSecret,
    privateKey,
    secret,
    previousSecret,
    merchantKey,
    notifySecrets,
    opsToken,
    hashKey,
    previousHashKey,
  } = settings
  const addresses = [settings.databaseUrl, settings.alerts.email?.smtpUrl ?? '', settings.upstreamProxy ?? '']
  // As written in the URL, as sent to the server, and as encoded by `URL`.
  const passwords = addresses.flatMap((address) => {
    const { user, written, password } = credentialsOf(address)
    // As a mail server gets it, which may quote what it was sent.
    const sent = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'))
    return [
      written,
      password,
      ...(password === '' ? [] : sent),
      ...(URL.canParse(address) ? [new URL(address).password] : []),
    ]
  })
  const pem = privateKey.split('\n').filter((row) => row !== '' && !row.startsWith('-----'))
  return [
    consumerKey, consumerSecret, secret, previousSecret, merchantKey, opsToken, hashKey, previousHashKey, ...notifySecrets, ...pem,
    ...passwords, settings.alerts.webhookUrl,
  ].filter((text): text is string => text !== undefined && text.length >= 6) // prettier-ignore
}
