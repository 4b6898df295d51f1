// A transport with breaker and pause: every call to one host of the service goes through it, including login.
import type { Breaker } from './breaker.ts'
import type { Pause } from './pause.ts'
import { inWords } from './fault-words.ts'
import type { Call, SendFault, Transport, TransportFault } from './transport.ts'

/** `withheld`: never sent, so certainly not processed. */
export type Answered =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string; readonly retryAfterMs?: number }
  | ({ readonly kind: 'fault' } & SendFault)
  | { readonly kind: 'withheld'; readonly reason: 'paused' | 'breaker_open' | 'closed'; readonly retryAfterMs: number }

export interface GuardedTransport {
  send(call: Call): Promise<Answered>
  /** Why `send` would send nothing now; saves computing a signature for it. */
  withheld(): (Answered & { kind: 'withheld' }) | undefined
  /** What the last call met in place of an answer, in words. */
  fault(): string | undefined
}

/** A response that we do not read is still a response: the service is up. */
const ANSWERED: ReadonlySet<TransportFault> = new Set(['too_large', 'encoded'])

export function createGuardedTransport(parts: {
  readonly transport: Transport
  readonly breaker: Breaker
  readonly pause: Pause
}): GuardedTransport {
  const { transport, breaker, pause } = parts
  let fault: string | undefined

  function withheld(): (Answered & { kind: 'withheld' }) | undefined {
    const paused = pause.remaining()
    if (paused > 0) return { kind: 'withheld', reason: 'paused', retryAfterMs: paused }
    const waitMs = breaker.waitMs()
    return waitMs > 0 ? { kind: 'withheld', reason: 'breaker_open', retryAfterMs: waitMs } : undefined
  }

  return {
    withheld,
    fault: () => fault,
    async send(call) {
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
        const asksForTime = sent.status === 429 || (sent.status === 503 && sent.retryAfter !== undefined)
        return {
          kind: 'answer',
          status: sent.status,
          text: sent.text,
          ...(asksForTime ? { retryAfterMs: pause.take(sent.retryAfter) } : {}),
        }
      } finally {
        entry.leave('unknown')
      }
    },
  }
}
