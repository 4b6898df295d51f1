// The search for payments: each way of searching follows one index, in whose order its results
// stand, so that a page costs the same however many payments fit. A filter drops rows on that way:
// a filtered search has an end, so that it does not walk over all payments to find one.
import { type RawBuilder, sql } from 'kysely'
import type { DepositPhase } from '../../contract/index.ts'
import type { Search } from '../../deposits/machine/search-terms.ts'
import type { PaymentFilter } from '../../deposits/ports/store.ts'
import { type Query, type QueryContext, queryOnce } from '../schema/query.ts'
import { readOfDeposit, type Values } from '../schema/tables.ts'
import type { AnyTable } from './parts.ts'

type Bound = 'from' | 'to' | 'after' | 'upTo'

/** What a filter asks to be equal, with its column: the most selective first. */
export const columns = {
  reference: 'reference',
  sessionId: 'session_id',
  orderId: 'order_id',
  country: 'country',
  currency: 'currency',
} as const
export type Field = keyof typeof columns
export const fields = Object.keys(columns) as Field[]

interface Shape {
  readonly by: Search['by']
  readonly equal: readonly Field[]
  readonly bounds: readonly Bound[]
  readonly phases: readonly DepositPhase[]
  /** Number of other words. */
  readonly also: number
}

/** After every text that begins with what stands before it. */
const LAST = '\u{10ffff}'

export interface Wanted {
  readonly query: Query
  readonly values: Values
}

/** @param phases the wanted ones; empty when all are wanted */
export function searchQuery(search: Search, filter: PaymentFilter, phases: readonly DepositPhase[]): Wanted {
  return wanted('search', page, shapeOf(search, filter, phases), search, filter)
}

/**
 * The position of the row of the index at which a search ends that looks at `filter.limit` of them;
 * undefined where each row that is looked at is found.
 */
export function searchEndQuery(
  search: Search,
  filter: PaymentFilter,
  phases: readonly DepositPhase[],
): Wanted | undefined {
  const shape = shapeOf(search, filter, phases)
  const dropsByDay = shape.by !== 'amount' && (filter.from !== undefined || filter.to !== undefined)
  if (!dropsByDay && [...shape.equal, ...shape.phases].length + shape.also === 0) return undefined
  return wanted('search_end', end, { ...shape, equal: [], phases: [], also: 0 }, search, filter)
}

const shapeOf = (search: Search, filter: PaymentFilter, phases: readonly DepositPhase[]): Shape => ({
  by: search.by,
  equal: fields.filter((field) => filter[field] !== undefined),
  bounds: (['from', 'to', 'after', 'upTo'] as const).filter((bound) => filter[bound] !== undefined),
  phases,
  also: search.also.length,
})

function wanted(
  what: string,
  build: (shape: Shape, context: QueryContext) => ReturnType<Query['build']>,
  shape: Shape,
  search: Search,
  filter: PaymentFilter,
): Wanted {
  const name = [what, shape.by, ...shape.equal, ...shape.bounds, ...shape.phases, shape.also].join('_')
  const values = {
    ...filter,
    start: search.start,
    end: search.start + LAST,
    word: ` ${search.start.slice(1)}`,
    ...Object.fromEntries(search.also.map((word, n) => [`also${n}`, ` ${word}`])),
    afterTerm: filter.after?.term,
    afterAt: filter.after?.createdAt,
    afterId: filter.after?.id,
    upToTerm: filter.upTo?.term,
    upToAt: filter.upTo?.createdAt,
    upToId: filter.upTo?.id,
  }
  return { query: queryOnce(name, (context) => build(shape, context)), values }
}

/** The column that is searched; undefined where it is a term of `found_by`. */
function columnOf(by: Search['by']): string | undefined {
  if (by === 'reference') return 'deposits.reference'
  if (by === 'order') return 'deposits.order_id'
  return by === 'transaction' ? 'deposits.transaction_id' : undefined
}

