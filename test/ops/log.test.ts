// The log: every line has its request id, and no line has a secret, a token, a capability URL or
// payer details, wherever they came from.
import { describe, expect, it } from 'vitest'
import { createLog, requestScope } from '../../server/platform/logging/log.ts'
import { secretsOf } from '../../server/settings/secrets.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { testSettings, keys } from '../helpers/create-test-system.ts'

function recording(secrets: readonly string[] = []) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', secrets, output: { write: (line: string) => void lines.push(line) } })
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown> }
}

describe('a line', () => {
  it.each(['debug', 'info', 'warn', 'error'] as const)('is written at its level: %s', (level) => {
    const { log, last } = recording()
    log[level]({ depositId: 'dep_1' }, 'x')
    expect(last()).toMatchObject({ level, depositId: 'dep_1', msg: 'x' })
  })

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

describe('a line that is hard to write', () => {
  it('is written of an object that contains itself', () => {
    const { log, last } = recording()
    const round: { name: string; self?: unknown; list?: unknown[] } = { name: 'round' }
    round.self = round
    round.list = [round]
    log.info({ round }, 'x')
    expect(last()).toMatchObject({ round: { name: 'round' }, msg: 'x' })
  })

  it('is written of an error that is its own cause', () => {
    const { log, last } = recording()
    const round = new Error('round')
    round.cause = round
    log.error({ err: round }, 'x')
    expect(last()).toMatchObject({ err: { message: 'round', cause: { message: 'round' } }, msg: 'x' })
  })
})

describe('what must not be written', () => {
  it('is hidden by its text: each secret of the settings, wherever it is set', () => {
    const password = 'p$a{ss%2f-canary'
    const settings = testSettings({
      consumerKey: 'canary-consumer-key',
      consumerSecret: 'canary-consumer-secret',
      privateKey: '-----BEGIN PRIVATE KEY-----\ncanary-first-row\ncanary-second-row\n-----END PRIVATE KEY-----\n',
      secret: 'canary-secret',
      previousSecret: 'canary-previous-secret',
      merchantKey: 'canary-merchant-key',
      notifySecrets: ['canary-notify-1', 'canary-notify-2'],
      opsToken: 'canary-ops-token',
      hashKey: 'canary-hash-key',
      previousHashKey: 'canary-previous-hash-key',
      databaseUrl: `postgres://hc:${password}@db/hc`,
      upstreamProxy: 'http://u:canary-proxy@proxy.example:3128',
      alerts: {
        silentMinutes: 0,
        webhookUrl: 'https://chat.example/canary-hook',
        email: { smtpUrl: 'smtps://u:canary-smtp@mail.example', from: 'a@b.c', to: 'a@b.c' },
      },
    })
    const { log, text } = recording(secretsOf(settings))
    for (const secret of [
      settings.consumerKey,
      settings.consumerSecret,
      'canary-first-row',
      'canary-second-row',
      settings.secret,
      settings.previousSecret,
      settings.merchantKey,
      ...settings.notifySecrets,
      settings.opsToken,
      settings.hashKey,
      settings.previousHashKey,
      'canary-smtp',
      'canary-proxy',
      'https://chat.example/canary-hook',
      // As written, as the server receives it, and as `URL` writes it.
      password,
      'p$a{ss/-canary',
      'p$a%7Bss%2f-canary',
    ])
      log.warn({ note: `with ${secret}` }, `for ${secret}`)
    expect(text()).not.toContain('canary')
    expect(text()).not.toContain('BEGIN [hidden]')
  })

  it.each(Array.from('.*+?^${}()|[]\\/"\n'))('is hidden by its text when a secret has the sign %j', (sign) => {
    const { log, last } = recording([`canary${sign}secret`])
    log.warn({ note: `with canary${sign}secret.` }, `for canary${sign}secret.`)
    expect(last()).toMatchObject({ note: 'with [hidden].', msg: 'for [hidden].' })
  })

  it('is hidden as a whole when one secret begins with another', () => {
    const { log, last } = recording(['canary', 'canary-and-more'])
    log.warn({}, 'for canary-and-more and canary')
    expect(last()).toMatchObject({ msg: 'for [hidden] and [hidden]' })
  })

  it('is hidden to its end: a bearer token, the user and password of an authorization', () => {
    const { log, last } = recording()
    log.warn({}, 'Bearer canary.token-1~x+y/z= and Basic  Y2FuYXJ5+Y2/Fu== and no more')
    expect(last()).toMatchObject({ msg: 'Bearer [hidden] and Basic [hidden] and no more' })
  })

  it('is not taken from the detail of an error: PostgreSQL quotes there the row that it refused', () => {
    const { log, text } = recording()
    const refused = { code: '23502', detail: 'Failing row contains (dep_1, canary-name, 254712345678).' }
    log.error({ err: new Error('null value', { cause: Object.assign(new Error('null value'), refused) }) }, 'x')
    expect(text()).toContain('"code":"23502"')
    expect(text()).not.toContain('canary')
  })

  it('is hidden in the fields of an error, also of one that is logged bare', () => {
    const { log, text } = recording()
    const error = Object.assign(new Error('outer'), { payer: 'canary-payer', request: { token: 'canary-token' } })
    log.error(error)
    log.error({ err: error }, 'x')
    expect(text().match(/"message":"outer"/g)).toHaveLength(2)
    expect(text()).not.toContain('canary')
  })

  it('is not read byte by byte: a body or key in a field', () => {
    const { log, last } = recording()
    log.warn({ answer: Buffer.from('canary'), more: [new Uint8Array([99, 97])] })
    expect(last()).toMatchObject({ answer: '[object]', more: ['[object]'] })
  })

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
    const settings = testSettings({
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
        testSettings({
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
    const metrics = createMetrics()
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
