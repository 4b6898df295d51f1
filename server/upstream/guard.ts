// The one guard of all calls to the service: a breaker for each host, the pause that the service
// asks for, and the login. A call goes out with a token; when the service refuses the token, it is
// renewed and the call sent once more.
import type { Logger } from '../platform/logging/logger.ts'
import type { Hide } from '../platform/service-words.ts'
import { createBreaker, type Breaker } from './breaker.ts'
import { inWords, type TransportFault } from './faults.ts'
import { createLogin, type TokenReading } from './login.ts'
import type { Answered } from './outcomes.ts'
import { createPause, type Pause } from './pause.ts'
import type { Call, Transport } from './transport.ts'
import type { UpstreamHealth } from '../deposits/ports/upstream.ts'
import { isAddressRefusal, isSignatureRefusal, isSuccess, readRefusal } from './wire.ts'

/** `resent`: this is the answer to a resend, after a 401. */
export type Guarded =
  | { readonly answer: Answered; readonly resent: boolean; readonly noLogin?: never }
  | { readonly noLogin: TokenReading & { ok: false } }

export type Withheld = Answered & { kind: 'withheld' }

export interface GuardOptions {
  readonly transport: Transport
  readonly loginUrl: string
  /** Any address of the host that the calls go to. */
  readonly serviceUrl: string
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly logger: Logger
  /** For the words in which the service refuses the login. */
  readonly hide: Hide
}

/** A create waits no longer than this to be sent (money rule 1). */
const LONGEST_WAIT_MS = 20_000
/** A response that we do not read is still a response: the service is up. */
const ANSWERED: ReadonlySet<TransportFault> = new Set(['too_large', 'encoded', 'invalid_answer'])

