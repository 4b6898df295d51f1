// What an error of PostgreSQL or its connection says about the statement that met it, and how long a silent one is waited for.
import type { QueryConfig } from 'pg'

/** The server undid the statement and says that another try may succeed. */
const undone = new Set(['40001', '40P01'])
/** The server has no room for it, on its disk or in its memory: another try does not make any. */
const noRoom = new Set(['53100', '53200'])
/** The server ends, starts, or takes no more connections: the connection is of no use, and what was running may or may not have happened. */
const severed = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25006', '40003'])
const severedBySystem = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** pg's own words, which carry no code. */
const severedByDriver =
  /connection terminated|connection ended|client has encountered a connection error|timeout exceeded when trying to connect|query read timeout|connection error/i

export type Fault = 'undone' | 'severed' | 'no room' | 'other'

export function faultOf(error: unknown): Fault {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') {
    if (undone.has(code)) return 'undone'
    if (noRoom.has(code)) return 'no room'
    if (severed.has(code) || severedBySystem.has(code) || code.startsWith('08')) return 'severed'
    return 'other'
  }
  return typeof message === 'string' && severedByDriver.test(message) ? 'severed' : 'other'
}

/** A connection that a firewall or a dead host has made silent never fails by itself: after this it is given up, and its statement with it. */
const SILENCE_MS = 15_000

/** A statement that fails as `severed` when no answer comes. The driver's types do not know that it takes the time with each query. */
export function inTime(query: QueryConfig | string): QueryConfig {
  const bounded = { ...(typeof query === 'string' ? { text: query } : query), query_timeout: SILENCE_MS }
  return bounded
}
