// The one list of what must be right for payments to be safe. `/readyz` prints it, the alerts are
// raised by it, and `doctor` uses the same words. A check reads what was seen; it asks nobody
// itself.
import type { PlainAlertKind } from '../deposits/machine/alerts.ts'
import type { Settings } from '../settings/settings.ts'
import type { UpstreamHealth } from '../deposits/ports/upstream.ts'
import type { OthersSeen } from './others.ts'
import { type Trouble, TROUBLES } from './troubles.ts'

export interface Finding {
  /** `fail`: no payment is safe here. `warn`: payments go on, or no other instance does better. */
  readonly state: 'ok' | 'warn' | 'fail'
  /** What is wrong: one sentence with its full stop, without a secret. Empty where nothing is. */
  readonly says: string
  readonly todo: string
  readonly trouble?: Trouble
  readonly alert?: HealthAlert
}

export interface HealthAlert {
  readonly kind: PlainAlertKind
  readonly detail: string
  /**
   * `lasting`: raised when two looks in a row found it. `new`: when the look before did not. Else
   * at each look.
   */
  readonly when?: 'lasting' | 'new'
}

/** What keeps the database from writing. */
export interface StoreFault {
  /** It has not answered at all for so long. */
  readonly silentMs?: number
  readonly failsSince?: number
  /** Its own advice, or nothing. */
  readonly why: string
}

/** What the checks judge. What was not looked at is left out. */
export interface Seen {
  readonly settings: Pick<Settings, 'confirm' | 'queryPath'>
  readonly upstream: UpstreamHealth
  readonly store?: 'ok' | StoreFault
  /** One sentence for each market whose creates, or wallet whose queries, get no usable answer. */
  readonly creates?: readonly string[]
  readonly queries?: readonly string[]
  readonly isRestoreUnfinished?: boolean
  readonly notices?: {
    readonly isBegun: boolean
    readonly receiver: 'ok' | 'none' | 'gone' | 'throttled'
    /** Types of waiting notices that no handler takes. */
    readonly unheard: readonly string[]
  }
  /** The other companions on this database. */
  readonly others?: OthersSeen
}

export interface HealthCheck {
  readonly name: string
  /** Undefined: nobody looked, or there is nothing to say while it is right. */
  readonly look: (seen: Seen) => Finding | undefined
}

/** As one line for a person. */
export const inOneLine = ({ says, todo }: Pick<Finding, 'says' | 'todo'>): string => `${says} ${todo}`

/** @param why in brackets behind the title */
export function troubleWith(trouble: Trouble, why?: string): Pick<Finding, 'says' | 'todo' | 'trouble'> {
  const { title, todo } = TROUBLES[trouble]
  return { says: why === undefined ? `${title}.` : `${title} (${why}).`, todo, trouble }
}

const OK: Finding = { state: 'ok', says: '', todo: '' }

export const healthChecks: readonly HealthCheck[] = [
  { name: 'store', look: lookAtStore },
  {
    name: 'restore',
    look({ isRestoreUnfinished }) {
      if (isRestoreUnfinished === undefined) return undefined
      return isRestoreUnfinished ? { state: 'fail', ...troubleWith('restore') } : OK
    },
  },
  { name: 'login', look: lookAtLogin },
  { name: 'upstream', look: lookAtAnswers },
  { name: 'query', look: lookAtQuery },
  { name: 'address', look: lookAtAddress },
  { name: 'signature', look: lookAtSignature },
  {
    // No alert: the refused payment raises one itself, with the service's words. No word while it
    // is right: nothing looks for it while nobody pays.
    name: 'account',
    look: ({ upstream }) =>
      upstream.tokenRefused === true ? { state: 'fail', ...troubleWith('account_refused') } : undefined,
  },
  { name: 'creates', look: ({ creates = [] }) => lookAtCreates(creates) },
  { name: 'queries', look: ({ queries = [] }) => lookAtQueries(queries) },
  { name: 'notices', look: lookAtNotices },
  { name: 'companions', look: lookAtOthers },
]

/** With the alert of the same name. */
function failure(kind: Trouble & PlainAlertKind, why?: string): Finding {
  const told = troubleWith(kind, why)
  return { state: 'fail', ...told, alert: { kind, detail: told.says } }
}

export function lookAtStore({ store }: Pick<Seen, 'store'>): Finding | undefined {
  if (store === undefined) return undefined
  if (store === 'ok') return OK
  const { silentMs, failsSince, why } = store
  const trouble = silentMs === undefined ? 'store_failing' : 'store_silent'
  const { title, todo } = TROUBLES[trouble]
  const says = silentMs === undefined ? `${title}.` : `The database has not answered for ${silentMs / 1000} s.`
  // The database's own advice is better. A second one would be read as another fault.
  const finding: Finding = { state: 'fail', says, todo: why === '' ? todo : why, trouble }
  if (failsSince === undefined) return finding
  const detail = `Writing to the database has failed since ${new Date(failsSince).toISOString()}.`
  return { ...finding, alert: { kind: 'store_failing', detail: `${detail}${why === '' ? '' : ` ${why}`}` } }
}

