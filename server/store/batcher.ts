// Batches the jobs of one event-loop turn, and those that arrive while others are in flight: a batch shares one transaction, and one fsync when it
// writes.
import type { Answer, Job } from './sqlite-work.ts'

export interface Batcher {
  ask(job: Job): Promise<Answer>
  /** Sends the waiting jobs now. */
  flush(): void
  /** No job is waiting or in flight. */
  isIdle(): boolean
}

interface Waiting {
  readonly job: Job
  readonly resolve: (answer: Answer) => void
}

export interface BatcherOptions {
  /** Returns one answer per job; never rejects. */
  readonly send: (jobs: readonly Job[]) => readonly Answer[] | Promise<readonly Answer[]>
  /** Maximum number of batches in flight. With one, each batch is as large as possible. */
  readonly lanes: number
}

export function createBatcher({ send, lanes }: BatcherOptions): Batcher {
  let waiting: Waiting[] = []
  let scheduled = false
  /** Batches in flight. */
  let sent = 0

  function settle(batch: readonly Waiting[], answers: readonly Answer[]): void {
    batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
  }

  async function settleLater(batch: readonly Waiting[], answers: Promise<readonly Answer[]>): Promise<void> {
    sent += 1
    const done = await answers
    sent -= 1
    // First: while this batch is settled, the next one is already being written.
    flush()
    settle(batch, done)
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
