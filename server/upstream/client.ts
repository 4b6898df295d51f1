// The upstream client: login, signature, one sending, and what is certain afterwards. Implements the port of upstream.ts.
import { CompanionError } from '../errors.ts'
import { silentLogger, type Logger } from '../logger.ts'
import { createBreaker } from './breaker.ts'
import { serviceUrl } from './address.ts'
import { fetchTransport } from './fetch-transport.ts'
import { createLogin, type TokenReading } from './login.ts'
import { nodeTransport } from './node-transport.ts'
import { createOutcome, queryOutcome } from './outcomes.ts'
import { createPause } from './pause.ts'
import { readPrivateKey } from './private-key.ts'
import { createRoad, type Answered } from './road.ts'
import { createSigner } from './sign.ts'
import { systemTimers, type Deadlines, type Timers } from './transport.ts'
import type { CreateOrder, CreateOutcome, Upstream, UpstreamHealth } from './upstream.ts'
import {
  banksBody,
  depositBody,
  isAddressRefusal,
  isSignatureRefusal,
  queryBody,
  readBanks,
  readRefusal,
} from './wire.ts'

export interface UpstreamClientOptions {
  /** `{auth_url}` and `{base_url}` of SERVICE.txt: https, or http to this machine only. A path in them is kept. */
  readonly authUrl: string
  readonly baseUrl: string
  readonly consumerKey: string
  readonly consumerSecret: string
  /** PEM text of the RSA key; see `readPrivateKey`. */
  readonly privateKey: string
  readonly businessId: string
  /** Default `/api/v2/payment/status-query` (FACTS.md, "Transaction query"). */
  readonly queryPath?: string
  /** Default 420001. */
  readonly channel?: number
  /** Characters. Default 64. */
  readonly maxReference?: number
  /** Characters. Default 100. */
  readonly maxName?: number
  /** Characters. Default 255. */
  readonly maxDescription?: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Spreads the breaker's waits. */
  readonly random: (bytes: number) => Uint8Array
  /** Another road than node:http: a test's, or one through a proxy. The global fetch counts as none given (see node-transport.ts). */
  readonly fetch?: typeof globalThis.fetch
  readonly logger?: Logger
  /** Default: the machine's. */
  readonly timers?: Timers
  /** Default 10 s to the head of an answer, 20 s to its end. */
  readonly deadlines?: Deadlines
  /** Bytes of an answer. Default 1 MiB. */
  readonly maxBytes?: number
}

const LOGIN_PATH = '/api/v2/auth/login'
const BANKS_PATH = '/api/v2/banks/get-by-country'
const DEPOSIT_PATH = '/api/v2/payment/'
const QUERY_PATH = '/api/v2/payment/status-query'

/**
 * Makes the client. Nothing is sent before the first call; `warmUp` logs in.
 *
 * @throws UpstreamSettingError for an address or a key that cannot work.
 */
