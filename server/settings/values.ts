// Zod schemas that parse the text of each kind of setting. A message completes the sentence "HC_NAME …" and never repeats
// the given text, which may be a secret.
import { isIP } from 'node:net'
import { z } from 'zod'
import { CurrencyCode, languages } from '../contract/index.ts'
import { ONE_LINE, seenIn, withoutUnseen } from '../contract/text.ts'
import { isLoopbackHost } from '../loopback.ts'
import { pemOf, readPrivateKey, UpstreamSettingError } from '../upstream/private-key.ts'

/** True for addresses on this machine; also for `*.localhost`, which browsers keep here, though a resolver need not. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return isLoopbackHost(hostname) || hostname.endsWith('.localhost')
}

/** True for addresses of a home or office network (RFC 1918). */
function isPrivate(url: string): boolean {
  const { hostname } = new URL(url)
  return isIP(hostname) === 4 && /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)
}

/** `lan`: plain http is also accepted for private addresses; only while the payment service is a sandbox on loopback. */
export function httpUrl(options: { lan?: boolean; query?: boolean; root?: boolean } = {}) {
  return z.string().transform((text, context) => {
    const fault = (message: string) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    if (!URL.canParse(text)) return fault('is not an address; write it as https://host.example.')
    const url = new URL(text)
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return fault('must begin with https://.')
    if (url.username !== '' || url.password !== '')
      return fault('must not carry a user name or password in the address.')
    if (url.hash !== '' || (url.search !== '' && options.query !== true))
      return fault('must end with the path, without ? or #.')
    if (options.root === true && url.pathname !== '/') return fault('must name the host alone, without a path.')
    if (url.protocol === 'http:' && !isLoopback(text) && !(options.lan === true && isPrivate(text))) {
      return fault('must begin with https://: plain http is taken for loopback only.')
    }
    return options.query === true ? url.href : (url.origin + url.pathname).replace(/\/+$/, '')
  })
}

function list(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}

/** Origin of pages in an iOS app by Capacitor or Ionic; no web site can have it. */
const APP_ORIGIN = /^(capacitor|ionic):\/\/localhost$/

export function origins(options: { lan: boolean; apps?: boolean }) {
  return z.string().transform((text, context) => {
    const found: string[] = []
    for (const part of list(text)) {
      if (options.apps === true && APP_ORIGIN.test(part)) {
        found.push(part)
        continue
      }
      const url = httpUrl(options).safeParse(part)
      if (part.includes('*') || !url.success || url.data !== new URL(part).origin) {
        const message = part.includes('*')
          ? 'must name each origin in full: * would let any web site in, and stands for nothing here.'
          : `has an entry that is no origin; write each as https://host.example, without a path${url.success ? '' : ', with https unless it is loopback'}.`
        context.addIssue({ code: 'custom', message })
        return z.NEVER
      }
      if (!found.includes(url.data)) found.push(url.data)
    }
    if (found.length === 0) context.addIssue({ code: 'custom', message: 'is empty.' })
    return found
  })
}

/** Addresses and CIDR blocks, IPv4 and IPv6. */
export const addressBlocks = z.string().transform((text, context) => {
  for (const part of list(text)) {
    const [address = '', bits, ...rest] = part.split('/')
    const version = isIP(address)
    const good =
      version !== 0 &&
      rest.length === 0 &&
      (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
    if (!good) {
      context.addIssue({
        code: 'custom',
        message: 'has an entry that is neither an address nor a block such as 10.0.0.0/8.',
      })
      return z.NEVER
    }
  }
  return list(text)
})

/** A key that `readPrivateKey` takes; as `pemOf` writes it. */
export const privateKey = z.string().transform((text, context) => {
  try {
    readPrivateKey(text)
    return pemOf(text)
  } catch (error) {
    if (!(error instanceof UpstreamSettingError)) throw error
    context.addIssue({ code: 'custom', message: error.fault })
    return z.NEVER
  }
})

/** Parses `KES:one,TZS:two` to a record; each currency must be known and appear once. */
function byCurrency<Value>(entry: z.ZodType<Value, string>, form: string) {
  return z.string().transform((text, context) => {
    const record: Partial<Record<CurrencyCode, Value>> = {}
    for (const part of list(text)) {
      const [name = '', ...rest] = part.split(':')
      const currency = CurrencyCode.safeParse(name.toUpperCase())
      const value = entry.safeParse(rest.join(':'))
      const message =
        rest.length === 0
          ? `has an entry without a colon; write it as ${form}.`
          : !currency.success
            ? `has an entry for a currency that the service does not know; known are ${CurrencyCode.options.join(', ')}.`
            : currency.data in record
              ? `has two entries for ${currency.data}.`
              : value.success
                ? undefined
                : `has an unusable entry for ${currency.data}; write it as ${form}.`
      if (message !== undefined || !currency.success || !value.success) {
        context.addIssue({ code: 'custom', message: message ?? 'cannot be read.' })
        return z.NEVER
      }
      record[currency.data] = value.data
    }
    if (Object.keys(record).length === 0)
      context.addIssue({ code: 'custom', message: `is empty; write it as ${form}.` })
    return record
  })
}

export const wallets = byCurrency(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), 'KES:123,TZS:456')

