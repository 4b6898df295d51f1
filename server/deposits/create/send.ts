// Makes the call that creates a deposit at the service and turns its outcome into an input of the
// state machine. Money rule 1.
import { isRecent, isWaiting } from '../../platform/clock.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import type { CreateOutcome, Upstream } from '../ports/upstream.ts'
import type { Budget } from '../settle/budget.ts'
import type { Input } from '../machine/transition.ts'
import type { Deposit } from '../machine/deposit.ts'
import type { Capabilities } from '../identity.ts'
import type { Tools } from '../ports/machine.ts'
import { saidBy } from '../../platform/service-words.ts'

/**
 * Money rule 1: a request that was certainly not processed may be retried with the same reference
 * for this long.
 */
const SEND_AGAIN_WITHIN_MS = 20_000
/** Doubles with every try. */
const FIRST_WAIT_MS = 500
/**
 * Faults that may be gone at the next attempt. Other things that are down, for example the login,
 * have been tried for seconds already.
 */
const LINE_FAULTS: ReadonlySet<string> = new Set(['refused_connection', 'dns', 'breaker_open'])
/** A market that the service refused is tried again after this. */
const MARKET_OFF_MS = 60_000

/**
 * What the customer and the shop are told, by the reason of the call. For any other reason: the
 * service could not be reached.
 */
const NOT_CREATED: ReadonlyMap<string, string> = new Map([
  ['token_refused', 'The payment service does not accept the login of this shop for payments'],
  ['login_refused', 'The payment service refuses the login of this shop'],
  ['login_address_refused', 'The payment service does not let this shop in'],
  ['login_unreadable', 'The payment service gives no login'],
  ['login_paused', 'The payment service asks for a pause'],
  ['paused', 'The payment service asks for a pause'],
  ['rate_limited', 'The payment service asks for a pause'],
  ['upstream_budget', 'The shop has no more calls to the payment service in this minute'],
])
function notCreated(reason: string): Input {
  const told = NOT_CREATED.get(reason)
  if (told === undefined) return { kind: 'create-not-processed' }
  return { kind: 'create-not-processed', reason, description: `${told}; nothing was created.` }
}

