// The companion as a merchant runs it, in a process of its own, for the benchmarks. Prints nothing; speaks over the channel.
import { startCompanion } from '../../server/node.ts'
import { readFileSync } from 'node:fs'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { callbackBody } from './load.ts'

const [database = 'file::memory:', upstream = ''] = process.argv.slice(2)

const env = {
  HC_AUTH_URL: upstream, HC_BASE_URL: upstream, HC_CONSUMER_KEY: 'ck_bench_key', HC_CONSUMER_SECRET: 'cs_bench_secret_0123456789abcdef',
  HC_PRIVATE_KEY: readFileSync(new URL('../vectors/test-key.pem', import.meta.url), 'utf8'), HC_BUSINESS_ID: 'BIZ-BENCH', HC_WALLETS: 'KES:4559494901',
  HC_PUBLIC_URL: 'http://127.0.0.1:8787', HC_ALLOWED_ORIGINS: 'http://127.0.0.1:8080', HC_CHECKOUT_ORIGINS: upstream, HC_DATABASE_URL: database,
  HC_SECRET: 'is_bench_00112233445566778899aabbccddeeff', HC_MERCHANT_KEY: 'mk_bench_c0ffee00c0ffee00c0ffee00c0ffee00', HC_MODE: 'open',
  HC_TRUSTED_PROXIES: '127.0.0.1', HC_RATE: '1000000', HC_PORT: '0', HC_DESCRIPTION: 'Bench',
} // prettier-ignore

const running = await startCompanion(env)
process.send?.({ port: Number(new URL(running.url).port) })
process.on('message', (message: 'memory' | { webhooks: string[] }) => {
  if (message === 'memory')
    process.send?.({ rss: process.memoryUsage.rss(), peak: process.resourceUsage().maxRSS * 1024 })
  else {
    const capabilities = createCapabilities(env.HC_SECRET)
    process.send?.({
      bodies: message.webhooks.flatMap((reference) =>
        Array.from({ length: 8 }, (_, n) => ({
          path: `/v1/webhook/${capabilities.webhookKey(reference)}`,
          body: callbackBody(reference, `CP${reference}`, 'ck_bench_key', String(50 + n)),
        })),
      ),
    })
  }
})
