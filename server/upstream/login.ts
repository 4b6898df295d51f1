// The bearer token (service.md, "Authentication"): one login at a time; the token is reused, and
// renewed on use after five sixths of its life or once the service refuses it. A refused login is
// held back before the next attempt, so that a wrong secret never causes a flood; one that the
// service cannot answer is held back for seconds, so that customers are told at once instead of
// each waiting for it.
import { isWaiting } from '../platform/clock.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Hide } from '../platform/service-words.ts'
import { inWords, type TransportFault } from './faults.ts'
import type { Answered } from './outcomes.ts'
import type { Call } from './transport.ts'
import type { UpstreamHealth } from '../deposits/ports/upstream.ts'
import { isAddressRefusal, isSuccess, loginBody, readMessage, readRefusal, readToken, type Refusal } from './wire.ts'

export type TokenReading =
  | { readonly ok: true; readonly token: string }
  | {
      readonly ok: false
      readonly reason: NoLogin
      readonly status?: number
      readonly retryAfterMs?: number
      readonly detail?: string
    }

/** Why there is no token; `login_address_refused`: the service does not allow our IP address. */
export type NoLogin =
  | 'login_refused'
  | 'login_address_refused'
  | 'login_unreachable'
  | 'login_unreadable'
  | 'login_paused'

type LoginHealth = Pick<UpstreamHealth, 'login' | 'detail' | 'addressRefused'>

export interface LoginOptions {
  readonly url: string
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly now: () => number
  readonly logger: Logger
  /** Sends by way of the breaker and the pause. */
  readonly send: (call: Call) => Promise<Answered>
  /** For the words in which the service refuses the login. */
  readonly hide: Hide
}

const FIRST_HOLD_IN_MS = 5_000
const LONGEST_HOLD_IN_MS = 5 * 60_000
/**
 * After an answer that is no login (a gateway's 502, a page of HTML) or none in time: doubles, so
 * that the first good answer is soon found.
 */
const FIRST_PAUSE_IN_MS = 500
const LONGEST_PAUSE_IN_MS = 5_000
/** Shorter trouble, such as a restart of a gateway, is waited for. */
const DOWN_AFTER_MS = 3_000
/** The breaker counts the other faults. */
const IS_TROUBLE: ReadonlySet<TransportFault> = new Set(['timeout', 'too_large', 'encoded', 'invalid_answer'])
/** Share of its life after which a token is renewed: 50 of 60 minutes. */
const RENEW_AT = 5 / 6

interface Held {
  readonly token: string
  readonly renewAt: number
  readonly expiresAt: number
}

type Failure = Omit<TokenReading & { ok: false }, 'ok'> & { readonly detail: string }

