// Zod schemas that parse the text of each kind of setting. A message completes the sentence
// "HC_NAME …" and never repeats the given text, which may be a secret.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { CurrencyCode, languages } from '../contract/index.ts'
import { ONE_LINE, PHONE, seenIn, withoutUnseen } from '../contract/text.ts'
import { codeOf } from '../platform/error-code.ts'
import { isLoopbackHost } from '../platform/loopback.ts'
import { pemOf, readPrivateKey, UpstreamSettingError } from '../platform/private-key.ts'

/** What `read` makes of a text; it may return a fault instead. */
function parsed<Value>(read: (text: string, fault: (message: string) => never) => Value) {
  return z.string().transform((text, context) =>
    read(text, (message) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
  )
}

/** True for addresses on this machine, also for `*.localhost`, which browsers keep here. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return isLoopbackHost(hostname) || hostname.endsWith('.localhost')
}

/** True for addresses of a home or office network (RFC 1918). */
function isPrivate({ hostname }: URL): boolean {
  return isIP(hostname) === 4 && /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)
}

export interface UrlOptions {
  /** Plain http is also taken for private addresses. */
  readonly lan?: boolean
  /** Whether it may have a query, or no path. */
  readonly query?: boolean
  readonly root?: boolean
}

export const httpUrl = ({ lan = false, query = false, root = false }: UrlOptions = {}) =>
  parsed((text, fault) => {
    if (!URL.canParse(text)) return fault('is not an address; write it as https://host.example.')
    const url = new URL(text)
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return fault('must begin with https://.')
    if (url.username !== '' || url.password !== '')
      return fault('must not carry a user name or password in the address.')
    if (url.hash !== '' || (url.search !== '' && !query)) return fault('must end with the path, without ? or #.')
    if (root && url.pathname !== '/') return fault('must name the host alone, without a path.')
    if (url.protocol === 'http:' && !isLoopback(text) && !(lan && isPrivate(url)))
      return fault('must begin with https://: plain http is taken for loopback only.')
    return query ? url.href : (url.origin + url.pathname).replace(/\/+$/, '')
  })

export const serviceUrl = () =>
  httpUrl().refine((url) => !/\/api\/v2(\/|$)/.test(url), 'must end before /api/v2, which the companion adds.')

function list(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}

/** Entries with commas or spaces between them; `empty` is the fault of a text without any. */
function listOf(entry: z.ZodType<string, string>, empty?: string) {
  const entries = z.array(entry).min(empty === undefined ? 0 : 1, empty)
  return z.string().transform(list).pipe(entries).readonly()
}

/** Origin of pages in an iOS app by Capacitor or Ionic; no web site can have it. */
const APP_ORIGIN = /^(capacitor|ionic):\/\/localhost$/

export function origins({ lan, apps = false }: { lan: boolean; apps?: boolean }) {
  const origin = parsed((text, fault) => {
    if (text.includes('*'))
      return fault('must name each origin in full: * would let any web site in, and stands for nothing here.')
    if (apps && APP_ORIGIN.test(text)) return text
    const url = httpUrl({ lan }).safeParse(text)
    if (url.success && url.data === new URL(text).origin) return url.data
    const why = url.success ? '' : ', with https unless it is loopback'
    return fault(`has an entry that is no origin; write each as https://host.example, without a path${why}.`)
  })
  return listOf(origin, 'is empty.').transform((all): readonly string[] => [...new Set(all)])
}

