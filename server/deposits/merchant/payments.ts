// Payments for the merchant's backend: list, detail with timeline, CSV export, refresh, resend
// notices, decide a review.
import type {
  Decision,
  PaymentDetail,
  PaymentList,
  PaymentQuery,
  PaymentTableQuery,
  PaymentView,
  SearchBy,
} from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { PaymentFilter, PaymentPosition } from '../ports/store.ts'
import { createDays } from './days.ts'
import { paymentColumns, tableOf } from './csv.ts'
import { isBefore, otherSpellings, type Search, searchFor, termIn } from '../machine/search-terms.ts'
import { toAct, toPaidBack } from './desk-views.ts'
import { firstHeard, MOST_CALLBACKS, toEvidence } from './evidence.ts'
import type { Deposit } from '../machine/deposit.ts'
import type { Mover } from '../settle/mover.ts'
import type { Tools } from '../ports/machine.ts'
import type { Reconciler } from '../settle/reconcile.ts'
import { isoTime, timeOf, toPayment } from '../view.ts'

const PAGE = 500
/** Rows that one page of a filtered search looks at: some hundredths of a second. */
const MOST_LOOKED_AT = 5_000

/** A payment, and the search that found it. */
interface Found {
  readonly deposit: Deposit
  readonly search: Search | undefined
}

type Terms = Omit<PaymentQuery, 'cursor' | 'limit'>

/** The ways of a search, the most telling first. */
const WAYS: readonly SearchBy[] = ['reference', 'phone', 'order', 'transaction', 'operator', 'amount', 'name']
/** Without terms in the store (settings.consoleUsers) there is nothing to look them up in. */
const STORED: readonly SearchBy[] = ['phone', 'operator', 'amount', 'name']

