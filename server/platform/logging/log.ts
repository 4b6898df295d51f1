// The companion's log: one JSON line per event by pino, with the request id, and two filters for
// what must never be logged: fields by name, and known secrets and capability URLs by their text.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type DestinationStream, pino } from 'pino'
import { codeOf } from '../error-code.ts'
import { standardOutput } from './log-output.ts'
import type { Logger } from './logger.ts'
import { HIDDEN_TEXT, createScrubber } from './scrub.ts'

/** Log lines written inside this scope carry what it holds. */
export const requestScope = new AsyncLocalStorage<{
  readonly requestId: string
  /** The trace of the request, by W3C Trace Context; undefined where its caller has none. */
  readonly traceparent?: string | undefined
}>()

export interface Log extends Logger {
  /** Writes what is buffered, within 2 s. Call it before the process ends. */
  flush(): void
}

export interface LogOptions {
  /** Lines below it are not written. Default `info`. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error'
  /** Texts that are blanked wherever they appear; see `secretsOf`. */
  readonly secrets?: readonly string[]
  /** Where lines go. Default: standard output, without ever waiting for its reader. */
  readonly output?: DestinationStream
}

/**
 * Field names whose values are never logged, at any depth. Compared without case, dashes and
 * underscores.
 */
const HIDDEN = new Set(
  `authorization cookie setcookie xhash signature webhooksignature hash token accesstoken bearer secret password
  privatekey consumerkey consumersecret merchantkey notifysecret opstoken hashkey previoushashkey previoussecret
  smtpurl idempotencykey payer payername payerphone payeremail accname accno phone email body link payurl
  checkouturl redirecturl resulturl session`
    .split(/\s+/)
    .filter((name) => name !== ''),
)

/**
 * Copies log fields and hides forbidden names. Errors keep type, message, code, stack and cause;
 * PostgreSQL's `detail` can quote a whole row.
 */
function withoutHidden(value: unknown, depth = 0): unknown {
  if (value instanceof Error) {
    const code = codeOf(value)
    return {
      type: value.name,
      message: value.message,
      ...(code === '' ? {} : { code }),
      stack: value.stack,
      ...(value.cause === undefined || depth > 4 ? {} : { cause: withoutHidden(value.cause, depth + 1) }),
    }
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > 5 || ArrayBuffer.isView(value)) return '[object]'
  if (Array.isArray(value)) return value.map((item) => withoutHidden(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (item === undefined) return [key, item]
      return [key, HIDDEN.has(key.toLowerCase().replaceAll(/[-_]/g, '')) ? HIDDEN_TEXT : withoutHidden(item, depth + 1)]
    }),
  )
}

/** The logger for every part of the companion. */
export function createLog(options: LogOptions = {}): Log {
  const output = options.output ?? standardOutput()
  const scrub = createScrubber(options.secrets ?? [])
  const log = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      mixin: () => ({ ...requestScope.getStore() }),
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutHidden(fields) as Record<string, unknown>,
      },
      // Errors are already plain objects here; pino's default serializer would add unfiltered
      // fields.
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: scrub },
    },
    output,
  )
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    flush: () => {
      if ('flushSync' in output && typeof output.flushSync === 'function') output.flushSync()
    },
  }
}