/** Addresses and CIDR blocks, IPv4 and IPv6. */
export const addressBlocks = listOf(
  z.union(
    [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
    'has an entry that is neither an address nor a block such as 10.0.0.0/8.',
  ),
)

/** A key that `readPrivateKey` takes; as `pemOf` writes it. */
export const privateKey = parsed((text, fault) => {
  try {
    readPrivateKey(text)
    return pemOf(text)
  } catch (error) {
    if (error instanceof UpstreamSettingError) return fault(error.fault)
    throw error
  }
})

/** Parses `KES:one,TZS:two` to a record; each currency must be known and appear once. */
const byCurrency = <Value>(valueOf: (text: string) => Value | undefined, form: string) =>
  parsed((text, fault): Readonly<Partial<Record<CurrencyCode, Value>>> => {
    const record: Partial<Record<CurrencyCode, Value>> = {}
    for (const part of list(text)) {
      const [, name = '', given = ''] = /^([^:]*):(.*)$/.exec(part) ?? []
      if (!part.includes(':')) return fault(`has an entry without a colon; write it as ${form}.`)
      const currency = CurrencyCode.safeParse(name.toUpperCase())
      if (!currency.success) {
        const known = CurrencyCode.options.join(', ')
        return fault(`has an entry for a currency that the service does not know; known are ${known}.`)
      }
      if (currency.data in record) return fault(`has two entries for ${currency.data}.`)
      const value = valueOf(given)
      if (value === undefined) return fault(`has an unusable entry for ${currency.data}; write it as ${form}.`)
      record[currency.data] = value
    }
    return Object.keys(record).length === 0 ? fault(`is empty; write it as ${form}.`) : record
  })

export const wallets = byCurrency((text) => (/^[A-Za-z0-9-]{1,64}$/.test(text) ? text : undefined), 'KES:123,TZS:456')

export const limits = byCurrency((text) => {
  const [, min, max] = /^(\d{1,15})-(\d{1,15})$/.exec(text)?.map(Number) ?? []
  return min === undefined || max === undefined || min < 1 || max < min ? undefined : { min, max }
}, 'KES:10-150000 in whole major units, the smaller first')

const NO_NOTIFY_SECRET = 'must be whsec_ and base64 of 24 to 64 bytes (hc-checkout-server keygen makes one).'

/** `whsec_` and base64 of 24 to 64 bytes; several for a rotation, the newest first. */
export const notifySecrets = listOf(
  z.string().refine((secret) => {
    const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
    if (base64 === undefined || base64.length % 4 !== 0) return false
    const bytes = Buffer.from(base64, 'base64').length
    return bytes >= 24 && bytes <= 64
  }, NO_NOTIFY_SECRET),
  NO_NOTIFY_SECRET,
)

/** A secret of our own: at least `length` characters, `kinds` of them different. */
export const strongSecret = (length: number, kinds = 8) =>
  z
    .string()
    .min(length, `must have ${length} characters or more (hc-checkout-server keygen makes one).`)
    .refine((text) => new Set(text).size >= kinds, 'is too simple (hc-checkout-server keygen makes one).')
    .refine((text) => /^[\x21-\x7e]+$/.test(text), 'must be printable ASCII without spaces.')

export const databaseUrl = parsed((text, fault) => {
  if (!/^(file:.|postgres(ql)?:\/\/.)/.test(text))
    return fault('must begin with file: (SQLite) or postgres:// (PostgreSQL), followed by the path or the server.')
  // The path would lose its slash, and a file would be made that bears the name of the folder.
  if (/^file:.*\/$/.test(text)) return fault('names a folder: add the name of the file, as in file:data/companion.db.')
  // Other programs write sqlite://data.db. What follows would be the name of a machine here.
  if (/^file:\/\/(?!\/|localhost\/)/.test(text))
    return fault(
      'has // before a path that does not begin with /: ' +
        'write file:data/companion.db or file:/var/lib/hc-checkout/companion.db.',
    )
  if (text.startsWith('file:')) return text
  // The host may stand in the query instead (`postgres://user@/db?host=/var/run/postgresql`).
  const address = text.replace('@/', '@localhost/')
  if (!URL.canParse(address) || new URL(address).hostname.includes(','))
    return fault(
      'is not the address of one server: name one host, and write / # ? @ in user and password as %2F %23 %3F %40.',
    )
  // Nobody reads MySQL's name or another case of it, so that all would go unencrypted.
  if (/[?&]ssl[-_]?mode=/i.test(text.replaceAll('sslmode=', '')))
    return fault('has a misspelt sslmode: write it as in ?sslmode=verify-full.')
  return text
})

export const whole = (smallest: number, largest: number) => {
  const message = `must be a whole number from ${smallest} to ${largest}.`
  const range = z.number().min(smallest, message).max(largest, message)
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(range)
}

const line = z.string().regex(ONE_LINE, 'has characters that cannot be used.')

/** What customers read, without marks that nobody sees. */
export const shownLine = z
  .string()
  .overwrite(withoutUnseen)
  .pipe(line.min(1, 'is empty.'))
  .refine(seenIn, 'has no character that can be seen.')

export const shopName = shownLine.refine((text) => text.length <= 60, 'must not be longer than 60 characters.')

/** What the service has given; our documentation writes … in its place. */
export const credential = (max: number) =>
  line
    .max(max, `must not be longer than ${max} characters.`)
    .refine((text) => !text.includes('…'), 'is still the … of the example; take it from your contract or the portal.')

/** A region may follow, as in `en-KE`. */
const LOCALE = new RegExp(`^(${languages.join('|')})(-[A-Za-z0-9]{2,8})*$`)

const NO_LOCALE = `must be language codes out of ${languages.join()}.`

export const locales = listOf(z.string().regex(LOCALE, NO_LOCALE), NO_LOCALE)

export const proxyUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === ''
}, 'must be http://user:password@host:port or https://….')

