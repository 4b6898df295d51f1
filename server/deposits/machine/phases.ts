// The phases of a deposit: one record each. All that the code asks about a phase stands here.
import type { DepositPhase, DepositStatus } from '../../contract/index.ts'
import type { Deposit } from './deposit.ts'

/** Who brings an input of the state machine. */
export type Mover =
  /** The answer to the create call, or its failure. */
  | 'create'
  /** A verified callback of the service. */
  | 'callback'
  /** Our own signed status query. */
  | 'query'
  /** The customer, who says that no money was sent. */
  | 'customer'
  /** Another payment of the same order, or one that holds the same transaction. */
  | 'other payment'
  /** The merchant's staff. */
  | 'person'

/** When the next status query is due: schedule.ts has the times of each. */
export type ScheduleName = 'never' | 'creating' | 'unknown' | 'confirming' | 'open' | 'ended' | 'unwatched'

export interface PhaseRecord {
  /** The status that it shows: one of the service's three. */
  readonly status: DepositStatus
  /** It never changes again (money rule 4). */
  readonly isFinal: boolean
  /** It occupies its session: no second attempt is created beside it (money rule 6). */
  readonly isLive: boolean
  /**
   * Left uncertain by a create call or a callback until our own query answers; queried before all
   * others.
   */
  readonly isInDoubt: boolean
  /** Who may move it to another phase. */
  readonly movedBy: readonly Mover[]
  /** When it is asked about. */
  readonly schedule: ScheduleName
}

const everybody = ['create', 'callback', 'query', 'customer', 'other payment'] as const

/** Every phase. The order is that of a payment's way. */
export const phases = {
  creating: {
    status: 'PENDING',
    isFinal: false,
    isLive: true,
    isInDoubt: true,
    movedBy: ['create', 'callback', 'query', 'other payment'],
    schedule: 'creating',
  },
  unknown: {
    status: 'PENDING',
    isFinal: false,
    isLive: true,
    isInDoubt: true,
    movedBy: everybody,
    schedule: 'unknown',
  },
  open: {
    status: 'PENDING',
    isFinal: false,
    isLive: true,
    isInDoubt: false,
    movedBy: everybody,
    schedule: 'open',
  },
  confirming: {
    status: 'PENDING',
    isFinal: false,
    isLive: true,
    isInDoubt: true,
    movedBy: ['create', 'callback', 'query', 'other payment'],
    schedule: 'confirming',
  },
  review: {
    status: 'PENDING',
    isFinal: false,
    isLive: true,
    isInDoubt: false,
    movedBy: ['callback', 'query', 'person'],
    schedule: 'unwatched',
  },
  succeeded: {
    status: 'SUCCESS',
    isFinal: true,
    isLive: false,
    isInDoubt: false,
    movedBy: [],
    schedule: 'never',
  },
  failed: {
    status: 'FAILED',
    isFinal: false,
    isLive: false,
    isInDoubt: false,
    movedBy: ['callback', 'query'],
    schedule: 'ended',
  },
  expired: {
    status: 'FAILED',
    isFinal: false,
    isLive: false,
    isInDoubt: false,
    movedBy: ['callback', 'query'],
    schedule: 'ended',
  },
  rejected: {
    status: 'FAILED',
    isFinal: true,
    isLive: false,
    isInDoubt: false,
    movedBy: [],
    schedule: 'never',
  },
  abandoned: {
    status: 'PENDING',
    isFinal: false,
    isLive: false,
    isInDoubt: false,
    movedBy: ['callback', 'query'],
    schedule: 'unwatched',
  },
} as const satisfies Readonly<Record<DepositPhase, PhaseRecord>>

const recordOf = (phase: DepositPhase): PhaseRecord => phases[phase]

export const statusOf = (phase: DepositPhase): DepositStatus => recordOf(phase).status
export const isLive = (phase: DepositPhase): boolean => recordOf(phase).isLive
export const isAbsorbing = (phase: DepositPhase): boolean => recordOf(phase).isFinal
export const isInDoubt = (phase: DepositPhase): boolean => recordOf(phase).isInDoubt

/**
 * Ended or given up, which a later success overrides (money rule 4): the success is then `late`.
 */
export const yieldsToSuccess = (phase: DepositPhase): boolean => !isLive(phase) && !isAbsorbing(phase)

/**
 * Failed by the service's answer, which a later answer may still turn into a success (money rule
 * 4).
 */
export const isSoftEnd = (phase: DepositPhase): boolean => yieldsToSuccess(phase) && statusOf(phase) === 'FAILED'

/**
 * The customer may start a new attempt in its place by saying that no money was sent (money rule
 * 5).
 */
export const isReplaceable = (phase: DepositPhase): boolean => recordOf(phase).movedBy.includes('customer')

/**
 * A callback makes it `confirming`: none has come yet, or the queries after the last one are done.
 */
export const isMovedByCallback = (phase: DepositPhase): boolean =>
  isLive(phase) && phase !== 'confirming' && phase !== 'review'

/** Only a person ends a review, except one that only waits for the query path to come back. */
export function waitsForPerson({ phase, reviewReason }: Deposit): boolean {
  return phase === 'review' && reviewReason !== 'query_missing'
}
