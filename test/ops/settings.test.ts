// The settings: the result of a complete environment, and the one sentence for each missing or
// wrong variable.
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { misspeltSettings, settingsTable } from '../../server/settings/table.ts'
import { meantEnvironment } from '../../server/settings/environment.ts'
import { SettingsError, readDatabaseUrl, readSettings } from '../../server/settings/settings.ts'

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength, privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } }) // prettier-ignore
const key = rsa(2048)
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const locked = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey

const page = readFileSync('demo/docs/settings.md', 'utf8')
const CANARY = 'canary-7f3a9c1e5b2d8064af11'
const live: Readonly<Record<string, string>> = {
  HC_AUTH_URL: 'https://auth.pay.example/',
  HC_BASE_URL: 'https://api.pay.example',
  HC_CONSUMER_KEY: 'ck_8c1f',
  HC_CONSUMER_SECRET: 'cs_1b2c3d',
  HC_PRIVATE_KEY: key.privateKey,
  HC_BUSINESS_ID: 'BIZ-0042',
  HC_WALLETS: 'KES:4559494901, XOF:4559494910',
  HC_PUBLIC_URL: 'https://pay.shop.example/',
  HC_CHECKOUT_ORIGINS: 'https://checkout.pay.example',
  HC_DATABASE_URL: 'file:/var/lib/hc-checkout/companion.db',
  HC_SECRET: 'Qm9ndXMtc2VjcmV0LW9mLTMyLWJ5dGVzLWxlbmd0aA',
  HC_MERCHANT_KEY: 'mk_Qm9ndXMtbWVyY2hhbnQta2V5LW9mLTMyLWJ5dGVz',
}
const mail = {
  HC_ALERT_SMTP_URL: 'smtps://mail.shop.example',
  HC_ALERT_FROM: 'pay@shop.example',
  HC_ALERT_TO: 'ops@shop.example',
}
const notifySecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`

function faultsOf(
  env: Readonly<Record<string, string | undefined>>,
  readFile?: (path: string) => string,
): readonly string[] {
  try {
    readSettings(env, readFile)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return (error as SettingsError).faults
  }
}

describe('a complete environment', () => {
  it('becomes settings with the documented defaults', () => {
    expect(readSettings(live)).toMatchObject({
      paymentMode: 'live',
      authUrl: 'https://auth.pay.example',
      publicUrl: 'https://pay.shop.example',
      wallets: { KES: '4559494901', XOF: '4559494910' },
      allowedOrigins: ['https://pay.shop.example'],
      databaseUrl: 'file:/var/lib/hc-checkout/companion.db',
      secret: live['HC_SECRET'],
      merchantKey: live['HC_MERCHANT_KEY'],
      description: 'Payment',
      locales: ['en', 'fr', 'sw'],
      mode: 'open',
      confirm: 'query',
      hashOrder: 'documented',
      hashKey: 'ck_8c1f',
      queryPath: '/api/v2/payment/status-query',
      maxReference: 64,
      maxDescription: 255,
      maxName: 100,
      rate: 1500,
      retentionDays: 90,
      host: '127.0.0.1',
      port: 8787,
      notifySecrets: [],
      limits: { KES: { min: 10, max: 150_000 } },
      alerts: { silentMinutes: 60 },
    })
  })

  const letters = `whsec_${Buffer.alloc(24, 0xfb).toString('base64')},whsec_${Buffer.alloc(64, 0xff).toString('base64')}`
  it.each([
    ['HC_LIMITS', 'KES:1-150000,ugx:500-500', { limits: { KES: { min: 1, max: 150_000 }, UGX: { min: 500, max: 500 }, TZS: { min: 500 } } }],
    ['HC_LIMITS', 'KES:9-10', { limits: { KES: { min: 9, max: 10 } } }],
    ['HC_WALLETS', 'KES:a-1, ETB:2', { wallets: { KES: 'a-1', ETB: '2' } }],
    ['HC_BASE_URL', 'https://api.pay.example/pay//', { baseUrl: 'https://api.pay.example/pay' }],
    ['HC_CHECKOUT_ORIGINS', 'https://a.example,https://b.example https://a.example', { checkoutOrigins: ['https://a.example', 'https://b.example'] }],
    ['HC_TRUSTED_PROXIES', '127.0.0.1,10.0.0.0/8, ::1 fd00::/8,1.2.3.4/32,0.0.0.0/0,::2/128', { trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '1.2.3.4/32', '0.0.0.0/0', '::2/128'] }],
    ['HC_WEBHOOK_ALLOW', '192.0.2.0/24', { webhookAllow: ['192.0.2.0/24'] }],
    ['HC_UPSTREAM_PROXY', 'http://shop:word@proxy.example:3128', { upstreamProxy: 'http://shop:word@proxy.example:3128' }],
    ['HC_UPSTREAM_PROXY', 'https://proxy.example', { upstreamProxy: 'https://proxy.example' }],
    ['HC_HASH_KEY', 'hash key', { hashKey: 'hash key' }],
    ['HC_HASH_KEY_PREVIOUS', 'old key', { hashKey: 'ck_8c1f', previousHashKey: 'old key' }],
    ['HC_CONFIRM', 'callback', { confirm: 'callback' }],
    ['HC_HASH_ORDER', 'received', { hashOrder: 'received' }],
    ['HC_QUERY_PATH', '/v3/query', { queryPath: '/v3/query' }],
    ['HC_RATE', '10', { rate: 10 }],
    ['HC_RATE', '1000000', { rate: 1_000_000 }],
    ['HC_MAX_REFERENCE', '24', { maxReference: 24 }],
    ['HC_MAX_NAME', '2', { maxName: 2 }],
    ['HC_NOTIFY_SECRET', letters, { notifySecrets: letters.split(',') }],
    ['HC_SECRET', 'abcdefgh'.repeat(4), { secret: 'abcdefgh'.repeat(4) }],
    ['HC_SECRET_PREVIOUS', 'bcdefghi'.repeat(4), { secret: live['HC_SECRET'], previousSecret: 'bcdefghi'.repeat(4) }],
    ['HC_OPS_TOKEN', 'abcdefgh'.repeat(3), { opsToken: 'abcdefgh'.repeat(3) }],
    ['HC_DESCRIPTION', 'Duka la Jua', { description: 'Duka la Jua' }],
    ['HC_DESCRIPTION', '\u202eDuka\u202c la Jua\u200b', { description: 'Duka la Jua' }],
    ['HC_MAX_DESCRIPTION', '10', { maxDescription: 10, description: 'Payment' }],
    ['HC_NOTIFY_URL', 'https://shop.example/n?v=1', { notifyUrl: 'https://shop.example/n?v=1' }],
    ['HC_ALERT_URL', 'https://hooks.chat.example/T1?a=b', { alerts: { webhookUrl: 'https://hooks.chat.example/T1?a=b' } }],
    ['HC_ALERT_SILENT_MINUTES', '0', { alerts: { silentMinutes: 0 } }],
    ['HC_HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HC_LOCALES', 'sw-KE, fr', { locales: ['sw-KE', 'fr'] }],
    ['HC_PORT', '0', { port: 0 }],
    ['HC_RETENTION_DAYS', '3650', { retentionDays: 3650 }],
    ['HC_LOG_LEVEL', 'warn', { logLevel: 'warn' }],
  ] as const)('%s=%s becomes what it says', (name, value, becomes) => {
    expect(readSettings({ ...live, HC_NOTIFY_SECRET: notifySecret, [name]: value })).toMatchObject(becomes)
  }) // prettier-ignore

  it('tells a person by mail through the server that is given', () => {
    for (const smtpUrl of ['smtps://u:p@mail.example', 'smtp://mail.example:587'])
      expect(
        readSettings({
          ...live,
          HC_ALERT_SMTP_URL: smtpUrl,
          HC_ALERT_FROM: 'a@shop.example',
          HC_ALERT_TO: 'b@shop.example',
        }).alerts.email,
      ).toEqual({ smtpUrl, from: 'a@shop.example', to: 'b@shop.example' })
  })

  it('is started in production once the mode is said', () => {
    expect(readSettings({ ...live, NODE_ENV: 'production', HC_MODE: 'open' }).mode).toBe('open')
    expect(readSettings({ ...live, NODE_ENV: 'production', HC_MODE: 'sessions' }).mode).toBe('sessions')
  })

  it('takes each secret from a file, without its line end', () => {
    const secrets: string[] = settingsTable.filter(({ secret }) => secret !== undefined).map(({ name }) => name)
    const values: Record<string, string> = {
      ...live,
      HC_SECRET_PREVIOUS: 'T2xkLWJvZ3VzLXNlY3JldC1vZi0zMi1ieXRlcy1sZW5ndGg',
      HC_MERCHANT_KEY_PREVIOUS: 'mk_T2xkLWJvZ3VzLW1lcmNoYW50LWtleS1vZi0zMi1i',
      HC_READ_KEY: 'rk_Qm9ndXMtcmVhZC1rZXktb2YtMzItYnl0ZXMtbG9uZw',
      HC_NOTIFY_SECRET: notifySecret,
      HC_OPS_TOKEN: 'b3BzLXRva2VuLW9mLTI0LWJ5dGVzLWxvbmc',
      HC_CONSOLE_USERS: `ada:owner:scrypt-15-${'A'.repeat(22)}-${'A'.repeat(43)}`,
      HC_HASH_KEY: 'hash-key',
      HC_HASH_KEY_PREVIOUS: 'old-hash-key',
      HC_UPSTREAM_PROXY: 'http://shop:word@proxy.example:3128',
      HC_ALERT_URL: 'https://hooks.chat.example/T1/abc',
      HC_ALERT_SMTP_URL: 'smtps://u:p@mail.example',
      HC_ALERT_FROM: 'pay@shop.example',
      HC_ALERT_TO: 'ops@shop.example',
    }
    const files: Record<string, string> = {}
    const env: Record<string, string> = {}
    for (const [name, value] of Object.entries(values)) {
      if (!secrets.includes(name)) env[name] = value
      else {
        env[`${name}_FILE`] = `/run/secrets/${name}`
        files[`/run/secrets/${name}`] = `${value}\n`
      }
    }
    expect(Object.keys(files)).toHaveLength(secrets.length)
    expect(readSettings(env, (path) => files[path] ?? '')).toEqual(readSettings(values))
  })

  it.each([String.raw`\n`, String.raw`\r\n`])(
    'understands a private key whose line ends are written as %j',
    (lineEnd) => {
      const flat = readSettings({ ...live, HC_PRIVATE_KEY: key.privateKey.trim().replaceAll('\n', lineEnd) })
      expect(flat.privateKey).toBe(readSettings(live).privateKey)
    },
  )

  it('signs notices with every secret of a rotation, the newest first', () => {
    const old = `whsec_${Buffer.alloc(24, 3).toString('base64')}`
    const settings = readSettings({
      ...live,
      HC_NOTIFY_URL: 'https://shop.example/notices?v=1',
      HC_NOTIFY_SECRET: `${notifySecret},${old}`,
    })
    expect(settings.notifySecrets).toEqual([notifySecret, old])
    expect(settings.notifyUrl).toBe('https://shop.example/notices?v=1')
  })

  it.each([
    [{ HC_AUTH_URL: 'http://127.0.0.1:8788', HC_BASE_URL: 'http://127.0.0.1:8788' }, 'test'],
    [{ HC_AUTH_URL: 'http://127.0.0.1:8788' }, 'test'],
    [{ HC_BASE_URL: 'http://127.0.0.1:8788' }, 'test'],
    [{ HC_CONSUMER_KEY: 'ck_test_1' }, 'test'],
    [{ HC_CONSUMER_KEY: 'sandbox-1' }, 'test'],
    [{ HC_CONSUMER_KEY: 'latest1' }, 'live'],
    [{ HC_PAYMENT_MODE: 'test' }, 'test'],
    [{}, 'live'],
  ])('with %j takes %s payments', (change, mode) => {
    expect(readSettings({ ...live, ...change }).paymentMode).toBe(mode)
  })

  it('lets a phone on the same network see a sandbox on this machine, but only then', () => {
    const sandbox = { HC_AUTH_URL: 'http://127.0.0.1:1', HC_BASE_URL: 'http://localhost:1' }
    for (const near of ['192.168.1.5', '10.0.0.2', '172.16.0.1', '172.20.0.1', '172.29.0.1', '172.31.255.1'])
      expect(readSettings({ ...live, ...sandbox, HC_PUBLIC_URL: `http://${near}:8787` }).publicUrl).toBe(
        `http://${near}:8787`,
      )
    expect(faultsOf({ ...live, HC_PUBLIC_URL: 'http://192.168.1.5:8787' })).toHaveLength(1)
    for (const name of ['HC_ALLOWED_ORIGINS', 'HC_CHECKOUT_ORIGINS', 'HC_NOTIFY_URL']) {
      const env = { ...live, HC_NOTIFY_SECRET: notifySecret, [name]: 'http://192.168.1.5:8080' }
      expect([faultsOf({ ...env, ...sandbox }), faultsOf(env)], name).toMatchObject([
        [],
        [expect.stringContaining(name)],
      ])
    }
    for (const far of ['93.184.216.34', '93.10.0.1', '172.15.0.1', '172.32.0.1', '192.169.0.1', '10.shop.example'])
      expect(faultsOf({ ...live, ...sandbox, HC_PUBLIC_URL: `http://${far}:8787` }), far).toHaveLength(1)
  })
})

