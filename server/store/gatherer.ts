// Gathers the jobs of one turn of the event loop, and those that come while others are on their way: they share one transaction, and when they
// write one fsync.
import type { Answer, Job } from './sqlite-work.ts'

export interface Gatherer {
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

export interface GathererOptions {
  /** Answers each of them; never rejects. */
  readonly send: (jobs: readonly Job[]) => readonly Answer[] | Promise<readonly Answer[]>
  /** Groups on their way at once. With one, the next is as large as it can be. */
  readonly lanes: number
}

export function createGatherer({ send, lanes }: GathererOptions): Gatherer {
  let waiting: Waiting[] = []
  let scheduled = false
  let under = 0

  function settle(group: readonly Waiting[], answers: readonly Answer[]): void {
    group.forEach(({ resolve }, i) => resolve(answers[i] as Answer))
  }

  async function settleLater(group: readonly Waiting[], answers: Promise<readonly Answer[]>): Promise<void> {
    under += 1
    settle(group, await answers)
    under -= 1
    if (waiting.length > 0) schedule()
  }

  function flush(): void {
    const group = waiting
    if (group.length === 0) return
    waiting = []
    const answers = send(group.map(({ job }) => job))
    if ('then' in answers) void settleLater(group, answers)
    else settle(group, answers)
  }

  function turn(): void {
    scheduled = false
    if (under < lanes) flush()
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
        if (under < lanes) schedule()
      }),
    flush,
    isIdle: () => under === 0 && waiting.length === 0,
  }
}
