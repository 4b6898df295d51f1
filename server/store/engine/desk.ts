// The part of the store that serves the people of the shop, in terms of an engine's queries.
import { setImmediate } from 'node:timers/promises'
import { operatorTerms, termsOf } from '../../deposits/machine/search-terms.ts'
import { statusOf } from '../../deposits/machine/phases.ts'
import type { Deposit } from '../../deposits/machine/deposit.ts'
import type {
  ActRow,
  BackRow,
  DelayRow,
  DeskStore,
  FigureRow,
  LinkRow,
  PaidBackRow,
  Position,
  SignInRow,
} from '../../deposits/ports/desk-store.ts'
import type { DepositPhase, OwedKind } from '../../contract/index.ts'
import { queries } from '../queries/queries.ts'
import type { Query } from '../schema/query.ts'
import { depositOf, inboxOf, recordOf, valuesOf } from '../schema/rows.ts'
import { readOfAct, readOfLink, readOfPaidBack, readOfSignIn, type Row, type Values } from '../schema/tables.ts'
import type { Engine, Step } from './engine.ts'

/** Payments whose terms are written at once: customers are served between two batches. */
const BATCH = 100
/** Between the arrival of a callback and the move that it makes; many at once may have to wait. */
const HEARD_MS = 60_000
/** Before the first row of a list. */
const END: Position = { at: Number.MAX_SAFE_INTEGER, id: '' }

const afterOf = ({ at, id }: Position = END): Values => ({ after_at: at, after_id: id })

/** The step that writes what a new payment is found by. */
export function termsStep(deposit: Deposit): Step {
  const { terms, words } = termsOf(deposit)
  return {
    query: queries.insertTerms,
    values: { rows: JSON.stringify(terms), created_at: deposit.createdAt, id: deposit.id, words },
  }
}

/** The step that writes the operator's number, once a callback has reported it. */
export function operatorSteps(deposit: Deposit, before: Deposit | undefined): Step[] {
  if (deposit.reportedThirdPartyId === before?.reportedThirdPartyId) return []
  const terms = operatorTerms(deposit)
  if (terms.length === 0) return []
  const { id, createdAt: created_at } = deposit
  return [{ query: queries.insertTerms, values: { rows: JSON.stringify(terms), created_at, id, words: '' } }]
}

const delayOf = (row: Row): DelayRow => ({ step: Number(row['step']), count: Number(row['count']) })

function paidBackOf(row: Row): PaidBackRow | undefined {
  if (row['back_deposit_id'] === null) return undefined
  return recordOf(Object.fromEntries(readOfPaidBack.map((column) => [column, row[`back_${column}`]]))) as PaidBackRow
}