describe('a missing variable', () => {
  it.each(settingsTable.filter(({ required }) => required).map(({ name }) => name))(
    '%s stops the start with its own sentence',
    (name) => {
      for (const value of [undefined, '', '  ']) {
        const faults = faultsOf({ ...live, [name]: value })
        expect(faults).toHaveLength(1)
        expect(faults[0]).toMatch(new RegExp(`^${name} is missing: .+\\.$`))
      }
    },
  )

  it('is told together with all others', () => {
    expect(faultsOf({ HC_PORT: '8787' })).toHaveLength(settingsTable.filter(({ required }) => required).length)
  })

  it('is told with how to name the file when none is given at all', () => {
    expect(faultsOf({ NODE_ENV: 'production' }).at(-1)).toMatch(/--env-file companion\.env/)
    expect(() => readDatabaseUrl({})).toThrow(/HC_DATABASE_URL is missing.*\n.*--env-file companion\.env/)
    expect(() => readDatabaseUrl({ HC_PORT: '8787' })).not.toThrow(/--env-file/)
  })

  it('HC_NOTIFY_SECRET is asked for as soon as there is an address to tell', () => {
    expect(faultsOf({ ...live, HC_NOTIFY_URL: 'https://shop.example/n' })).toEqual([
      expect.stringMatching(/^HC_NOTIFY_SECRET is missing/),
    ])
  })

  it('HC_MODE is asked for in production only', () => {
    expect(faultsOf({ ...live, NODE_ENV: 'production' })).toEqual([expect.stringMatching(/^HC_MODE is missing/)])
  })
})

