// HC_DATABASE_URL for PostgreSQL: prepares it for the driver, and checks that the right server answers.
import { credentialsOf } from '../decode.ts'
import { codeOf } from '../error-code.ts'
import { UnfitDatabase } from './unfit-database.ts'

/**
 * These modes promise encryption only; the driver also checks the certificate for all of them. Its next release will not, so we ask for it
 * explicitly.
 */
const CHECKED = new Set(['prefer', 'require', 'verify-ca'])

/**
 * The address for the driver, which fails on user names or passwords that are not fully percent-encoded; those are taken literally. Any `sslmode` but
 * `disable` and `no-verify` becomes `verify-full`, unless `uselibpqcompat=true` asks for the weaker meanings of libpq.
 */
export function connectionString(url: string): string {
  if (!URL.canParse(url)) return url
  const address = new URL(url)
  const { user, password } = credentialsOf(url)
  address.username = encodeURIComponent(user)
  address.password = encodeURIComponent(password)
  const { searchParams } = address
  const isWeak = CHECKED.has(searchParams.get('sslmode') ?? '') && searchParams.get('uselibpqcompat') !== 'true'
  if (isWeak) searchParams.set('sslmode', 'verify-full')
  return address.href
}

/** What to do about a server whose certificate is not trusted; undefined for any other fault. */
export function untrusted(error: unknown): UnfitDatabase | undefined {
  const code = codeOf(error)
  const says = adviceFor(code)
  return says === undefined ? undefined : new UnfitDatabase('untrusted', `${says} (${code}).`, error)
}

function adviceFor(code: string): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') return "the certificate of PostgreSQL's server has expired: renew it"
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return "the certificate of PostgreSQL's server is for another name: use the name that it was made for"
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/.test(code))
    return "the certificate of PostgreSQL's server is from an authority that is not known here: name the authority's file with ?sslmode=verify-full&sslrootcert=FILE in HC_DATABASE_URL"
  return undefined
}