export function createDesk(engine: Engine, isSearchable: boolean): DeskStore {
  async function one<T>(query: Query, value: string): Promise<T | undefined> {
    if (value.includes('\0')) return undefined
    const row = (await engine.read(query, { value }))[0]
    return row === undefined ? undefined : (recordOf(row) as T)
  }
  const all = async <T>(query: Query, values: Values): Promise<T[]> =>
    (await engine.read(query, values)).map((row) => recordOf(row) as T)

  async function addTerms(deposits: readonly Deposit[]): Promise<void> {
    const rows = deposits.flatMap((deposit) => {
      const { terms, words } = termsOf(deposit)
      // As in queries.insertTerms.
      return terms.map((term) => [term, deposit.id, term >= 'n' ? words : ''])
    })
    await engine.write(queries.addTerms, { rows: JSON.stringify(rows) })
  }

  return {
    isSearchable,
    async makeSearchable(isStopped) {
      let made = 0
      for (let from = Number.MIN_SAFE_INTEGER; !isStopped();) {
        const end = (await engine.read(queries.depositWindow, { from }))[0]?.['at'] as number | undefined
        const found = await engine.read(queries.withoutTerms, { from, to: end ?? Number.MAX_SAFE_INTEGER })
        for (let n = 0; n < found.length && !isStopped(); n += BATCH)
          await addTerms(found.slice(n, n + BATCH).map(depositOf))
        made += found.length
        // A read of SQLite takes no turn of the event loop by itself.
        await setImmediate()
        if (end === undefined) break
        from = end
      }
      return made
    },

    async addSignIn(row) {
      await engine.write(queries.insertSignIn, valuesOf(readOfSignIn, row))
    },
    signIn: (id) => one<SignInRow>(queries.signInById, id),
    async seeSignIn(id, at) {
      await engine.write(queries.seeSignIn, { id, at })
    },
    async endSignIn(id) {
      await engine.write(queries.endSignIn, { id })
    },
    async purgeSignIns(before) {
      await engine.write(queries.purgeSignIns, { before })
    },

    addAct: async (row) => (await engine.write(queries.insertAct, valuesOf(readOfAct, row))).length === 1,
    act: (id) => one<ActRow>(queries.actById, id),
    async endAct(id, result, detail) {
      await engine.write(queries.endAct, { id, result, detail: detail ?? null })
    },
    acts({ limit, after, name, from = 0, to = Number.MAX_SAFE_INTEGER }) {
      const values = { limit, ...afterOf(after), from, to }
      return name === undefined
        ? all<ActRow>(queries.acts, values)
        : all<ActRow>(queries.actsOfName, { ...values, name })
    },
    actsOf: (depositId) => all<ActRow>(queries.actsOfDeposit, { value: depositId }),

    payBack: async (row) => (await engine.write(queries.insertPaidBack, valuesOf(readOfPaidBack, row))).length === 1,
    paidBack: (depositId) => one<PaidBackRow>(queries.paidBackOf, depositId),
    owedFor: async (depositId) => (await one<{ owed?: OwedKind }>(queries.owedOf, depositId))?.owed,
    async owed({ limit, isPaidBack, after }) {
      const rows = await engine.read(isPaidBack ? queries.owedPaidBack : queries.owedOpen, { limit, ...afterOf(after) })
      return rows.map((row) => ({
        deposit: depositOf(row),
        kind: row['owed'] as OwedKind,
        paidBack: paidBackOf(row),
      }))
    },

    async callbacks({ reference, near, limit }) {
      const [repeats, first] = await Promise.all([
        engine.read(queries.callbacksById, { first: `${reference}.`, last: `${reference}/`, limit }),
        near === undefined
          ? []
          : engine.read(queries.callbacksByTime, { reference, from: near - HEARD_MS, to: near + HEARD_MS, limit }),
      ])
      const byId = new Map([...repeats, ...first].map(inboxOf).map((row) => [row.id, row]))
      return [...byId.values()].toSorted((a, b) => a.receivedAt - b.receivedAt)
    },

    async addLink(row) {
      await engine.write(queries.insertLink, valuesOf(readOfLink, row))
    },
    async closeLink({ sessionId, closedAt, closedBy, closedWhy }) {
      const values = { session_id: sessionId, closed_at: closedAt, closed_by: closedBy, closed_why: closedWhy }
      await engine.write(queries.closeLink, values)
    },
    link: (sessionId) => one<LinkRow>(queries.linkOfSession, sessionId),
    links: ({ limit, after }) => all<LinkRow>(queries.links, { limit, ...afterOf(after) }),

    async figures(from, to) {
      const rows = await engine.read(queries.figures, { from, to })
      return rows.map((row) => ({
        country: row['country'] as FigureRow['country'],
        currency: row['currency'] as FigureRow['currency'],
        status: statusOf(row['stage'] as DepositPhase),
        count: Number(row['count']),
        sum: Number(row['sum']),
      }))
    },
    async paidBackOn(fromDay, toDay) {
      const rows = await engine.read(queries.paidBackOn, { from_day: fromDay, to_day: toDay })
      return rows.map((row) => ({
        onDay: String(row['on_day']),
        country: row['country'] as BackRow['country'],
        currency: row['currency'] as BackRow['currency'],
        count: Number(row['count']),
        sum: Number(row['sum']),
      }))
    },
    paidDelays: async (from, to) => (await engine.read(queries.paidDelays, { from, to })).map(delayOf),
    noticeDelays: async (from, to) => (await engine.read(queries.noticeDelays, { from, to })).map(delayOf),
  }
}
