// Many changes as one PostgreSQL statement: one round trip, one commit, one fsync. Each table takes its rows of all changes as one JSON document;
// what belongs to a deposit that moves is written only if that deposit did move.
import type { Step } from './engine.ts'
import { appended, changes as queries, columnsOf } from './change-queries.ts'
import type { Query } from './query.ts'

/** Most changes in one statement: a few hundred microseconds of the server's time. */
export const MOST_TOGETHER = 64

const INTEGERS: ReadonlySet<string> = new Set(
  `version amount created_at updated_at settled_at due_at due_rank asks query_missing_since is_live is_credited expect at attempts
  delivered_at expires_at received_at`.split(/\s+/),
)

interface Part {
  readonly query: Query
  readonly sql: (parameter: number) => string
}

/** `r`: the rows of one table in all changes. `change`: the index of the change; `guarded`: only if that change's deposit moved. */
function rows(parameter: number, columns: readonly string[]): string {
  const typed = columns.map((column) => `${column} ${INTEGERS.has(column) ? 'bigint' : 'text'}`)
  return `json_to_recordset($${parameter}::json) as r(change int, guarded bool, ${typed.join(', ')})`
}

const IF_MOVED = '(not r.guarded or exists (select 1 from moved where moved.change = r.change))'

function insert(query: Query, table: string, conflict = ''): Part {
  const columns = columnsOf(query, 'postgres')
  const values = columns.map((column) =>
    column === 'body' && table === 'inbox' ? `decode(r.body, 'base64')` : `r.${column}`,
  )
  return {
    query,
    sql: (parameter) =>
      `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${rows(parameter, columns)} where ${IF_MOVED} ${conflict}`,
  }
}

function update(query: Query, more: Readonly<Record<string, string>> = {}): Part {
  const columns = columnsOf(query, 'postgres')
  const set = [
    ...columns.map((column) => `${column} = ${appended.has(column) ? `d.${column} || ` : ''}r.${column}`),
    ...Object.entries(more).map(([column, value]) => `${column} = ${value}`),
  ]
  const read = [...columns, 'id', 'expect', ...(Object.keys(more).length === 0 ? [] : ['is_live', 'is_credited'])]
  return {
    query,
    sql: (parameter) =>
      `update deposits as d set ${set.join(', ')} from ${rows(parameter, read)} where d.id = r.id and d.version = r.expect returning r.change`,
  }
}

const movers: readonly Part[] = [
  update(queries.updateDeposit, {
    live_session: 'case when r.is_live = 1 then d.session_id end',
    credited_session: 'case when r.is_credited = 1 then d.session_id end',
  }),
  update(queries.moveDeposit),
  update(queries.touchDeposit),
]

const others: readonly Part[] = [
  insert(queries.insertIdempotency, 'idempotency'),
  insert(queries.insertDeposit, 'deposits'),
  insert(queries.insertNotice, 'notices'),
  {
    query: queries.setAnswer,
    sql: (parameter) =>
      `update idempotency as i set answer = r.answer from ${rows(parameter, ['key_hash', 'answer'])} where i.key_hash = r.key_hash and i.answer is null and ${IF_MOVED}`,
  },
  insert(queries.insertSession, 'sessions'),
  insert(queries.insertInbox, 'inbox', 'on conflict (id) do nothing'),
]

export interface Bulk {
  /** Identifies the statement's text: the same parts have the same name. */
  readonly name: string
  readonly text: string
  /** One JSON document per part. */
  readonly values: readonly string[]
}

/** Changes must not share a deposit. The returned rows name, as `change`, those whose deposit moved. */
export function bulkOf(changes: readonly (readonly Step[])[]): Bulk {
  const documents = new Map<Query, Record<string, unknown>[]>()
  changes.forEach((steps, change) => {
    const guarded = steps.some(({ mustChange }) => mustChange)
    for (const { query, values } of steps) {
      const row = { ...values, change, guarded }
      if (query === queries.insertInbox) Object.assign(row, { body: (values['body'] as Buffer).toString('base64') })
      const document = documents.get(query)
      if (document === undefined) documents.set(query, [row])
      else document.push(row)
    }
  })
  const name: string[] = []
  const steps: string[] = []
  const values: string[] = []
  const moved: string[] = []
  const add = ({ query, sql }: Part, isMover: boolean) => {
    const document = documents.get(query)
    if (document === undefined) return
    name.push(query.name)
    values.push(JSON.stringify(document))
    if (isMover) moved.push(`select change from s${values.length}`)
    steps.push(`s${values.length} as (${sql(values.length)})`)
  }
  for (const part of movers) add(part, true)
  // The other parts refer to it, whether anything moves or not.
  steps.push(`moved as (${moved.length === 0 ? 'select -1 as change where false' : moved.join(' union all ')})`)
  for (const part of others) add(part, false)
  return { name: name.join(), text: `with ${steps.join(', ')} select change from moved`, values }
}