export const limits = byCurrency(
  z.string().transform((text, context) => {
    const [, min, max] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
    if (min === undefined || max === undefined || Number(min) < 1 || Number(max) < Number(min)) {
      context.addIssue({ code: 'custom', message: 'range' })
      return z.NEVER
    }
    return { min: Number(min), max: Number(max) }
  }),
  'KES:10-150000 in whole major units, the smaller first',
)

/** Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes; several for a rotation, the newest first. */
export const notifySecrets = z.string().transform((text, context) => {
  const secrets = list(text)
  const usable = secrets.every((secret) => {
    const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
    if (base64 === undefined || base64.length % 4 !== 0) return false
    const bytes = Buffer.from(base64, 'base64').length
    return bytes >= 24 && bytes <= 64
  })
  if (usable && secrets.length > 0) return secrets
  context.addIssue({
    code: 'custom',
    message: 'must be whsec_ and base64 of 24 to 64 bytes (hc-checkout-server keygen makes one).',
  })
  return z.NEVER
})

/** A secret of our own: at least `length` characters, `kinds` of them different, so that it cannot be guessed. */
export const strongSecret = (length: number, kinds = 8) =>
  z
    .string()
    .min(length, `must have ${length} characters or more (hc-checkout-server keygen makes one).`)
    .refine((text) => new Set(text).size >= kinds, 'is too simple (hc-checkout-server keygen makes one).')
    .refine((text) => /^[\x21-\x7e]+$/.test(text), 'must be printable ASCII without spaces.')

export const databaseUrl = z
  .string()
  .regex(
    /^(file:.|postgres(ql)?:\/\/.)/,
    'must begin with file: (SQLite) or postgres:// (PostgreSQL), followed by the path or the server.',
  )
  // The path would lose its slash, and a file would be made that bears the name of the folder.
  .refine(
    (text) => !/^file:.*\/$/.test(text),
    'names a folder: add the name of the file, as in file:data/companion.db.',
  )
  // As other programs' sqlite://data.db: what follows would be the name of a machine.
  .refine(
    (text) => !/^file:\/\/(?!\/|localhost\/)/.test(text),
    'has // before a path that does not begin with /: write file:data/companion.db or file:/var/lib/hc-checkout/companion.db.',
  )
  .refine(
    (text) => text.startsWith('file:') || namesOneServer(text),
    'is not the address of one server: name one host, and write / # ? @ in user and password as %2F %23 %3F %40.',
  )
  // Nobody reads it, so that all would go unencrypted: as of MySQL, or in other letters.
  .refine(
    (text) => text.startsWith('file:') || !/[?&]ssl[-_]?mode=/i.test(text.replaceAll('sslmode=', '')),
    'has a misspelt sslmode: write it as in ?sslmode=verify-full.',
  )

/** The host may stand in the query instead (`postgres://user@/db?host=/var/run/postgresql`). */
function namesOneServer(text: string): boolean {
  const address = text.replace('@/', '@localhost/')
  return URL.canParse(address) && !new URL(address).hostname.includes(',')
}

export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}.`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}.`)

const line = (max: number) =>
  z
    .string()
    .min(1, 'is empty.')
    .max(max, `must not be longer than ${max} characters.`)
    .regex(ONE_LINE, 'has characters that cannot be used.')

/** What customers read. Marks that nobody sees are taken out of it, as from the description of a session. */
export const shownLine = (max: number) =>
  z.string().overwrite(withoutUnseen).pipe(line(max)).refine(seenIn, 'has no character that can be seen.')

/** What the service has given; our documentation writes … in its place. */
export const credential = (max: number) =>
  line(max).refine(
    (text) => !text.includes('…'),
    'is still the … of the example; take it from your contract or the portal.',
  )

/** A region may follow, as in `en-KE`. */
const LOCALE = new RegExp(`^(${languages.join('|')})(-[A-Za-z0-9]{2,8})*$`)

export const locales = z.string().transform((text, context) => {
  const found = list(text)
  if (found.length > 0 && found.every((locale) => LOCALE.test(locale))) return found
  context.addIssue({ code: 'custom', message: `must be language codes out of ${languages.join()}.` })
  return z.NEVER
})

export const proxyUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === ''
}, 'must be http://user:password@host:port or https://….')

export const smtpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '',
    'must be smtps://user:password@host or smtp://host:port.',
  )

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be ${words.join(' or ')}.`)

export const email = z.email('must be an e-mail address.')

export const host = z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'must be an address or host name to listen on.')

export const path = z.string().regex(/^\/[A-Za-z0-9/_.~-]+$/, 'must be a path that begins with /.')