/** Creates the guard; nothing is sent before the first call. */
export function createGuard(options: GuardOptions) {
  const { transport, loginUrl, serviceUrl, consumerKey, consumerSecret, now, logger, hide } = options
  const pause = createPause(now)
  const service = guardHost(transport, createBreaker(options), pause)
  // A login host that is down must not stop calls while we hold a token.
  const isOneHost = new URL(loginUrl).host === new URL(serviceUrl).host
  const loginHost = isOneHost ? service : guardHost(transport, createBreaker(options), pause)
  const login = createLogin({ url: loginUrl, consumerKey, consumerSecret, now, logger, hide, send: loginHost.send })
  let addressRefused = false
  /** The token that has replaced one which was refused in words. */
  let replacement: string | undefined

  function note(answer: Answered): void {
    if (answer.kind !== 'answer') return
    const { status, text } = answer
    // Looked for first: few answers name it, and all others need not be read twice.
    if (/\bIP address\b/i.test(text) && isAddressRefusal(status, readRefusal(text))) addressRefused = true
    else if (isSuccess(status)) addressRefused = false
  }

  /**
   * A 401 that a new token may fix; it means that nothing was processed (open-points.md lists no
   * other 401, but for two).
   */
  function isTokenRefusal(answer: Answered): boolean {
    if (answer.kind !== 'answer') return false
    if (answer.status === 401 && !isSignatureRefusal(readRefusal(answer.text))) return true
    if (!isTokenRefusalInWords(answer)) login.trust()
    return false
  }

  /**
   * A token that is refused with HTTP 200 is no proof that nothing was processed, so this call is
   * not sent again. But the next one needs another token, or none would be answered for the hour
   * that this one lives.
   */
  async function replace(token: string): Promise<void> {
    const isSecond = token === replacement
    const renewed = await login.renew(token)
    if (renewed?.ok) replacement = renewed.token
    if (isSecond) login.distrust()
  }

  async function send(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Guarded> {
    const sendWith = async (token: string) => {
      const answer = await service.send({ url, body, headers: { authorization: `Bearer ${token}`, ...headers } })
      note(answer)
      return answer
    }
    const before = await login.token()
    if (!before.ok) return { noLogin: before }
    const first = await sendWith(before.token)
    if (!isTokenRefusal(first)) {
      if (isTokenRefusalInWords(first)) await replace(before.token)
      return { answer: first, resent: false }
    }
    const renewed = await login.renew(before.token)
    if (renewed === undefined) return { answer: first, resent: false }
    if (!renewed.ok) return { noLogin: renewed }
    const second = await sendWith(renewed.token)
    if (isTokenRefusal(second)) login.distrust()
    return { answer: second, resent: true }
  }

  const isPaused = () => pause.remaining() > LONGEST_WAIT_MS

  return {
    send,
    /** Why `send` would send nothing now; saves computing a signature for it. */
    withheld: service.withheld,
    /** See `Upstream.isDown`. */
    isDown: (): boolean =>
      service.breaker.waitMs() > 0 ||
      isPaused() ||
      (!login.hasToken() && (login.isDown() || loginHost.breaker.waitMs() > 0)),
    /** Milliseconds of the service's pause that are left. */
    pauseMs: pause.remaining,
    /** Logs in if there is no valid token. */
    logIn: login.token,
    health(): Omit<UpstreamHealth, 'queryPath' | 'signatureRefused' | 'tokenRefused'> {
      const { detail, login: state, addressRefused: isLoginRefused } = login.health()
      const hasToken = login.hasToken()
      const shown = service.breaker.state() === 'closed' && !hasToken ? loginHost : service
      return {
        login: state,
        hasToken,
        breaker: shown.breaker.state(),
        fault: shown.fault(),
        addressRefused: addressRefused || (!hasToken && isLoginRefused),
        paused: isPaused(),
        pausedUntil: pause.remaining() > 0 ? now() + pause.remaining() : undefined,
        detail,
      }
    },
    /** The most recent tokens, to be redacted from messages. */
    secrets: login.secrets,
  }
}

/** `success: false` under a status of success, for the token. */
function isTokenRefusalInWords(answer: Answered): boolean {
  if (answer.kind !== 'answer' || !isSuccess(answer.status)) return false
  // Looked for first: few answers have such words, and all others need not be read twice.
  const words = /\b(?:unauthori[sz]ed|unauthenticated|token)\b/i
  return words.test(answer.text) && words.test(readRefusal(answer.text)?.message ?? '')
}

/** The calls to one host: withheld while its breaker is open or the service asks for a pause. */
function guardHost(transport: Transport, breaker: Breaker, pause: Pause) {
  let fault: string | undefined

  function withheld(): Withheld | undefined {
    const paused = pause.remaining()
    if (paused > 0) return { kind: 'withheld', reason: 'paused', retryAfterMs: paused }
    const waitMs = breaker.waitMs()
    return waitMs > 0 ? { kind: 'withheld', reason: 'breaker_open', retryAfterMs: waitMs } : undefined
  }

  return {
    breaker,
    withheld,
    /** What the last call met in place of an answer, in words. */
    fault: () => fault,
    async send(call: Call): Promise<Answered> {
      const unsent = withheld()
      if (unsent !== undefined) return unsent
      const entry = breaker.enter()
      if ('waitMs' in entry) return { kind: 'withheld', reason: 'breaker_open', retryAfterMs: entry.waitMs }
      try {
        const sent = await transport.send(call)
        fault = sent.ok ? undefined : inWords(sent)
        if (!sent.ok) {
          entry.leave(ANSWERED.has(sent.fault) ? 'reached' : 'failed')
          const { ok: _, ...met } = sent
          return { kind: 'fault', ...met }
        }
        entry.leave('reached')
        const { status, text, retryAfter } = sent
        const asksForTime = status === 429 || (status === 503 && retryAfter !== undefined)
        return { kind: 'answer', status, text, retryAfterMs: asksForTime ? pause.take(retryAfter) : undefined }
      } finally {
        entry.leave('unknown')
      }
    },
  }
}
