// The file worked on by a thread of its own: while it writes, waits for the disk or copies the log home, the event loop serves customers.
import { SHARE_ENV, Worker } from 'node:worker_threads'
import { createGatherer } from './gatherer.ts'
import type { FromThread, ToThread } from './sqlite-served.ts'
import type { SqliteSide } from './sqlite-side.ts'
import type { Answer, Fault, Job } from './sqlite-work.ts'
import { THREAD_ENDED } from './sqlite-work.ts'

/** Its heap holds no more than what is on its way. */
const RESOURCES = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

export interface ThreadOptions {
  readonly path: string
  /** The module that is run. Default: the one beside this, as a source or built. */
  readonly entry?: URL | undefined
  /** Called when the thread has ended by itself, and its connection is closed; what was asked of it then may or may not have happened. */
  readonly onEnd: (error: Error) => void
}

/** @throws when the thread cannot be started (a bundler may have left its module behind), or cannot open the file. */
export async function createThreadedSide({ path, entry, onEnd }: ThreadOptions): Promise<SqliteSide> {
  const module = import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.js'
  const worker = new Worker(entry ?? new URL(module, import.meta.url), {
    name: 'sqlite',
    workerData: { path },
    // SQLite looks for its folders there.
    env: SHARE_ENV,
    // The program's own, such as --input-type or an instrument to load first, are not for this module.
    execArgv: [],
    resourceLimits: RESOURCES,
  })
  /** Each is answered once, in the order they were asked. */
  const asked: ((answer: FromThread) => void)[] = []
  const lost: Fault = { code: THREAD_ENDED, message: 'The thread of the database ended.' }
  let isReady = false
  let isClosing = false
  let hasEnded = false
  let fault: Error | undefined

  function post(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message)
  }

  function ask(message?: ToThread): Promise<FromThread> {
    if (hasEnded) return Promise.resolve(lost)
    // A process with nothing else to do waits for what is on its way, and only for that.
    if (asked.length === 0) worker.ref()
    if (message) post(message)
    return new Promise((resolve) => asked.push(resolve))
  }

  worker.on('message', (answer: FromThread) => {
    asked.shift()?.(answer)
    if (asked.length === 0) worker.unref()
  })
  worker.on('error', (error) => (fault = error as Error))
  worker.on('exit', (code) => {
    hasEnded = true
    fault ??= new Error(`The thread of the database ended with ${code}.`)
    if (isReady && !isClosing) onEnd(fault)
    for (const answer of asked.splice(0)) answer(lost)
  })

  if ((await ask()) !== true) throw fault as unknown as Error
  isReady = true

  async function each(kind: 'read' | 'write', jobs: readonly Job[]): Promise<readonly Answer[]> {
    const answers = await ask({ kind, jobs })
    return Array.isArray(answers) ? (answers as readonly Answer[]) : jobs.map(() => lost)
  }
  const reader = createGatherer({ send: (jobs) => each('read', jobs), lanes: Infinity })
  const writer = createGatherer({ send: (jobs) => each('write', jobs), lanes: 1 })
  return {
    define: (statement, sql) => post({ kind: 'define', statement, sql }),
    read: reader.ask,
    write: writer.ask,
    async emptyLog() {
      const answer = await ask({ kind: 'empty log' })
      if (typeof answer !== 'boolean') throw Object.assign(new Error((answer as Fault).message), answer)
      return answer
    },
    async close() {
      reader.flush()
      writer.flush()
      isClosing = true
      await ask({ kind: 'close' })
    },
  }
}
