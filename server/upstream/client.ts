// The upstream client: login, signing, a single send, and what is certain afterwards. Implements
// the port of upstream.ts.
import type { Bank, CountryCode } from '../contract/index.ts'
import { isRecent } from '../platform/clock.ts'
import { CompanionError } from '../platform/errors.ts'
import { silentLogger, type Logger } from '../platform/logging/logger.ts'
import { withoutPayer } from '../platform/service-words.ts'
import { serviceUrl } from './service-url.ts'
import { createAgent } from './agent.ts'
import { createGuard } from './guard.ts'
import type { TokenReading } from './login.ts'
import { createOutcome, queryOutcome } from './outcomes.ts'
import { readPrivateKey } from '../platform/private-key.ts'
import { createServiceFetch } from './service-fetch.ts'
import { createSigner } from './sign.ts'
import { createTransport, systemTimers, type Deadlines, type Timers } from './transport.ts'
import type {
  CreateOrder,
  CreateOutcome,
  QueryOrder,
  QueryOutcome,
  Upstream,
  UpstreamHealth,
} from '../deposits/ports/upstream.ts'
import { banksBody, depositBody, isSuccess, queryBody, readBanks, readRefusal } from './wire.ts'

export interface UpstreamClientOptions {
  /**
   * `{auth_url}` and `{base_url}` of service.md: https, or http to this machine only. A path in
   * them is kept.
   */
  readonly authUrl: string
  readonly baseUrl: string
  readonly consumerKey: string
  readonly consumerSecret: string
  /** PEM text of the RSA key; see `readPrivateKey`. */
  readonly privateKey: string
  readonly businessId: string
  /** open-points.md, "Transaction query". */
  readonly queryPath: string
  /** Characters, as the two after it. */
  readonly maxReference: number
  readonly maxName: number
  readonly maxDescription: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Adds jitter to the breaker's waits. */
  readonly random: (bytes: number) => Uint8Array
  /**
   * Used instead of our own connections, for example in tests. The global fetch counts as none: see
   * service-fetch.ts.
   */
  readonly fetch?: typeof globalThis.fetch
  /** HTTP proxy for all calls, with its user and password; not used with `fetch`. Default: none. */
  readonly upstreamProxy?: string
  readonly logger?: Logger
  /** Default: the system's. */
  readonly timers?: Timers
  /** Default: 10 s to the response head, 20 s to its end. */
  readonly deadlines?: Deadlines
}

const LOGIN_PATH = '/api/v2/auth/login'
const BANKS_PATH = '/api/v2/banks/get-by-country'
const DEPOSIT_PATH = '/api/v2/payment/'
/** Most bytes of a response. */
const MAX_BYTES = 1_048_576
/**
 * Only another create shows that the token is taken again, and an instance that is not ready gets
 * none.
 */
const TOKEN_REFUSED_FOR_MS = 60_000

/**
 * Creates the client. Nothing is sent before the first call; `warmUp` logs in.
 *
 * @throws UpstreamSettingError for an address or a key that cannot work.
 */