/** The rows of the index between the position after which a page begins, and its end. */
function range({ by, bounds }: Shape, { p }: QueryContext) {
  const column = columnOf(by)
  const isStored = column === undefined
  const [at, id] = isStored
    ? (['found_by.created_at', 'found_by.deposit_id'] as const)
    : (['deposits.created_at', 'deposits.id'] as const)
  const [atRef, idRef] = [sql.ref<number>(at), sql.ref<string>(id)]
  const ref = sql.ref<string>(column ?? 'found_by.term')
  const isOptional = by === 'order' || by === 'transaction'
  const termRef = isOptional ? sql<string>`lower(${ref})` : ref
  const has = (bound: Bound) => bounds.includes(bound)
  const wheres: RawBuilder<unknown>[] = []
  // Of a column there is one lower and one upper bound: the databases start at only one of several.
  if (by === 'amount') {
    wheres.push(sql`${termRef} = ${p('start')}`)
    if (has('after')) wheres.push(sql`(${atRef}, ${idRef}) < (${p('afterAt')}, ${p('afterId')})`)
    else if (has('to')) wheres.push(sql`${atRef} < ${p('to')}`)
    if (has('upTo')) wheres.push(sql`(${atRef}, ${idRef}) >= (${p('upToAt')}, ${p('upToId')})`)
    else if (has('from')) wheres.push(sql`${atRef} >= ${p('from')}`)
  } else {
    const row = sql`(${termRef}, ${atRef}, ${idRef})`
    if (isOptional) wheres.push(sql`${ref} is not null`)
    wheres.push(
      has('after')
        ? sql`${row} < (${p('afterTerm')}, ${p('afterAt')}, ${p('afterId')})`
        : sql`${termRef} < ${p('end')}`,
      has('upTo')
        ? sql`${row} >= (${p('upToTerm')}, ${p('upToAt')}, ${p('upToId')})`
        : sql`${termRef} >= ${p('start')}`,
    )
  }
  return { isStored, termRef, atRef, idRef, wheres }
}

function end(shape: Shape, context: QueryContext) {
  const { isStored, termRef, atRef, idRef, wheres } = range(shape, context)
  const { db, p } = context
  return (db as unknown as AnyTable)
    .selectFrom(isStored ? 'found_by' : 'deposits')
    .select([termRef.as('term'), atRef.as('created_at'), idRef.as('id')])
    .where(sql<boolean>`${sql.join(wheres, sql` and `)}`)
    .orderBy(termRef, 'desc')
    .orderBy(atRef, 'desc')
    .orderBy(idRef, 'desc')
    .limit(1)
    .offset(sql<number>`${p<number>('limit')} - 1`)
}

function page(shape: Shape, context: QueryContext) {
  const { db, p, dialect } = context
  const { isStored, termRef, atRef, idRef, wheres } = range(shape, context)
  // SQLite takes the tables of a cross join in the order in which they are written.
  const source = (db as unknown as AnyTable)
    .selectFrom(isStored ? 'found_by' : 'deposits')
    .$if(isStored, (found) => found.crossJoin('deposits'))
  if (isStored) wheres.push(sql`deposits.id = found_by.deposit_id`)
  if (shape.by === 'name') {
    // Where a text stands in another one; 0: nowhere.
    const place = sql.raw(dialect === 'postgres' ? 'strpos' : 'instr')
    // Of a name with several such words only the greatest counts: it would be found twice.
    wheres.push(
      sql`${place}(substr(words, ${place}(words, ' ' || substr(term, 2) || ' ') + 1), ${p('word')}) = 0`,
      ...Array.from({ length: shape.also }, (_, n) => sql`${place}(words, ${p(`also${n}`)}) > 0`),
    )
  }
  // The plus keeps SQLite from taking another index.
  const other = (column: string) => (dialect === 'sqlite' ? sql`+${sql.ref(column)}` : sql.ref(column))
  for (const field of shape.equal) wheres.push(sql`${other(`deposits.${columns[field]}`)} = ${p(field)}`)
  if (shape.phases.length > 0)
    wheres.push(sql`${other('deposits.phase')} in (${sql.join(shape.phases.map((phase) => sql.lit(phase)))})`)
  // The days of an amount are a range of its index.
  const day = shape.by === 'amount' || dialect !== 'sqlite' ? atRef : sql`+${atRef}`
  if (shape.bounds.includes('from')) wheres.push(sql`${day} >= ${p('from')}`)
  if (shape.bounds.includes('to')) wheres.push(sql`${day} < ${p('to')}`)
  return source
    .select(readOfDeposit.map((column) => `deposits.${column}` as const))
    .where(sql<boolean>`${sql.join(wheres, sql` and `)}`)
    .orderBy(termRef, 'desc')
    .orderBy(atRef, 'desc')
    .orderBy(idRef, 'desc')
    .limit(p<number>('limit'))
}
