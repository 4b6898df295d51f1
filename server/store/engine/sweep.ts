// Work on any number of rows in small steps; customers are served between them.
import type { Engine } from './engine.ts'
import { BATCH_SIZE } from '../queries/purge-queries.ts'
import type { Query } from '../schema/query.ts'
import type { Row, Values } from '../schema/tables.ts'

/** Repeats a housekeeping step until nothing is left. */
export async function drain(engine: Engine, query: Query, values: Values): Promise<number> {
  for (let total = 0; ;) {
    const { length } = await engine.write(query, values)
    total += length
    if (length < BATCH_SIZE) return total
  }
}

/**
 * Runs a step over successive windows of rows: for a search without an index, or a step that may
 * match any number of rows.
 */
export async function sweep(engine: Engine, ends: Query, step: Query, start: number, values: Values): Promise<Row[]> {
  const found: Row[] = []
  for (let from = start; ;) {
    const end = (await engine.read(ends, { ...values, from }))[0]?.['at'] as number | undefined
    // One by one: a window has no bound where many rows have the same time, and a call takes only
    // so many arguments.
    for (const row of await engine.write(step, { ...values, from, to: end ?? Number.MAX_SAFE_INTEGER })) found.push(row)
    if (end === undefined) return found
    from = end
  }
}
