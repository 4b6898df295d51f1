// The checked settings of a companion. `readSettings` makes them from the HC_* variables, or
// reports what is missing or wrong in one sentence for each fault, without any value.
import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import type { Mode } from '../contract/index.ts'
import { decodeOrKeep } from '../platform/decode.ts'
import { codeOf } from '../platform/error-code.ts'
import { type Environment, meantEnvironment } from './environment.ts'
import { type Field, type Fields, settingsSchema } from './schema.ts'
import { type SettingVariable, misspeltSettings, settingsTable } from './table.ts'
import { isLoopback } from './values.ts'

export type { Limit } from './schema.ts'

type AlertField = Extract<Field, `alert${string}`>

/** Each field comes from the HC_* variable that schema.ts names beside it. */
export interface Settings extends Readonly<Omit<Fields, AlertField | 'hashKey' | 'paymentMode'>> {
  /** `test` marks everything that a customer or backend sees. */
  readonly paymentMode: Mode
  /** Key of the webhook hash; the consumer key unless set. */
  readonly hashKey: string
  /** How alerts reach a person. */
  readonly alerts: {
    readonly webhookUrl?: string
    readonly email?: { readonly smtpUrl: string; readonly from: string; readonly to: string }
    /** Minutes without any callback while payments are open before an alert. 0 = never. */
    readonly silentMinutes: number
  }
}

/** Stops the start: one sentence for each fault, beginning with the variable's name. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

type ReadFile = (path: string) => string

/**
 * Reads and checks all settings.
 *
 * @param env usually `process.env`; each secret `NAME` also as `NAME_FILE`, the path of a file that
 *   holds it.
 * @param readFile reads such a file; default UTF-8 from disk.
 * @throws SettingsError with all faults at once.
 */
export function readSettings(env: Environment, readFile?: ReadFile): Settings {
  // For plain JavaScript, where no type says so.
  if ((env as Environment | undefined) === undefined)
    throw new TypeError('The settings are read from the environment: give process.env.')
  const reader = createReader(env, readFile)
  const fields = Object.fromEntries(reader.all.map((field) => [field, reader.read(field)])) as Partial<Fields>
  const { isProduction, onLoopback } = reader
  const testKeys = /(^|[^a-z])(test|sandbox|sbx)([^a-z]|$)/i.test(fields.consumerKey ?? '')
  const isTest = onLoopback || testKeys
  reader.faults.push(
    ...contradictions(fields, isTest, reader),
    ...(isProduction ? notForProduction(fields, testKeys) : []),
  )
  if (fields.notifyUrl !== undefined)
    reader.need(
      'notifySecrets',
      'HC_NOTIFY_URL is given, and notices are sent signed only (hc-checkout-server keygen makes a secret).',
    )
  if (isProduction)
    reader.need(
      'mode',
      "with NODE_ENV=production say sessions (payments start from the merchant's backend) " +
        'or open (anyone may start one) yourself.',
    )
  reader.refuse()
  return complete(fields as Fields, isTest)
}

/** The settings of fields without fault. */
function complete(fields: Fields, isTest: boolean): Settings {
  const { alertUrl, alertSmtpUrl: smtpUrl, alertFrom: from, alertTo: to, alertSilentMinutes, ...others } = fields
  const email = smtpUrl === undefined || from === undefined || to === undefined ? undefined : { smtpUrl, from, to }
  return {
    ...others,
    hashKey: fields.hashKey ?? fields.consumerKey,
    paymentMode: fields.paymentMode ?? (isTest ? 'test' : 'live'),
    allowedOrigins: [...new Set([new URL(fields.publicUrl).origin, ...fields.allowedOrigins])],
    alerts: { webhookUrl: alertUrl, email, silentMinutes: alertSilentMinutes },
  }
}

