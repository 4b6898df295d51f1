// What a call met in place of an answer: its name, and whether it proves that nothing was sent
// (money rule 1).
import { codeOf } from '../platform/error-code.ts'

/**
 * `refused_connection` (by the host, or by the proxy on the way) and `dns`: there was no
 * connection.
 * `timeout`: a deadline passed. `reset`: the connection broke. `tls`: the service could not prove
 * its identity.
 * `too_large`, `encoded`, `invalid_answer`: an answer arrived but was not read. `network`: anything
 * else.
 */
export type TransportFault =
  | 'refused_connection'
  | 'dns'
  | 'timeout'
  | 'reset'
  | 'tls'
  | 'too_large'
  | 'encoded'
  | 'invalid_answer'
  | 'network'

export interface SendFault {
  readonly fault: TransportFault
  /**
   * Of a `tls` fault, for example CERT_HAS_EXPIRED: it tells an expired certificate from a foreign
   * one.
   */
  readonly code?: string
  /** Nothing reached the service: there was no connection that could carry a request. */
  readonly notSent?: true
}

/** Our own codes, for what undici and `Response` have none of. */
export const OUR_CODES = {
  tunnelRefused: 'HC_TUNNEL_REFUSED',
  tooLarge: 'HC_TOO_LARGE',
  encoded: 'HC_ENCODED',
  invalidAnswer: 'HC_INVALID_ANSWER',
} as const

/**
 * `notSent`: it arises only before a connection can be written to. `unknown`: it may also arise
 * afterwards.
 */
export type Meaning = 'notSent' | 'unknown'

/** The codes by their meaning. A code that is not here means `network` and `unknown`. */
const TABLE: readonly (readonly [Meaning, TransportFault, readonly string[]])[] = [
  ['notSent', 'refused_connection', ['ECONNREFUSED', OUR_CODES.tunnelRefused]],
  ['notSent', 'dns', ['ENOTFOUND', 'EAI_AGAIN']],
  ['notSent', 'timeout', ['UND_ERR_CONNECT_TIMEOUT']],
  [
    // Node checks the certificate before anyone can write: "X509 certificate error codes" of
    // node:tls.
    'notSent',
    'tls',
    [
      'CERT_CHAIN_TOO_LONG',
      'CERT_HAS_EXPIRED',
      'CERT_NOT_YET_VALID',
      'CERT_REJECTED',
      'CERT_REVOKED',
      'CERT_SIGNATURE_FAILURE',
      'CERT_UNTRUSTED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'HOSTNAME_MISMATCH',
      'INVALID_CA',
      'INVALID_PURPOSE',
      'PATH_LENGTH_EXCEEDED',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
  ],
  // A server may break off a handshake that we hold for done: its alert arrives after our request
  // has left.
  ['unknown', 'tls', ['EPROTO']],
  ['unknown', 'timeout', ['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']],
  ['unknown', 'reset', ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'HPE_INVALID_EOF_STATE']],
  ['unknown', 'reset', ['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']],
  ['unknown', 'too_large', [OUR_CODES.tooLarge]],
  ['unknown', 'encoded', [OUR_CODES.encoded]],
  ['unknown', 'invalid_answer', [OUR_CODES.invalidAnswer]],
  // Some kernels report these of a connection that was open.
  ['unknown', 'network', ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']],
  ['unknown', 'network', ['UND_ERR_ABORTED', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_INFO', 'ABORT_ERR']],
]

interface CodeMeaning {
  readonly fault: TransportFault
  readonly meaning: Meaning
}

/** Each error code with its meaning. */
export const ERROR_CODES: ReadonlyMap<string, CodeMeaning> = new Map(
  TABLE.flatMap(([meaning, fault, codes]) => codes.map((code) => [code, { meaning, fault }])),
)

const UNLISTED: CodeMeaning = { fault: 'network', meaning: 'unknown' }
/** OpenSSL has too many to list. They are named, and prove nothing. */
const UNLISTED_TLS: CodeMeaning = { fault: 'tls', meaning: 'unknown' }

/** Of several addresses that failed differently, the first of these is told. */
const TELLING: readonly TransportFault[] = ['tls', 'timeout', 'reset', 'network']

/**
 * Classifies an error of undici, fetch or ky. Several addresses prove that nothing was sent only if
 * each one does.
 */
export function faultOf(error: unknown): SendFault {
  const met = codesOf(error, 0).map((code) => ({
    code,
    ...(ERROR_CODES.get(code) ?? (/^ERR_(?:SSL|TLS)_/.test(code) ? UNLISTED_TLS : UNLISTED)),
  }))
  const faults = [...TELLING, ...met.map(({ fault }) => fault)]
  const fault = faults.find((one) => met.some((other) => other.fault === one)) ?? 'network'
  const ofTls = fault === 'tls' ? met.find((one) => one.fault === 'tls') : undefined
  const notSent = (met.length > 0 && met.every(({ meaning }) => meaning === 'notSent')) || undefined
  return { fault, code: ofTls?.code, notSent }
}

/** Codes at the ends of the cause chain: a wrapper's own code says less than what it wraps. */
function codesOf(error: unknown, depth: number): string[] {
  if (!(error instanceof Error) || depth > 5) return []
  if (error instanceof AggregateError) return error.errors.flatMap((one) => codesOf(one, depth + 1))
  const deeper = codesOf(error.cause, depth + 1)
  if (deeper.length > 0) return deeper
  const code = codeOf(error)
  return code === '' ? [] : [code]
}

/** For a person: `timeout`, `tls: CERT_HAS_EXPIRED`. */
export function inWords({ fault, code }: SendFault): string {
  return code === undefined ? fault : `${fault}: ${code}`
}

/**
 * The fault that words of `inWords` name; of any other text, what stands before its first colon.
 */
export function faultIn(words: string): string {
  return words.replace(/:.*/s, '')
}
