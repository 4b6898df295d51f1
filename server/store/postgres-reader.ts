// Batches rows requested by key within one event-loop turn into one query: under load a round trip costs more than the row.
import type { Query } from './query.ts'
import type { Row, Values } from './tables.ts'

/** Most keys in one query, so that no customer waits for a long list. */
const MOST_TOGETHER = 100

interface Wait {
  readonly key: string
  readonly resolve: (rows: Row[]) => void
  readonly reject: (error: unknown) => void
}

export interface PostgresReader {
  /** Rows whose `column` equals `key`; `many` takes all wanted keys as `values`. */
  read(many: Query, column: string, key: string): Promise<Row[]>
}

export function createPostgresReader(rowsOf: (query: Query, values: Values) => Promise<Row[]>): PostgresReader {
  const waiting = new Map<Query, { readonly column: string; waits: Wait[] }>()

  async function ask(many: Query, column: string, waits: readonly Wait[]): Promise<void> {
    try {
      const found = new Map<unknown, Row[]>()
      for (const row of await rowsOf(many, { values: [...new Set(waits.map(({ key }) => key))] })) {
        const rows = found.get(row[column])
        if (rows === undefined) found.set(row[column], [row])
        else rows.push(row)
      }
      for (const { key, resolve } of waits) resolve(found.get(key) ?? [])
    } catch (error) {
      for (const { reject } of waits) reject(error)
    }
  }

  function flush(): void {
    for (const [many, { column, waits }] of waiting)
      for (let i = 0; i < waits.length; i += MOST_TOGETHER) void ask(many, column, waits.slice(i, i + MOST_TOGETHER))
    waiting.clear()
  }

  return {
    read: (many, column, key) =>
      new Promise((resolve, reject) => {
        if (waiting.size === 0) setImmediate(flush)
        let kind = waiting.get(many)
        if (kind === undefined) waiting.set(many, (kind = { column, waits: [] }))
        kind.waits.push({ key, resolve, reject })
      }),
  }
}
