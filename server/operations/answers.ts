// Judges what the service answers to creates and status queries: which of it a person must know.
// What lasts is a check of the one list (health.ts), so that `/readyz` tells it too.
import { isRecent } from '../platform/clock.ts'
import type { Alert, HearAnswer } from '../deposits/ports/machine.ts'
import { saidBy } from '../platform/service-words.ts'
import type { CreateOutcome, QueryOutcome } from '../deposits/ports/upstream.ts'
import { type Seen, lookAtCreates, lookAtQueries } from './health.ts'

/** So many creates of one market in a row without a usable answer are no accident. */
const UNANSWERED_IN_A_ROW = 5
/**
 * What the service refuses of a payer's details is a customer's mistake, and wakes nobody. So many
 * of one market in a row are none.
 */
const MISTYPED_IN_A_ROW = 5
/** How long the queries of a wallet may all fail: nothing could be proven meanwhile. */
const UNANSWERED_MS = 15 * 60_000
/** What was heard longer ago is no present trouble. */
const TOLD_FOR_MS = 60 * 60_000
/** Nothing else would tell a person of an account that may log in and not pay. */
const TOKEN_REFUSED = 'It takes no login for payments, however new (401).'

interface Trouble {
  readonly says: string
  readonly heardAt: number
}

export function createAnswers(parts: {
  readonly now: () => number
  readonly alert: Alert
  readonly isDown: () => boolean
  /** Then the contract may have no status query. What waits for one has the alert of a review. */
  readonly callbacksDecide: boolean
}) {
  const { now, alert, isDown, callbacksDecide } = parts
  /** Creates in a row, by currency: without a usable answer, and refused for what was typed. */
  const unanswered = new Map<string, number>()
  const mistyped = new Map<string, number>()
  const creates = new Map<string, Trouble>()
  /** Since when the queries of each wallet have failed. */
  const failingSince = new Map<string, number>()
  const queries = new Map<string, Trouble>()

  /** A trouble is kept for the list, and an alert is raised with the list's words. */
  function keep(troubles: Map<string, Trouble>, key: string, says: string, look: typeof lookAtCreates): void {
    troubles.set(key, { says, heardAt: now() })
    const raised = look([says])?.alert
    if (raised !== undefined) alert(raised.kind, raised.detail)
  }

  function count(counts: Map<string, number>, key: string): number {
    const inARow = (counts.get(key) ?? 0) + 1
    counts.set(key, inARow)
    return inARow
  }

  function noteCreate(currency: string, outcome: CreateOutcome): void {
    if (outcome.kind === 'created') mistyped.delete(currency)
    if ((outcome.kind === 'refused' || outcome.kind === 'unknown') && outcome.ofPayer) count(mistyped, currency)
    if (outcome.kind === 'created' || outcome.kind === 'refused') {
      unanswered.delete(currency)
      creates.delete(currency)
      return
    }
    // A service that is down, or gives no login, has checks of its own.
    if (outcome.kind === 'not_processed' && isDown()) return
    const inARow = count(unanswered, currency)
    if (inARow >= UNANSWERED_IN_A_ROW)
      keep(creates, currency, `${currency}: ${inARow} in a row; now ${saidBy(outcome)}.`, lookAtCreates)
  }

  /** What one answer says by itself. */
  function tellOfCreate(currency: string, outcome: CreateOutcome): void {
    if (outcome.kind === 'not_processed') {
      if (outcome.reason === 'token_refused') alert('create_refused', TOKEN_REFUSED)
      return
    }
    if (outcome.kind === 'created') return
    const isWorthTelling = !outcome.ofPayer || (mistyped.get(currency) ?? 0) >= MISTYPED_IN_A_ROW
    if (outcome.kind === 'unknown') {
      // Under a status of success: no query would ever tell a person why.
      if (outcome.code !== undefined && isWorthTelling) alert('create_refused', saidBy(outcome))
      return
    }
    switch (outcome.code) {
      case 'duplicate_reference':
        return
      case 'conflict':
        // If it refuses every payment so, nobody else would hear of it: none of them is rejected.
        return alert('create_refused', outcome.message)
      case 'market_off':
        return alert('market_off', `${currency}: ${outcome.message}`)
      default:
        if (isWorthTelling)
          alert(outcome.code === 'address_not_allowed' ? 'address_not_allowed' : 'create_refused', outcome.message)
    }
  }

  function noteQuery(walletNo: string, currency: string, reference: string, outcome: QueryOutcome): void {
    if (outcome.kind === 'path_missing' && !callbacksDecide) alert('query_path_missing', reference)
    if (outcome.kind !== 'failed') {
      failingSince.delete(walletNo)
      queries.delete(walletNo)
      return
    }
    const at = now()
    const since = Math.min(failingSince.get(walletNo) ?? at, at)
    failingSince.set(walletNo, since)
    if (at - since < UNANSWERED_MS) return
    const says = `${currency}: no state since ${new Date(since).toISOString()}; now ${saidBy(outcome)}.`
    keep(queries, walletNo, says, lookAtQueries)
  }

  function present(troubles: Map<string, Trouble>): string[] {
    return [...troubles.values()].flatMap(({ says, heardAt }) => (isRecent(heardAt, now(), TOLD_FOR_MS) ? [says] : []))
  }

  const hear: HearAnswer = ({ walletNo, currency, reference }, answer) => {
    if (answer.call === 'query') return noteQuery(walletNo, currency, reference, answer.outcome)
    noteCreate(currency, answer.outcome)
    return tellOfCreate(currency, answer.outcome)
  }

  return {
    hear,
    /** What the checks of the list judge. */
    seen: (): Pick<Seen, 'creates' | 'queries'> => ({ creates: present(creates), queries: present(queries) }),
  }
}

export type Answers = ReturnType<typeof createAnswers>