/** What two settings say against each other. A field with a fault of its own is undefined here. */
function contradictions(fields: Partial<Fields>, isTest: boolean, { isProduction, isGiven }: Reader): string[] {
  const { secret, maxDescription = 255 } = fields
  const faults: string[] = []
  if (isTest && fields.paymentMode === 'live')
    faults.push(
      'HC_PAYMENT_MODE says live, but the service is on loopback or the consumer key is a test key: ' +
        'no real money would move.',
    )
  if ((fields.description?.length ?? 0) > maxDescription)
    faults.push(`HC_DESCRIPTION must not be longer than ${maxDescription} characters.`)
  if (fields.shopLogo !== undefined && 'url' in fields.shopLogo && !isKnownLogo(fields.shopLogo.url, fields))
    faults.push('HC_SHOP_LOGO is at an origin that HC_ALLOWED_ORIGINS does not name: add it there, or give a file.')
  if ((isProduction || !isTest) && decodeOrKeep(fields.databaseUrl ?? '') === 'file::memory:')
    faults.push('HC_DATABASE_URL is :memory:, where payments are lost when the companion ends; name a file.')
  if (secret !== undefined && fields.previousSecret === secret)
    faults.push('HC_SECRET_PREVIOUS is the same as HC_SECRET; give the secret of before the rotation, or none.')
  if (secret !== undefined && fields.merchantKey === secret)
    faults.push('HC_MERCHANT_KEY is the same as HC_SECRET; they are given to different people and must differ.')
  const { merchantKey, previousMerchantKey, readKey } = fields
  if (previousMerchantKey !== undefined && previousMerchantKey === merchantKey)
    faults.push(
      'HC_MERCHANT_KEY_PREVIOUS is the same as HC_MERCHANT_KEY; give the key of before the rotation, or none.',
    )
  if (readKey !== undefined && [merchantKey, previousMerchantKey, secret].includes(readKey))
    faults.push('HC_READ_KEY is the same as another key or secret: whoever may only read would be let in everywhere.')
  const mails = (['alertSmtpUrl', 'alertFrom', 'alertTo'] as const).filter(isGiven).length
  if (mails === 1 || mails === 2)
    faults.push('HC_ALERT_SMTP_URL, HC_ALERT_FROM and HC_ALERT_TO belong together; give all three or none.')
  return faults
}

function isKnownLogo(url: string, { allowedOrigins = [], publicUrl }: Partial<Fields>): boolean {
  const { origin } = new URL(url)
  return allowedOrigins.includes(origin) || (publicUrl !== undefined && new URL(publicUrl).origin === origin)
}

/**
 * Not HC_ALLOWED_ORIGINS: pages of an app (Capacitor, Ionic) are https://localhost on each phone.
 */
function notForProduction(
  { authUrl, baseUrl, publicUrl, checkoutOrigins }: Partial<Fields>,
  testKeys: boolean,
): string[] {
  const faults = Object.entries({
    HC_AUTH_URL: authUrl,
    HC_BASE_URL: baseUrl,
    HC_PUBLIC_URL: publicUrl,
    HC_CHECKOUT_ORIGINS: checkoutOrigins,
  })
    .filter(([, urls]) => [urls ?? []].flat().some(isLoopback))
    .map(([name]) => `${name} points to loopback, which NODE_ENV=production refuses.`)
  if (testKeys) faults.push('HC_CONSUMER_KEY is a sandbox or test key, which NODE_ENV=production refuses.')
  return faults
}

/**
 * Reads only HC_DATABASE_URL, for commands that need nothing else.
 *
 * @throws SettingsError
 */
export function readDatabaseUrl(env: Environment, readFile?: ReadFile): string {
  const reader = createReader(env, readFile)
  const url = reader.read('databaseUrl')
  reader.refuse()
  return url as string
}

/**
 * Reads only HC_MERCHANT_KEY, however weak; undefined if it is not given.
 *
 * @throws SettingsError if its file cannot be read.
 */
export function readMerchantKey(env: Environment): string | undefined {
  const reader = createReader(env)
  const key = reader.text('merchantKey')
  reader.refuse()
  return key
}

