// What must never leave the process: log and alerts blank these texts wherever they appear.
import { credentialsOf } from '../platform/decode.ts'
import type { Settings } from './settings.ts'
import { settingsTable } from './table.ts'

/** Every secret of an installation, in each way that it may be written. */
export function secretsOf(settings: Settings): string[] {
  const { webhookUrl: alertUrl, email } = settings.alerts
  const consoleUsers = settings.consoleUsers.map(({ hash }) => hash)
  const fields: Readonly<Record<string, unknown>> = {
    ...settings,
    consoleUsers,
    alertUrl,
    alertSmtpUrl: email?.smtpUrl,
  }
  return settingsTable
    .flatMap(({ field, secret }) => {
      const texts = secret === undefined ? [] : [fields[field] ?? []].flat().map(String)
      return texts.flatMap(secret === 'password' ? passwordsOf : partsOf)
    })
    .filter((text) => text.length >= 6)
}

/** A key in PEM is known by each of its rows. */
function partsOf(text: string): string[] {
  return text.startsWith('-----') ? text.split('\n').filter((row) => !row.startsWith('-----')) : [text]
}

/** As written in the URL, as sent to the server, and as encoded by `URL`. */
function passwordsOf(address: string): string[] {
  const { user, written, password } = credentialsOf(address)
  if (password === '') return []
  // As a mail server gets it, which may quote what it was sent.
  const sent = [password, `\0${user}\0${password}`].map((text) => Buffer.from(text).toString('base64'))
  return [written, password, ...sent, ...(URL.canParse(address) ? [new URL(address).password] : [])]
}
