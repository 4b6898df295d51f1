// The settings of every simulated world; all secrets carry the canary, so that a leak shows.
import { DEFAULT_LIMITS } from '../../server/settings/schema.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { NOTIFY_URL } from './merchant.ts'
import { CHECKOUT_ORIGIN, CONSUMER_KEY } from './payment-service.ts'
import { MERCHANT_KEY, SHOP_ORIGIN } from './people.ts'
import { COMPANION_URL } from './network.ts'

export function simSettings(rate: number, changes: Partial<Settings> = {}): Settings {
  return {
    paymentMode: 'test',
    authUrl: 'https://auth.service.example',
    baseUrl: 'https://api.service.example',
    consumerKey: CONSUMER_KEY,
    consumerSecret: 'cs_canary_secret_qzux7wvu',
    privateKey: 'pem canary qzux7wvu',
    businessId: 'BIZ-QZUX7WVU',
    wallets: { KES: '4559494901' },
    publicUrl: COMPANION_URL,
    allowedOrigins: [SHOP_ORIGIN],
    checkoutOrigins: [CHECKOUT_ORIGIN],
    databaseUrl: 'postgres://simulated',
    secret: 'is_canary_installation_secret_qzux7wvu',
    merchantKey: MERCHANT_KEY,
    notifyUrl: NOTIFY_URL,
    notifySecrets: [`whsec_${Buffer.from('canary-qzux7wvu-canary-qzux7wvu-canary-qzux7wvu').toString('base64')}`],
    mode: 'open',
    limits: { ...DEFAULT_LIMITS },
    description: 'Payment',
    locales: ['en'],
    consoleUsers: [],
    timeZone: 'UTC',
    retentionDays: 90,
    trustedProxies: [],
    webhookAllow: [],
    host: '127.0.0.1',
    port: 0,
    confirm: 'query',
    hashOrder: 'documented',
    hashKey: CONSUMER_KEY,
    queryPath: '/api/v2/payment/status-query',
    maxReference: 64,
    maxDescription: 255,
    maxName: 100,
    rate,
    alerts: { silentMinutes: 0 },
    logLevel: 'info',
    ...changes,
  }
}