export function lookAtLogin({ upstream }: Pick<Seen, 'upstream'>): Finding {
  const { login, hasToken, detail = 'no answer', addressRefused, pausedUntil, breaker } = upstream
  if (login === 'ok' || login === 'unknown') return OK
  const state = hasToken ? 'warn' : 'fail'
  const untilItEnds = (todo: string): string => (hasToken ? `${todo} Payments go on until the last login ends.` : todo)
  if (login === 'refused') {
    // No key mends a refusal of our address, which is a check of its own.
    const trouble = addressRefused ? 'address_not_allowed' : 'login_refused'
    const { todo } = TROUBLES[trouble]
    const says = `${TROUBLES.login_refused.title}: ${detail}${/[.!?]$/.test(detail) ? '' : '.'}`
    const finding: Finding = { state, says, todo: untilItEnds(todo), trouble }
    return addressRefused ? finding : { ...finding, alert: { kind: 'login_refused', detail } }
  }
  // Nothing is wrong with the address or the network; the check `upstream` raises the alert.
  if (pausedUntil !== undefined) return { state, ...pauseUntil(pausedUntil) }
  if (detail === 'HTTP 429') {
    // The first look behind the pause: the address and the network were right all the time.
    const says = `The payment service asked for a pause (${detail}), which is over.`
    return { state, says, todo: 'Wait a moment: the login is tried again.', trouble: 'upstream_paused' }
  }
  const told = troubleWith('login_unanswered', detail)
  const finding: Finding = { state, ...told, todo: untilItEnds(told.todo) }
  if (breaker === 'open') return finding
  return { ...finding, alert: { kind: 'login_unanswered', detail, when: 'lasting' } }
}

function lookAtAnswers({ upstream }: Seen): Finding {
  const { breaker, paused, pausedUntil, fault } = upstream
  const told = troubleWith('upstream_down', fault)
  const alert: HealthAlert = { kind: 'upstream_down', detail: told.says }
  if (breaker === 'open') return { state: 'fail', ...told, alert }
  // Another instance would meet the same, and those who have paid already are served here
  // meanwhile.
  const pause = pausedUntil === undefined && !paused ? undefined : pauseUntil(pausedUntil)
  if (pause !== undefined)
    return { state: 'warn', ...pause, ...(paused ? { alert: { kind: 'upstream_paused', detail: pause.says } } : {}) }
  if (breaker === 'closed') return OK
  // At first the breaker opens for a second, between two looks. It is half open until somebody
  // pays.
  return {
    state: 'warn',
    says: `The payment service did not answer (${fault ?? 'no answer'}).`,
    todo: 'The next call shows whether it does again.',
    trouble: 'upstream_down',
    alert: { ...alert, when: 'new' },
  }
}

/** @param until absent when the service is handed in and does not say */
function pauseUntil(until: number | undefined): Pick<Finding, 'says' | 'todo' | 'trouble'> {
  const end = until === undefined ? '' : ` until ${new Date(until).toISOString()}`
  const news = `The payment service asks for a pause${end} (429 or 503 with Retry-After)`
  const says = `${news}; new payments are refused meanwhile.`
  return { says, todo: TROUBLES.upstream_paused.todo, trouble: 'upstream_paused' }
}

function lookAtQuery({ upstream, settings }: Seen): Finding {
  if (upstream.queryPath !== 'missing' || settings.confirm !== 'query') return OK
  return failure('query_path_missing', `at ${settings.queryPath}`)
}

export function lookAtAddress({ upstream }: Pick<Seen, 'upstream'>): Finding {
  return upstream.addressRefused ? failure('address_not_allowed') : OK
}

function lookAtSignature({ upstream }: Seen): Finding {
  if (!upstream.signatureRefused) return OK
  const told = troubleWith('signature_refused')
  // The advice of `create_refused` is about every refusal: this one knows more.
  return { state: 'fail', ...told, alert: { kind: 'create_refused', detail: inOneLine(told) } }
}

/** Another instance would meet the same. No word while it is right. */
const unanswered = (kind: 'create_unanswered' | 'query_unanswered') => (troubles: readonly string[]) => {
  if (troubles.length === 0) return undefined
  const { title, todo } = TROUBLES[kind]
  const detail = troubles.join(' ')
  const says = `${title}. ${detail}`
  return { state: 'warn', says, todo, trouble: kind, alert: { kind, detail } } satisfies Finding
}
export const lookAtCreates = unanswered('create_unanswered')
export const lookAtQueries = unanswered('query_unanswered')

/** Never a red light: nothing is lost, and another instance would meet the same receiver. */
function lookAtNotices({ notices }: Seen): Finding | undefined {
  if (notices === undefined) return undefined
  const { isBegun, receiver, unheard } = notices
  if (!isBegun) return { state: 'warn', ...troubleWith('no_background_work') }
  if (receiver === 'none') return { state: 'warn', ...troubleWith('no_receiver') }
  // No alert: the outbox raises it at the answer itself.
  if (receiver === 'gone') return { state: 'warn', ...troubleWith('notice_receiver_gone') }
  if (unheard.length === 0) return OK
  const says = `No handler takes ${unheard.join(', ')}.`
  return { state: 'warn', says, todo: 'Register one with notices.on(…): these notices wait.', trouble: 'no_receiver' }
}

/** Payments go on. At a restart two may overlap for a moment. No word while it is right. */
function lookAtOthers({ others }: Seen): Finding | undefined {
  if (others === undefined) return undefined
  const { sharesFile, heardElsewhere } = others
  if (heardElsewhere.length > 0) return lastingWarning('other_handlers', heardElsewhere.join(', '))
  return sharesFile ? lastingWarning('shared_file') : undefined
}

function lastingWarning(kind: Trouble & PlainAlertKind, why?: string): Finding {
  const told = troubleWith(kind, why)
  return { state: 'warn', ...told, alert: { kind, detail: told.says, when: 'lasting' } }
}
