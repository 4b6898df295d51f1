// Writes changes to PostgreSQL: many as one statement, or one by itself, whose outcome is found out after a lost connection.
import type { Pool } from 'pg'
import { isDepositWrite } from './change-queries.ts'
import { conflictOf } from './conflicts.ts'
import type { CrashPoint, Step } from './engine.ts'
import { bulkOf } from './postgres-bulk.ts'
import { inTime } from './postgres-faults.ts'
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

  async function attempt(steps: readonly Step[]): Promise<ConflictKind | undefined> {
    try {
      const values = steps.map((step) => step.values)
      const { rows } = await run(pool, statements.together(steps), values)
      return Number(rows[0]?.['moved']) === 1 ? undefined : 'version'
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
