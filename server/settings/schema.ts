// Every HC_* setting: how its text is read, and what a person is told of it. Types, parsing, help,
// documentation, the list of secrets and the detection of misspelt names are made from this schema.
import { z } from 'zod'
import type { CurrencyCode } from '../contract/index.ts'
import * as values from './values.ts'

/** What a person is told of a setting, and how it is given. */
export interface SettingMeta {
  readonly name: `HC_${string}`
  /** One or two sentences for the person who fills it in. */
  readonly about: string
  /**
   * Never printed, and also read from the file of `<name>_FILE`. `password`: only the password is.
   */
  readonly secret?: 'all' | 'password'
  /** The default in words. Without it: the text that the schema takes for a missing value. */
  readonly fallback?: string
}

export const told = z.registry<SettingMeta>()

/** Smallest and largest amount of a payment, in whole major units. */
export interface Limit {
  readonly min: number
  readonly max: number
}

/** Whole major units. The service documents no limits: these are around those of usual wallets. */
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
 * @param isPlay the service is a sandbox on this machine, and this is not production. No money
 *   moves and no real key is sent. So weaker secrets are enough, and plain http on the local
 *   network, where a phone can open the page.
 */
export const settingsSchema = (isPlay: boolean) => {
  const lan = { lan: isPlay }
  const secret = (length: number) => (isPlay ? values.strongSecret(16, 1) : values.strongSecret(length))
  /** RFC 6750: what a bearer token may consist of. */
  const token = (length: number) =>
    secret(length)
      .max(512, 'must have at most 512 characters.')
      .regex(/^[\w.~+/-]+=*$/, 'may have letters, digits and - . _ ~ + / only, and = at its end: it is a bearer token.')
  return z.object({
    authUrl: values.serviceUrl().register(told, {
      name: 'HC_AUTH_URL',
      about: "Address of the payment service's login ({auth_url}), without /api/v2.",
    }),
    baseUrl: values.serviceUrl().register(told, {
      name: 'HC_BASE_URL',
      about: 'Address of the payment service ({base_url}), without /api/v2.',
    }),
    upstreamProxy: values.proxyUrl.optional().register(told, {
      name: 'HC_UPSTREAM_PROXY',
      secret: 'password',
      about:
        'HTTP proxy for the calls to the payment service, http://user:password@host:port, ' +
        'when this machine has no fixed address of its own to be allow-listed.',
    }),
    consumerKey: values.credential(512).register(told, {
      name: 'HC_CONSUMER_KEY',
      secret: 'all',
      about: 'Consumer key of the developer dashboard. It also keys the hash of callbacks, so it is a secret.',
    }),
    consumerSecret: values.credential(1024).register(told, {
      name: 'HC_CONSUMER_SECRET',
      secret: 'all',
      about: 'Consumer secret of the developer dashboard.',
    }),
    privateKey: values.privateKey.register(told, {
      name: 'HC_PRIVATE_KEY',
      secret: 'all',
      about:
        'RSA private key in PEM, 2048 bits or more; line ends may be written as \\n. ' +
        'Its public half is uploaded in the portal.',
    }),
    businessId: values.credential(128).register(told, {
      name: 'HC_BUSINESS_ID',
      about: "Business id shown in the service's portal; x-hash is the signature over it.",
    }),
    /** A currency without a wallet is not on offer. */
    wallets: values.wallets.register(told, {
      name: 'HC_WALLETS',
      about: 'Wallet number for each currency on offer, as KES:123,TZS:456.',
    }),
    /** No trailing slash. */
    publicUrl: values.httpUrl({ ...lan, root: true }).register(told, {
      name: 'HC_PUBLIC_URL',
      about: 'Address under which browsers and the payment service reach this companion.',
    }),
    /** Origins of the pages that may use it, including the companion's own. */
    allowedOrigins: values
      .origins({ ...lan, apps: true })
      .default([])
      .register(told, {
        name: 'HC_ALLOWED_ORIGINS',
        fallback: 'the origin of HC_PUBLIC_URL',
        about:
          'Origins of the shop pages that carry the widget, as https://shop.example,https://www.shop.example. ' +
          'Those of an app: https://localhost, capacitor://localhost. ' +
          'In test mode pages of this machine need no entry.',
      }),
    checkoutOrigins: values.origins(lan).register(told, {
      name: 'HC_CHECKOUT_ORIGINS',
      about:
        "Origins of the service's hosted checkout: " +
        'a redirect_url that points elsewhere is not shown to the customer.',
    }),
    checkoutLanguageParam: values.queryName.optional().register(told, {
      name: 'HC_CHECKOUT_LANGUAGE_PARAM',
      about:
        "Name of the query field by which the service's hosted checkout takes a language, as lang. " +
        "Its page then opens in the customer's language. Empty: none is added.",
    }),
    databaseUrl: values.databaseUrl.register(told, {
      name: 'HC_DATABASE_URL',
      secret: 'password',
      about:
        'file:/var/lib/hc-checkout/companion.db for SQLite, postgres://… for PostgreSQL ' +
        '(no pooler in transaction mode; on another machine by TLS, unless ?sslmode=disable).',
    }),
    secret: secret(32).register(told, {
      name: 'HC_SECRET',
      secret: 'all',
      about:
        'Secret of this installation, 32 characters or more (16 against a sandbox on loopback): ' +
        'tokens, links and webhook addresses are derived from it.',
    }),
    previousSecret: secret(32).optional().register(told, {
      name: 'HC_SECRET_PREVIOUS',
      secret: 'all',
      about: 'The secret before a rotation; what was derived from it stays valid while it is given.',
    }),
    merchantKey: token(32).register(told, {
      name: 'HC_MERCHANT_KEY',
      secret: 'all',
      about: "Bearer key of the merchant's backend, 32 to 512 characters (from 16 against a sandbox on loopback).",
    }),
    previousMerchantKey: token(32).optional().register(told, {
      name: 'HC_MERCHANT_KEY_PREVIOUS',
      secret: 'all',
      about: 'The merchant key before a rotation; it is taken as well while it is given.',
    }),
    readKey: token(32)
      .optional()
      .register(told, {
        name: 'HC_READ_KEY',
        secret: 'all',
        about:
          'Bearer key that reads what a viewer of the console sees, and exports payments; it acts on nothing. ' +
          'For example for accounting.',
      }),
    notifyUrl: values
      .httpUrl({ ...lan, query: true })
      .optional()
      .register(told, {
        name: 'HC_NOTIFY_URL',
        about: "Address of the merchant's backend that receives notices. Never taken from anywhere else.",
      }),
    /** Newest first; each adds a signature. */
    notifySecrets: values.notifySecrets.default([]).register(told, {
      name: 'HC_NOTIFY_SECRET',
      secret: 'all',
      about: 'Standard Webhooks secret, whsec_ and base64 of 24 to 64 bytes. During a rotation: new,old; both sign.',
    }),
    opsToken: token(24)
      .optional()
      .register(told, {
        name: 'HC_OPS_TOKEN',
        secret: 'all',
        about:
          'Bearer token for /metrics and the details of /readyz, 24 to 512 characters ' +
          '(from 16 against a sandbox on loopback). ' +
          'Once it is set, nobody sees them without it, also on this machine. ' +
          'Without it they are for this machine alone, and for no request that a proxy has passed on.',
      }),
    mode: values
      .oneOf(['open', 'sessions'])
      .prefault('open')
      .register(told, {
        name: 'HC_MODE',
        fallback: 'open (with NODE_ENV=production it must be given)',
        about:
          "sessions: payments start only from a session of the merchant's backend. " +
          'open: a customer may pay any amount within the limits.',
      }),
    paymentMode: values
      .oneOf(['test', 'live'])
      .optional()
      .register(told, {
        name: 'HC_PAYMENT_MODE',
        fallback: 'found out',
        about:
          'test or live. Found out by itself: test when the service is on loopback or the consumer key says test or ' +
          'sandbox. Set it where that guess is wrong.',
      }),
    limits: values.limits
      .optional()
      .transform((given): Readonly<Record<CurrencyCode, Limit>> => ({ ...DEFAULT_LIMITS, ...given }))
      .register(told, {
        name: 'HC_LIMITS',
        fallback: 'see the table of limits',
        about: 'Smallest and largest amount by currency in whole major units, as KES:10-150000,UGX:500-5000000.',
      }),
    description: values.shownLine.prefault('Payment').register(told, {
      name: 'HC_DESCRIPTION',
      about: 'What an open payment is for; the customer reads it on the hosted page.',
    }),
    shopName: values.shopName.optional().register(told, {
      name: 'HC_SHOP_NAME',
      about:
        'Who is paid, as customers know the shop: on the card, on /pay, in the message to another phone and on the ' +
        'receipt. A session may name another one (shop).',
    }),
    shopLogo: values.logo.optional().register(told, {
      name: 'HC_SHOP_LOGO',
      about:
        'Logo of the shop: the path of a file that the companion serves (PNG, JPEG, WebP or SVG, at most 200 kB), ' +
        'or an https address of an origin in HC_ALLOWED_ORIGINS.',
    }),
    shopAccent: values.accent.optional().register(told, {
      name: 'HC_SHOP_ACCENT',
      about:
        'Colour of the buttons, as #0b6e4f. The text on it is black or white, whichever can be read. ' +
        'A page that sets --hc-accent has the last word.',
    }),
    shopPhone: values.phone.optional().register(told, {
      name: 'HC_SHOP_PHONE',
      about: 'Phone number for customers with a question, as they read it: +254 712 345 678.',
    }),
    shopEmail: values.email.optional().register(told, {
      name: 'HC_SHOP_EMAIL',
      about: 'E-mail address for customers with a question.',
    }),
    shopHelpUrl: values
      .httpUrl({ ...lan, query: true })
      .optional()
      .register(told, {
        name: 'HC_SHOP_HELP_URL',
        about: 'Address of the help page of the shop.',
      }),
    locales: values.locales.prefault('en,fr,sw').register(told, {
      name: 'HC_LOCALES',
      about:
        'Languages on offer, the first one for customers whose own is not listed: ' +
        'any of en, fr, sw, am, ha, rn, rw, so.',
    }),
    retentionDays: values.whole(1, 3650).prefault('90').register(told, {
      name: 'HC_RETENTION_DAYS',
      about: 'Days after the end of a payment when payer details are erased. Amounts, references and results stay.',
    }),
    trustedProxies: values.addressBlocks.default([]).register(told, {
      name: 'HC_TRUSTED_PROXIES',
      about: 'Addresses or CIDR blocks of proxies whose X-Forwarded-For is trusted, as 127.0.0.1,10.0.0.0/8.',
    }),
    webhookAllow: values.addressBlocks.default([]).register(told, {
      name: 'HC_WEBHOOK_ALLOW',
      about: 'If set, only these addresses or CIDR blocks may call the webhook.',
    }),
    /** The console is off while there are none. */
    consoleUsers: values.consoleUsers.default([]).register(told, {
      name: 'HC_CONSOLE_USERS',
      secret: 'all',
      fallback: 'none: the console is off',
      about:
        'Users of the console at /console, as name:role:hash, one a line; hc-checkout-server user makes one. ' +
        'Roles: viewer reads, operator also acts, owner also reads what others did.',
    }),
    consoleContact: values.shownLine.optional().register(told, {
      name: 'HC_CONSOLE_CONTACT',
      about: 'Who the people of the shop call when something is wrong; the console shows it.',
    }),
    /** Not checked while it is the default: the first use of Intl costs memory for good. */
    timeZone: values.timeZone.default('UTC').register(told, {
      name: 'HC_TIME_ZONE',
      about: 'Time zone of the shop, as Africa/Nairobi: in it the console counts days.',
    }),
    host: values.host.prefault('127.0.0.1').register(told, {
      name: 'HC_HOST',
      about: 'Address to listen on. In a container: 0.0.0.0.',
    }),
    port: values.whole(0, 65_535).prefault('8787').register(told, {
      name: 'HC_PORT',
      fallback: 'PORT, as hosting platforms set it, or 8787',
      about: 'Port to listen on; 0 is any that is free.',
    }),
    /** `query`: only our own signed status query decides. */
    confirm: values
      .oneOf(['query', 'callback'])
      .prefault('query')
      .register(told, {
        name: 'HC_CONFIRM',
        about:
          'query: a result is entered on the word of our own signed status query only. ' +
          'callback: a genuine callback decides; for contracts without the query.',
      }),
    hashOrder: values.oneOf(['documented', 'received']).prefault('documented').register(told, {
      name: 'HC_HASH_ORDER',
      about:
        'Field order of the callback hash: documented, or received for a service that hashes in the order it sends.',
    }),
    hashKey: values.credential(1024).optional().register(told, {
      name: 'HC_HASH_KEY',
      secret: 'all',
      fallback: 'the consumer key',
      about: 'Key of the callback hash, where a contract has one of its own.',
    }),
    previousHashKey: values.credential(1024).optional().register(told, {
      name: 'HC_HASH_KEY_PREVIOUS',
      secret: 'all',
      about: 'Key of the callback hash before a rotation, still accepted while it is given.',
    }),
    queryPath: values.path.prefault('/api/v2/payment/status-query').register(told, {
      name: 'HC_QUERY_PATH',
      about: 'Path of the transaction query below HC_BASE_URL.',
    }),
    maxReference: values.whole(24, 1024).prefault('64').register(told, {
      name: 'HC_MAX_REFERENCE',
      about: 'Longest reference the service takes; ours have 24 characters.',
    }),
    maxDescription: values.whole(10, 10_000).prefault('255').register(told, {
      name: 'HC_MAX_DESCRIPTION',
      about: 'Longest description the service takes.',
    }),
    maxName: values.whole(2, 1024).prefault('100').register(told, {
      name: 'HC_MAX_NAME',
      about: 'Longest payer name the service takes.',
    }),
    rate: values.whole(10, 1_000_000).prefault('1500').register(told, {
      name: 'HC_RATE',
      about: 'Requests a minute to the service, shared by all instances on one database.',
    }),
    alertUrl: values
      .httpUrl({ query: true })
      .optional()
      .register(told, {
        name: 'HC_ALERT_URL',
        secret: 'all',
        about:
          'Incoming webhook that alerts a person (Slack, Mattermost, or any that takes JSON with text); ' +
          'for Telegram a sendMessage address with its chat_id.',
      }),
    alertSmtpUrl: values.smtpUrl.optional().register(told, {
      name: 'HC_ALERT_SMTP_URL',
      secret: 'password',
      about: 'Mail server for alerts, smtps://user:password@mail.example or smtp://….',
    }),
    alertFrom: values.email.optional().register(told, { name: 'HC_ALERT_FROM', about: 'Sender of alert mails.' }),
    alertTo: values.email.optional().register(told, { name: 'HC_ALERT_TO', about: 'Receiver of alert mails.' }),
    alertSilentMinutes: values.whole(0, 10_080).prefault('60').register(told, {
      name: 'HC_ALERT_SILENT_MINUTES',
      about: 'Minutes without any callback, while payments are open, before a person is alerted. 0: never.',
    }),
    logLevel: values.oneOf(['debug', 'info', 'warn', 'error']).prefault('info').register(told, {
      name: 'HC_LOG_LEVEL',
      about: 'debug, info, warn or error.',
    }),
  })
}

/** What the schema makes of a complete environment. */
export type Fields = z.output<ReturnType<typeof settingsSchema>>
export type Field = keyof Fields
