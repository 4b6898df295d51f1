// Every HC_* variable in one table: what it is, whether it is secret, its default. Help, documentation and the detection of
// misspelt names are made from it; `readSettings` parses the values.
export interface SettingVariable {
  readonly name: string
  /** One or two sentences for the person who fills it in. */
  readonly about: string
  /** Never printed; can also be read from `<name>_FILE`. */
  readonly secret?: true
  readonly required?: true
  /** The default, as one would write it. Absent: there is none. */
  readonly fallback?: string
  /** Of a whole number: the smallest and the largest that is taken. */
  readonly range?: readonly [smallest: number, largest: number]
}

export const settingsTable = [
  {
    name: 'HC_AUTH_URL',
    required: true,
    about: "Address of the payment service's login ({auth_url}), without /api/v2.",
  },
  {
    name: 'HC_BASE_URL',
    required: true,
    about: 'Address of the payment service ({base_url}), without /api/v2.',
  },
  {
    name: 'HC_UPSTREAM_PROXY',
    secret: true,
    about:
      'HTTP proxy for the calls to the payment service, http://user:password@host:port, when this machine has no fixed address of its own to be allow-listed.',
  },
  {
    name: 'HC_CONSUMER_KEY',
    required: true,
    secret: true,
    about: 'Consumer key of the developer dashboard. It also keys the hash of callbacks, so it is a secret.',
  },
  {
    name: 'HC_CONSUMER_SECRET',
    required: true,
    secret: true,
    about: 'Consumer secret of the developer dashboard.',
  },
  {
    name: 'HC_PRIVATE_KEY',
    required: true,
    secret: true,
    about:
      'RSA private key in PEM, 2048 bits or more; line ends may be written as \\n. Its public half is uploaded in the portal.',
  },
  {
    name: 'HC_BUSINESS_ID',
    required: true,
    about: "Business id shown in the service's portal; x-hash is the signature over it.",
  },
  {
    name: 'HC_WALLETS',
    required: true,
    about: 'Wallet number for each currency on offer, as KES:123,TZS:456.',
  },
  {
    name: 'HC_PUBLIC_URL',
    required: true,
    about: 'Address under which browsers and the payment service reach this companion.',
  },
  {
    name: 'HC_ALLOWED_ORIGINS',
    fallback: 'the origin of HC_PUBLIC_URL',
    about:
      'Origins of the shop pages that carry the widget, as https://shop.example,https://www.shop.example. Those of an app: https://localhost, capacitor://localhost. In test mode pages of this machine need no entry.',
  },
  {
    name: 'HC_CHECKOUT_ORIGINS',
    required: true,
    about:
      "Origins of the service's hosted checkout: a redirect_url that points elsewhere is not shown to the customer.",
  },
  {
    name: 'HC_DATABASE_URL',
    required: true,
    secret: true,
    about:
      'file:/var/lib/hc-checkout/companion.db for SQLite, postgres://… for PostgreSQL (no pooler in transaction mode; on another machine by TLS, unless ?sslmode=disable).',
  },
  {
    name: 'HC_SECRET',
    required: true,
    secret: true,
    about:
      'Secret of this installation, 32 characters or more (16 against a sandbox on loopback): tokens, links and webhook addresses are derived from it.',
  },
  {
    name: 'HC_SECRET_PREVIOUS',
    secret: true,
    about: 'The secret before a rotation; what was derived from it stays valid while it is given.',
  },
  {
    name: 'HC_MERCHANT_KEY',
    required: true,
    secret: true,
    about: "Bearer key of the merchant's backend, 32 to 512 characters (from 16 against a sandbox on loopback).",
  },
  {
    name: 'HC_NOTIFY_URL',
    about: "Address of the merchant's backend that receives notices. Never taken from anywhere else.",
  },
  {
    name: 'HC_NOTIFY_SECRET',
    secret: true,
    about: 'Standard Webhooks secret, whsec_ and base64 of 24 to 64 bytes. During a rotation: new,old; both sign.',
  },
  {
    name: 'HC_OPS_TOKEN',
    secret: true,
    about:
      'Bearer token for /metrics and the details of /readyz, 24 to 512 characters (from 16 against a sandbox on loopback). Once it is set, nobody sees them without it, also on this machine. Without it they are for this machine alone, and for no request that a proxy has passed on.',
  },
  {
    name: 'HC_MODE',
    fallback: 'open (with NODE_ENV=production it must be given)',
    about:
      "sessions: payments start only from a session of the merchant's backend. open: a customer may pay any amount within the limits.",
  },
  {
    name: 'HC_PAYMENT_MODE',
    fallback: 'found out',
    about:
      'test or live. Found out by itself: test when the service is on loopback or the consumer key says test or sandbox. Set it where that guess is wrong.',
  },
  {
    name: 'HC_LIMITS',
    fallback: 'see the table of limits',
    about: 'Smallest and largest amount by currency in whole major units, as KES:10-150000,UGX:500-5000000.',
  },
  {
    name: 'HC_DESCRIPTION',
    fallback: 'Payment',
    about: 'What an open payment is for; the customer reads it on the hosted page.',
  },
  {
    name: 'HC_LOCALES',
    fallback: 'en,fr,sw',
    about:
      'Languages on offer, the first one for customers whose own is not listed: any of en, fr, sw, am, ha, rn, rw, so.',
  },
  {
    name: 'HC_RETENTION_DAYS',
    fallback: '90',
    range: [1, 3650],
    about: 'Days after the end of a payment when payer details are erased. Amounts, references and results stay.',
  },
  {
    name: 'HC_TRUSTED_PROXIES',
    about: 'Addresses or CIDR blocks of proxies whose X-Forwarded-For is trusted, as 127.0.0.1,10.0.0.0/8.',
  },
  {
    name: 'HC_WEBHOOK_ALLOW',
    about: 'If set, only these addresses or CIDR blocks may call the webhook.',
  },
  {
    name: 'HC_HOST',
    fallback: '127.0.0.1',
    about: 'Address to listen on. In a container: 0.0.0.0.',
  },
  {
    name: 'HC_PORT',
    fallback: 'PORT, as hosting platforms set it, or 8787',
    range: [0, 65_535],
    about: 'Port to listen on; 0 is any that is free.',
  },
  {
    name: 'HC_CONFIRM',
    fallback: 'query',
    about:
      'query: a result is entered on the word of our own signed status query only. callback: a genuine callback decides; for contracts without the query.',
  },
  {
    name: 'HC_HASH_ORDER',
    fallback: 'documented',
    about: 'Field order of the callback hash: documented, or received for a service that hashes in the order it sends.',
  },
  {
    name: 'HC_HASH_KEY',
    secret: true,
    fallback: 'the consumer key',
    about: 'Key of the callback hash, where a contract has one of its own.',
  },
  {
    name: 'HC_HASH_KEY_PREVIOUS',
    secret: true,
    about: 'Key of the callback hash before a rotation, still accepted while it is given.',
  },
  {
    name: 'HC_QUERY_PATH',
    fallback: '/api/v2/payment/status-query',
    about: 'Path of the transaction query below HC_BASE_URL.',
  },
  {
    name: 'HC_MAX_REFERENCE',
    fallback: '64',
    range: [24, 1024],
    about: 'Longest reference the service takes; ours have 24 characters.',
  },
  { name: 'HC_MAX_DESCRIPTION', fallback: '255', range: [10, 10_000], about: 'Longest description the service takes.' },
  { name: 'HC_MAX_NAME', fallback: '100', range: [2, 1024], about: 'Longest payer name the service takes.' },
  {
    name: 'HC_RATE',
    fallback: '1500',
    range: [10, 1_000_000],
    about: 'Requests a minute to the service, shared by all instances on one database.',
  },
  {
    name: 'HC_ALERT_URL',
    secret: true,
    about:
      'Incoming webhook that alerts a person (Slack, Mattermost, or any that takes JSON with text); for Telegram a sendMessage address with its chat_id.',
  },
  {
    name: 'HC_ALERT_SMTP_URL',
    secret: true,
    about: 'Mail server for alerts, smtps://user:password@mail.example or smtp://….',
  },
  { name: 'HC_ALERT_FROM', about: 'Sender of alert mails.' },
  { name: 'HC_ALERT_TO', about: 'Receiver of alert mails.' },
  {
    name: 'HC_ALERT_SILENT_MINUTES',
    fallback: '60',
    range: [0, 10_080],
    about: 'Minutes without any callback, while payments are open, before a person is alerted. 0: never.',
  },
  { name: 'HC_LOG_LEVEL', fallback: 'info', about: 'debug, info, warn or error.' },
] as const satisfies readonly SettingVariable[]

