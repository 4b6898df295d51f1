// The settings of a whole companion as a merchant gives them: environment variables, with a database in a folder of the test's own.
import { join } from 'node:path'
import { COMPANION_URL, keys, SANDBOX_URL, SHOP_URL, wallets } from './create-house.ts'

export function environment(folder: string): Record<string, string> {
  return {
    HC_AUTH_URL: SANDBOX_URL,
    HC_BASE_URL: SANDBOX_URL,
    HC_CONSUMER_KEY: keys.consumerKey,
    HC_CONSUMER_SECRET: keys.consumerSecret,
    HC_PRIVATE_KEY: keys.privateKey,
    HC_BUSINESS_ID: keys.businessId,
    HC_WALLETS: `KES:${wallets.KES}`,
    HC_PUBLIC_URL: COMPANION_URL,
    HC_ALLOWED_ORIGINS: SHOP_URL,
    HC_CHECKOUT_ORIGINS: SANDBOX_URL,
    HC_DATABASE_URL: `file:${join(folder, 'hc.db')}`,
    HC_SECRET: keys.secret,
    HC_MERCHANT_KEY: keys.merchantKey,
    HC_PORT: '0',
  }
}
