// The table of the state machine says the truth: every input is tried in every phase, in every
// situation that a cell looks at.
import { describe, expect, it } from 'vitest'
import { DepositPhase } from '../../server/contract/index.ts'
import { broughtBy, decide, transitions } from '../../server/deposits/machine/decide.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import type { Mover } from '../../server/deposits/machine/phases.ts'
import {
  isAbsorbing,
  isLive,
  isMovedByCallback,
  isReplaceable,
  phases,
  yieldsToSuccess,
} from '../../server/deposits/machine/phases.ts'
import type { Context, Input } from '../../server/deposits/machine/transition.ts'
import { unmoved } from '../../server/deposits/machine/transition.ts'
import { depositRecord, START } from '../helpers/deposit-record.ts'

const MINUTE = 60_000
const checkoutUrl = 'https://checkout.example/c/1'
const kinds = Object.keys(transitions) as Input['kind'][]

/** One value of each list, in every combination. */
function combinations<T extends object>(lists: { readonly [K in keyof T]: readonly T[K][] }): T[] {
  return Object.entries(lists).reduce<T[]>(
    (all, [name, values]) => all.flatMap((one) => (values as unknown[]).map((value) => ({ ...one, [name]: value }))),
    [{} as T],
  )
}

function defined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
}

const depositsIn = (phase: DepositPhase): Deposit[] =>
  combinations<Partial<Record<keyof Deposit, unknown>>>({
    transactionId: [undefined, 'CP1'],
    checkoutUrl: [undefined, checkoutUrl],
    asks: [0, 6, 7],
    reportedCode: [undefined, '0', '1032'],
    queryMissingSince: [undefined, START],
    reviewReason: phase === 'review' ? ['redirect_origin', 'query_missing'] : [undefined],
    disputedSum: [undefined, true],
  }).map((changes) => depositRecord({ phase, dueAt: START + 1, ...defined(changes) } as Partial<Deposit>))

const times = [0, MINUTE, 16 * MINUTE, 31 * 24 * 60 * MINUTE]
const contexts = combinations<Context>({
  now: [START],
  trustedNow: [START],
  watched: [false],
  paidElsewhere: [false, true],
}).flatMap((context) => times.map((age) => ({ ...context, now: START + age, trustedNow: START + age })))

const variants: { readonly [K in Input['kind']]: (reference: string) => readonly Extract<Input, { kind: K }>[] } = {
  created: () =>
    combinations({
      kind: ['created' as const],
      transactionId: ['CP1', 'CP2'],
      checkoutUrl: [checkoutUrl],
      urlAllowed: [true, false],
    }),
  'create-refused': () => [{ kind: 'create-refused', code: 'market_off', message: 'no' }],
  'create-not-processed': () => [{ kind: 'create-not-processed' }],
  'create-unknown': () => [{ kind: 'create-unknown', reason: 'timeout' }],
  callback: () =>
    [true, false].flatMap((decides) =>
      (['success', 'failed'] as const).map((kind) => ({
        kind: 'callback' as const,
        decides,
        reported: { kind, resultCode: kind === 'success' ? '0' : '1037', resultDescription: 'text' },
      })),
    ),
  'callback-differs': () =>
    [true, false].map((signed) => ({ kind: 'callback-differs' as const, detail: 'amount', signed })),
  answered: (reference) =>
    combinations<Extract<Input, { kind: 'answered' }>>({
      kind: ['answered'],
      status: ['PENDING', 'SUCCESS', 'FAILED'],
      reference: [reference, 'HCTOTHER'],
      transactionId: ['CP1', 'CP2'],
    }),
  'not-found': () => [{ kind: 'not-found' }],
  'query-missing': () => [{ kind: 'query-missing' }],
  'query-failed': () => [{ kind: 'query-failed', said: 'Busy.' }],
  'no-query': () => [{ kind: 'no-query' }],
  replaced: () => [{ kind: 'replaced', by: 'dep_2' }],
  'order-paid': () => [{ kind: 'order-paid' }],
  reviewed: () =>
    (['succeeded', 'failed'] as const).map((outcome) => ({ kind: 'reviewed', outcome, reason: 'seen', by: 'Clerk' })),
  'transaction-conflict': () => [{ kind: 'transaction-conflict' }],
}

/** The other phases that an input leads to, tried out. */
function reached(kind: Input['kind'], phase: DepositPhase): Set<DepositPhase> {
  const found = new Set<DepositPhase>()
  for (const deposit of depositsIn(phase))
    for (const input of variants[kind](deposit.reference))
      for (const context of contexts) {
        const after = decide(deposit, input, context).deposit.phase
        if (after !== phase) found.add(after)
      }
  return found
}