type Row = (typeof settingsTable)[number]
export type SettingName = Row['name']
/** Those that are whole numbers. */
export type NumberName = Extract<Row, { readonly range: unknown }>['name']

/** The smallest and the largest value of each of these. */
export const ranges = Object.fromEntries(
  settingsTable.flatMap((row) => ('range' in row ? [[row.name, row.range]] : [])),
) as Record<NumberName, readonly [smallest: number, largest: number]>

/** What a person reads of a setting: what it is and, of a number, what is taken. */
export function aboutSetting({ about, range }: SettingVariable): string {
  if (range === undefined) return about
  // By hand: the program writes its help as it loads, and the first number that Intl formats costs 6 MB for good.
  const [smallest, largest] = range.map((bound) => String(bound).replace(/\B(?=(\d{3})+$)/g, ','))
  return `${about} A whole number from ${smallest} to ${largest}.`
}

/** Each variable that holds a setting, those for the file of a secret too, with the setting that is meant. */
const variables = new Map<string, SettingName>()
for (const row of settingsTable) {
  variables.set(row.name, row.name)
  if ('secret' in row) variables.set(`${row.name}_FILE`, row.name)
}
export const settingVariables: ReadonlyMap<string, SettingName> = variables

/** Variables of the demo and the sandbox, which share the environment. */
export const otherVariables: ReadonlySet<string> = new Set(['HC_DIRECTORY', 'HC_SANDBOX_PORT', 'HC_DEMO_PORT'])

/** Unknown variables of a meant environment that begin with HC_, with the nearest known name: a mistyped `HC_WEBHOOK_ALOW` would leave the webhook open. */
export function misspeltSettings(
  env: Readonly<Record<string, string | undefined>>,
): { name: string; meant?: SettingName; says: string }[] {
  const known = settingVariables
  return Object.keys(env)
    .filter((name) => name.startsWith('HC_') && !known.has(name) && !otherVariables.has(name))
    .map((name) => {
      const inFile = settingsTable.find((variable) => name === `${variable.name}_FILE`)?.name
      if (inFile !== undefined)
        return {
          name,
          meant: inFile,
          says: `${name} is not a setting: only secrets are read from files; give ${inFile} itself.`,
        }
      const near = [...known.keys()]
        .map((candidate) => [distance(name, candidate), candidate] as const)
        .toSorted((a, b) => a[0] - b[0])[0]
      const meant = near !== undefined && near[0] <= 3 ? known.get(near[1]) : undefined
      return meant === undefined
        ? { name, says: `${name} is not a setting.` }
        : { name, meant, says: `${name} is not a setting; did you mean ${meant}?` }
    })
}

/** Levenshtein distance; names are short. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
