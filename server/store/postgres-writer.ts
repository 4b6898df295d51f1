// Group commit for PostgreSQL: changes that wait while others are in flight go together in one statement (postgres-bulk.ts). If the statement as a
// whole fails, each is sent alone, so that one that breaks a rule does not affect the others.
import { isDepositWrite } from './change-queries.ts'
import type { Step } from './engine.ts'
import { MOST_TOGETHER } from './postgres-bulk.ts'
import type { ConflictKind } from './store.ts'

/** Statements in flight at once. More would mean fewer changes in each, and more commits for the server. */
const LANES = 3

export interface PostgresWriterOptions {
  /** Writes them all and returns which of those that move a deposit did; after a rejection they may or may not have been written. */
  readonly together: (changes: readonly (readonly Step[])[]) => Promise<ReadonlySet<number>>
  /** Writes one, with retries. `lost`: an earlier attempt may have written it already. */
  readonly alone: (change: readonly Step[], lost: boolean) => Promise<ConflictKind | undefined>
  /** Whether this failure may have come after the commit. */
  readonly isLoss: (error: unknown) => boolean
}

export interface PostgresWriter {
  /** Durable when it resolves; resolves to the conflict when nothing was written. */
  write(change: readonly Step[]): Promise<ConflictKind | undefined>
}

interface Task {
  readonly steps: readonly Step[]
  /** The deposit that it writes, or '': no two statements in flight share one, or they would wait for each other. */
  readonly deposit: string
  readonly resolve: (conflict: ConflictKind | undefined) => void
  readonly reject: (error: unknown) => void
}

export function createPostgresWriter({ together, alone, isLoss }: PostgresWriterOptions): PostgresWriter {
  let waiting: Task[] = []
  let lanes = 0
  let scheduled = false
  const busy = new Set<string>()

  /** Takes the oldest that share no deposit; the others stay in order. */
  function take(): Task[] {
    const taken: Task[] = []
    const left: Task[] = []
    for (const task of waiting) {
      if (taken.length >= MOST_TOGETHER || busy.has(task.deposit)) left.push(task)
      else {
        taken.push(task)
        if (task.deposit !== '') busy.add(task.deposit)
      }
    }
    waiting = left
    // Every instance takes locks in the same order.
    return taken.toSorted((a, b) => (a.deposit < b.deposit ? -1 : 1))
  }

  async function single(task: Task, lost: boolean): Promise<void> {
    try {
      task.resolve(await alone(task.steps, lost))
    } catch (error) {
      task.reject(error)
    }
  }

  async function send(tasks: readonly Task[]): Promise<void> {
    let lost = false
    try {
      const moved = await together(tasks.map(({ steps }) => steps))
      tasks.forEach((task, n) => {
        const movesDeposit = task.steps.some(({ mustChange }) => mustChange)
        task.resolve(movesDeposit && !moved.has(n) ? 'version' : undefined)
      })
      return
    } catch (error) {
      lost = isLoss(error)
    }
    await Promise.all(tasks.map((task) => single(task, lost)))
  }

  function pump(): void {
    scheduled = false
    while (lanes < LANES && waiting.length > 0) {
      const tasks = take()
      if (tasks.length === 0) return
      lanes += 1
      void send(tasks).finally(() => {
        lanes -= 1
        for (const { deposit } of tasks) busy.delete(deposit)
        schedule()
      })
    }
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0) return
    scheduled = true
    setImmediate(pump)
  }

  return {
    write(steps) {
      const { id = '' } = steps.find(({ query }) => isDepositWrite(query))?.values ?? {}
      return new Promise((resolve, reject) => {
        waiting.push({ steps, deposit: id as string, resolve, reject })
        schedule()
      })
    },
  }
}
