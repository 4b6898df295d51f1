// Reads the settings group by group. Each function applies the defaults of its group and adds a fault where two of its settings
// contradict each other. A required setting that is missing is undefined here and has a fault, so `readSettings` never returns it.
import type { CurrencyCode } from '../contract/index.ts'
import { decodeOrKeep } from '../decode.ts'
import type { Environment, SettingsSource } from './source.ts'
import * as values from './values.ts'
import { withoutUndefined } from '../without-undefined.ts'

/** Smallest and largest amount of a payment, in whole major units. */
export interface Limit {
  readonly min: number
  readonly max: number
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

/** What other groups are checked by. */
export interface Surroundings {
  readonly production: boolean
  /** The payment service is on this machine. */
  readonly onLoopback: boolean
  /** The consumer key is one of a sandbox. */
  readonly testKeys: boolean
  /** A sandbox on this machine, and not in production: no money moves, so weaker secrets and plain http on the local network are enough. */
  readonly isPlay: boolean
}

type Service = ReturnType<typeof readService>

export function surroundingsOf(env: Environment, { authUrl, baseUrl, consumerKey }: Service): Surroundings {
  const production = env['NODE_ENV'] === 'production'
  const onLoopback = [authUrl, baseUrl].some((url) => url !== undefined && values.isLoopback(url))
  const testKeys = consumerKey !== undefined && /(^|[^a-z])(test|sandbox|sbx)([^a-z]|$)/i.test(consumerKey)
  return { production, onLoopback, testKeys, isPlay: onLoopback && !production }
}

/** The payment service: its addresses, and the account there. */
export function readService({ faults, optional, required }: SettingsSource) {
  const authUrl = required('HC_AUTH_URL', values.httpUrl())
  const baseUrl = required('HC_BASE_URL', values.httpUrl())
  for (const [name, url] of [
    ['HC_AUTH_URL', authUrl],
    ['HC_BASE_URL', baseUrl],
  ] as const)
    if (url !== undefined && /\/api\/v2(\/|$)/.test(url))
      faults.push(`${name} must end before /api/v2, which the companion adds.`)
  const upstreamProxy = optional('HC_UPSTREAM_PROXY', values.proxyUrl)
  return {
    authUrl,
    baseUrl,
    ...(upstreamProxy === undefined ? {} : { upstreamProxy }),
    consumerKey: required('HC_CONSUMER_KEY', values.credential(512)),
    consumerSecret: required('HC_CONSUMER_SECRET', values.credential(1024)),
    privateKey: required('HC_PRIVATE_KEY', values.privateKey),
    businessId: required('HC_BUSINESS_ID', values.credential(128)),
    wallets: required('HC_WALLETS', values.wallets),
  }
}

/** How the service behaves where SERVICE.txt leaves it open (FACTS.md). */
export function readProtocol({ optional, whole }: SettingsSource, consumerKey: string | undefined) {
  const previousHashKey = optional('HC_HASH_KEY_PREVIOUS', values.credential(1024))
  return {
    confirm: optional('HC_CONFIRM', values.oneOf(['query', 'callback'])) ?? 'query',
    hashOrder: optional('HC_HASH_ORDER', values.oneOf(['documented', 'received'])) ?? 'documented',
    hashKey: optional('HC_HASH_KEY', values.credential(1024)) ?? consumerKey,
    ...(previousHashKey === undefined ? {} : { previousHashKey }),
    queryPath: optional('HC_QUERY_PATH', values.path) ?? '/api/v2/payment/status-query',
    rate: whole('HC_RATE') ?? 1500,
    maxReference: whole('HC_MAX_REFERENCE') ?? 64,
    maxName: whole('HC_MAX_NAME') ?? 100,
  }
}

/** Where the companion listens, who reaches it, and where it sends customers. */
export function readAddresses({ optional, required, whole }: SettingsSource, { isPlay }: Surroundings) {
  // A sandbox on this machine may be opened from a phone on the same network; real keys are never sent over plain http.
  const lan = { lan: isPlay }
  return {
    publicUrl: required('HC_PUBLIC_URL', values.httpUrl({ ...lan, root: true })),
    allowedOrigins: optional('HC_ALLOWED_ORIGINS', values.origins({ ...lan, apps: true })) ?? [],
    checkoutOrigins: required('HC_CHECKOUT_ORIGINS', values.origins(lan)),
    trustedProxies: optional('HC_TRUSTED_PROXIES', values.addressBlocks) ?? [],
    webhookAllow: optional('HC_WEBHOOK_ALLOW', values.addressBlocks) ?? [],
    host: optional('HC_HOST', values.host) ?? '127.0.0.1',
    port: whole('HC_PORT') ?? 8787,
  }
}

/** Which payments are taken, and how they are shown. */
export function readOffer({ faults, isGiven, optional, whole, missing }: SettingsSource, surroundings: Surroundings) {
  const { production, onLoopback, testKeys } = surroundings
  const paymentMode = optional('HC_PAYMENT_MODE', values.oneOf(['test', 'live']))
  if (paymentMode === 'live' && (onLoopback || testKeys)) {
    faults.push(
      'HC_PAYMENT_MODE says live, but the service is on loopback or the consumer key is a test key: no real money would move.',
    )
  }
  if (production && !isGiven('HC_MODE')) {
    missing(
      'HC_MODE',
      "with NODE_ENV=production say sessions (payments start from the merchant's backend) or open (anyone may start one) yourself.",
    )
  }
  const maxDescription = whole('HC_MAX_DESCRIPTION') ?? 255
  return {
    paymentMode: paymentMode ?? (onLoopback || testKeys ? 'test' : 'live'),
    mode: optional('HC_MODE', values.oneOf(['open', 'sessions'])) ?? 'open',
    limits: { ...DEFAULT_LIMITS, ...optional('HC_LIMITS', values.limits) },
    description: optional('HC_DESCRIPTION', values.shownLine(maxDescription)) ?? 'Payment',
    maxDescription,
    locales: optional('HC_LOCALES', values.locales) ?? ['en', 'fr', 'sw'],
  }
}

/** The store, and the secrets of this installation. */
export function readStore({ faults, optional, required, whole }: SettingsSource, surroundings: Surroundings) {
  const { production, onLoopback, testKeys, isPlay } = surroundings
  const strongSecret = (length: number) => (isPlay ? values.strongSecret(16, 1) : values.strongSecret(length))
  /** RFC 6750: what a bearer token may consist of. */
  const bearerToken = (length: number) =>
    strongSecret(length)
      .max(512, 'must have at most 512 characters.')
      .regex(/^[\w.~+/-]+=*$/, 'may have letters, digits and - . _ ~ + / only, and = at its end: it is a bearer token.')
  const databaseUrl = required('HC_DATABASE_URL', values.databaseUrl)
  const mayBeLive = production || !(onLoopback || testKeys)
  if (mayBeLive && decodeOrKeep(databaseUrl ?? '') === 'file::memory:')
    faults.push('HC_DATABASE_URL is :memory:, where payments are lost when the companion ends; name a file.')
  const secret = required('HC_SECRET', strongSecret(32))
  const previousSecret = optional('HC_SECRET_PREVIOUS', strongSecret(32))
  const merchantKey = required('HC_MERCHANT_KEY', bearerToken(32))
  if (previousSecret !== undefined && previousSecret === secret) {
    faults.push('HC_SECRET_PREVIOUS is the same as HC_SECRET; give the secret of before the rotation, or none.')
  }
  if (merchantKey !== undefined && merchantKey === secret) {
    faults.push('HC_MERCHANT_KEY is the same as HC_SECRET; they are given to different people and must differ.')
  }
  const opsToken = optional('HC_OPS_TOKEN', bearerToken(24))
  return {
    databaseUrl,
    secret,
    ...(previousSecret === undefined ? {} : { previousSecret }),
    merchantKey,
    ...(opsToken === undefined ? {} : { opsToken }),
    retentionDays: whole('HC_RETENTION_DAYS') ?? 90,
  }
}

/** The notices to the merchant's backend. */
export function readNotices({ isGiven, optional, missing }: SettingsSource, { isPlay }: Surroundings) {
  const notifyUrl = optional('HC_NOTIFY_URL', values.httpUrl({ lan: isPlay, query: true }))
  if (notifyUrl !== undefined && !isGiven('HC_NOTIFY_SECRET')) {
    missing(
      'HC_NOTIFY_SECRET',
      'HC_NOTIFY_URL is given, and notices are sent signed only (hc-checkout-server keygen makes a secret).',
    )
  }
  return {
    ...(notifyUrl === undefined ? {} : { notifyUrl }),
    notifySecrets: optional('HC_NOTIFY_SECRET', values.notifySecrets) ?? [],
  }
}

/** What tells a person of trouble. */
export function readAlerts({ faults, isGiven, optional, whole }: SettingsSource) {
  const webhookUrl = optional('HC_ALERT_URL', values.httpUrl({ query: true }))
  const smtpUrl = optional('HC_ALERT_SMTP_URL', values.smtpUrl)
  const from = optional('HC_ALERT_FROM', values.email)
  const to = optional('HC_ALERT_TO', values.email)
  const email = smtpUrl === undefined || from === undefined || to === undefined ? undefined : { smtpUrl, from, to }
  const given = (['HC_ALERT_SMTP_URL', 'HC_ALERT_FROM', 'HC_ALERT_TO'] as const).filter(isGiven)
  if (given.length === 1 || given.length === 2) {
    faults.push('HC_ALERT_SMTP_URL, HC_ALERT_FROM and HC_ALERT_TO belong together; give all three or none.')
  }
  return {
    ...withoutUndefined({ webhookUrl, email }),
    silentMinutes: whole('HC_ALERT_SILENT_MINUTES') ?? 60,
  }
}
