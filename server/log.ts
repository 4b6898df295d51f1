// The companion's log: one JSON line per event by pino, with the request id, and two filters for what must never be
// logged: fields by name, and known secrets and capability URLs by their text.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type DestinationStream, pino } from 'pino'
import { credentialsOf } from './decode.ts'
import { codeOf } from './error-code.ts'
import { standardOutput } from './log-output.ts'
import type { Logger } from './logger.ts'
import { HIDDEN_TEXT, createScrubber } from './scrub.ts'
import type { Settings } from './settings.ts'

/** Log lines written inside this scope carry its `requestId`. */
export const requestScope = new AsyncLocalStorage<{ readonly requestId: string }>()

export interface Log extends Logger {
  /** Writes what is still buffered; waits at most 2 s for the reader. Call before the process ends. */
  flush(): void
}

export interface LogOptions {
  readonly level?: Settings['logLevel']
  /** Texts that are blanked wherever they appear; see `secretsOf`. */
  readonly secrets?: readonly string[]
  /** Where lines go. Default: standard output, without ever waiting for its reader. */
  readonly output?: DestinationStream
}

/** Field names whose values are never logged, at any depth. Compared without case, dashes and underscores. */
const HIDDEN = new Set(
  `authorization cookie setcookie xhash signature webhooksignature hash token accesstoken bearer secret password privatekey
  consumerkey consumersecret merchantkey notifysecret opstoken hashkey previoushashkey previoussecret smtpurl
  idempotencykey payer payername payerphone payeremail accname accno phone email body link payurl checkouturl redirecturl resulturl session`
    .split(/\s+/)
    .filter((name) => name !== ''),
)

/** Every secret of an installation, for `createLog`. */
export function secretsOf(settings: Settings): string[] {
  const {
    consumerKey,
    consumerSecret,
    privateKey,
    secret,
    previousSecret,
    merchantKey,
    notifySecrets,
    opsToken,
    hashKey,
    previousHashKey,
  } = settings
  const addresses = [settings.databaseUrl, settings.alerts.email?.smtpUrl ?? '', settings.upstreamProxy ?? '']
  // As written in the URL, as sent to the server, and as encoded by `URL`.
  const passwords = addresses.flatMap((address) => {
    const { written, password } = credentialsOf(address)
    return [written, password, ...(URL.canParse(address) ? [new URL(address).password] : [])]
  })
  const pem = privateKey.split('\n').filter((row) => row !== '' && !row.startsWith('-----'))
  return [
    consumerKey, consumerSecret, secret, previousSecret, merchantKey, opsToken, hashKey, previousHashKey, ...notifySecrets, ...pem,
    ...passwords, settings.alerts.webhookUrl,
  ].filter((text): text is string => text !== undefined && text.length >= 6) // prettier-ignore
}

/** Copies log fields and hides forbidden names. Errors keep type, message, code, stack and cause; PostgreSQL's `detail` can quote a whole row. */
function withoutHidden(value: unknown, depth = 0): unknown {
  if (value instanceof Error) {
    const code = codeOf(value)
    return {
      type: value.name,
      message: value.message,
      ...(code === '' ? {} : { code }),
      ...(value.stack === undefined ? {} : { stack: value.stack }),
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
      mixin: () => {
        const scope = requestScope.getStore()
        return scope === undefined ? {} : { requestId: scope.requestId }
      },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutHidden(fields) as Record<string, unknown>,
      },
      // Errors are already plain objects here; pino's default serializer would add unfiltered fields.
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