export function createPayments(
  tools: Tools,
  parts: {
    readonly mover: Mover
    readonly reconciler: Reconciler
    readonly timeZone: string
    /** Called before the notices with these ids are put back into the outbox. */
    readonly resumeNotices: (noticeIds: readonly string[]) => void
  },
) {
  const { store, now } = tools
  const { mover, reconciler, resumeNotices } = parts
  const days = createDays(parts.timeZone)

  /** By id or reference; throws `not_found`. */
  async function find(id: string): Promise<Deposit> {
    const deposit = id.startsWith('HC') ? await store.depositByReference(id) : await store.deposit(id)
    if (deposit === undefined) throw new CompanionError('not_found', { detail: 'There is no such payment.' })
    return deposit
  }

  /** Without its search. */
  function filterOf(query: Terms, limit: number, after: PaymentPosition | undefined): PaymentFilter {
    const { from, to, fromDay, toDay, search: _, by: __, ...rest } = query
    const isByDay = fromDay !== undefined || toDay !== undefined
    if (isByDay && (from !== undefined || to !== undefined))
      throw new CompanionError('invalid_request', { detail: 'Send from and to, or fromDay and toDay.' })
    const msOf = (text?: string) => (text === undefined ? undefined : Date.parse(text))
    const span = isByDay ? days.span(fromDay, toDay) : { from: msOf(from), to: msOf(to) }
    return { ...rest, ...span, limit, after }
  }

  /** The ways in which a text may be meant. Throws where it is meant as what it cannot be. */
  function waysOf({ by }: Terms): readonly SearchBy[] {
    const isSearchable = store.desk?.isSearchable === true
    if (by !== undefined && !isSearchable && STORED.includes(by))
      throw new CompanionError('invalid_request', {
        detail:
          "Payments are found by phone, name, amount and operator's number while the console is on: set " +
          'HC_CONSOLE_USERS.',
      })
    return by === undefined ? WAYS.filter((way) => isSearchable || !STORED.includes(way)) : [by]
  }

  /** `end`: where the next page begins although this one is not full. */
  async function pageOf(query: Terms, limit: number, after: PaymentPosition | undefined, search: Search | undefined) {
    const filter = { ...filterOf(query, limit, after), search }
    const end = search === undefined ? undefined : await store.searchEnd({ ...filter, limit: MOST_LOOKED_AT })
    const rows = await store.payments({ ...filter, upTo: end })
    return { rows: rows.map((deposit): Found => ({ deposit, search })), end }
  }

  /** The same of several searches of one way, which stand in the order of their results. */
  async function pageOfAll(
    query: Terms,
    limit: number,
    after: PaymentPosition | undefined,
    searches: readonly Search[],
  ): ReturnType<typeof pageOf> {
    if (searches.length < 2) return pageOf(query, limit, after, searches[0])
    const rows: Found[] = []
    for (const search of searches) {
      // The pages before have passed it.
      if (after?.term !== undefined && isBefore(after.term, search.start)) continue
      // A position in the range of another search says nothing here.
      const own = after?.term?.startsWith(search.start) === true ? after : undefined
      const page = await pageOf(query, limit - rows.length, own, search)
      rows.push(...page.rows)
      if (page.end !== undefined || rows.length === limit) return { rows, end: page.end }
    }
    return { rows, end: undefined }
  }

  /** The searches of a text that is meant in one way; those in other spellings find something. */
  async function meant(query: Terms, by: SearchBy): Promise<{ searches: readonly Search[]; finds: boolean }> {
    const { search: text = '' } = query
    const written = searchFor(text, by)
    if (written === undefined) return { searches: [], finds: false }
    const others = otherSpellings(text, by)
    // Nothing is to be chosen.
    if (query.by !== undefined && others.length === 0) return { searches: [written], finds: true }
    const look = (search: Search) => pageOf(query, 1, undefined, search)
    const { rows, end } = await look(written)
    // One that is not at its end may find something yet.
    if (rows.length > 0 || end !== undefined) return { searches: [written], finds: rows.length > 0 }
    const finds = async (search: Search) => (await look(search)).rows.length > 0
    const found = await Promise.all(others.map(finds))
    const searches = others.filter((_, n) => found[n])
    return searches.length === 0 ? { searches: [written], finds: false } : { searches, finds: true }
  }

  /**
   * How a search is understood: in the first way that finds a payment. Undefined where it means
   * nothing, so that nothing is found.
   */
  async function understood(
    query: Terms,
  ): Promise<{ readonly searches: readonly Search[]; readonly alsoBy: SearchBy[] } | undefined> {
    if (query.search === undefined) return { searches: [], alsoBy: [] }
    const ways = await Promise.all(waysOf(query).map((by) => meant(query, by)))
    const possible = ways.filter(({ searches }) => searches.length > 0)
    const [first, ...others] = possible.filter(({ finds }) => finds)
    const { searches } = first ?? possible[0] ?? {}
    return searches && { searches, alsoBy: others.flatMap((other) => other.searches[0]?.by ?? []) }
  }

  return {
    find,

    async list({ cursor, limit, ...query }: PaymentQuery): Promise<PaymentList> {
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const meaning = await understood(query)
      if (meaning === undefined) return { payments: [] }
      const { searches, alsoBy } = meaning
      const { rows, end } = await pageOfAll(query, limit + 1, after, searches)
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      const next = rows.length > limit && last !== undefined ? positionOf(last) : end
      return {
        payments: page.map(({ deposit }) => toPayment(deposit)),
        nextCursor: next && writeCursor(next),
        // Where nothing was found, nothing is said of how; a search that goes on needs it.
        by: page.length === 0 && next === undefined ? undefined : searches[0]?.by,
        alsoBy: alsoBy.length === 0 ? undefined : alsoBy,
      }
    },

    /** CSV text in chunks: a header line, then the payments, newest first. */
    async *csv({ format, ...query }: PaymentTableQuery): AsyncGenerator<string, void> {
      const { header, lineOf } = tableOf(paymentColumns, format && days)
      const meaning = await understood(query)
      if (meaning === undefined) return void (yield header)
      const { searches } = meaning
      for (let after: PaymentPosition | undefined; ;) {
        const { rows, end } = await pageOfAll(query, PAGE, after, searches)
        const lines = rows.map(({ deposit }) => lineOf(toPayment(deposit))).join('')
        if (after === undefined || rows.length > 0) yield (after === undefined ? header : '') + lines
        const last = rows.at(-1)
        after = rows.length < PAGE || last === undefined ? end : positionOf(last)
        if (after === undefined) return
      }
    },

    /** By id or reference. */
    async detail(id: string): Promise<PaymentDetail> {
      const deposit = await find(id)
      const [timeline, notices, acts = [], owed, paidBack] = await Promise.all([
        store.timeline(deposit.id),
        store.notices(deposit.id),
        store.desk?.actsOf(deposit.id),
        store.desk?.owedFor(deposit.id),
        store.desk?.paidBack(deposit.id),
      ])
      const { reference } = deposit
      const near = firstHeard(timeline)
      const callbacks = (await store.desk?.callbacks({ reference, near, limit: MOST_CALLBACKS })) ?? []
      return {
        ...toPayment(deposit),
        timeline: timeline.map(({ depositId: _, at, ...entry }) => ({ at: isoTime(at), ...entry })),
        reported: { fees: deposit.reportedFees, thirdPartyId: deposit.reportedThirdPartyId },
        notices: notices.map((notice) => ({
          id: notice.id,
          type: notice.type,
          body: notice.body,
          state: notice.state,
          attempts: (notice.earlierAttempts ?? 0) + notice.attempts,
          createdAt: isoTime(notice.createdAt),
          nextAttemptAt: notice.state === 'waiting' ? isoTime(notice.dueAt) : undefined,
          deliveredAt: timeOf(notice.deliveredAt),
          lastError: notice.lastError,
        })),
        evidence: toEvidence(deposit, callbacks),
        acts: acts.length === 0 ? undefined : acts.map(toAct),
        owed:
          owed === undefined || deposit.phase === 'review'
            ? undefined
            : { kind: owed, paidBack: paidBack && toPaidBack(paidBack) },
      }
    },

    /** As the list has it. */
    read: async (id: string): Promise<PaymentView> => toPayment(await find(id)),

    async refresh(id: string): Promise<PaymentView> {
      return toPayment(await reconciler.ask(await find(id), 'check'))
    },

    /** Puts the payment's notices back into the outbox; returns how many. */
    async resend(id: string): Promise<number> {
      const { id: depositId } = await find(id)
      resumeNotices((await store.notices(depositId)).map((notice) => notice.id))
      return store.requeueNotices(depositId, now())
    },

    async decide(id: string, { outcome, reason, by }: Decision): Promise<PaymentView> {
      const deposit = await find(id)
      if (deposit.phase !== 'review')
        throw new CompanionError('decision_not_open', {
          detail: `The payment is ${deposit.phase}; only a payment under review is decided by a person.`,
        })
      const decided = await mover.move(deposit, { kind: 'reviewed', outcome, reason, by })
      // Someone else decided first: a caller who wanted another outcome must be told.
      if (decided.phase !== outcome)
        throw new CompanionError('decision_not_open', {
          detail: `The payment is ${decided.phase} by now; it was decided otherwise, or ended by itself.`,
        })
      return toPayment(decided)
    },
  }
}

export type Payments = ReturnType<typeof createPayments>

function positionOf({ deposit, search }: Found): PaymentPosition {
  return { createdAt: deposit.createdAt, id: deposit.id, term: search && termIn(deposit, search) }
}

function writeCursor({ createdAt, id, term }: PaymentPosition): string {
  return Buffer.from(`${createdAt}.${id}${term === undefined ? '' : `.${term}`}`).toString('base64url')
}

function readCursor(cursor: string): PaymentPosition {
  // No term has a NUL, and PostgreSQL would refuse the query.
  const match = /^(\d{1,15})\.(dep_\w+)(?:\.([^\0]*))?$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match?.[1] || !match[2])
    throw new CompanionError('invalid_request', {
      detail: 'The cursor is not one of ours.',
      issues: [{ path: 'cursor', code: 'invalid', message: 'Use nextCursor of the last page.' }],
    })
  return { createdAt: Number(match[1]), id: match[2], term: match[3] }
}
