// Twelve secrets and a thousand payers, each with a marker, through every output: log, errors,
// metrics, alerts, notices, pages, other people's answers and streams. No marker may appear
// anywhere.
import { describe, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { createLog } from '../../server/platform/logging/log.ts'
import { secretsOf } from '../../server/settings/secrets.ts'
import type { Logger } from '../../server/platform/logging/logger.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { createChance } from '../sim/chance.ts'
import { SHOP_ORIGIN } from '../sim/people.ts'
import { createStage, tell } from './stage.ts'

const payers = Number(process.env['HC_CANARIES'] ?? 1_000)
const mark = (number: number) => `qzux7wvusecret${String(number).padStart(2, '0')}qzux7wvusecret`
const secrets = {
  consumerKey: mark(1),
  consumerSecret: mark(2),
  privateKey: `-----BEGIN PRIVATE KEY-----\n${mark(3)}\n-----END PRIVATE KEY-----`,
  secret: mark(4),
  previousSecret: mark(5),
  notifySecrets: [`whsec_${Buffer.from(mark(6).padEnd(32)).toString('base64')}`],
  opsToken: mark(7),
  hashKey: 'ck_canary_consumer_key_qzux7wvu',
  previousHashKey: mark(9),
  databaseUrl: `postgres://shop:${mark(10)}@db.example/pay`,
  alerts: { silentMinutes: 0, webhookUrl: `https://alerts.example/${mark(11)}`, email: { smtpUrl: `smtps://mail:${mark(12)}@mail.example`, from: 'a@b.example', to: 'c@d.example' } },
} // prettier-ignore
const LEAK = new RegExp(`qzux7wvu|0998877|${Buffer.from(mark(6)).toString('base64').slice(0, 20)}`, 'i')

/** Everything that could be logged, before any net under it: no part may rely on the net. */
function bareLogger(lines: string[]): Logger {
  const line = (fields: object, message?: string) =>
    void lines.push(
      `${message} ${JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? `${value.message} ${value.stack} ${String(value.cause)}` : value))}`,
    )
  return { debug: line, info: line, warn: line, error: line }
}

describe(`${Object.keys(secrets).length + 1} secrets and ${payers} payers`, () => {
  it(
    'are found in no log line, error, metric, alert, notice, page, nor answer to anybody else',
    async () => {
      const chance = createChance(4)
      const made: CreatedDeposit[] = []
      const lines: string[] = []
      const written: string[] = []
      const heard: string[] = []
      const metrics = createMetrics()
      const stage = createStage({
        settings: secrets,
        extra: { metrics, readMetrics: () => metrics.read() },
        alert: (kind, detail) => heard.push(`${kind} ${detail}`),
        logger: bareLogger(lines),
        faults: {
          // Once most have paid: by chance it would take most of them away.
          create: () =>
            made.length > payers * 0.34
              ? 'market_off'
              : chance.pick([undefined, undefined, undefined, 'cut_after'] as const),
          query: () => chance.pick([undefined, undefined, undefined, 'busy', 'half_answer', 'path_missing'] as const),
          store: () => (chance.happens(0.01) ? chance.pick(['before', 'after'] as const) : undefined),
          isReferenceWrong: () => chance.happens(0.01),
          isRedirectForeign: () => chance.happens(0.01),
        },
      })
      // The real log, with its nets, gets the same lines and some that do say too much.
      const log = createLog({
        level: 'debug',
        secrets: secretsOf(stage.settings),
        output: { write: (text) => void written.push(text) },
      })
      log.error(
        {
          err: new Error(`login with ${secrets.consumerKey} failed`),
          payer: { name: 'Qzux7wvu' },
          authorization: `Bearer ${mark(1)}`,
        },
        'what no part should log',
      )

      const own = (number: number) => ({
        name: `Qzux7wvu Payer ${number}`,
        phone: `2540998877${String(number).padStart(4, '0')}`,
        email: `qzux7wvu.${number}@mail.example`,
      })
      const headers = { origin: SHOP_ORIGIN, 'content-type': 'application/json' }
      const say = async (what: string, response: Response) =>
        heard.push(`${what} ${response.status} ${await response.text()} ${JSON.stringify([...response.headers])}`)
      for (let number = 0; number < payers; number++) {
        const body = { country: 'KE', currency: 'KES', amount: 2500, payer: own(number) }
        const wrong = chance.pick([
          {},
          {},
          {},
          {},
          { amount: 1 },
          { currency: 'XOF' },
          { session: `ses_${'a'.repeat(26)}.${'b'.repeat(43)}` },
          { replaces: 'dep_nobody' },
          { payer: { ...own(number), email: 'qzux7wvu@@x' } },
        ])
        const response = await stage.until(
          stage.request('/v1/deposits', {
            method: 'POST',
            headers: { ...headers, 'idempotency-key': `qzux7wvu-key-of-payer-${number}` },
            body: JSON.stringify({ ...body, ...wrong }),
          }),
        )
        if (response.status === 201) made.push((await response.json()) as CreatedDeposit)
        else await say('create', response)
        const deposit = made.at(-1)
        if (deposit === undefined || number % 4 !== 0) continue
        const path = deposit.payUrl.slice(stage.settings.publicUrl.length)
        // Somebody else asks with a token that is not this payment's; a chat fetches the link; a
        // stranger calls the webhook.
        const foreign = made[0]?.token ?? ''
        if (deposit !== made[0])
          await say(
            'foreign view',
            await stage.until(
              stage.request(`/v1/deposits/${deposit.id}`, { headers: { authorization: `Bearer ${foreign}` } }),
            ),
          )
        await say(
          'own view',
          await stage.until(
            stage.request(`/v1/deposits/${deposit.id}`, { headers: { authorization: `Bearer ${deposit.token}` } }),
          ),
        )
        await say('page', await stage.until(stage.request(path)))
        await say(
          'webhook',
          await stage.until(
            stage.request(`/v1/webhook/${deposit.token}`, {
              method: 'POST',
              body: JSON.stringify({ reference: deposit.reference, acc_name: own(number).name, hash: 'x' }),
            }),
          ),
        )
        if (deposit.checkoutUrl !== undefined && stage.service.lock(deposit.checkoutUrl)) {
          if (number % 8 === 0) stage.service.confirm(deposit.checkoutUrl)
          else stage.service.decline(deposit.checkoutUrl)
        }
        await stage
          .watch(deposit, (view) => heard.push(`stream ${JSON.stringify(view)}`))
          .catch((error: unknown) => heard.push(String(error)))
      }
      await stage.playTo(stage.time.elapsed() + 30 * 60_000)
      for (const path of [
        '/v1/markets',
        '/v1/banks?country=KE',
        '/openapi.json',
        '/readyz',
        '/metrics',
        '/healthz',
        '/pay',
        '/nowhere',
      ])
        await say(path, await stage.until(stage.request(path)))
      await say(
        'metrics by token',
        await stage.until(stage.request('/metrics', { headers: { authorization: `Bearer ${secrets.opsToken}` } })),
      )
      await say(
        'merchant door without key',
        await stage.until(stage.request('/v1/payments', { headers: { authorization: `Bearer ${mark(4)}` } })),
      )
      heard.push(...stage.notices, await metrics.read())

      expect(made.length).toBeGreaterThan(payers / 3)
      expect(stage.notices.length).toBeGreaterThan(payers / 20)
      expect(lines.length).toBeGreaterThan(payers / 2)
      expect(lines.filter((line) => LEAK.test(line))).toEqual([])
      expect(heard.filter((text) => LEAK.test(text))).toEqual([])
      expect(written.length).toBe(1)
      expect(written.filter((text) => LEAK.test(text))).toEqual([])
      // The capabilities of a payment are secrets too: only its own answers may hold them.
      const tokens = made.map(({ token }) => token)
      const spoken = [
        ...lines,
        ...stage.notices,
        ...heard.filter(
          (text) => !text.startsWith('own view') && !text.startsWith('page') && !text.startsWith('stream'),
        ),
      ].join('\n')
      expect(tokens.filter((token) => spoken.includes(token))).toEqual([])
      tell(
        `${payers} payers: ${made.length} payments, ${lines.length} log lines, ${heard.length} answers and events, ${stage.notices.length} notices: 0 hits`,
      )
    },
    // Longer than the usual limit only where more are asked for.
    Math.max(180_000, payers * 50),
  )
})
