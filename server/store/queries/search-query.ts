// The search for payments: each way of searching follows one index, in whose order its results
// stand, so that a page costs the same however many payments fit.
import { type SelectQueryBuilder, sql } from 'kysely'
import type { DepositPhase } from '../../contract/index.ts'
import type { PaymentFilter } from '../../deposits/ports/store.ts'
import type { Query, QueryContext } from '../schema/query.ts'
import { readOfDeposit, type Tables, type Values } from '../schema/tables.ts'

type Bound = 'from' | 'to' | 'after'
type Equal = 'country' | 'currency' | 'phase' | 'sessionId' | 'orderId' | 'reference'

const columns: Readonly<Record<Equal, string>> = {
  country: 'deposits.country',
  currency: 'deposits.currency',
  phase: 'deposits.phase',
  sessionId: 'deposits.session_id',
  orderId: 'deposits.order_id',
  reference: 'deposits.reference',
}
const equals = Object.keys(columns) as Equal[]

interface Shape {
  readonly by: NonNullable<PaymentFilter['search']>['by']
  readonly equal: readonly Equal[]
  readonly bounds: readonly Bound[]
  readonly phases: readonly DepositPhase[]
  /** Number of other words. */
  readonly also: number
}

/** After every text that begins with what stands before it. */
const LAST = '\u{10ffff}'

const known = new Map<string, Query>()

/** @param phases those of the wanted status; empty when all are wanted */
export function searchQuery(
  search: NonNullable<PaymentFilter['search']>,
  filter: PaymentFilter,
  phases: readonly DepositPhase[],
): { readonly query: Query; readonly values: Values } {
  const shape: Shape = {
    by: search.by,
    equal: equals.filter((field) => filter[field] !== undefined),
    bounds: (['from', 'to', 'after'] as const).filter((bound) => filter[bound] !== undefined),
    phases: filter.phase === undefined ? phases : [],
    also: search.also.length,
  }
  const name = ['search', shape.by, ...shape.equal, ...shape.bounds, ...shape.phases, shape.also].join('_')
  let query = known.get(name)
  if (query === undefined) known.set(name, (query = { name, build: (context) => build(shape, context) }))
  const values: Record<string, unknown> = {
    start: search.start,
    end: search.start + LAST,
    word: ` ${search.start.slice(1)}`,
    limit: filter.limit,
    from: filter.from,
    to: filter.to,
    afterTerm: filter.after?.term ?? '',
    afterAt: filter.after?.createdAt,
    afterId: filter.after?.id,
  }
  for (const field of shape.equal) values[field] = filter[field]
  for (const [n, word] of search.also.entries()) values[`also${n}`] = ` ${word}`
  return { query, values }
}

/** Where a text stands in another one; 0: nowhere. */
const placeOf = ({ dialect }: QueryContext) => sql.raw(dialect === 'postgres' ? 'strpos' : 'instr')

function build(shape: Shape, context: QueryContext) {
  const { db, p, dialect } = context
  const isStored = shape.by === 'phone' || shape.by === 'name' || shape.by === 'amount'
  const [term, at, id] = isStored
    ? (['found_by.term', 'found_by.created_at', 'found_by.deposit_id'] as const)
    : ([
        shape.by === 'order' ? 'deposits.order_id' : 'deposits.reference',
        'deposits.created_at',
        'deposits.id',
      ] as const)
  const [termRef, atRef, idRef] = [sql.ref<string>(term), sql.ref<number>(at), sql.ref<string>(id)]
  // SQLite takes the tables of a cross join in the order in which they are written.
  const source = (isStored
    ? db.selectFrom('found_by').crossJoin('deposits')
    : db.selectFrom('deposits')) as unknown as SelectQueryBuilder<Tables, 'deposits' | 'found_by', object>
  const wheres = [
    shape.by === 'amount'
      ? sql`${termRef} = ${p('start')}`
      : sql`${termRef} >= ${p('start')} and ${termRef} < ${p('end')}`,
  ]
  if (isStored) wheres.push(sql`deposits.id = found_by.deposit_id`)
  if (shape.by === 'name') {
    const place = placeOf(context)
    // Of a name with several such words only the greatest counts: it would be found twice.
    wheres.push(
      sql`${place}(substr(words, ${place}(words, ' ' || substr(term, 2) || ' ') + 1), ${p('word')}) = 0`,
      ...Array.from({ length: shape.also }, (_, n) => sql`${place}(words, ${p(`also${n}`)}) > 0`),
    )
  }
  // The plus keeps SQLite from taking another index.
  const other = (column: string) => (dialect === 'sqlite' ? sql`+${sql.ref(column)}` : sql.ref(column))
  for (const field of shape.equal) wheres.push(sql`${other(columns[field])} = ${p(field)}`)
  if (shape.phases.length > 0)
    wheres.push(sql`${other('deposits.phase')} in (${sql.join(shape.phases.map((phase) => sql.lit(phase)))})`)
  if (shape.bounds.includes('from')) wheres.push(sql`${atRef} >= ${p('from')}`)
  if (shape.bounds.includes('to')) wheres.push(sql`${atRef} < ${p('to')}`)
  if (shape.bounds.includes('after'))
    wheres.push(sql`(${termRef}, ${atRef}, ${idRef}) < (${p('afterTerm')}, ${p('afterAt')}, ${p('afterId')})`)
  return source
    .select(readOfDeposit.map((column) => `deposits.${column}` as const))
    .where(sql<boolean>`${sql.join(wheres, sql` and `)}`)
    .orderBy(termRef, 'desc')
    .orderBy(atRef, 'desc')
    .orderBy(idRef, 'desc')
    .limit(p<number>('limit'))
}
