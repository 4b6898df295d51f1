// The trace that a payment belongs to, by W3C Trace Context. It is kept with the records and
// decides nothing: the state machine does not know it.
import type { Deposit, Session } from './machine/deposit.ts'

/** Of the request that made the record; absent where its caller had none. */
export interface Traced {
  readonly traceparent?: string | undefined
}

export const traceOf = ({ traceparent }: (Deposit | Session) & Traced): string | undefined => traceparent