export function createUpstreamClient(options: UpstreamClientOptions): Upstream {
  const { now, random, logger = silentLogger, timers = systemTimers } = options
  const urls = {
    login: serviceUrl('HC_AUTH_URL', options.authUrl, LOGIN_PATH),
    banks: serviceUrl('HC_BASE_URL', options.baseUrl, BANKS_PATH),
    deposit: serviceUrl('HC_BASE_URL', options.baseUrl, DEPOSIT_PATH),
    query: serviceUrl('HC_BASE_URL', options.baseUrl, options.queryPath ?? QUERY_PATH),
  }
  const lengths = {
    reference: options.maxReference ?? 64,
    name: options.maxName ?? 100,
    description: options.maxDescription ?? 255,
  }
  const channel = options.channel === undefined ? {} : { channel: options.channel }
  const signer = createSigner({ key: readPrivateKey(options.privateKey), businessId: options.businessId, ...channel })
  const wire = {
    deadlines: options.deadlines ?? { headers: 10_000, total: 20_000 },
    timers,
    maxBytes: options.maxBytes ?? 1_048_576,
  }
  const given = options.fetch === globalThis.fetch ? undefined : options.fetch
  const transport = given === undefined ? nodeTransport(wire) : fetchTransport(given, wire)

  const pause = createPause(now)
  const breaker = createBreaker({ now, random })
  // A login host that is down must not stop calls that need no login.
  const loginBreaker =
    new URL(urls.login).host === new URL(urls.deposit).host ? breaker : createBreaker({ now, random })
  const isClosed = () => closed
  const road = createRoad({ transport, breaker, pause, isClosed })
  const loginRoad = createRoad({ transport, breaker: loginBreaker, pause, isClosed })
  const { consumerKey, consumerSecret } = options
  const login = createLogin({ url: urls.login, consumerKey, consumerSecret, now, logger, send: loginRoad.send })

  let closed = false
  const running = new Set<Promise<unknown>>()
  let queryPath: UpstreamHealth['queryPath'] = 'unknown'
  let addressRefused = false

  /** Waited for by `close`. */
  function track<Result>(work: Promise<Result>): Promise<Result> {
    running.add(work)
    const done = () => running.delete(work)
    work.then(done, done)
    return work
  }

  function noteAnswer(answer: Answered): void {
    if (answer.kind !== 'answer') return
    if (answer.status === 403 && isAddressRefusal(403, readRefusal(answer.text))) addressRefused = true
    else if (answer.status >= 200 && answer.status < 300) addressRefused = false
  }

  /** Sends with the token, and once more with a new one if the token was refused: a 401 for it means "not processed". */
  async function sendAuthorized(url: string, body: string, headers: Record<string, string>) {
    const call = (token: string) => ({
      url,
      body,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...headers,
      },
    })
    const before = await login.token()
    if (!before.ok) return { noLogin: before }
    const first = await road.send(call(before.token))
    noteAnswer(first)
    if (!isTokenRefusal(first)) return { answer: first, resent: false }
    const renewed = await login.renew(before.token)
    if (renewed === undefined) return { answer: first, resent: false }
    if (!renewed.ok) return { noLogin: renewed }
    const second = await road.send(call(renewed.token))
    noteAnswer(second)
    if (isTokenRefusal(second)) login.distrust()
    return { answer: second, resent: true }
  }

  function isTokenRefusal(answer: Answered): boolean {
    if (answer.kind !== 'answer') return false
    if (answer.status === 401 && !isSignatureRefusal(readRefusal(answer.text))) return true
    login.trust()
    return false
  }

  /** The service may quote what we sent; nobody else is to read it. */
  function withoutSecrets(message: string, more: readonly (string | undefined)[] = []): string {
    const hidden = [consumerKey, consumerSecret, options.businessId, ...login.secrets(), ...more]
    return hidden.reduce<string>(
      (text, secret) => (secret === undefined || secret.length < 2 ? text : text.replaceAll(secret, '[hidden]')),
      message,
    )
  }

  function told(
    call: string,
    outcome: { readonly kind: string; readonly reason?: string; readonly code?: string; readonly status?: number },
    fields: object,
  ) {
    const { kind, reason, code, status } = outcome
    logger.warn(
      { call, outcome: kind, reason, code, status, ...fields },
      'the payment service did not do what was asked',
    )
  }

  async function create(order: CreateOrder): Promise<CreateOutcome> {
    if (order.reference.length > lengths.reference) {
      return {
        kind: 'refused',
        code: 'invalid_fields',
        status: 0,
        message: 'The reference is longer than HC_MAX_REFERENCE allows.',
      }
    }
    const barred = road.barred()
    if (barred !== undefined) return createOutcome(barred, order, false)
    const [signature, hash] = await Promise.all([signer.deposit(order), signer.hash()])
    const sent = await sendAuthorized(urls.deposit, depositBody(order, lengths, options.channel), {
      signature,
      'x-hash': hash,
    })
    if (sent.noLogin !== undefined) return withoutLogin(sent.noLogin)
    const outcome = createOutcome(sent.answer, order, sent.resent)
    if (outcome.kind !== 'refused') return outcome
    return {
      ...outcome,
      message: withoutSecrets(outcome.message, [order.payerName, order.payerPhone, order.payerEmail, order.resultUrl]),
    }
  }

  function withoutLogin(login: TokenReading & { ok: false }): CreateOutcome {
    if (login.reason === 'login_address_refused') {
      return { kind: 'refused', code: 'address_not_allowed', status: login.status ?? 403, message: login.detail ?? '' }
    }
    const retryAfterMs = login.retryAfterMs === undefined ? {} : { retryAfterMs: login.retryAfterMs }
    return { kind: 'not_processed', reason: login.reason, ...retryAfterMs }
  }

  return {
    create(order) {
      const work = create(order).then((outcome) => {
        if (outcome.kind !== 'created') told('create', outcome, { reference: order.reference })
        return outcome
      })
      return track(work)
    },

    query(order) {
      const ask = async () => {
        const barred = road.barred()
        if (barred !== undefined) return queryOutcome(barred, order.reference)
        const signature = await signer.query(order)
        const sent = await sendAuthorized(urls.query, queryBody(order), { signature })
        if (sent.noLogin !== undefined) {
          const { reason, retryAfterMs } = sent.noLogin
          return { kind: 'failed' as const, reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
        }
        const outcome = queryOutcome(sent.answer, order.reference)
        if (outcome.kind === 'path_missing') queryPath = 'missing'
        if (outcome.kind === 'found' || outcome.kind === 'not_found') queryPath = 'ok'
        return outcome
      }
      const work = ask().then((outcome) => {
        if (outcome.kind === 'failed' || outcome.kind === 'path_missing')
          told('query', outcome, { reference: order.reference })
        return outcome
      })
      return track(work)
    },

    banks(country) {
      const ask = async () => {
        const sent = await sendAuthorized(urls.banks, banksBody(country), {})
        const unavailable = (detail: string, retryAfterMs?: number) =>
          new CompanionError('upstream_unavailable', {
            detail,
            ...(retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(retryAfterMs / 1000) }),
          })
        if (sent.noLogin !== undefined)
          throw unavailable('The companion has no login at the payment service just now.', sent.noLogin.retryAfterMs)
        const { answer } = sent
        if (answer.kind !== 'answer') {
          throw unavailable(
            'The payment service could not be reached.',
            answer.kind === 'withheld' ? answer.retryAfterMs : undefined,
          )
        }
        if (answer.status < 200 || answer.status > 299) {
          told('banks', { kind: 'failed', status: answer.status }, { country })
          throw unavailable(
            `The payment service did not give its bank list (HTTP ${answer.status}).`,
            answer.retryAfterMs,
          )
        }
        const read = readBanks(answer.text)
        if (read === undefined)
          throw new CompanionError('upstream_unreadable', {
            detail: 'The payment service sent a bank list that cannot be read.',
          })
        if (read.dropped > 0)
          logger.warn({ call: 'banks', country, dropped: read.dropped }, 'rows of the bank list were left out')
        return read.banks
      }
      return track(ask())
    },

    isDown: () => breaker.waitMs() > 0 || (!login.hasToken() && loginBreaker.waitMs() > 0),

    health() {
      const state = breaker.state() === 'closed' ? loginBreaker.state() : breaker.state()
      const { detail, ...known } = login.health()
      return {
        login: known.login,
        breaker: state,
        queryPath,
        addressRefused: addressRefused || known.addressRefused,
        ...(detail === undefined ? {} : { detail: withoutSecrets(detail) }),
      }
    },

    async warmUp() {
      await track(login.token())
    },

    async close() {
      closed = true
      await Promise.allSettled(running)
      transport.close()
    },
  }
}
