// Maps a response to what is certain (money rule 1): pure functions, one for a create and one for a
// query.
import type { Hide } from '../platform/service-words.ts'
import { isOurSum, isSameAmount, otherSum } from './amount.ts'
import { inWords, type SendFault } from './faults.ts'
import type { CreateOrder, CreateOutcome, QueryOrder, QueryOutcome } from '../deposits/ports/upstream.ts'
import { isSuccess, readCreated, readFound, readMessage, readRefusal, refusalCode, type Refusal } from './wire.ts'

/** `withheld`: never sent, so certainly not processed. */
export type Answered =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string; readonly retryAfterMs?: number }
  | ({ readonly kind: 'fault' } & SendFault)
  | { readonly kind: 'withheld'; readonly reason: 'paused' | 'breaker_open' | 'closed'; readonly retryAfterMs: number }

type Answer = Answered & { kind: 'answer' }

/**
 * The outcome of a create.
 *
 * @param resent this was our second send, after a 401 that claimed that the first was not
 *   processed.
 */
export function createOutcome(answer: Answered, order: CreateOrder, resent: boolean, hide?: Hide): CreateOutcome {
  if (answer.kind === 'withheld')
    return { kind: 'not_processed', reason: answer.reason, retryAfterMs: answer.retryAfterMs }
  if (answer.kind === 'fault') return { kind: answer.notSent ? 'not_processed' : 'unknown', reason: inWords(answer) }
  const { status, text } = answer
  if (status === 429) return { kind: 'not_processed', reason: 'rate_limited', retryAfterMs: answer.retryAfterMs ?? 0 }
  if (isSuccess(status)) return accepted(answer, order, hide)
  // A 408 gives up on a request that may already have been passed on.
  if (status < 400 || status >= 500 || status === 408)
    return { kind: 'unknown', reason: `http_${status}`, message: readMessage(text, hide) }
  const refusal = readRefusal(text, hide)
  if (refusal === undefined)
    return { kind: 'unknown', reason: `http_${status}_not_in_the_envelope`, message: readMessage(text, hide) }
  const code = refusalCode(status, refusal)
  // By now the second one in a row, or within seconds of it: the token, not the payment, was
  // refused, and the next token may be taken.
  if (status === 401 && code === 'refused') return { kind: 'not_processed', reason: 'token_refused' }
  // The service knows our reference although it answered 401 before: the first send was processed
  // after all.
  if ((code === 'duplicate_reference' || code === 'conflict') && resent)
    return { kind: 'unknown', reason: 'duplicate_after_resend' }
  const ofPayer = (refusal.ofPayer && (code === 'invalid_fields' || code === 'refused')) || undefined
  return { kind: 'refused', code, status, message: withFields(refusal), ofPayer }
}

const withFields = ({ message, fields }: Refusal): string =>
  fields.length === 0 ? message : `${message} (${fields.join(', ')})`

/**
 * `success: false` under a status of success. It contradicts itself, so it proves nothing: a query
 * settles it. But what it says is the only hint that anybody gets.
 */
function refusedWithSuccess({ status, text }: Answer, hide: Hide | undefined) {
  const refusal = readRefusal(text, hide)
  if (refusal === undefined) return { reason: 'unreadable', message: readMessage(text, hide) }
  return {
    reason: `refused_with_http_${status}`,
    message: withFields(refusal),
    code: refusalCode(status, refusal),
    ofPayer: refusal.ofPayer || undefined,
  }
}

/** Only an answer about this very deposit is believed; anything else is settled by query. */
function accepted(given: Answer, order: CreateOrder, hide: Hide | undefined): CreateOutcome {
  const answer = readCreated(given.text)
  if (answer === undefined) return { kind: 'unknown', ...refusedWithSuccess(given, hide) }
  if (answer.reference !== order.reference) return { kind: 'unknown', reason: 'other_reference' }
  // An empty text says nothing, and a currency is the same word in small letters.
  const { currency = '', amount = '' } = answer
  if (currency.trim() !== '' && currency.trim().toUpperCase() !== order.currency)
    return { kind: 'unknown', reason: 'other_currency' }
  if (amount.trim() !== '' && !isSameAmount(amount.trim(), order.amount))
    return { kind: 'unknown', reason: 'other_amount' }
  return { kind: 'created', transactionId: answer.transactionId, checkoutUrl: answer.checkoutUrl }
}

/**
 * The outcome of a status query. Money rule 3: 405, 501, or a 404 outside the envelope means that
 * the path is missing.
 */
export function queryOutcome(answer: Answered, order: QueryOrder, hide?: Hide): QueryOutcome {
  if (answer.kind === 'withheld') return { kind: 'failed', reason: answer.reason, retryAfterMs: answer.retryAfterMs }
  if (answer.kind === 'fault') return { kind: 'failed', reason: inWords(answer) }
  const { status, text } = answer
  if (status === 405 || status === 501) return { kind: 'path_missing', status }
  if (status === 404) return readRefusal(text) === undefined ? { kind: 'path_missing', status } : { kind: 'not_found' }
  if (isSuccess(status)) {
    const found = readFound(text, hide)
    if (found === undefined) return { kind: 'failed', ...refusedWithSuccess(answer, hide) }
    const { amount, currency, ...rest } = found
    const other = order.sum && otherSum({ amount, currency }, order.sum)
    const sameSum = (order.sum && isOurSum({ amount, currency }, order.sum)) || undefined
    return { kind: 'found', ...rest, otherSum: other, sameSum }
  }
  const refusal = status >= 400 && status < 500 && status !== 429 ? readRefusal(text, hide) : undefined
  return {
    kind: 'failed',
    reason: refusal === undefined ? `http_${status}` : refusalCode(status, refusal),
    message: refusal === undefined ? readMessage(text, hide) : withFields(refusal),
    retryAfterMs: answer.retryAfterMs,
  }
}