/**
 * Reads only HC_NOTIFY_SECRET; empty if it is not given.
 *
 * @throws SettingsError if it is no secret, or its file cannot be read.
 */
export function readNotifySecrets(env: Environment): readonly string[] {
  const reader = createReader(env)
  const secrets = reader.read('notifySecrets')
  reader.refuse()
  return secrets as readonly string[]
}

type Reader = ReturnType<typeof createReader>

/** Reads single settings, from the variable or the file of `<name>_FILE`, and collects faults. */
function createReader(given: Environment, readFile: ReadFile = (path) => readFileSync(path, 'utf8')) {
  const { env } = meantEnvironment(given)
  const isProduction = env['NODE_ENV'] === 'production'
  const onLoopback = [env['HC_AUTH_URL'], env['HC_BASE_URL']].some((url) => isLoopback(url?.trim() ?? ''))
  const { shape } = settingsSchema(onLoopback && !isProduction)
  const faults: string[] = []
  const misspelt = misspeltSettings(env)

  /** What is written for a setting: its text, the file that holds it, or wrongly both. */
  function written(field: Field) {
    const { name, secret } = variableOf(field)
    const valueOf = (key: string) => env[key]?.trim() || undefined
    return { direct: valueOf(name), file: secret === undefined ? undefined : valueOf(`${name}_FILE`) }
  }

  /** Whether it is given, be it wrong: then that is its fault, not that it is missing. */
  function isGiven(field: Field): boolean {
    const { direct, file } = written(field)
    return direct !== undefined || file !== undefined
  }

  /** A misspelt variable is told in the same sentence: some commands read one setting only. */
  function need(field: Field, why: string): void {
    if (isGiven(field)) return
    const { name } = variableOf(field)
    const beside = misspelt.find(({ meant }) => meant === name)
    faults.push(`${name} is missing: ${why}${beside === undefined ? '' : ` ${beside.says}`}`)
  }

  /** The trimmed text; undefined if it is not given or its file cannot be read. */
  function text(field: Field): string | undefined {
    const { name } = variableOf(field)
    const { direct, file } = written(field)
    if (file === undefined) return direct
    if (direct !== undefined) {
      faults.push(`${name} and ${name}_FILE are both given; keep one.`)
      return undefined
    }
    try {
      const content = readFile(file).trim()
      if (content === '') faults.push(`${name}_FILE names an empty file.`)
      return content === '' ? undefined : content
    } catch (error) {
      const code = codeOf(error)
      faults.push(`${name}_FILE names a file that cannot be read${code === '' ? '' : ` (${code})`}.`)
      return undefined
    }
  }

  /** The parsed value, or the default; undefined if it is wrong, or missing without a default. */
  function read(field: Field): unknown {
    const { name, required, about } = variableOf(field)
    if (required) need(field, about)
    const content = text(field)
    if (content === undefined && (required || isGiven(field))) return undefined
    const result = (shape[field] as z.ZodType).safeParse(content)
    if (!result.success) {
      const { message, path } = result.error.issues[0]!
      const [at] = path
      // The value may be a secret: an entry of several is named by its place.
      const which = typeof at === 'number' && /[\s,]/.test(content ?? '') ? ` It is entry ${at + 1}.` : ''
      faults.push(`${name} ${message}${which}`)
    }
    return result.data
  }

  /** @throws SettingsError if a fault was found. */
  function refuse(): void {
    if (faults.length === 0) return
    // The file was not named: nobody forgets them all.
    const noneGiven = Object.keys(given).some((name) => name.startsWith('HC_'))
      ? []
      : [
          'HC_… variables are not in the environment at all: name the file that holds them, as ' +
            '--env-file companion.env.',
        ]
    throw new SettingsError([...faults, ...noneGiven])
  }

  return { all: Object.keys(shape) as Field[], faults, isProduction, onLoopback, isGiven, need, text, read, refuse }
}

function variableOf(field: Field): SettingVariable {
  return settingsTable.find((setting) => setting.field === field)!
}
