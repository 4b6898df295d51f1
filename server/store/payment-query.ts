// The payment list: newest first, page by page, through an index whichever filter is set.
import type { DepositPhase } from '../contract/index.ts'
import { sql } from 'kysely'
import { statusOf } from '../deposits/deposit.ts'
import type { Query, QueryContext } from './query.ts'
import type { PaymentFilter } from './store.ts'
import type { Values } from './tables.ts'

const phases: readonly DepositPhase[] = [
  'creating',
  'unknown',
  'open',
  'confirming',
  'abandoned',
  'review',
  'succeeded',
  'failed',
  'expired',
  'rejected',
]

/** In order of how few rows an equal value leaves: the first that is set leads, by its own index. */
const columns = {
  reference: 'reference',
  sessionId: 'session_id',
  orderId: 'order_id',
  phase: 'phase',
  country: 'country',
  currency: 'currency',
} as const
type Field = keyof typeof columns
const fields = Object.keys(columns) as Field[]

interface Shape {
  readonly equal: readonly Field[]
  readonly range: readonly ('after' | 'from' | 'to')[]
  /** Phases of the wanted status, when no phase is wanted. */
  readonly anyPhase: readonly DepositPhase[]
}

const known = new Map<string, Query>()

/** The query for this filter with its values; undefined when nothing can match. Filters of one shape share one query. */
export function paymentQuery(filter: PaymentFilter): { readonly query: Query; readonly values: Values } | undefined {
  if (filter.status !== undefined && filter.phase !== undefined && statusOf(filter.phase) !== filter.status)
    return undefined
  const shape: Shape = {
    equal: fields.filter((field) => filter[field] !== undefined),
    range: (['after', 'from', 'to'] as const).filter((bound) => filter[bound] !== undefined),
    anyPhase:
      filter.status === undefined || filter.phase !== undefined
        ? []
        : phases.filter((phase) => statusOf(phase) === filter.status),
  }
  const name = ['payments', ...shape.equal, ...shape.range, ...shape.anyPhase].join('_')
  let query = known.get(name)
  if (query === undefined) known.set(name, (query = { name, build: (context) => build(shape, context) }))
  const values: Record<string, unknown> = { limit: filter.limit, from: filter.from, to: filter.to }
  for (const field of shape.equal) values[field] = filter[field]
  values['afterAt'] = filter.after?.createdAt
  values['afterId'] = filter.after?.id
  return { query, values }
}

function build(shape: Shape, context: QueryContext) {
  const leadsAlready = shape.equal.some(
    (field) => field === 'reference' || field === 'sessionId' || field === 'orderId',
  )
  const [first, ...others] = shape.anyPhase
  if (first === undefined) return page(shape, context)
  if (leadsAlready) return page(shape, context, shape.anyPhase)
  // Each phase by its own index, newest first; then the newest of all. One phase alone needs no second step.
  if (others.length === 0) return page(shape, context, [first], 'lead')
  const { db, p } = context
  const part = (phase: DepositPhase) => db.selectFrom(page(shape, context, [phase], 'lead').as('part')).selectAll()
  let union = part(first)
  for (const phase of others) union = union.unionAll(part(phase))
  return db
    .selectFrom(union.as('parts'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p<number>('limit'))
}

function page(
  shape: Shape,
  { db, p, dialect }: QueryContext,
  anyPhase: readonly DepositPhase[] = [],
  phaseRole?: 'lead',
) {
  let select = db.selectFrom('deposits').selectAll()
  let led = phaseRole === 'lead'
  for (const field of shape.equal) {
    const column = columns[field]
    // SQLite keeps no statistics here: the plus tells it not to lead by this column.
    if (led && dialect === 'sqlite') select = select.where(sql<string>`+${sql.ref(column)}`, '=', p<string>(field))
    else select = select.where(column, '=', p<string>(field))
    led = true
  }
  if (phaseRole === 'lead' && anyPhase[0] !== undefined) select = select.where('phase', '=', sql.lit(anyPhase[0]))
  else if (anyPhase.length > 0) {
    const wanted = anyPhase.map((phase) => sql.lit(phase))
    select =
      dialect === 'sqlite' ? select.where(sql<string>`+phase`, 'in', wanted) : select.where('phase', 'in', wanted)
  }
  if (shape.range.includes('from')) select = select.where('created_at', '>=', p<number>('from'))
  if (shape.range.includes('to')) select = select.where('created_at', '<', p<number>('to'))
  if (shape.range.includes('after'))
    select = select.where((eb) =>
      eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p<number>('afterAt'), p<string>('afterId'))),
    )
  return select.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(p<number>('limit'))
}
