// The checked settings of a companion. `readSettings` makes them from the HC_* environment variables, or reports what is missing or
// wrong in one sentence for each fault, without any value.
import type { CurrencyCode, Mode } from '../contract/index.ts'
import type { Limit } from './groups.ts'
import { meantEnvironment } from './environment.ts'
import * as groups from './groups.ts'
import { createSettingsSource, type Environment, type ReadFile } from './source.ts'
import * as values from './values.ts'

export type { Limit } from './groups.ts'

/** Each comes from the HC_* variable of the same name; for defaults see table.ts. */
export interface Settings {
  /** `test` marks everything that a customer or backend sees. */
  readonly paymentMode: Mode
  /** `{auth_url}` and `{base_url}` of SERVICE.txt; no trailing slash. */
  readonly authUrl: string
  readonly baseUrl: string
  /** HTTP proxy for all calls to the service, with its user and password. */
  readonly upstreamProxy?: string
  readonly consumerKey: string
  readonly consumerSecret: string
  /** PEM. */
  readonly privateKey: string
  readonly businessId: string
  /** Wallet for each currency; a currency without one is not on offer. */
  readonly wallets: Readonly<Partial<Record<CurrencyCode, string>>>
  /** Where browsers and the service reach this companion; no trailing slash. */
  readonly publicUrl: string
  /** Origins of the pages that may use it, including the companion's own. */
  readonly allowedOrigins: readonly string[]
  /** Origins to which a redirect_url may point. */
  readonly checkoutOrigins: readonly string[]
  /** `file:…` or `postgres://…`. */
  readonly databaseUrl: string
  /** Installation secret: tokens, links and webhook keys are derived from it. */
  readonly secret: string
  /** Still accepted after a rotation. */
  readonly previousSecret?: string
  /** Bearer token of the merchant backend's endpoints. */
  readonly merchantKey: string
  /** Where notices are sent. */
  readonly notifyUrl?: string
  /** Standard Webhooks secrets, newest first; each adds a signature. */
  readonly notifySecrets: readonly string[]
  /** Bearer token of /metrics and the details of /readyz. Without one they are for callers on this machine. */
  readonly opsToken?: string
  /** `sessions`: payments start only from a session of the merchant's backend. */
  readonly mode: 'open' | 'sessions'
  readonly limits: Readonly<Record<CurrencyCode, Limit>>
  /** Description of a payment without a session. */
  readonly description: string
  /** Languages of the pages, the first being the default. */
  readonly locales: readonly string[]
  /** Days that payer details are kept after the end of a payment. */
  readonly retentionDays: number
  /** CIDR blocks or addresses whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** If not empty, only these addresses may call the webhook. */
  readonly webhookAllow: readonly string[]
  /** Where the program listens. */
  readonly host: string
  readonly port: number
  /** `query`: only our own signed status query decides (money rule 3). */
  readonly confirm: 'query' | 'callback'
  /** Order of the fields in the hash of a callback (FACTS.md). */
  readonly hashOrder: 'documented' | 'received'
  /** Keys of the webhook hash; the consumer key unless set. */
  readonly hashKey: string
  readonly previousHashKey?: string
  /** Path of the status query (FACTS.md, "Transaction query"). */
  readonly queryPath: string
  /** Maximum lengths that the service accepts, in characters. */
  readonly maxReference: number
  readonly maxDescription: number
  readonly maxName: number
  /** Requests a minute to the service, shared by all instances. */
  readonly rate: number
  /** How alerts reach a person. */
  readonly alerts: {
    readonly webhookUrl?: string
    readonly email?: { readonly smtpUrl: string; readonly from: string; readonly to: string }
    /** Minutes without any callback while payments are open before an alert. 0 = never. */
    readonly silentMinutes: number
  }
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
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

/**
 * Reads and checks all settings.
 *
 * @param env usually `process.env`; each secret `NAME` also as `NAME_FILE`, the path of a file that holds it.
 * @param readFile reads such a file; default UTF-8 from disk.
 * @throws SettingsError with all faults at once.
 */
export function readSettings(env: Environment, readFile?: ReadFile): Settings {
  // For plain JavaScript, where no type says so.
  if ((env as Environment | undefined) === undefined)
    throw new TypeError('The settings are read from the environment: give process.env.')
  const source = createSettingsSource(env, readFile)
  const { faults, optional } = source
  const service = groups.readService(source)
  const surroundings = groups.surroundingsOf(meantEnvironment(env).env, service)
  const settings = {
    ...service,
    ...groups.readProtocol(source, service.consumerKey),
    ...groups.readAddresses(source, surroundings),
    ...groups.readOffer(source, surroundings),
    ...groups.readStore(source, surroundings),
    ...groups.readNotices(source, surroundings),
    alerts: groups.readAlerts(source),
    logLevel: optional('HC_LOG_LEVEL', values.oneOf(['debug', 'info', 'warn', 'error'])) ?? 'info',
  }
  if (surroundings.production) faults.push(...notForProduction(settings, surroundings.testKeys))
  if (faults.length > 0 || !isComplete(settings)) throw new SettingsError([...new Set(faults), ...noneGiven(env)])
  const own = new URL(settings.publicUrl).origin
  return { ...settings, allowedOrigins: [...new Set([own, ...settings.allowedOrigins])] }
}

/** Whether nothing required is missing: such a field is undefined, whereas an optional one without a value is left out. */
function isComplete<Fields extends object>(
  fields: Fields,
): fields is Fields & { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  return Object.values(fields).every((value) => value !== undefined)
}

/** Not HC_ALLOWED_ORIGINS: the pages of an app (Capacitor, Ionic, Cordova) are https://localhost on every customer's phone. */
function notForProduction(
  settings: { readonly [Key in 'authUrl' | 'baseUrl' | 'publicUrl']: string | undefined } & {
    readonly checkoutOrigins: readonly string[] | undefined
  },
  testKeys: boolean,
): string[] {
  const faults = Object.entries({
    HC_AUTH_URL: [settings.authUrl],
    HC_BASE_URL: [settings.baseUrl],
    HC_PUBLIC_URL: [settings.publicUrl],
    HC_CHECKOUT_ORIGINS: settings.checkoutOrigins ?? [],
  })
    .filter(([, urls]) => urls.some((url) => url !== undefined && values.isLoopback(url)))
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
  const { faults, required } = createSettingsSource(env, readFile)
  const url = required('HC_DATABASE_URL', values.databaseUrl)
  if (url === undefined) throw new SettingsError([...faults, ...noneGiven(env)])
  return url
}

/**
 * Reads only HC_MERCHANT_KEY; undefined if it is not given.
 *
 * @throws SettingsError if its file cannot be read.
 */
export function readMerchantKey(env: Environment): string | undefined {
  const { faults, text } = createSettingsSource(env)
  const key = text('HC_MERCHANT_KEY')
  if (faults.length > 0) throw new SettingsError(faults)
  return key
}

/** The file was not named: nobody forgets them all. */
function noneGiven(env: Environment): string[] {
  if (Object.keys(env).some((name) => name.startsWith('HC_'))) return []
  return [
    'HC_… variables are not in the environment at all: name the file that holds them, as --env-file companion.env.',
  ]
}
