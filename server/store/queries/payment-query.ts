// The payment list: newest first, page by page, using an index whichever filter is set.
import type { DepositPhase } from '../../contract/index.ts'
import { sql } from 'kysely'
import { phases, statusOf } from '../../deposits/machine/phases.ts'
import { type QueryContext, queryOnce } from '../schema/query.ts'
import { stageOf } from '../schema/rows.ts'
import type { PaymentFilter } from '../../deposits/ports/store.ts'
import { columns, type Field, fields, searchEndQuery, searchQuery, type Wanted } from './search-query.ts'
import { readOfDeposit } from '../schema/tables.ts'

const allPhases = Object.keys(phases) as DepositPhase[]

interface Shape {
  /** The first of them drives the search by its own index. */
  readonly equal: readonly Field[]
  readonly range: readonly ('after' | 'from' | 'to')[]
  /** The wanted phase alone, or the phases of the wanted status; empty when all are wanted. */
  readonly phases: readonly DepositPhase[]
}

/**
 * The query for this filter with its values; undefined when nothing can match. Filters of the same
 * shape share one query.
 */
export function paymentQuery(filter: PaymentFilter): Wanted | undefined {
  if (!canMatch(filter)) return undefined
  if (filter.search !== undefined) return searchQuery(filter.search, filter, wantedPhases(filter))
  const shape: Shape = {
    equal: fields.filter((field) => filter[field] !== undefined),
    range: (['after', 'from', 'to'] as const).filter((bound) => filter[bound] !== undefined),
    phases: wantedPhases(filter),
  }
  const name = ['payments', ...shape.equal, ...shape.range, ...shape.phases].join('_')
  return {
    query: queryOnce(name, (context) => build(shape, context)),
    values: { ...filter, afterAt: filter.after?.createdAt, afterId: filter.after?.id },
  }
}

/** Where a page of this search ends at the latest: see searchEndQuery. */
export function endQuery(filter: PaymentFilter): Wanted | undefined {
  if (filter.search === undefined || !canMatch(filter)) return undefined
  return searchEndQuery(filter.search, filter, wantedPhases(filter))
}

function canMatch({ status, phase, search, after }: PaymentFilter): boolean {
  if (status !== undefined && phase !== undefined && statusOf(phase) !== status) return false
  // The cursor of another search stands outside this one.
  return search === undefined || after === undefined || after.term?.startsWith(search.start) === true
}

function wantedPhases({ phase, status }: PaymentFilter): readonly DepositPhase[] {
  if (phase !== undefined) return [phase]
  return status === undefined ? [] : allPhases.filter((each) => statusOf(each) === status)
}

function build(shape: Shape, context: QueryContext) {
  // These fields leave the fewest rows, whatever the phase.
  if (shape.equal.some((field) => field === 'reference' || field === 'sessionId' || field === 'orderId'))
    return page(shape, context, undefined)
  const stages = [...new Set(shape.phases.map(stageOf))]
  const [first, ...others] = stages
  if (first === undefined || others.length === 0) return page(shape, context, first)
  // Reads each stage by its own index, newest first; then takes the newest of all.
  const { db, p } = context
  const part = (stage: DepositPhase) => db.selectFrom(page(shape, context, stage).as('part')).selectAll()
  let union = part(first)
  for (const stage of others) union = union.unionAll(part(stage))
  return db
    .selectFrom(union.as('parts'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p<number>('limit'))
}

/** @param stage when given, drives the search by its index */
function page(shape: Shape, { db, p, dialect }: QueryContext, stage: DepositPhase | undefined) {
  let select = db.selectFrom('deposits').select(readOfDeposit)
  let led = stage !== undefined
  // SQLite has no statistics here: the plus keeps it from using this column's index.
  const follow = (column: string) => (dialect === 'sqlite' ? sql<string>`+${sql.ref(column)}` : sql.ref<string>(column))
  if (stage !== undefined) select = select.where('stage', '=', sql.lit(stage))
  for (const field of shape.equal) {
    const column = columns[field]
    if (led) select = select.where(follow(column), '=', p<string>(field))
    else select = select.where(column, '=', p<string>(field))
    led = true
  }
  const wanted = shape.phases.filter((phase) => stage === undefined || stageOf(phase) === stage)
  if (wanted.length > 0)
    select = select.where(
      follow('phase'),
      'in',
      wanted.map((phase) => sql.lit(phase)),
    )
  if (shape.range.includes('from')) select = select.where('created_at', '>=', p<number>('from'))
  if (shape.range.includes('to')) select = select.where('created_at', '<', p<number>('to'))
  if (shape.range.includes('after'))
    select = select.where((eb) =>
      eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p<number>('afterAt'), p<string>('afterId'))),
    )
  return select.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(p<number>('limit'))
}