/** Creates the login; nothing is sent before the first token is requested. */
export function createLogin(options: LoginOptions) {
  const { now, logger } = options
  const body = loginBody(options.consumerKey, options.consumerSecret)
  let held: Held | undefined
  let issued: readonly string[] = []
  let flight: Promise<TokenReading> | undefined
  let lastFailure: (TokenReading & { ok: false }) | undefined
  let holdUntil = 0
  let holds = 0
  /** Since when the service has given no usable answer, and how often. */
  let trouble: { readonly since: number; readonly times: number } | undefined
  let distrustedUntil = 0
  let distrusts = 0
  let health: LoginHealth = { login: 'unknown', addressRefused: false }

  const hold = (times: number) => now() + Math.min(FIRST_HOLD_IN_MS * 2 ** times, LONGEST_HOLD_IN_MS)
  const isHeld = (until: number) => isWaiting(until, now(), LONGEST_HOLD_IN_MS)

  function failed(failure: Failure, login: 'refused' | 'unreachable'): TokenReading {
    lastFailure = { ok: false, ...failure }
    const addressRefused = failure.reason === 'login_address_refused'
    const { reason, status, detail } = failure
    health = { login, addressRefused, detail }
    logger.warn({ call: 'login', reason, status, detail }, 'no login at the payment service')
    return lastFailure
  }

  /** No answer that says yes or no to the login that was asked for at `asked`. */
  function troubled(asked: number, failure: Failure): TokenReading {
    const { since, times } = trouble ?? { since: asked, times: 0 }
    trouble = { since: Math.min(since, asked), times: times + 1 }
    holdUntil = now() + Math.min(FIRST_PAUSE_IN_MS * 2 ** times, LONGEST_PAUSE_IN_MS)
    return failed(failure, 'unreachable')
  }

  function noteRefusal(status: number, refusal: Refusal): TokenReading {
    holdUntil = hold(holds)
    holds += 1
    trouble = undefined
    const reason = isAddressRefusal(status, refusal) ? 'login_address_refused' : 'login_refused'
    return failed({ reason, status, detail: refusal.message }, 'refused')
  }

  /** Our words, and those of the service, if it said any. */
  function withWords(ours: string, text: string): string {
    const said = readMessage(text, options.hide)
    return said === undefined ? ours : `${ours}: ${said}`
  }

  async function logIn(): Promise<TokenReading> {
    const asked = now()
    const answer = await options.send({ url: options.url, body })
    if (answer.kind === 'withheld') {
      const { retryAfterMs } = answer
      return { ok: false, reason: answer.reason === 'paused' ? 'login_paused' : 'login_unreachable', retryAfterMs }
    }
    if (answer.kind === 'fault') {
      const failure = { reason: 'login_unreachable', detail: inWords(answer) } as const
      return IS_TROUBLE.has(answer.fault) ? troubled(asked, failure) : failed(failure, 'unreachable')
    }
    const { status } = answer
    if (isSuccess(status)) {
      const read = readToken(answer.text)
      if (read === undefined) {
        const refusal = readRefusal(answer.text, options.hide)
        // A login decides no payment, so a no under a status of success is taken for what it is.
        if (refusal !== undefined) return noteRefusal(status, refusal)
        const said = withWords(`HTTP ${status}, but no login in it`, answer.text)
        return troubled(asked, { reason: 'login_unreadable', status, detail: said })
      }
      issued = [read.token, ...issued].slice(0, 5)
      held = { token: read.token, renewAt: asked + read.lifeMs * RENEW_AT, expiresAt: asked + read.lifeMs }
      lastFailure = undefined
      holds = 0
      trouble = undefined
      health = { login: 'ok', addressRefused: false }
      return { ok: true, token: held.token }
    }
    if (status === 429) {
      const retryAfterMs = answer.retryAfterMs ?? 0
      return failed({ reason: 'login_paused', status, retryAfterMs, detail: 'HTTP 429' }, 'unreachable')
    }
    const refusal = readRefusal(answer.text, options.hide)
    if (status >= 400 && status < 500 && refusal !== undefined) return noteRefusal(status, refusal)
    return troubled(asked, { reason: 'login_unreachable', status, detail: withWords(`HTTP ${status}`, answer.text) })
  }

  const isHeldBack = () =>
    lastFailure !== undefined &&
    isWaiting(holdUntil, now(), trouble === undefined ? LONGEST_HOLD_IN_MS : LONGEST_PAUSE_IN_MS)

  function fly(): Promise<TokenReading> {
    if (lastFailure !== undefined && isHeldBack()) {
      return Promise.resolve({ ...lastFailure, retryAfterMs: holdUntil - now() })
    }
    return (flight ??= logIn().finally(() => (flight = undefined)))
  }

  return {
    /** A token that should work. Never rejects. */
    async token(): Promise<TokenReading> {
      if (held === undefined) return fly()
      if (now() < held.renewAt) return { ok: true, token: held.token }
      const old = held
      const renewing = fly()
      // Below, nobody may wait for it: a logger that throws, handed in by a shop, must not end its
      // process.
      renewing.catch(() => {})
      // It has given no answer of late: nobody waits for the next one while the old token works.
      if (trouble !== undefined && now() < old.expiresAt) return { ok: true, token: old.token }
      const renewed = await renewing
      if (renewed.ok || now() >= old.expiresAt) return renewed
      // The old token still has a sixth of its life, so a failed renewal does no harm yet. Try
      // again in a while.
      if (held === old) held = { ...old, renewAt: Math.min(now() + FIRST_HOLD_IN_MS, old.expiresAt) }
      return { ok: true, token: old.token }
    },
    /**
     * After a 401 for the token `refused`: the token that has replaced it since, or a new one;
     * undefined when a new one would not help either.
     */
    async renew(refused: string): Promise<TokenReading | undefined> {
      if (held !== undefined && held.token !== refused) return { ok: true, token: held.token }
      if (isHeld(distrustedUntil)) return undefined
      held = undefined
      return fly()
    },
    /** The service answered a call without refusing its token. */
    trust(): void {
      distrusts = 0
      distrustedUntil = 0
    },
    /** The service refuses even a fresh token: do not log in for every call. */
    distrust(): void {
      // Concurrent calls that report the same thing count once.
      if (isHeld(distrustedUntil)) return
      distrustedUntil = hold(distrusts)
      distrusts += 1
    },
    hasToken: (): boolean => held !== undefined && now() < held.expiresAt,
    /**
     * A login now would fail: the service refused it, or has given no usable answer for 3 s, and
     * the next attempt is held back or, after no answer, under way.
     */
    isDown(): boolean {
      if (trouble === undefined) return isHeldBack()
      // While one call tries again, the others need not wait for it.
      return now() - trouble.since >= DOWN_AFTER_MS && (flight !== undefined || isHeldBack())
    },
    health: (): LoginHealth => health,
    /** The most recent tokens, to be redacted from messages. */
    secrets: (): readonly string[] => issued,
  }
}

export type Login = ReturnType<typeof createLogin>
