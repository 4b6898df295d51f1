// Group commit: the writes of one turn of the event loop share one transaction and one fsync.
import type { Answer, Job, SqliteWork } from './work.ts'

interface Waiting {
  readonly job: Job
  readonly resolve: (answer: Answer) => void
}

export function createBatcher(work: SqliteWork) {
  let waiting: Waiting[] = []

  /** Writes what is waiting now. */
  function flush(): void {
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    const answers = work.write(batch.map(({ job }) => job))
    batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
    // After the answers are sent.
    setImmediate(work.tidy)
  }

  return {
    flush,
    /** Durable when it resolves; never rejects. */
    write(job: Job): Promise<Answer> {
      if (waiting.length === 0) setImmediate(flush)
      return new Promise((resolve) => waiting.push({ job, resolve }))
    },
  }
}
