// The settings of a companion in the benchmark, and genuine callbacks for it.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const CONSUMER_KEY = 'ck_bench_key'
/** Tokens and webhook addresses are derived from it. */
export const SECRET = 'is_bench_00112233445566778899aabbccddeeff'
const OPS_TOKEN = 'ops_bench_0123456789abcdef0123456789abcdef'

/** @param upstream address of the stub of the payment service */
export function benchEnv(
  database: string,
  upstream: string,
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    HC_AUTH_URL: upstream, HC_BASE_URL: upstream, HC_CONSUMER_KEY: CONSUMER_KEY, HC_CONSUMER_SECRET: 'cs_bench_secret_0123456789abcdef',
    HC_PRIVATE_KEY: readFileSync(new URL('../vectors/test-key.pem', import.meta.url), 'utf8'), HC_BUSINESS_ID: 'BIZ-BENCH', HC_WALLETS: 'KES:4559494901',
    HC_PUBLIC_URL: 'http://127.0.0.1:8787', HC_ALLOWED_ORIGINS: 'http://127.0.0.1:8080', HC_CHECKOUT_ORIGINS: upstream, HC_DATABASE_URL: database,
    HC_SECRET: SECRET, HC_MERCHANT_KEY: 'mk_bench_c0ffee00c0ffee00c0ffee00c0ffee00', HC_OPS_TOKEN: OPS_TOKEN, HC_MODE: 'open',
    HC_TRUSTED_PROXIES: '127.0.0.1', HC_RATE: '1000000', HC_PORT: '0', HC_DESCRIPTION: 'Bench', ...given,
  } // prettier-ignore
}

/**
 * A success callback of `reference`, hashed as in open-points.md. Other fees make a different
 * callback, which is stored separately.
 */
export function callbackBody(reference: string, fees: string): string {
  const fields = {
    channel: '420001', reference, transaction_id: `CP${reference}`, third_party_id: 'SP7S36U3T8', currency: 'KES', amount: '2500', fees,
    acc_name: 'Achieng Otieno', result_code: 0, result_description: 'The service request is processed successfully.',
  } // prettier-ignore
  return JSON.stringify({
    ...fields,
    hash: createHmac('sha256', CONSUMER_KEY).update(Object.values(fields).join('')).digest('hex'),
  })
}

/**
 * The payers are different people: what is kept for one name alone would be faster than in a shop.
 * `n` below 2^32.
 */
export function payer(n: number): { readonly name: string; readonly phone: string } {
  const surname = n.toString(36).replaceAll(/[0-9]/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
  return { name: `Achieng Otieno ${surname}`, phone: `2547${String(n % 100_000_000).padStart(8, '0')}` }
}

/** Request body of a deposit. */
export function depositBody(n: number): string {
  const { name, phone } = payer(n)
  return `{"country":"KE","currency":"KES","amount":2500,"payer":{"name":"${name}","phone":"${phone}"}}`
}
