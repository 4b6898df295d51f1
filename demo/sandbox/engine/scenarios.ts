// Every ending and every difficult case that a payment can have, chosen by the payer's phone. This
// one table drives the sandbox, its tests, its documentation and /console/api/scenarios.

/** What a step does to its transaction; see transactions.ts. */
type StepName = 'lock' | 'pay' | 'process' | 'confirm' | 'decline' | 'cancel' | 'expire' | 'forge' | 'recut'

export interface ScenarioStep {
  /** Seconds after the scenario starts, usually with the creation of the deposit. */
  readonly at: number
  readonly does: StepName
  /** How many times the callback of this step is sent; default 1. */
  readonly callbacks?: 0 | 1 | 2
  /** Seconds between the step and its callback; default 0. */
  readonly callbackAfter?: number
  /** Seconds during which the status query does not show this step yet; default 0. */
  readonly queryAfter?: number
}

/** How the create request itself ends: as usual, or in one of the difficult ways. */
type CreateManner =
  | 'usual'
  | 'after-callback'
  | 'timeout'
  | 'rate-limited-once'
  | 'error'
  | 'error-processed'
  | 'token-revoked-once'

export interface Scenario {
  readonly name: string
  /** Selected when the payer's phone (acc_no) ends with 0000 and this number. */
  readonly number: string
  readonly title: string
  readonly does: string
  /** What the status query says in the end; NONE: the deposit does not exist. */
  readonly ending: 'SUCCESS' | 'FAILED' | 'PENDING' | 'NONE'
  readonly resultCode?: number
  readonly create: CreateManner
  readonly steps: readonly ScenarioStep[]
}

const PAID: readonly ScenarioStep[] = [
  { at: 1, does: 'lock' },
  { at: 2, does: 'pay' },
]
const SUCCESS: readonly ScenarioStep[] = [...PAID, { at: 3, does: 'confirm' }]