export function createUpstreamClient(options: UpstreamClientOptions): Upstream {
  const { now, random, logger = silentLogger, timers = systemTimers, consumerKey, consumerSecret } = options
  const urls = {
    login: serviceUrl('HC_AUTH_URL', options.authUrl, LOGIN_PATH),
    banks: serviceUrl('HC_BASE_URL', options.baseUrl, BANKS_PATH),
    deposit: serviceUrl('HC_BASE_URL', options.baseUrl, DEPOSIT_PATH),
    query: serviceUrl('HC_BASE_URL', options.baseUrl, options.queryPath),
  }
  const signer = createSigner({ key: readPrivateKey(options.privateKey), businessId: options.businessId })
  const deadlines = options.deadlines ?? { headers: 10_000, total: 20_000 }
  const given = options.fetch === globalThis.fetch ? undefined : options.fetch
  const agent = createAgent({ deadlines, proxy: options.upstreamProxy })
  const guard = createGuard({
    transport: createTransport(given ?? createServiceFetch(agent, MAX_BYTES), {
      deadlines,
      timers,
      maxBytes: MAX_BYTES,
    }),
    loginUrl: urls.login,
    serviceUrl: urls.deposit,
    consumerKey,
    consumerSecret,
    now,
    random,
    logger,
    hide: (text) => withoutSecrets(text),
  })

  let closed = false
  const running = new Set<Promise<unknown>>()
  let queryPath: UpstreamHealth['queryPath'] = 'unknown'
  let signatureRefused = false
  /** When a create was last answered 401 with a new token. */
  let tokenRefusedAt: number | undefined

  const isTokenRefused = () => tokenRefusedAt !== undefined && isRecent(tokenRefusedAt, now(), TOKEN_REFUSED_FOR_MS)

  /**
   * Such a refusal is believed whatever its status: it says that the key is wrong, and nothing of a
   * payment.
   */
  const isSignature = (outcome: CreateOutcome | QueryOutcome) =>
    (outcome.kind === 'refused' || outcome.kind === 'unknown' || outcome.kind === 'failed') &&
    outcome.code === 'invalid_signature'

  /** Makes `close` wait for it. */
  async function tracked<Result>(work: Promise<Result>): Promise<Result> {
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
    }
  }

  /** The service may quote what we sent; nobody else may read it. */
  function withoutSecrets(message: string, more: readonly string[] = []): string {
    const all = [consumerKey, consumerSecret, options.businessId, ...guard.secrets(), ...more]
    const hidden = all.filter((secret) => secret.length > 1)
    return hidden.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), message)
  }

  async function create(order: CreateOrder): Promise<CreateOutcome> {
    if (order.reference.length > options.maxReference) return TOO_LONG
    const withheld = closed ? CLOSED : guard.withheld()
    if (withheld !== undefined) return createOutcome(withheld, order, false)
    const [signature, hash] = await Promise.all([order.signature ?? signer.deposit(order), signer.hash()])
    const sent = await guard.send(urls.deposit, depositBody(order, options), { signature, 'x-hash': hash })
    if (sent.noLogin !== undefined) return noLogin(sent.noLogin)
    const payer = { name: order.payerName, phone: order.payerPhone, email: order.payerEmail }
    const ofOrder = [order.resultUrl, order.resultUrl.replace(/.*\//, ''), signature, hash]
    const hide = (text: string) => withoutPayer(withoutSecrets(text, ofOrder), payer)
    const outcome = createOutcome(sent.answer, order, sent.resent, hide)
    if (outcome.kind === 'created') signatureRefused = false
    if (isSignature(outcome)) signatureRefused = true
    if (outcome.kind === 'not_processed' && outcome.reason === 'token_refused') tokenRefusedAt = now()
    else if (outcome.kind === 'created' || outcome.kind === 'refused') tokenRefusedAt = undefined
    return outcome
  }

  async function query(order: QueryOrder): Promise<QueryOutcome> {
    const withheld = closed ? CLOSED : guard.withheld()
    if (withheld !== undefined) return queryOutcome(withheld, order)
    const signature = await signer.query(order)
    const sent = await guard.send(urls.query, queryBody(order), { signature })
    if (sent.noLogin !== undefined) {
      const { reason, retryAfterMs } = sent.noLogin
      return { kind: 'failed', reason, retryAfterMs }
    }
    const hide = (text: string) => withoutPayer(withoutSecrets(text, [signature]), order.payer)
    const outcome = withoutQuotes(queryOutcome(sent.answer, order, hide), order)
    if (outcome.kind === 'path_missing') queryPath = 'missing'
    else if (outcome.kind !== 'failed') {
      queryPath = 'ok'
      signatureRefused = false
    } else if (outcome.reason === 'invalid_signature' || isSignature(outcome)) signatureRefused = true
    return outcome
  }

  async function banks(country: CountryCode): Promise<readonly Bank[]> {
    if (closed) throw unavailable('The companion is stopping.')
    const sent = await guard.send(urls.banks, banksBody(country))
    if (sent.noLogin !== undefined) {
      throw unavailable('The companion has no login at the payment service just now.', sent.noLogin.retryAfterMs)
    }
    const { answer } = sent
    if (answer.kind === 'withheld')
      throw unavailable('Calls to the payment service are paused after repeated failures.', answer.retryAfterMs)
    if (answer.kind === 'fault') throw unavailable('The payment service could not be reached.')
    if (!isSuccess(answer.status)) {
      logger.warn({ call: 'banks', country, status: answer.status }, 'the payment service gave no bank list')
      throw unavailable(`The payment service gave no bank list (HTTP ${answer.status}).`, answer.retryAfterMs)
    }
    const read = readBanks(answer.text)
    if (read === undefined) {
      const message = readRefusal(answer.text, withoutSecrets)?.message
      logger.warn({ call: 'banks', country, status: answer.status, message }, 'the bank list cannot be read')
      throw new CompanionError('upstream_unreadable', { detail: 'The payment service sent an unreadable bank list.' })
    }
    if (read.dropped > 0)
      logger.warn({ call: 'banks', country, dropped: read.dropped }, 'unreadable banks were left out')
    return read.banks
  }

  return {
    banks: (country) => tracked(banks(country)),
    sign: (order) => signer.deposit(order),
    async create(order) {
      const outcome = await tracked(create(order))
      if (outcome.kind !== 'created') {
        const told =
          outcome.kind === 'unknown' || isKnownThere(outcome)
            ? 'whether the payment service created the payment is not known; a status query settles it'
            : 'the payment service created nothing'
        logger.warn({ call: 'create', reference: order.reference, ...outcome }, told)
      }
      return outcome
    },
    async query(order) {
      const wasMissing = queryPath === 'missing'
      const outcome = await tracked(query(order))
      if (outcome.kind === 'failed' || outcome.kind === 'path_missing') {
        // A contract may have no status query at all: one warning says so, not one for each query.
        const level = outcome.kind === 'path_missing' && wasMissing ? 'debug' : 'warn'
        logger[level]({ call: 'query', reference: order.reference, ...outcome }, 'the payment service told no state')
      }
      return outcome
    },
    isDown: () => closed || guard.isDown(),
    pauseMs: guard.pauseMs,
    health: () => ({
      ...guard.health(),
      queryPath,
      // Without a status query only a payment would show the end of it, and a red instance gets
      // none.
      signatureRefused: signatureRefused && queryPath !== 'missing',
      ...(isTokenRefused() ? { tokenRefused: true } : {}),
    }),
    async warmUp() {
      await tracked(guard.logIn())
    },
    async close() {
      closed = true
      await Promise.allSettled(running)
      void agent.destroy()
    },
  }
}

const CLOSED = { kind: 'withheld', reason: 'closed', retryAfterMs: 0 } as const

const TOO_LONG: CreateOutcome = {
  kind: 'refused',
  code: 'invalid_fields',
  status: 0,
  message: 'The reference is longer than HC_MAX_REFERENCE allows.',
}

/**
 * Where the payer is not known (any more), the service's words may quote one, and nothing could
 * take it out.
 */
function withoutQuotes(outcome: QueryOutcome, { payer }: QueryOrder): QueryOutcome {
  if (outcome.kind !== 'failed' || payer !== undefined) return outcome
  const { message: _, ...rest } = outcome
  return rest
}

/** Refused because the service has this payment already, or perhaps has it. */
function isKnownThere(outcome: CreateOutcome): boolean {
  return outcome.kind === 'refused' && (outcome.code === 'duplicate_reference' || outcome.code === 'conflict')
}

/** Nothing was sent. A refused IP address is definitive; the other reasons may pass in a moment. */
function noLogin(login: TokenReading & { ok: false }): CreateOutcome {
  const { reason, status = 403, detail = '', retryAfterMs } = login
  if (reason === 'login_address_refused')
    return { kind: 'refused', code: 'address_not_allowed', status, message: detail }
  return { kind: 'not_processed', reason, retryAfterMs }
}

function unavailable(detail: string, retryAfterMs?: number): CompanionError {
  const retryAfter = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000)
  return new CompanionError('upstream_unavailable', { detail, retryAfter })
}
