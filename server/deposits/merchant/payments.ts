// Payments for the merchant's backend: list, detail with timeline, CSV export, refresh, resend
// notices, decide a review.
import type { Decision, PaymentDetail, PaymentList, PaymentQuery, PaymentView } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { PaymentFilter } from '../ports/store.ts'
import { csvHeader, csvLine } from './csv.ts'
import type { Deposit } from '../machine/deposit.ts'
import type { Mover } from '../settle/mover.ts'
import type { Tools } from '../ports/machine.ts'
import type { Reconciler } from '../settle/reconcile.ts'
import { isoTime, timeOf, toPayment } from '../view.ts'

export interface Payments {
  list(query: PaymentQuery): Promise<PaymentList>
  /** CSV text in chunks: a header line, then the payments, newest first. */
  csv(query: Omit<PaymentQuery, 'cursor' | 'limit'>): AsyncGenerator<string, void>
  /** By id or reference. */
  detail(id: string): Promise<PaymentDetail>
  refresh(id: string): Promise<PaymentView>
  /** Puts the payment's notices back into the outbox; returns how many. */
  resend(id: string): Promise<number>
  decide(id: string, decision: Decision): Promise<PaymentView>
}

const PAGE = 500

export function createPayments(
  tools: Tools,
  parts: {
    readonly mover: Mover
    readonly reconciler: Reconciler
    /** Called before the notices with these ids are put back into the outbox. */
    readonly resumeNotices: (noticeIds: readonly string[]) => void
  },
): Payments {
  const { store, now } = tools
  const { mover, reconciler, resumeNotices } = parts

  async function find(id: string): Promise<Deposit> {
    const deposit = id.startsWith('HC') ? await store.depositByReference(id) : await store.deposit(id)
    if (deposit === undefined) throw new CompanionError('not_found', { detail: 'There is no such payment.' })
    return deposit
  }

  function filterOf(
    query: Omit<PaymentQuery, 'cursor' | 'limit'>,
    limit: number,
    after: PaymentFilter['after'],
  ): PaymentFilter {
    const { from, to, ...rest } = query
    const msOf = (text?: string) => (text === undefined ? undefined : Date.parse(text))
    return { ...rest, limit, from: msOf(from), to: msOf(to), after }
  }

  return {
    async list({ cursor, limit, ...query }) {
      const rows = await store.payments(
        filterOf(query, limit + 1, cursor === undefined ? undefined : readCursor(cursor)),
      )
      const page = rows.slice(0, limit)
      const last = page.at(-1)
      return {
        payments: page.map(toPayment),
        ...(rows.length > limit && last !== undefined ? { nextCursor: writeCursor(last) } : {}),
      }
    },

    async *csv(query) {
      for (let after: PaymentFilter['after']; ;) {
        const rows = await store.payments(filterOf(query, PAGE, after))
        const lines = rows.map((row) => csvLine(toPayment(row))).join('')
        if (after === undefined || rows.length > 0) yield (after === undefined ? csvHeader : '') + lines
        const last = rows.at(-1)
        if (rows.length < PAGE || last === undefined) return
        after = { createdAt: last.createdAt, id: last.id }
      }
    },

    async detail(id) {
      const deposit = await find(id)
      const [timeline, notices] = await Promise.all([store.timeline(deposit.id), store.notices(deposit.id)])
      return {
        ...toPayment(deposit),
        timeline: timeline.map(({ at, kind, phase, version, detail }) => ({
          at: isoTime(at),
          kind,
          phase,
          version,
          detail,
        })),
        reported: { fees: deposit.reportedFees, thirdPartyId: deposit.reportedThirdPartyId },
        notices: notices.map((notice) => ({
          id: notice.id,
          type: notice.type,
          body: notice.body,
          state: notice.state,
          attempts: notice.attempts,
          createdAt: isoTime(notice.createdAt),
          nextAttemptAt: notice.state === 'waiting' ? isoTime(notice.dueAt) : undefined,
          deliveredAt: timeOf(notice.deliveredAt),
          lastError: notice.lastError,
        })),
      }
    },

    async refresh(id) {
      return toPayment(await reconciler.ask(await find(id), 'check'))
    },

    async resend(id) {
      const { id: depositId } = await find(id)
      resumeNotices((await store.notices(depositId)).map((notice) => notice.id))
      return store.requeueNotices(depositId, now())
    },

    async decide(id, { outcome, reason, by }) {
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

function writeCursor(deposit: Deposit): string {
  return Buffer.from(`${deposit.createdAt}.${deposit.id}`).toString('base64url')
}

function readCursor(cursor: string): { createdAt: number; id: string } {
  const match = /^(\d{1,15})\.(dep_\w+)$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!match?.[1] || !match[2])
    throw new CompanionError('invalid_request', {
      detail: 'The cursor is not one of ours.',
      issues: [{ path: 'cursor', code: 'invalid', message: 'Use nextCursor of the last page.' }],
    })
  return { createdAt: Number(match[1]), id: match[2] }
}