export const smtpUrl = z.url({
  protocol: /^smtps?$/,
  hostname: /./,
  error: 'must be smtps://user:password@host or smtp://host:port.',
})

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be ${words.join(' or ')}.`)

export const accent = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be six hex digits after a #, as #0b6e4f.')
  .toLowerCase()

export const phone = z.string().regex(PHONE, 'must be a phone number, as +254 712 345 678.')

const MOST_LOGO_BYTES = 200_000

/** Of a picture by its first bytes, whatever its file is called. */
function pictureType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1')
  if (start.startsWith('\x89PNG')) return 'image/png'
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^RIFF[^]{4}WEBP/.test(start)) return 'image/webp'
  return /^[^]{0,3}\s*<(\?xml|!--|svg)/.test(start) ? 'image/svg+xml' : undefined
}

/** A picture at an address, or one that the companion serves itself. */
export type Logo = { readonly url: string } | { readonly bytes: Uint8Array; readonly type: string }

export const logo = parsed((text, fault): Logo => {
  if (/^https?:/i.test(text)) {
    const url = httpUrl({ query: true }).safeParse(text)
    return url.success ? { url: url.data } : fault(url.error.issues[0]!.message)
  }
  let bytes
  try {
    bytes = readFileSync(text)
  } catch (error) {
    const code = codeOf(error)
    return fault(`names a file that cannot be read${code === '' ? '' : ` (${code})`}.`)
  }
  const type = pictureType(bytes)
  if (bytes.length > MOST_LOGO_BYTES) return fault('names a file of more than 200 kB: make the picture smaller.')
  return type === undefined ? fault('names a file that is no PNG, JPEG, WebP or SVG.') : { bytes, type }
})

export const email = z.email('must be an e-mail address.')

export const host = z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/, 'must be an address or host name to listen on.')

export const queryName = z.string().regex(/^[A-Za-z][\w.-]{0,39}$/, 'must be the name of a query field, as lang.')

export const path = z.string().regex(/^\/[A-Za-z0-9/_.~-]+$/, 'must be a path that begins with /.')

/** A user of the console. */
export interface ConsoleUser {
  readonly name: string
  readonly role: 'viewer' | 'operator' | 'owner'
  /** As `hc-checkout-server user` writes it: scrypt, log2 of its cost, salt and hash. */
  readonly hash: string
}

const USER = /^([\p{L}\p{N}][\p{L}\p{N}._@-]{0,59}):(viewer|operator|owner):(scrypt-1[4-7]-[\w-]{22}-[\w-]{43})$/u

/** `name:role:hash` of each user, with commas, spaces or line breaks between them. */
export const consoleUsers = parsed((text, fault): readonly ConsoleUser[] => {
  const users: ConsoleUser[] = []
  for (const entry of list(text)) {
    const [, name, role, hash] = USER.exec(entry) ?? []
    if (name === undefined || hash === undefined)
      return fault(
        'has an entry that is no name:role:hash; hc-checkout-server user makes one. Roles are viewer, ' +
          'operator and owner.',
      )
    if (users.some((user) => user.name.toLowerCase() === name.toLowerCase()))
      return fault('has two entries of one name.')
    users.push({ name, role: role as ConsoleUser['role'], hash })
  }
  return users
})

export const timeZone = z.string().refine((name) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}, 'must be the name of a time zone, as Africa/Nairobi.')
