// Writes a change to PostgreSQL as one statement, and finds out its outcome after a lost
// connection.
import type { Pool } from 'pg'
import { isDepositWrite } from './change-queries.ts'
import { conflictOf } from './conflicts.ts'
import type { CrashPoint, Step } from './engine.ts'
import type { Statements } from './postgres-statements.ts'
import { run } from './postgres-statements.ts'
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

/**
 * Writes all steps or none. Resolves, when it is durable, to undefined; or to the conflict when
 * nothing was written.
 */
export type WriteChange = (steps: readonly Step[]) => Promise<ConflictKind | undefined>

export function createPostgresChanges(parts: PostgresChangesParts): WriteChange {
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

  /**
   * After a lost connection a conflict may be with our own change: it was committed, and only the
   * answer was lost.
   */
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

  return async function write(steps) {
    let lost = false
    const conflict = await patiently(async (severedBefore) => {
      lost = severedBefore
      crashPoint?.('before')
      return attempt(steps)
    })
    crashPoint?.('after')
    return conflict !== undefined && lost && (await isOurs(steps)) ? undefined : conflict
  }
}
