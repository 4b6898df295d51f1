// Sends the jobs of one turn of the event loop together, and those that come while others are on their way: a batch shares one transaction, and
// one fsync when it writes.
import type { Answer, Job } from './sqlite-work.ts'

export interface Batcher {
  ask(job: Job): Promise<Answer>
  /** Sends what waits, now. */
  flush(): void
  /** Nothing waits, and nothing is on its way. */
  isIdle(): boolean
}

interface Waiting {
  readonly job: Job
  readonly resolve: (answer: Answer) => void
}

export interface BatcherOptions {
  /** Answers each of them; never rejects. */
  readonly send: (jobs: readonly Job[]) => readonly Answer[] | Promise<readonly Answer[]>
  /** Batches on their way at once. With one, the next is as large as it can be. */
  readonly lanes: number
}

export function createBatcher({ send, lanes }: BatcherOptions): Batcher {
  let waiting: Waiting[] = []
  let scheduled = false
  /** Batches on their way. */
  let sent = 0

  function settle(batch: readonly Waiting[], answers: readonly Answer[]): void {
    batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
  }

  async function settleLater(batch: readonly Waiting[], answers: Promise<readonly Answer[]>): Promise<void> {
    sent += 1
    settle(batch, await answers)
    sent -= 1
    if (waiting.length > 0) schedule()
  }

  function flush(): void {
    const batch = waiting
    if (batch.length === 0) return
    waiting = []
    const answers = send(batch.map(({ job }) => job))
    if ('then' in answers) void settleLater(batch, answers)
    else settle(batch, answers)
  }

  function turn(): void {
    scheduled = false
    if (sent < lanes) flush()
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(turn)
  }

  return {
    ask: (job) =>
      new Promise((resolve) => {
        waiting.push({ job, resolve })
        if (sent < lanes) schedule()
      }),
    flush,
    isIdle: () => sent === 0 && waiting.length === 0,
  }
}