export function createSender(
  tools: Pick<Tools, 'now' | 'sleep' | 'hear' | 'count' | 'observe'>,
  parts: {
    readonly settings: Settings
    readonly capabilities: Capabilities
    readonly upstream: Upstream
    readonly budget: Budget
  },
) {
  const { now, sleep, hear, count, observe } = tools
  const { settings, capabilities, upstream, budget } = parts
  const marketOffUntil = new Map<string, number>()
  const isMarketOff = (currency: string) => isWaiting(marketOffUntil.get(currency) ?? 0, now(), MARKET_OFF_MS)

  let isClosed = false
  const waiting = new Set<() => void>()

  async function call(
    deposit: Deposit,
    as: 'create' | 'repeat',
    signature: Promise<string> | undefined,
  ): Promise<CreateOutcome> {
    const started = now()
    const payer = deposit.payer ?? {}
    for (let tries = 0; ;) {
      // A call that the circuit breaker withholds is no request, and must not use up budget.
      const allowed = upstream.isDown() || (await budget.take(as))
      const outcome: CreateOutcome = allowed
        ? await upstream.create({
            reference: deposit.reference,
            walletNo: deposit.walletNo,
            amount: deposit.amount,
            currency: deposit.currency,
            description: deposit.description,
            payerName: payer.name ?? '',
            payerPhone: payer.phone,
            payerEmail: payer.email,
            resultUrl: `${settings.publicUrl}/v1/webhook/${capabilities.webhookKey(deposit.reference)}`,
            signature,
          })
        : { kind: 'not_processed', reason: 'upstream_budget', retryAfterMs: 1_000 }
      if (outcome.kind !== 'not_processed') return outcome
      // What the breaker withheld was no try: one of those who wait goes first, and the others must
      // not wait ever longer for it.
      const pause = FIRST_WAIT_MS * 2 ** (outcome.reason === 'breaker_open' ? 0 : tries++)
      const wait = Math.max(outcome.retryAfterMs ?? 0, pause)
      // If the clock is set back meanwhile, nobody waits for the length of the step.
      if (!isRecent(started - wait, now(), SEND_AGAIN_WITHIN_MS)) return outcome
      // It was sent again with a new login already: a third send would be told the same.
      if (outcome.reason === 'token_refused') return outcome
      // Without budget nothing was asked that could tell.
      if (isClosed || (allowed && !LINE_FAULTS.has(outcome.reason) && upstream.isDown())) return outcome
      await sleepUntilClosed(wait)
    }
  }

  /**
   * A stop is cut off after some seconds: a row that still waited then would be left for queries to
   * settle.
   */
  function sleepUntilClosed(ms: number): Promise<void> {
    return new Promise((wake) => {
      waiting.add(wake)
      void sleep(ms).then(() => {
        waiting.delete(wake)
        wake()
      })
    })
  }

  function inputOf(outcome: CreateOutcome, deposit: Deposit): Input {
    switch (outcome.kind) {
      case 'created':
        return { ...outcome, urlAllowed: isCheckoutUrl(outcome.checkoutUrl) }
      case 'refused':
        if (outcome.code === 'duplicate_reference')
          return { kind: 'create-unknown', reason: 'The service knows the reference already.' }
        if (outcome.code === 'conflict')
          return { kind: 'create-unknown', reason: `The service may have it already: ${outcome.message}` }
        if (outcome.code === 'market_off') marketOffUntil.set(deposit.currency, now() + MARKET_OFF_MS)
        return { kind: 'create-refused', code: outcome.code, message: outcome.message }
      case 'not_processed':
        return notCreated(outcome.reason)
      case 'unknown':
        return { kind: 'create-unknown', reason: saidBy(outcome) }
    }
  }

  function isCheckoutUrl(text: string): boolean {
    if (!URL.canParse(text)) return false
    const url = new URL(text)
    // A blob:https://… address has the origin of its host too.
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return false
    return url.username === '' && url.password === '' && settings.checkoutOrigins.includes(url.origin)
  }

  return {
    /**
     * Begins the signature of a row that is being stored: a core would otherwise wait for the disk.
     */
    sign(deposit: Deposit): Promise<string> {
      const signature = upstream.sign(deposit)
      // A failure is reported where the signature is used; a row that is not stored uses none.
      signature.catch(() => {})
      return signature
    },
    /**
     * Sends a durable row; retries only if the request was certainly not processed. `as`: `repeat`
     * for an attempt that is not the first of its customer.
     */
    async send(deposit: Deposit, signature?: Promise<string>, as: 'create' | 'repeat' = 'create'): Promise<Input> {
      const started = now()
      const outcome = await call(deposit, as, signature)
      observe('upstream', (now() - started) / 1000, { call: 'create' })
      count('upstream_calls', { call: 'create', outcome: outcome.kind })
      hear(deposit, { call: 'create', outcome })
      count('deposits_created', { currency: deposit.currency, outcome: outcome.kind })
      return inputOf(outcome, deposit)
    },
    isMarketOff,
    /**
     * Throws `market_off` or `upstream_unavailable`, before anything is written, if the service is
     * known to refuse or not to answer.
     */
    mustBeUp(currency: string): void {
      if (isMarketOff(currency))
        throw new CompanionError('market_off', {
          detail:
            'The shop cannot take payments in this currency just now. Try again later or choose another way to pay.',
          retryAfter: 60,
        })
      if (!upstream.isDown()) return
      const pauseMs = upstream.pauseMs?.() ?? 0
      if (pauseMs <= 0)
        throw new CompanionError('upstream_unavailable', {
          detail: 'The payment service cannot be reached right now. Nothing was charged. Try again in a moment.',
          retryAfter: 10,
        })
      const seconds = Math.ceil(pauseMs / 1000)
      throw new CompanionError('upstream_unavailable', {
        detail: `The payment service takes no payments for another ${seconds} s. Nothing was charged. Try again then.`,
        retryAfter: seconds,
      })
    },
    /**
     * Stops scheduling retries. Requests that already wait get one final attempt, unless the
     * service has asked for a pause, and then fail.
     */
    close(): void {
      isClosed = true
      for (const wake of waiting) wake()
    },
  }
}

export type Sender = ReturnType<typeof createSender>