describe('a wrong variable', () => {
  const wrong: readonly [name: string, value: string, sentence: RegExp][] = [
    ['HC_AUTH_URL', CANARY, /is not an address/],
    ['HC_AUTH_URL', `http://${CANARY}.example`, /https/],
    ['HC_AUTH_URL', `ftp://${CANARY}.example`, /https/],
    ['HC_BASE_URL', `https://user:${CANARY}@api.example`, /user name or password/],
    ['HC_BASE_URL', `https://${CANARY}@api.example`, /user name or password/],
    ['HC_BASE_URL', `https://:${CANARY}@api.example`, /user name or password/],
    ['HC_BASE_URL', `https://api.example/?${CANARY}`, /without \? or #/],
    ['HC_BASE_URL', `https://api.example/#${CANARY}`, /without \? or #/],
    ['HC_ALERT_URL', `https://chat.example/T1?a=b#${CANARY}`, /without \? or #/],
    ['HC_ALLOWED_ORIGINS', `capacitor://localhost.${CANARY}`, /no origin/],
    ['HC_PUBLIC_URL', `http://${CANARY}.example`, /https/],
    ['HC_PRIVATE_KEY', CANARY, /not a readable private key; .* or name its file in HC_PRIVATE_KEY_FILE/],
    ['HC_PRIVATE_KEY', key.privateKey.replaceAll('\n', ' '), /in one line as \\n/],
    ['HC_PRIVATE_KEY', rsa(1024).privateKey, /2048 bits/],
    ['HC_PRIVATE_KEY', elliptic, /RSA/],
    ['HC_PRIVATE_KEY', locked, /passphrase/],
    ['HC_PRIVATE_KEY', key.publicKey, /is a public key/],
    ['HC_CONSUMER_KEY', '…', /still the … of the example/],
    ['HC_CONSUMER_SECRET', 'cs_test_…', /still the … of the example/],
    ['HC_BUSINESS_ID', 'BIZ-…', /still the … of the example/],
    ['HC_WALLETS', `EUR:${CANARY}`, /currency that the service does not know/],
    ['HC_WALLETS', `KES:1,KES:${CANARY}`, /two entries for KES/],
    ['HC_WALLETS', 'KES', /entry without a colon; write it as KES:123/],
    ['HC_WALLETS', `KES=${CANARY}`, /entry without a colon; write it as KES:123/],
    ['HC_WALLETS', 'KES:', /unusable entry for KES/],
    ['HC_WALLETS', 'KES:12;34', /unusable entry for KES/],
    ['HC_WALLETS', ',', /is empty/],
    ['HC_CHECKOUT_ORIGINS', ',', /is empty/],
    ['HC_ALLOWED_ORIGINS', '*', /any web site/],
    ['HC_ALLOWED_ORIGINS', `https://*.${CANARY}.example`, /each origin in full/],
    ['HC_CHECKOUT_ORIGINS', `https://*.${CANARY}.example`, /each origin in full/],
    ['HC_PUBLIC_URL', `https://pay.example/${CANARY}`, /without a path/],
    ['HC_BASE_URL', `https://${CANARY}.example/api/v2`, /before \/api\/v2/],
    ['HC_AUTH_URL', `https://${CANARY}.example/api/v2`, /HC_AUTH_URL must end before \/api\/v2/],
    ['HC_AUTH_URL', `https://${CANARY}.example/api/v2/auth/login`, /HC_AUTH_URL must end before \/api\/v2/],
    ['HC_BASE_URL', `https://${CANARY}.example/api/v2/payment/`, /HC_BASE_URL must end before \/api\/v2/],
    ['HC_ALLOWED_ORIGINS', `https://${CANARY}.example/path`, /no origin/],
    ['HC_CHECKOUT_ORIGINS', `http://${CANARY}.example`, /no origin/],
    ['HC_ALLOWED_ORIGINS', `https://a.example, http://${CANARY}.example`, /no origin.*It is entry 2\.$/],
    ['HC_DATABASE_URL', 'file:', /followed by the path/],
    ['HC_DATABASE_URL', `mysql://${CANARY}`, /file: .* postgres:/],
    ['HC_DATABASE_URL', 'file::memory:', /lost when the companion ends/],
    ['HC_DATABASE_URL', 'file:%3Amemory%3A', /lost when the companion ends/],
    ['HC_SECRET', 'short', /32 characters/],
    ['HC_SECRET', 'a'.repeat(40), /too simple/],
    ['HC_SECRET', 'abcdefg'.repeat(5), /too simple/],
    ['HC_MERCHANT_KEY', `${live['HC_SECRET']}${'x'.repeat(512)}`, /at most 512/],
    ['HC_OPS_TOKEN', `${live['HC_SECRET']}${'x'.repeat(512)}`, /at most 512/],
    ['HC_SECRET', `\u00e4${live['HC_SECRET']}`, /printable ASCII/],
    ['HC_SECRET', `${live['HC_SECRET']}\u00e4`, /printable ASCII/],
    ['HC_MERCHANT_KEY', 'short', /32 characters/],
    ['HC_MERCHANT_KEY', `${live['HC_SECRET']}!`, /letters, digits/],
    ['HC_OPS_TOKEN', `${live['HC_SECRET']}=x`, /letters, digits/],
    ['HC_NOTIFY_SECRET', `whsec_${CANARY}`, /whsec_/],
    ['HC_NOTIFY_SECRET', `whsec_${Buffer.alloc(16).toString('base64')}`, /24 to 64 bytes/],
    ['HC_NOTIFY_SECRET', `whsec_${Buffer.alloc(66).toString('base64')}`, /24 to 64 bytes/],
    ['HC_NOTIFY_SECRET', `whsec_${Buffer.alloc(65).toString('base64')}`, /24 to 64 bytes/],
    ['HC_NOTIFY_SECRET', `${notifySecret},whsec_${CANARY}`, /whsec_/],
    ['HC_NOTIFY_SECRET', `x${notifySecret}`, /whsec_/],
    ['HC_NOTIFY_SECRET', `whsec_${'A'.repeat(34)}`, /whsec_/],
    ['HC_NOTIFY_SECRET', `${notifySecret}!`, /whsec_/],
    ['HC_NOTIFY_SECRET', ',', /whsec_/],
    ['HC_NOTIFY_URL', `http://${CANARY}.example/n`, /https/],
    ['HC_NOTIFY_URL', `https://u:${CANARY}@shop.example/n`, /user name or password/],
    ['HC_OPS_TOKEN', 'short', /24 characters/],
    ['HC_MODE', CANARY, /open or sessions/],
    ['HC_PAYMENT_MODE', CANARY, /test or live/],
    ['HC_LIMITS', 'KES:100-10', /unusable entry for KES/],
    ['HC_LIMITS', 'KES:100-20', /unusable entry for KES/],
    ['HC_LIMITS', 'KES:1.5-10', /unusable entry for KES/],
    ['HC_LIMITS', 'KES:0-10', /unusable entry for KES/],
    ['HC_LIMITS', 'KES:10-20k', /unusable entry for KES/],
    ['HC_LIMITS', 'KES:10', /unusable entry for KES/],
    ['HC_DESCRIPTION', 'x'.repeat(256), /255 characters/],
    ['HC_LOCALES', 'english!', /language codes/],
    ['HC_LOCALES', ',', /language codes/],
    ['HC_LOCALES', 'en,zu', /language codes out of en,fr,sw,am,ha,rn,rw,so/],
    ['HC_RETENTION_DAYS', '0', /whole number from 1/],
    ['HC_TRUSTED_PROXIES', '10.0.0.0/33', /neither an address nor a block/],
    ['HC_TRUSTED_PROXIES', '10.0.0.0/0x8', /neither an address nor a block/],
    ['HC_TRUSTED_PROXIES', '10.0.0.0/1e1', /neither an address nor a block/],
    ['HC_TRUSTED_PROXIES', '10.0.0.0/', /neither an address nor a block/],
    ['HC_TRUSTED_PROXIES', '10.0.0.0/8/8', /neither an address nor a block/],
    ['HC_TRUSTED_PROXIES', CANARY, /neither an address nor a block/],
    ['HC_UPSTREAM_PROXY', 'proxy.example:3128', /http:\/\/user/],
    ['HC_UPSTREAM_PROXY', `socks5://${CANARY}.example`, /http:\/\/user/],
    ['HC_UPSTREAM_PROXY', `http://proxy.example/${CANARY}`, /http:\/\/user/],
    ['HC_UPSTREAM_PROXY', `httpsx://${CANARY}.example/`, /http:\/\/user/],
    ['HC_UPSTREAM_PROXY', `xhttp://${CANARY}.example/`, /http:\/\/user/],
    ['HC_ALERT_FROM', CANARY, /e-mail address/],
    ['HC_ALERT_TO', CANARY, /e-mail address/],
    ['HC_ALERT_SMTP_URL', CANARY, /smtps:\/\/user/],
    ['HC_ALERT_SMTP_URL', `https://${CANARY}.example`, /smtps:\/\/user/],
    ['HC_ALERT_SMTP_URL', `smtpsx://${CANARY}.example`, /smtps:\/\/user/],
    ['HC_ALERT_SMTP_URL', `xsmtp://${CANARY}.example`, /smtps:\/\/user/],
    ['HC_ALERT_SMTP_URL', `smtp:///${CANARY}`, /smtps:\/\/user/],
    ['HC_WEBHOOK_ALLOW', '::1/129', /neither an address nor a block/],
    ['HC_HOST', 'a b', /listen on/],
    ['HC_PORT', '65536', /0 to 65535/],
    ['HC_PORT', '80x', /0 to 65535/],
    ['HC_CONFIRM', CANARY, /query or callback/],
    ['HC_HASH_ORDER', CANARY, /documented or received/],
    ['HC_QUERY_PATH', CANARY, /begins with \//],
    ['HC_MAX_REFERENCE', '23', /24 to/],
    ['HC_RATE', '1e3', /whole number/],
    ['HC_RATE', '9', /from 10 to 1000000/],
    ['HC_RATE', '1000001', /from 10 to 1000000/],
    ['HC_MAX_NAME', '1', /whole number from 2/],
    ['HC_ALERT_URL', CANARY, /is not an address/],
    ['HC_ALERT_SILENT_MINUTES', '-1', /whole number/],
    ['HC_LOG_LEVEL', CANARY, /debug or info or warn or error/],
  ]
  it.each(wrong)('%s=%s earns one sentence that names it and hides the value', (name, value, sentence) => {
    const faults = faultsOf({ ...live, ...mail, [name]: value })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^${name} `))
    expect(faults[0]).toMatch(sentence)
    expect(faults[0]).not.toContain(CANARY)
    expect(faults[0]).not.toContain('BEGIN PRIVATE KEY-----\nMII')
  })

  const rowOf = (name: string) =>
    page
      .split('\n')
      .find((row) => row.startsWith(`| \`${name}\``))
      ?.split('|')
      .map((cell) => cell.trim()) ?? []

  it.each([
    'HC_RETENTION_DAYS',
    'HC_PORT',
    'HC_MAX_REFERENCE',
    'HC_MAX_DESCRIPTION',
    'HC_MAX_NAME',
    'HC_RATE',
    'HC_ALERT_SILENT_MINUTES',
  ])('%s takes what the page says: whole numbers from the smallest to the largest', (name) => {
    const [, smallest, largest] = /A whole number from ([\d,]+) to ([\d,]+)\.$/.exec(rowOf(name)[4] ?? '') ?? []
    const [least, most] = [smallest, largest].map((bound) => Number(bound?.replaceAll(',', '')))
    const isTaken = (value: number) => faultsOf({ ...live, [name]: String(value) }).length === 0
    expect([least! - 1, least!, most!, most! + 1].map(isTaken)).toEqual([false, true, true, false])
  })

  it('what the page calls the default is what a companion does without the setting', () => {
    // A default in words is explained, not written.
    const written = settingsTable.filter(({ fallback }) => fallback !== undefined && !fallback.includes(' '))
    expect(written.length).toBeGreaterThan(12)
    for (const { name } of written)
      expect(readSettings({ ...live, [name]: rowOf(name)[3] })).toEqual(readSettings(live))
  })

  it('against a sandbox on loopback secrets may be what a developer types, but in production they may not', () => {
    const typed = { HC_SECRET: 's'.repeat(16), HC_MERCHANT_KEY: 'merchant-key-dev', HC_OPS_TOKEN: 'ops-token-of-dev' }
    const env = { ...live, ...typed, HC_BASE_URL: 'http://127.0.0.1:8788' }
    expect(faultsOf(env)).toEqual([])
    expect(faultsOf({ ...env, HC_MERCHANT_KEY: 'short' })).toEqual([expect.stringMatching(/16 characters/)])
    for (const elsewhere of [
      { ...live, ...typed },
      { ...env, NODE_ENV: 'production', HC_MODE: 'sessions' },
    ])
      expect(faultsOf(elsewhere).filter((fault) => fault.includes('characters or more'))).toHaveLength(3)
  })

  it('a database in memory is enough where only test payments can be made', () => {
    const memory = { ...live, HC_DATABASE_URL: 'file::memory:' }
    for (const test of [{ HC_BASE_URL: 'http://127.0.0.1:8788' }, { HC_CONSUMER_KEY: 'ck_test_1' }]) {
      expect(faultsOf({ ...memory, ...test })).toEqual([])
      expect(faultsOf({ ...memory, ...test, NODE_ENV: 'production', HC_MODE: 'sessions' })).toContainEqual(
        expect.stringMatching(/lost when the companion ends/),
      )
    }
  })

  it.each([
    [{ HC_PAYMENT_MODE: 'live', HC_CONSUMER_KEY: 'ck_test_1' }, /^HC_PAYMENT_MODE says live/],
    [{ HC_SECRET_PREVIOUS: live['HC_SECRET'] }, /^HC_SECRET_PREVIOUS is the same/],
    [{ HC_MERCHANT_KEY: live['HC_SECRET'] }, /^HC_MERCHANT_KEY is the same/],
    [{ HC_ALERT_TO: 'ops@shop.example' }, /belong together/],
    [{ ...mail, HC_ALERT_FROM: '' }, /belong together/],
    [{ HC_SECRET_FILE: '/run/secrets/x' }, /^HC_SECRET and HC_SECRET_FILE are both given/],
  ])('%j does not fit together', (change, sentence) => {
    expect(faultsOf({ ...live, ...change }, () => 'x')).toEqual([expect.stringMatching(sentence)])
  })

  it.each([
    ['HC_AUTH_URL', 'http://127.0.0.1:8788'],
    ['HC_BASE_URL', 'https://localhost'],
    ['HC_PUBLIC_URL', 'https://[::1]'],
    ['HC_PUBLIC_URL', 'https://pay.localhost'],
    ['HC_CHECKOUT_ORIGINS', 'http://127.0.0.1:8788'],
    ['HC_CHECKOUT_ORIGINS', 'https://checkout.pay.example,http://127.0.0.1:8788'],
    ['HC_CONSUMER_KEY', 'ck_test_5f0f'],
  ])('%s=%s is refused in production', (name, value) => {
    const env = { ...live, NODE_ENV: 'production', HC_MODE: 'sessions', [name]: value }
    expect(faultsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${name} .*production refuses`))])
  })

  it.each(['https://localhost', 'http://localhost', 'capacitor://localhost', 'ionic://localhost'])(
    'the pages of an app may carry the widget in production: %s',
    (origin) => {
      const env = { ...live, NODE_ENV: 'production', HC_MODE: 'sessions', HC_ALLOWED_ORIGINS: origin }
      expect(readSettings(env).allowedOrigins).toContain(origin)
    },
  )

  it('a secret file that is not there is named by its variable', () => {
    const faults = faultsOf({ ...live, HC_SECRET: undefined, HC_SECRET_FILE: `/nowhere/${CANARY}` })
    expect(faults[0]).toBe('HC_SECRET_FILE names a file that cannot be read (ENOENT).')
    expect(faultsOf({ ...live, HC_SECRET: ' ', HC_SECRET_FILE: '/run/secrets/x' }, () => '\n')).toEqual([
      'HC_SECRET_FILE names an empty file.',
    ])
  })

  it.each([{ HC_NOTIFY_SECRET_FILE: '/nowhere' }, { HC_NOTIFY_SECRET_FILE: '/x', HC_NOTIFY_SECRET: notifySecret }])(
    'a secret of notices that is given wrongly, %j, is not called missing too',
    (given) => {
      expect(faultsOf({ ...live, HC_NOTIFY_URL: 'https://shop.example/n', ...given })).toEqual([
        expect.stringMatching(/cannot be read|both given/),
      ])
    },
  )

  it('a file for what is no secret is named with the setting itself', () => {
    const says = 'HC_WALLETS_FILE is not a setting: only secrets are read from files; give HC_WALLETS itself.'
    expect(misspeltSettings({ HC_WALLETS_FILE: '/x', HC_ALERT_FROM_FILE: '/x' })).toEqual([
      { name: 'HC_WALLETS_FILE', meant: 'HC_WALLETS', says },
      expect.objectContaining({ meant: 'HC_ALERT_FROM' }),
    ])
    expect(faultsOf({ ...live, HC_WALLETS: undefined, HC_WALLETS_FILE: '/x' })).toEqual([expect.stringContaining(says)])
  })
})

describe('an environment that others have filled', () => {
  const service = (name: string, port: number) => ({
    [`${name}_SERVICE_HOST`]: '10.0.0.7',
    [`${name}_SERVICE_PORT`]: `${port}`,
    [`${name}_SERVICE_PORT_HTTP`]: `${port}`,
    [`${name}_PORT`]: `tcp://10.0.0.7:${port}`,
    [`${name}_PORT_${port}_TCP`]: `tcp://10.0.0.7:${port}`,
    [`${name}_PORT_${port}_TCP_PROTO`]: 'tcp',
    [`${name}_PORT_${port}_TCP_PORT`]: `${port}`,
    [`${name}_PORT_${port}_TCP_ADDR`]: '10.0.0.7',
  })

  it.each([
    ['HC', 'hc'], ['HC_SANDBOX', 'hc-sandbox'], ['HC_CHECKOUT_SERVER', 'hc-checkout-server'], ['HC_SECRET', 'hc-secret'],
  ])('has the variables of a Kubernetes service, %s: passed over, with one warning', (base, name) => {
    const env = { ...live, ...service(base, 8787) }
    expect(readSettings(env)).toMatchObject({ port: 8787, secret: live['HC_SECRET'] })
    const { env: meant, notes } = meantEnvironment(env)
    expect(meant).toEqual(live)
    expect(misspeltSettings(meant)).toEqual([])
    expect(notes).toEqual([
      { name: `${base}_PORT`, says: expect.stringMatching(new RegExp(`^${base}_PORT and 7 more .* Kubernetes service named ${name}: passed over.* enableServiceLinks: false`)) },
    ])
  }) // prettier-ignore

  it('keeps what a person has given beside such a service', () => {
    const env = { ...live, ...service('HC', 80), HC_PORT: '9000', HC_SANDBOX_PORT: '9001' }
    expect(readSettings(env).port).toBe(9000)
    expect(meantEnvironment(env).env).toEqual({ ...live, HC_PORT: '9000', HC_SANDBOX_PORT: '9001' })
    // A person's mistake stays one.
    expect(faultsOf({ ...live, HC_PORT: '10.0.0.7:80' })).toEqual([expect.stringContaining('HC_PORT')])
  })

  it.each(['"', "'", '`'])('has quotes around values, %s: read without them, with a warning each', (quote) => {
    const quoted = Object.fromEntries(Object.entries(live).map(([name, value]) => [name, `${quote}${value}${quote}`]))
    expect(readSettings(quoted)).toEqual(readSettings(live))
    const { notes } = meantEnvironment(quoted)
    expect(notes.map(({ name }) => name)).toEqual(Object.keys(live))
    for (const { name, says } of notes) {
      expect(says).toMatch(new RegExp(`^${name} .* docker run --env-file keeps`))
      expect(says).not.toContain(live[name])
    }
    const file = { ...live, HC_SECRET: undefined, HC_SECRET_FILE: `${quote}/run/s${quote}` }
    expect(readSettings(file, (path) => (path === '/run/s' ? `"${CANARY}${CANARY}"` : '')).secret).toBe(
      `"${CANARY}${CANARY}"`,
    )
  })

  it('has NODE_ENV in quotes, and the rules of production hold', () => {
    expect(faultsOf({ ...live, NODE_ENV: '"production"' })).toEqual(faultsOf({ ...live, NODE_ENV: 'production' }))
    expect(faultsOf({ ...live, NODE_ENV: '"production"' })).not.toEqual([])
  })

  it.each(['"', '"a', 'a"', `"a'`, 'a "b" c'])('has a lone quote in a value, %s, which stays', (value) => {
    expect(meantEnvironment({ HC_DESCRIPTION: value, MOTD: '"a"' })).toMatchObject({
      env: { HC_DESCRIPTION: value, MOTD: '"a"' },
      notes: [],
    })
  })

  it.each([
    [{ PORT: '3000' }, 3000], [{ PORT: ' "3000" ' }, 3000], [{ PORT: '3000', HC_PORT: '9000' }, 9000], [{ PORT: '3000', HC_PORT: ' ' }, 3000],
    [{ PORT: '0' }, 8787], [{ PORT: '70000' }, 8787], [{ PORT: String.raw`\\.\pipe\x` }, 8787], [{ PORT: 'tcp://10.0.0.7:80' }, 8787],
    [{ PORT: '3000', HC_PORT: 'tcp://10.0.0.7:80' }, 3000],
  ])('has the PORT of a platform, %j: the companion listens on %i', (given, port) => {
    expect(readSettings({ ...live, ...given }).port).toBe(port)
  }) // prettier-ignore

  it('stays as it is meant when it is read twice', () => {
    const env = { ...live, ...service('HC', 80), PORT: '3000', HC_SECRET: `"${live['HC_SECRET']}"` }
    const once = meantEnvironment(env).env
    expect(meantEnvironment(once)).toEqual({ env: once, notes: [], isPortOfPlatform: false })
  })
})

describe('other help', () => {
  it('a misspelt name is found with what was meant', () => {
    expect(misspeltSettings({ HC_WEBHOOK_ALOW: '1', HC_SECRET_FILE: '/x', HC_SANDBOX_PORT: '1', PATH: '/' })).toEqual([
      {
        name: 'HC_WEBHOOK_ALOW',
        meant: 'HC_WEBHOOK_ALLOW',
        says: 'HC_WEBHOOK_ALOW is not a setting; did you mean HC_WEBHOOK_ALLOW?',
      },
    ])
  })

  it('a name that nothing reads is said to be no setting, and that of another program of ours is not', () => {
    // npm start tells its variables on its page.
    const [, told = ''] = /## `npm start`([^]*)/.exec(page) ?? []
    const others = (told.match(/\bHC_\w+/g) ?? []).filter((name) => !settingsTable.some((row) => row.name === name))
    expect(others).toEqual(['HC_SANDBOX_PORT', 'HC_DEMO_PORT', 'HC_DIRECTORY'])
    const given = Object.fromEntries([...others, 'HC_SHOP_URL', 'HC_SANDBOX_URL'].map((name) => [name, 'x']))
    expect(misspeltSettings(given)).toEqual([
      { name: 'HC_SHOP_URL', says: 'HC_SHOP_URL is not a setting.' },
      { name: 'HC_SANDBOX_URL', says: 'HC_SANDBOX_URL is not a setting.' },
    ])
  })

  it('the address of the database can be had without the rest', () => {
    expect(readDatabaseUrl({ HC_DATABASE_URL: 'file:x.db' })).toBe('file:x.db')
    expect(readDatabaseUrl({ HC_DATABASE_URL_FILE: '/f' }, () => 'postgres://h/d\n')).toBe('postgres://h/d')
    expect(() => readDatabaseUrl({})).toThrow(/^HC_DATABASE_URL is missing/)
    expect(() => readDatabaseUrl({ HC_DATABASE_URL: 'x' })).toThrow(/^HC_DATABASE_URL must begin/)
  })

  it.each(['file:new/', 'file:/var/lib/hc-checkout/', 'file:///var/lib/hc-checkout/'])(
    'a folder as the database, %s, is refused, and no file made of its name',
    (address) => {
      expect(() => readDatabaseUrl({ HC_DATABASE_URL: address })).toThrow(/^HC_DATABASE_URL names a folder/)
    },
  )

  it.each(['file://companion.db', 'file://data/companion.db', 'file://localhost', 'file://C:/companion.db'])(
    'a path behind two slashes, %s, is refused: its first part would be a machine',
    (address) => {
      expect(() => readDatabaseUrl({ HC_DATABASE_URL: address })).toThrow(/^HC_DATABASE_URL has \/\/ before a path/)
      expect(readDatabaseUrl({ HC_DATABASE_URL: 'file://localhost/data/x.db' })).toBe('file://localhost/data/x.db')
    },
  )
})

describe('the address of the database', () => {
  it.each([
    'postgres://u:p@db.example/hc',
    'postgresql://u:p%2F@[::1]:5433/hc?sslmode=require',
    'postgres:///hc?host=/var/run/postgresql&user=u',
    'postgres://u:p@/hc?host=/var/run/postgresql',
    'postgres://u:p@%2Fvar%2Frun%2Fpostgresql/hc',
    'postgres://u:100% ä@db.example/hc',
  ])('may be %s', (address) => {
    expect(faultsOf({ ...live, HC_DATABASE_URL: address })).toEqual([])
  })

  it.each([
    `postgres://u:${CANARY}/p@db.example/hc`,
    `postgres://u:${CANARY}#p@db.example/hc`,
    `postgres://u:${CANARY}?p@db.example/hc`,
    'postgres://u:p@one.example:5432,two.example:5433/hc',
    'postgres://u:p@one.example,two.example/hc?target_session_attrs=read-write',
  ])('may not be %s, and nobody is shown it', (address) => {
    const [fault, ...more] = faultsOf({ ...live, HC_DATABASE_URL: address })
    expect(more).toEqual([])
    expect(fault).toMatch(/^HC_DATABASE_URL .*one host.*%2F/)
    expect(fault).not.toContain(CANARY)
  })

  it.each(['ssl-mode', 'sslMode', 'ssl_mode', 'SSLMODE'])('may not ask for TLS by %s, which nothing reads', (name) => {
    expect(
      faultsOf({ ...live, HC_DATABASE_URL: `postgres://u:p@db.example/hc?application_name=x&${name}=require` }),
    ).toEqual(['HC_DATABASE_URL has a misspelt sslmode: write it as in ?sslmode=verify-full.'])
  })
})

it('the help that the program writes as it loads formats no number by Intl, which takes 6 MB for good', async () => {
  const local = vi.spyOn(Number.prototype, 'toLocaleString')
  vi.resetModules()
  const fresh = await import('../../server/settings/table.ts')
  const says = fresh.settingsTable.map(({ about }) => about).join('\n')
  expect(says).toContain('A whole number from 10 to 1,000,000.')
  expect(says).toContain('A whole number from 24 to 1,024.')
  expect(local).not.toHaveBeenCalled()
  local.mockRestore()
})
