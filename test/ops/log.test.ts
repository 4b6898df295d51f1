// The log: every line has its request id, and no line has a secret, a token, a capability URL or payer details, wherever they came from.
import { describe, expect, it } from 'vitest'
import { createLog, requestScope, secretsOf } from '../../server/log.ts'
import { createMetrics } from '../../server/metrics.ts'
import { houseSettings, keys } from '../helpers/create-house.ts'

function recording(secrets: readonly string[] = []) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', secrets, output: { write: (line: string) => void lines.push(line) } })
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> }
}

describe('a line', () => {
  it('is JSON with time, level, message and the id of its request, also after an await', async () => {
    const { log, last } = recording()
    await requestScope.run({ requestId: 'req-1' }, async () => {
      await Promise.resolve()
      log.info({ depositId: 'dep_1' }, 'deposit moved')
    })
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: 'req-1',
      depositId: 'dep_1',
      msg: 'deposit moved',
    })
  })

  it('keeps message, code, stack and cause of an error', () => {
    const { log, last } = recording()
    log.error({ err: new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNRESET' }) }) })
    expect(last()['err']).toMatchObject({
      message: 'outer',
      stack: expect.any(String),
      cause: { message: 'inner', code: 'ECONNRESET' },
    })
  })
})

describe('what must not be written', () => {
  it.each([
    'authorization', 'Authorization', 'x-hash', 'x_hash', 'Signature', 'webhook-signature', 'hash', 'token', 'access_token', 'consumer_key',
    'consumerSecret', 'privateKey', 'Idempotency-Key', 'payer', 'payerPhone', 'acc_name', 'acc_no', 'email', 'phone', 'checkoutUrl', 'result_url',
    'cookie', 'set-cookie', 'body', 'smtpUrl',
  ])('is hidden by its name: %s, at any depth', (name) => {
    const { log, text } = recording()
    log.info({ [name]: 'canary-value', deep: { er: [{ [name]: { in: 'canary-value' } }] } }, 'x')
    expect(text()).not.toContain('canary-value')
    expect(text().match(/\[hidden\]/g)).toHaveLength(2)
  }) // prettier-ignore

  it('is hidden by its text: every secret of an installation, in message, field, error and stack', () => {
    const settings = houseSettings({
      databaseUrl: 'postgres://hc:pa%20ss-canary@db/hc',
      opsToken: 'ops-canary-0123456789abcdef',
      previousSecret: 'old-canary-0123456789abcdef01234567',
      previousHashKey: 'old-hash-canary',
      alerts: {
        silentMinutes: 0,
        webhookUrl: 'https://chat.example/canary-hook',
        email: { smtpUrl: 'smtps://u:smtp-canary@mail.example', from: 'a@b.c', to: 'a@b.c' },
      },
    })
    const secrets = secretsOf(settings)
    expect(secrets).toEqual(
      expect.arrayContaining([keys.consumerKey, keys.consumerSecret, keys.secret, keys.merchantKey, keys.notifySecret]),
    )
    expect(secrets).toEqual(
      expect.arrayContaining(['pa ss-canary', 'smtp-canary', settings.opsToken, settings.previousSecret]),
    )
    const { log, text } = recording(secrets)
    for (const secret of secrets) {
      log.warn(
        { note: `at ${secret}.`, err: new Error(`with ${secret}`, { cause: new Error(secret) }) },
        `for ${secret}`,
      )
      log.warn({ note: encodeURIComponent(secret) })
    }
    for (const secret of secrets) expect(text()).not.toContain(secret)
    for (const secret of secrets) expect(text()).not.toContain(encodeURIComponent(secret))
  })

  it.each(['100%zz-canary', 'p%ff-canary', 'a%40%zz-canary'])(
    'is hidden as it stands when it is no percent-encoding: %s',
    (password) => {
      const secrets = secretsOf(
        houseSettings({
          databaseUrl: `postgres://hc:${password}@db/hc`,
          alerts: {
            silentMinutes: 0,
            email: { smtpUrl: `smtps://u:mail-${password}@mail.example`, from: 'a@b.c', to: 'a@b.c' },
          },
        }),
      )
      expect(secrets).toEqual(expect.arrayContaining([password, `mail-${password}`]))
      const { log, text } = recording(secrets)
      log.warn({}, `with ${password} and mail-${password}`)
      expect(text()).not.toContain('canary')
    },
  )

  it('is hidden by its form: bearer tokens, capability addresses, passwords in addresses', () => {
    const { log, text } = recording()
    log.info(
      {
        note: 'GET https://p.example/v1/webhook/canary-key?x=1, /pay/dcanary, https://c.example/checkout/canary-session',
      },
      'Authorization: Bearer canary.token-1 postgres://u:canary-password@h/d',
    )
    expect(text()).not.toContain('canary')
  })

  it('no figure of /metrics has a label for a person or a payment', async () => {
    const metrics = createMetrics({ runtime: false })
    metrics.count('deposits_created', { currency: 'KES', outcome: 'created' })
    metrics.observe('notice', 0.2, { outcome: 'delivered' })
    metrics.gauge('notices_dead', 2)
    metrics.beforeRead(async () => metrics.gauge('deposits', 3, { phase: 'open' }))
    metrics.beforeRead(async () => Promise.reject(new Error('the store is gone')))
    const text = await metrics.read()
    expect(text).toContain('hc_deposits_created_total{currency="KES",outcome="created"} 1')
    expect(text).toContain('hc_deposits{phase="open"} 3')
    expect(text).toContain('hc_notices_dead 2')
    expect(text).toContain('hc_notice_seconds_count{outcome="delivered"} 1')
    expect(text).not.toMatch(/reference=|phone=|id="/)
  })
})
