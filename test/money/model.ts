// An independent model of what may become of a deposit: phases only, no due times. Written from
// CONTRIBUTING.md "The money rules"; the state machine is compared with it step by step.
import type { DepositPhase } from '../../server/contract/index.ts'
import type { Input } from '../../server/deposits/machine/transition.ts'

export interface Model {
  phase: DepositPhase
  version: number
  url: boolean
  /** The service's transaction is known. */
  known: boolean
  overdue: boolean
  asks: number
  reason?: string
  missingSince?: number
  reported?: string
  /** The service itself signed another amount or currency. */
  disputed?: true
}

const MINUTE = 60_000

/**
 * The phase after `input`, `age` ms after the start. Changes `model`; answers the notice it calls
 * for.
 */
export function next(model: Model, input: Input, age: number): string | undefined {
  const { phase } = model
  const live = ['creating', 'unknown', 'open', 'confirming'].includes(phase)
  const to = (changed: DepositPhase, notice?: string, changes: Partial<Model> = {}): string | undefined => {
    Object.assign(model, { phase: changed, version: model.version + 1, asks: 0 }, changes)
    if (changed !== 'review') delete model.reason
    return notice
  }
  const stay = (asked = true) => void (model.asks += asked ? 1 : 0)
  const review = (reason: string) => (live ? to('review', 'payment.review', { reason }) : stay())
  const fails = () => {
    const late =
      age >= 15 * MINUTE && (model.reported === undefined || model.reported === '0' || model.reported === '1037')
    delete model.missingSince
    return to(late ? 'expired' : 'failed', late ? 'payment.expired' : 'payment.failed', { overdue: false })
  }
  const lost = () => (phase === 'unknown' || age >= 30_000 ? to('abandoned') : stay())
  if (input.kind === 'callback-differs') {
    // Only the mark of a signed sum is visible, once, also on what has ended.
    if (input.signed && !model.disputed) Object.assign(model, { disputed: true, version: model.version + 1 })
    return undefined
  }
  if (phase === 'succeeded' || phase === 'rejected') return undefined

  const { known } = model
  if (input.kind === 'created' || input.kind === 'answered') model.known = true

  switch (input.kind) {
    case 'created':
      if (!input.urlAllowed) return review('redirect_origin')
      if (phase === 'creating' || phase === 'unknown') return to('open', undefined, { url: true })
      if (phase === 'confirming') return to('confirming', undefined, { url: true, asks: model.asks })
      // Too late to be handed out; only the transaction is noted, once.
      return known
        ? undefined
        : to(phase, undefined, { asks: model.asks, ...(model.reason === undefined ? {} : { reason: model.reason }) })
    case 'create-refused':
    case 'create-not-processed':
      return (phase === 'creating' || phase === 'unknown') && !known ? to('rejected', 'payment.failed') : undefined
    case 'create-unknown':
      return phase === 'creating' ? to('unknown') : undefined
    case 'callback':
      model.reported = input.reported.resultCode
      return phase === 'creating' || phase === 'unknown' || phase === 'open' ? to('confirming') : undefined
    case 'answered':
      delete model.missingSince
      if (phase === 'review' && model.reason !== 'query_missing') return stay()
      if (input.status === 'SUCCESS' && model.disputed && !input.sameSum)
        return live || phase === 'review' ? to('review', 'payment.review', { reason: 'callback_sum' }) : stay()
      if (input.status === 'SUCCESS') return to('succeeded', 'payment.succeeded', { overdue: false })
      if (input.status === 'FAILED') return phase === 'failed' || phase === 'expired' ? stay() : fails()
      if (phase === 'creating' || phase === 'unknown') return lost()
      if (phase === 'confirming') {
        // Queries without an answer have used up the seven quick ones, which begin anew.
        if (model.asks >= 7) model.asks = 0
        return model.asks + 1 < 7 ? stay() : model.url ? to('open') : lost()
      }
      if (phase === 'review') return model.url ? to('open') : stay()
      if (phase === 'open' && age >= 15 * MINUTE && !model.overdue)
        return to('open', undefined, { overdue: true, asks: model.asks + 1 })
      return stay()
    case 'not-found':
      if (phase === 'open' || phase === 'confirming') {
        if (model.missingSince !== undefined && age - model.missingSince >= 15 * MINUTE) {
          delete model.missingSince
          return review('query_not_found')
        }
        model.missingSince ??= age
        return stay()
      }
      delete model.missingSince
      return phase === 'creating' || phase === 'unknown' ? (model.asks < 4 ? stay() : lost()) : stay()
    case 'query-missing':
      if (live && model.missingSince !== undefined && age - model.missingSince >= 15 * MINUTE)
        return review('query_missing')
      model.missingSince ??= age
      return stay()
    case 'query-failed':
      return stay()
    case 'no-query':
      return phase === 'open' && age >= 15 * MINUTE && !model.overdue
        ? to('open', undefined, { overdue: true, asks: model.asks + 1 })
        : stay()
    case 'replaced':
      return phase === 'open' || phase === 'unknown' ? to('abandoned') : undefined
    case 'order-paid':
      return phase === 'creating' || phase === 'unknown' || phase === 'open' ? to('abandoned') : undefined
    case 'reviewed':
      if (phase !== 'review') return undefined
      delete model.missingSince
      return input.outcome === 'succeeded'
        ? to('succeeded', 'payment.succeeded', { overdue: false })
        : to('failed', 'payment.failed', { overdue: false })
    case 'transaction-conflict':
      return review('transaction_conflict')
  }
}
