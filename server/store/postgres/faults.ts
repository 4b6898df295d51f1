// Classifies errors of PostgreSQL and its connections by what they say about the failed statement,
// and limits the wait for a silent connection.
import type { QueryConfig } from 'pg'
import { codeOf } from '../../platform/error-code.ts'
import { UnfitDatabase } from '../schema/unfit-database.ts'

/**
 * The server rolled the statement back, and a retry may succeed. The last two: it waited too long
 * for a lock; an operator or a time limit cancelled it.
 */
const undone = new Set(['40001', '40P01', '55P03', '57014'])
/** The server is out of disk space or memory: a retry does not help. */
const noRoom = new Set(['53100', '53200'])
/**
 * A table that the start found is gone: another database stands at the address now, or somebody
 * changed this one. Nothing was executed.
 */
const changed = new Set(['42P01'])
/**
 * The server lets this program in no more: its password was changed, or its user, its database or
 * its line in pg_hba.conf. No statement was sent.
 */
const refused = new Set(['28P01', '28000', '3D000'])
/**
 * The server is stopping, starting, accepts no more connections, or closed this one because of its
 * own time limits: the connection is useless, and what was running may or may not have happened.
 */
const severed = new Set(['57P01', '57P02', '57P03', '57P05', '25P04', '53300', '25006', '40003'])
/** There is no way to it, or this machine has no socket, address or file left for one. */
const severedBySystem = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Messages of the pg driver, which carry no code. */
const SEVERED_BY_DRIVER = [
  'connection terminated',
  'connection ended',
  'connection error',
  'timeout exceeded when trying to connect',
  'query read timeout',
]

/**
 * `refused`: there is no connection, and a retry does not help: at most it gets this machine
 * banned. Nor does it with `changed`.
 */
export type FaultKind = 'undone' | 'severed' | 'refused' | 'changed' | 'no room' | 'other'

export function faultKindOf(error: unknown): FaultKind {
  const code = codeOf(error)
  if (undone.has(code)) return 'undone'
  if (noRoom.has(code)) return 'no room'
  if (changed.has(code)) return 'changed'
  if (refused.has(code) || untrusted(error) !== undefined) return 'refused'
  if (severed.has(code) || severedBySystem.has(code) || code.startsWith('08')) return 'severed'
  const { message } = error as { message?: unknown }
  const isSevered = SEVERED_BY_DRIVER.some((said) => String(message).toLowerCase().includes(said))
  return code === '' && isSevered ? 'severed' : 'other'
}

/** Advice for a person, for any fault except `other`. */
export function adviceOn(error: unknown): string {
  const code = codeOf(error)
  if (code === '25006')
    return (
      'PostgreSQL takes no writes: HC_DATABASE_URL leads to a standby, or the database was set to read ' +
      'only, as hosts do when its disk is full.'
    )
  if (refused.has(code))
    return (
      `PostgreSQL refuses the login (${code}): look at user, password and database in HC_DATABASE_URL, ` +
      'and at pg_hba.conf.'
    )
  if (changed.has(code))
    return (
      'The tables are gone from the database of HC_DATABASE_URL: another one stands there now, or they ' +
      'were removed. A start would make empty ones: bring the payments back first.'
    )
  const distrust = untrusted(error)
  if (distrust !== undefined) return `There is no safe connection to the database: ${distrust.message}`
  if (code === '53300')
    return (
      'PostgreSQL has no connection left for this program, which uses up to nine: raise max_connections, ' +
      'or the limit of its user.'
    )
  if (noRoom.has(code)) return 'PostgreSQL has no room left, on its disk or in its memory: make some.'
  if (undone.has(code) || /query read timeout/i.test((error as Error).message))
    return (
      'PostgreSQL did not finish a statement: another program holds a lock on the tables (look at ' +
      'pg_stat_activity), or it is overloaded or no longer reachable.'
    )
  // The pool's, of those that waited in line: the connections that are open do not answer, or are
  // all in use.
  if (/timeout exceeded when trying to connect/.test((error as Error).message))
    return (
      'No connection to PostgreSQL was free in time: another program holds a lock on the tables (look at ' +
      'pg_stat_activity), or PostgreSQL is overloaded or no longer reachable.'
    )
  return 'The database cannot be reached. Look whether PostgreSQL runs and HC_DATABASE_URL is right.'
}

/** What to do about a server whose certificate is not trusted; undefined for any other fault. */
export function untrusted(error: unknown): UnfitDatabase | undefined {
  const code = codeOf(error)
  const says = trustAdvice(code)
  return says === undefined ? undefined : new UnfitDatabase('untrusted', `${says} (${code}).`, error)
}

function trustAdvice(code: string): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') return "the certificate of PostgreSQL's server has expired: renew it"
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return "the certificate of PostgreSQL's server is for another name: use the name that it was made for"
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)/.test(code))
    return (
      "the certificate of PostgreSQL's server is from an authority that is not known here: name the " +
      "authority's file with ?sslmode=verify-full&sslrootcert=FILE in HC_DATABASE_URL"
    )
  return undefined
}

/**
 * A connection silenced by a firewall or a dead host never fails by itself: after this it is given
 * up, with its statement.
 */
const SILENCE_MS = 15_000

/**
 * A statement that fails as `severed` when no answer comes. The driver's types omit that a query
 * accepts a timeout.
 */
export function inTime(query: QueryConfig | string): QueryConfig {
  const bounded = { ...(typeof query === 'string' ? { text: query } : query), query_timeout: SILENCE_MS }
  return bounded
}