/** Scenario name of payments from other phones, which a person plays at the hosted checkout. */
export const MANUAL = 'manual'

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'success',
    number: '01',
    title: 'Paid',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: SUCCESS,
    does: 'An order is locked, the customer pays, the agent confirms after 3 seconds.',
  },
  {
    name: 'declined',
    number: '02',
    title: 'Declined by the agent',
    ending: 'FAILED',
    resultCode: 2001,
    create: 'usual',
    steps: [...PAID, { at: 3, does: 'decline' }],
    does: 'The customer says that money was sent; the agent did not get it and declines.',
  },
  {
    name: 'cancelled',
    number: '03',
    title: 'Cancelled by the customer',
    ending: 'FAILED',
    resultCode: 1032,
    create: 'usual',
    steps: [{ at: 2, does: 'cancel' }],
    does: 'The customer cancels after 2 seconds.',
  },
  {
    name: 'expires',
    number: '04',
    title: 'Time runs out',
    ending: 'FAILED',
    resultCode: 1037,
    create: 'usual',
    steps: [{ at: 3, does: 'expire' }],
    does: 'No order is locked; the end of the 15 minutes comes after 3 seconds. A companion tells time by its own clock, so it calls this failed, not expired.',
  },
  {
    name: 'locked-then-slow',
    number: '05',
    title: 'Locked, then slow',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: [...PAID, { at: 15, does: 'confirm' }],
    does: 'The order is locked and paid at once, and the agent takes 15 seconds.',
  },
  {
    name: 'never-answered',
    number: '06',
    title: 'Never answered',
    ending: 'PENDING',
    create: 'usual',
    steps: PAID,
    does: 'The agent never answers: PENDING for 24 hours, then FAILED with 1037.',
  },
  {
    name: 'callback-late',
    number: '07',
    title: 'Callback late',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: [...PAID, { at: 3, does: 'confirm', callbackAfter: 15 }],
    does: 'Paid after 3 seconds; the callback comes 15 seconds later.',
  },
  {
    name: 'callback-twice',
    number: '08',
    title: 'Callback twice',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: [...PAID, { at: 3, does: 'confirm', callbacks: 2 }],
    does: 'Paid; the same callback is sent two times.',
  },
  {
    name: 'callback-never',
    number: '09',
    title: 'Callback never',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: [...PAID, { at: 3, does: 'confirm', callbacks: 0 }],
    does: 'Paid, and no callback is ever sent: only the status query tells.',
  },
  {
    name: 'callback-before-answer',
    number: '10',
    title: 'Callback before the answer',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'after-callback',
    steps: [
      { at: 0, does: 'lock' },
      { at: 0, does: 'pay' },
      { at: 0, does: 'confirm' },
    ],
    does: 'The callback arrives before the create request is answered.',
  },
  {
    name: 'callback-out-of-order',
    number: '11',
    title: 'Callbacks out of order',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: [
      { at: 2, does: 'expire', callbackAfter: 6 },
      { at: 4, does: 'confirm' },
    ],
    does: 'Expired, then paid after all; the callback of the payment comes first, the stale one of the expiry 4 seconds later.',
  },
  {
    name: 'callback-forged',
    number: '12',
    title: 'Callbacks forged',
    ending: 'FAILED',
    resultCode: 1032,
    create: 'usual',
    steps: [
      { at: 1, does: 'forge' },
      { at: 3, does: 'cancel' },
      { at: 5, does: 'recut' },
    ],
    does: 'A stranger sends a success with a made-up hash; the payment fails; then the genuine failed callback comes again, cut into a success whose hash verifies.',
  },
  {
    name: 'success-after-expiry',
    number: '13',
    title: 'Paid after expiry',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: [
      { at: 2, does: 'expire' },
      { at: 6, does: 'confirm' },
    ],
    does: 'FAILED by expiry after 2 seconds, SUCCESS after 6.',
  },
  {
    name: 'create-timeout',
    number: '14',
    title: 'Create times out, processed',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'timeout',
    steps: SUCCESS,
    does: 'The deposit is created; the answer hangs for 6 seconds and is a 504.',
  },
  {
    name: 'create-rate-limited',
    number: '15',
    title: 'Create gets 429 once',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'rate-limited-once',
    steps: SUCCESS,
    does: 'The first create of a reference is refused with 429 and Retry-After: 2; sent again, it is paid.',
  },
  {
    name: 'create-error',
    number: '16',
    title: 'Create gets 500, nothing created',
    ending: 'NONE',
    create: 'error',
    steps: [],
    does: 'Every create is answered with 500, and the deposit does not exist.',
  },
  {
    name: 'token-revoked',
    number: '17',
    title: 'Token revoked',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'token-revoked-once',
    steps: SUCCESS,
    does: 'The first create of a reference finds its token revoked (401); with a new token it is paid.',
  },
  {
    name: 'create-error-processed',
    number: '18',
    title: 'Create gets 500, yet created',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'error-processed',
    steps: SUCCESS,
    does: 'The create is answered with 500, but the deposit exists and is paid.',
  },
  {
    name: 'processing',
    number: '19',
    title: 'Status PROCESSING on the way',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: [...PAID, { at: 3, does: 'process' }, { at: 6, does: 'confirm' }],
    does: 'The status query says PROCESSING for 3 seconds before SUCCESS.',
  },
  {
    name: 'query-behind',
    number: '20',
    title: 'Status query behind the callback',
    ending: 'SUCCESS',
    resultCode: 0,
    create: 'usual',
    steps: [...PAID, { at: 3, does: 'confirm', queryAfter: 5 }],
    does: 'The success callback comes at once; the status query still says PENDING for 5 seconds.',
  },
]

/** The scenario chosen by a phone: its last six digits are 0000 and the scenario's number. */
export function scenarioOfPhone(phone: string): Scenario | undefined {
  return /0000\d\d$/.test(phone) ? SCENARIOS.find(({ number }) => phone.endsWith(number)) : undefined
}

export function scenarioNamed(name: string): Scenario | undefined {
  return SCENARIOS.find((scenario) => scenario.name === name)
}

/**
 * True if a deposit that exists already can play it: what the others are about is the answer to its
 * creation.
 */
export function isForExisting({ create }: Scenario): boolean {
  return create === 'usual'
}

/** A phone number with `callingCode` that plays the scenario, for example 254700000001. */
export function phoneOf(scenario: Scenario, callingCode = '254'): string {
  return `${callingCode}7000000${scenario.number}`
}
