// HC_DATABASE_URL for PostgreSQL: what the driver makes of it, and whether it is the right server that answers there.
import { credentialsOf } from '../decode.ts'
import { UnfitDatabase } from './unfit-database.ts'

/** They say "encrypted"; to be sure by whom it is read, the driver checks the certificate for all of them. Its next release would not, so we say it. */
const CHECKED = new Set(['prefer', 'require', 'verify-ca'])

/**
 * The address for the driver. It ends on user or password that are not percent-encoded as a whole; those are meant as they stand. Whatever
 * `sslmode` but `disable` and `no-verify` is `verify-full`, unless `uselibpqcompat=true` asks for the weaker meanings of PostgreSQL's own programs.
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

/** What to do about a server whose certificate does not prove that it is ours; undefined for any other fault. */
export function untrusted(error: unknown): UnfitDatabase | undefined {
  const { code } = error as { code?: unknown }
  const says = typeof code === 'string' ? adviceFor(code) : undefined
  return says === undefined ? undefined : new UnfitDatabase('untrusted', `${says} (${String(code)}).`, error)
}

function adviceFor(code: string): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') return "the certificate of PostgreSQL's server has expired: renew it"
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return "the certificate of PostgreSQL's server is for another name: use the name that it was made for"
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/.test(code))
    return "the certificate of PostgreSQL's server is from an authority that is not known here: name the authority's file with ?sslmode=verify-full&sslrootcert=FILE in HC_DATABASE_URL"
  return undefined
}