describe.each(kinds)('%s', (kind) => {
  it.each(DepositPhase.options)('leads a payment that is %s where the table says', (phase) => {
    expect(reached(kind, phase)).toEqual(new Set(transitions[kind][phase]?.to))
  })
})

/**
 * Where each input is heard, written out a second time: a cell that never moves the payment is
 * missed by nothing else.
 */
const NOT_FINAL = 'creating unknown open confirming review failed expired abandoned'
const heard: Readonly<Record<Input['kind'], string>> = {
  created: NOT_FINAL,
  'create-refused': 'creating unknown',
  'create-not-processed': 'creating unknown',
  'create-unknown': 'creating',
  callback: NOT_FINAL,
  'callback-differs': 'creating unknown open confirming review succeeded failed expired rejected abandoned',
  answered: NOT_FINAL,
  'not-found': NOT_FINAL,
  'query-missing': NOT_FINAL,
  'query-failed': NOT_FINAL,
  'no-query': NOT_FINAL,
  replaced: 'unknown open',
  'order-paid': 'creating unknown open',
  reviewed: 'review',
  'transaction-conflict': NOT_FINAL,
}
const brings: Readonly<Record<Input['kind'], Mover>> = {
  created: 'create',
  'create-refused': 'create',
  'create-not-processed': 'create',
  'create-unknown': 'create',
  callback: 'callback',
  'callback-differs': 'callback',
  answered: 'query',
  'not-found': 'query',
  'query-missing': 'query',
  'query-failed': 'query',
  'no-query': 'query',
  replaced: 'customer',
  'order-paid': 'other payment',
  reviewed: 'person',
  'transaction-conflict': 'other payment',
}

/**
 * Whether the input changes the payment, its timeline or its alert in any situation of this phase.
 */
const isNoticed = (kind: Input['kind'], phase: DepositPhase): boolean =>
  depositsIn(phase).some((deposit) =>
    variants[kind](deposit.reference).some((input) =>
      contexts.some((context) => {
        const after = decide(deposit, input, context)
        return JSON.stringify(after) !== JSON.stringify(unmoved(deposit))
      }),
    ),
  )

it.each(kinds)('%s is heard where it is written, and by nobody else', (kind) => {
  expect(DepositPhase.options.filter((phase) => isNoticed(kind, phase)).join(' ')).toBe(
    DepositPhase.options.filter((phase) => heard[kind].split(' ').includes(phase)).join(' '),
  )
  expect(broughtBy[kind]).toBe(brings[kind])
})

/**
 * Written out a second time, so that a phase changes its meaning by a decision and not by a slip.
 */
const meanings: Readonly<Record<DepositPhase, string>> = {
  creating: 'PENDING live in-doubt',
  unknown: 'PENDING live in-doubt',
  open: 'PENDING live',
  confirming: 'PENDING live in-doubt',
  review: 'PENDING live',
  succeeded: 'SUCCESS final',
  failed: 'FAILED yields',
  expired: 'FAILED yields',
  rejected: 'FAILED final',
  abandoned: 'PENDING yields',
}

it.each(DepositPhase.options)('the record of %s says what the phase means', (phase) => {
  const { status, isFinal, isLive: live, isInDoubt } = phases[phase]
  const words = { final: isFinal, live, 'in-doubt': isInDoubt, yields: yieldsToSuccess(phase) }
  const meaning = [status, ...Object.entries(words).flatMap(([word, holds]) => (holds ? [word] : []))]
  expect(meaning.join(' ')).toBe(meanings[phase])
  // A record without a fact would pass for one where the fact does not hold.
  expect(Object.values(words).map((holds) => typeof holds)).toEqual(Array(4).fill('boolean'))
})

it.each(DepositPhase.options)('the record of %s agrees with the table', (phase) => {
  const movers = kinds.filter((kind) => transitions[kind][phase]?.to.length).map((kind) => broughtBy[kind])
  expect(new Set(phases[phase].movedBy)).toEqual(new Set(movers))
  expect(isAbsorbing(phase)).toBe(movers.length === 0)
  expect(isReplaceable(phase)).toBe(transitions.replaced[phase] !== undefined)
  expect(isMovedByCallback(phase)).toBe(transitions.callback[phase]?.to.includes('confirming') ?? false)
  // A session is never left with two live attempts: what is not live becomes so by no input.
  if (!isLive(phase)) for (const kind of kinds) expect(transitions[kind][phase]?.to.filter(isLive) ?? []).toEqual([])
})
