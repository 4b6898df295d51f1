// The checked settings of a companion. `readSettings` makes them from the HC_* environment variables, or reports what is missing or
// wrong in one sentence for each fault, without any value.
import type { CurrencyCode, Mode } from './contract/index.ts'
import * as values from './settings-values.ts'
import { createSettingsSource, type Environment, type ReadFile } from './settings-source.ts'

/** Smallest and largest amount of a payment, in whole major units. */
export interface Limit {
  readonly min: number
  readonly max: number
}

/** Each comes from the HC_* variable of the same name; for defaults see settings-table.ts. */
export interface Settings {
  /** `test` marks everything that a customer or backend sees (DESIGN.md). */
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
  /** Bearer token of /metrics and the details of /readyz, for callers not on loopback. */
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

/** Whole major units. SERVICE.txt gives no limits ("not shown"): these are ours, around the usual wallet limits of each market. */
export const DEFAULT_LIMITS: Readonly<Record<CurrencyCode, Limit>> = {
  KES: { min: 10, max: 150_000 },
  TZS: { min: 500, max: 5_000_000 },
  UGX: { min: 500, max: 5_000_000 },
  ETB: { min: 10, max: 150_000 },
  SOS: { min: 1_000, max: 1_000_000 },
  RWF: { min: 100, max: 2_000_000 },
  BIF: { min: 500, max: 5_000_000 },
  NGN: { min: 100, max: 2_000_000 },
  GHS: { min: 1, max: 20_000 },
  XOF: { min: 100, max: 2_000_000 },
}

/**
 * Reads and checks all settings.
 *
 * @param env usually `process.env`; each secret `NAME` also as `NAME_FILE`, the path of a file that holds it.
 * @param readFile reads such a file; default UTF-8 from disk.
 * @throws SettingsError with all faults at once.
 */
export function readSettings(env: Environment, readFile?: ReadFile): Settings {
  const { faults, text, optional, required, missing } = createSettingsSource(env, readFile)
  const production = env['NODE_ENV'] === 'production'

  const authUrl = required('HC_AUTH_URL', values.httpUrl())
  const baseUrl = required('HC_BASE_URL', values.httpUrl())
  const onLoopback = [authUrl, baseUrl].some((url) => url !== undefined && values.isLoopback(url))
  // A sandbox on this machine may be opened from a phone on the same network; real keys are never sent over plain http.
  const lan = { lan: onLoopback && !production }
  const consumerKey = required('HC_CONSUMER_KEY', values.line(512))
  // With a sandbox on this machine no money moves, so a secret typed by hand is enough.
  const strongSecret = (length: number) =>
    onLoopback && !production ? values.strongSecret(16, 1) : values.strongSecret(length)
  const testKeys = consumerKey !== undefined && /(^|[^a-z])(test|sandbox|sbx)([^a-z]|$)/i.test(consumerKey)
  const publicUrl = required('HC_PUBLIC_URL', values.httpUrl({ ...lan, root: true }))
  const maxDescription = optional('HC_MAX_DESCRIPTION', values.whole(10, 10_000)) ?? 255
  const notifyUrl = optional('HC_NOTIFY_URL', values.httpUrl({ ...lan, query: true }))
  const notifySecrets = optional('HC_NOTIFY_SECRET', values.notifySecrets)
  const mode = optional('HC_MODE', values.oneOf(['open', 'sessions']))
  const paymentMode = optional('HC_PAYMENT_MODE', values.oneOf(['test', 'live']))
  const alertUrl = optional('HC_ALERT_URL', values.httpUrl({ query: true }))
  const email = {
    smtpUrl: optional('HC_ALERT_SMTP_URL', values.smtpUrl),
    from: optional('HC_ALERT_FROM', values.email),
    to: optional('HC_ALERT_TO', values.email),
  }

  const settings = {
    paymentMode: paymentMode ?? (onLoopback || testKeys ? 'test' : 'live'),
    authUrl,
    baseUrl,
    ...given('upstreamProxy', optional('HC_UPSTREAM_PROXY', values.proxyUrl)),
    consumerKey,
    consumerSecret: required('HC_CONSUMER_SECRET', values.line(1024)),
    privateKey: required('HC_PRIVATE_KEY', values.privateKey),
    businessId: required('HC_BUSINESS_ID', values.line(128)),
    wallets: required('HC_WALLETS', values.wallets),
    publicUrl,
    allowedOrigins: optional('HC_ALLOWED_ORIGINS', values.origins({ ...lan, apps: true })) ?? [],
    checkoutOrigins: required('HC_CHECKOUT_ORIGINS', values.origins(lan)),
    databaseUrl: required('HC_DATABASE_URL', values.databaseUrl),
    secret: required('HC_SECRET', strongSecret(32)),
    ...given('previousSecret', optional('HC_SECRET_PREVIOUS', strongSecret(32))),
    merchantKey: required('HC_MERCHANT_KEY', strongSecret(32)),
    ...given('notifyUrl', notifyUrl),
    notifySecrets: notifySecrets ?? [],
    ...given('opsToken', optional('HC_OPS_TOKEN', strongSecret(24))),
    mode: mode ?? 'open',
    limits: { ...DEFAULT_LIMITS, ...optional('HC_LIMITS', values.limits) },
    description: optional('HC_DESCRIPTION', values.line(maxDescription)) ?? 'Payment',
    locales: optional('HC_LOCALES', values.locales) ?? ['en', 'fr', 'sw'],
    retentionDays: optional('HC_RETENTION_DAYS', values.whole(1, 3650)) ?? 90,
    trustedProxies: optional('HC_TRUSTED_PROXIES', values.addressBlocks) ?? [],
    webhookAllow: optional('HC_WEBHOOK_ALLOW', values.addressBlocks) ?? [],
    host: optional('HC_HOST', values.host) ?? '127.0.0.1',
    port: optional('HC_PORT', values.whole(0, 65_535)) ?? 8787,
    confirm: optional('HC_CONFIRM', values.oneOf(['query', 'callback'])) ?? 'query',
    hashOrder: optional('HC_HASH_ORDER', values.oneOf(['documented', 'received'])) ?? 'documented',
    hashKey: optional('HC_HASH_KEY', values.line(1024)) ?? consumerKey,
    ...given('previousHashKey', optional('HC_HASH_KEY_PREVIOUS', values.line(1024))),
    queryPath: optional('HC_QUERY_PATH', values.path) ?? '/api/v2/payment/status-query',
    maxReference: optional('HC_MAX_REFERENCE', values.whole(24, 1024)) ?? 64,
    maxDescription,
    maxName: optional('HC_MAX_NAME', values.whole(2, 1024)) ?? 100,
    rate: optional('HC_RATE', values.whole(10, 1_000_000)) ?? 1500,
    alerts: {
      ...given('webhookUrl', alertUrl),
      ...given('email', wholeMail(email)),
      silentMinutes: optional('HC_ALERT_SILENT_MINUTES', values.whole(0, 10_080)) ?? 60,
    },
    logLevel: optional('HC_LOG_LEVEL', values.oneOf(['debug', 'info', 'warn', 'error'])) ?? 'info',
  }

  if (notifyUrl !== undefined && notifySecrets === undefined && text('HC_NOTIFY_SECRET') === undefined) {
    missing(
      'HC_NOTIFY_SECRET',
      'HC_NOTIFY_URL is given, and notices are sent signed only (hc-checkout-server keygen makes a secret).',
    )
  }
  if (Object.values(email).some((part) => part !== undefined) && wholeMail(email) === undefined) {
    faults.push('HC_ALERT_SMTP_URL, HC_ALERT_FROM and HC_ALERT_TO belong together; give all three or none.')
  }
  if (settings.previousSecret !== undefined && settings.previousSecret === settings.secret) {
    faults.push('HC_SECRET_PREVIOUS is the same as HC_SECRET; give the secret of before the rotation, or none.')
  }
  if (settings.merchantKey !== undefined && settings.merchantKey === settings.secret) {
    faults.push('HC_MERCHANT_KEY is the same as HC_SECRET; they are given to different people and must differ.')
  }
  if (paymentMode === 'live' && (onLoopback || testKeys)) {
    faults.push(
      'HC_PAYMENT_MODE says live, but the service is on loopback or the consumer key is a test key: no real money would move.',
    )
  }
  for (const [name, url] of [
    ['HC_AUTH_URL', authUrl],
    ['HC_BASE_URL', baseUrl],
  ] as const)
    if (url?.endsWith('/api/v2') === true) faults.push(`${name} must end before /api/v2, which the companion adds.`)
  if (production) {
    // Not HC_ALLOWED_ORIGINS: the pages of an app (Capacitor, Ionic, Cordova) are https://localhost on every customer's phone.
    for (const [name, urls] of [
      ['HC_AUTH_URL', [authUrl]],
      ['HC_BASE_URL', [baseUrl]],
      ['HC_PUBLIC_URL', [publicUrl]],
      ['HC_CHECKOUT_ORIGINS', settings.checkoutOrigins ?? []],
    ] as const) {
      if (urls.some((url) => url !== undefined && values.isLoopback(url)))
        faults.push(`${name} points to loopback, which NODE_ENV=production refuses.`)
    }
    if (testKeys) faults.push('HC_CONSUMER_KEY is a sandbox or test key, which NODE_ENV=production refuses.')
    if (mode === undefined && text('HC_MODE') === undefined) {
      missing(
        'HC_MODE',
        "with NODE_ENV=production say sessions (payments start from the merchant's backend) or open (anyone may start one) yourself.",
      )
    }
  }
  if (faults.length > 0) throw new SettingsError([...new Set(faults)])
  const ready = settings as Settings
  const own = new URL(ready.publicUrl).origin
  return { ...ready, allowedOrigins: [...new Set([own, ...ready.allowedOrigins])] }
}

/**
 * Reads only HC_DATABASE_URL, for commands that need nothing else.
 *
 * @throws SettingsError
 */
export function readDatabaseUrl(env: Environment, readFile?: ReadFile): string {
  const { faults, required } = createSettingsSource(env, readFile)
  const url = required('HC_DATABASE_URL', values.databaseUrl)
  if (url === undefined) throw new SettingsError(faults)
  return url
}

/** An object with the key, or an empty one if the value is undefined. */
function given<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value })
}

function wholeMail(parts: {
  smtpUrl: string | undefined
  from: string | undefined
  to: string | undefined
}): NonNullable<Settings['alerts']['email']> | undefined {
  const { smtpUrl, from, to } = parts
  return smtpUrl === undefined || from === undefined || to === undefined ? undefined : { smtpUrl, from, to }
}
