// Writes changes to PostgreSQL: many as one statement, or one by itself, whose outcome is found out after a lost connection.
import type { Pool } from 'pg'
import { isDepositWrite } from './change-queries.ts'
import { Conflict, conflictOf } from './conflicts.ts'
import type { CrashPoint, Step } from './engine.ts'
import { bulkOf } from './postgres-bulk.ts'
import { faultKindOf, inTime } from './postgres-faults.ts'
import type { Statements } from './postgres-statements.ts'
import { run } from './postgres-statements.ts'
import type { PostgresWriterOptions } from './postgres-writer.ts'
import { queries } from './queries.ts'
import type { Query } from './query.ts'
import type { ConflictKind } from './store.ts'
import type { Row, Values } from './tables.ts'

export interface PostgresChangesParts {
  readonly pool: Pool
  readonly statements: Statements
  /** Retries `work`, which is told whether an attempt before it lost its connection. */
  readonly patiently: <T>(work: (severedBefore: boolean) => Promise<T>) => Promise<T>
  readonly rowsOf: (query: Query, values: Values) => Promise<Row[]>
  readonly crashPoint: CrashPoint | undefined
}

export function createPostgresChanges(parts: PostgresChangesParts): Pick<PostgresWriterOptions, 'together' | 'alone'> {
  const { pool, statements, patiently, rowsOf, crashPoint } = parts

  async function applyAtOnce(steps: readonly Step[]): Promise<ConflictKind | undefined> {
    const values = steps.map((step) => step.values)
    const { rows } = await run(pool, statements.together(steps), values)
    return Number(rows[0]?.['moved']) === 1 ? undefined : 'version'
  }

  /** Applies the steps one by one, for changes of several deposits: what the first releases, the next may take. */
  async function applyInOrder(steps: readonly Step[]): Promise<void> {
    const client = await pool.connect()
    let broken = false
    try {
      await client.query(inTime('BEGIN'))
      for (const { query, values, mustChange } of steps) {
        const { rowCount } = await run(client, statements.prepare(query), [values])
        if (mustChange && rowCount === 0) throw new Conflict('version')
      }
      await client.query(inTime('COMMIT'))
    } catch (error) {
      broken = faultKindOf(error) === 'severed'
      if (!broken) await client.query(inTime('ROLLBACK')).catch(() => (broken = true))
      throw error
    } finally {
      client.release(broken)
    }
  }

  async function attempt(steps: readonly Step[]): Promise<ConflictKind | undefined> {
    try {
      const deposits = steps.filter(({ query }) => isDepositWrite(query))
      if (deposits.length <= 1) return await applyAtOnce(steps)
      await applyInOrder(steps)
      return undefined
    } catch (error) {
      const conflict = conflictOf(error)
      if (conflict === undefined) throw error
      return conflict
    }
  }

  /** After a lost connection a conflict may be with our own change: it was committed, and only the answer was lost. */
  async function isOurs(steps: readonly Step[]): Promise<boolean> {
    for (const { query, values } of steps) {
      const value = String(values['id'])
      if (isDepositWrite(query))
        return (await rowsOf(queries.changeOfDeposit, { value }))[0]?.['change_id'] === values['change_id']
      // A session's id is generated for this one change.
      if (query === queries.insertSession) return (await rowsOf(queries.sessionById, { value })).length === 1
    }
    return false
  }

  return {
    async together(changes) {
      crashPoint?.('before')
      const { name, text, values } = bulkOf(changes)
      const { rows } = await pool.query<Row>(inTime({ name: statements.nameOf(name, text), text, values: [...values] }))
      crashPoint?.('after')
      return new Set(rows.map((row) => Number(row['change'])))
    },
    async alone(steps, lostBefore) {
      let lost = lostBefore
      const conflict = await patiently(async (severedBefore) => {
        lost ||= severedBefore
        crashPoint?.('before')
        return attempt(steps)
      })
      crashPoint?.('after')
      return conflict !== undefined && lost && (await isOurs(steps)) ? undefined : conflict
    },
  }
}
