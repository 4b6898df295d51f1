// Runs the file's work in a thread: while it writes, waits for the disk or checkpoints, the event loop serves customers.
import { performance } from 'node:perf_hooks'
import type { Performance } from 'node:perf_hooks'
import { MessageChannel, SHARE_ENV, Worker } from 'node:worker_threads'
import { createBatcher } from './batcher.ts'
import type { FromThread, ThreadData, ToThread } from './sqlite-messages.ts'
import { DISK_FAILED, READY } from './sqlite-messages.ts'
import type { SqliteExecutor } from './sqlite-executor.ts'
import type { Answer, Fault, Job } from './sqlite-work.ts'
import { errorOf, faultOf, THREAD_ENDED } from './sqlite-work.ts'

/** Its heap holds only what is in flight. */
const RESOURCES = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

/**
 * Calm: each works for less than this share of its time. Whether the loop could do both is found out by trying (sqlite-switch.ts), for the shares
 * do not add up: the messages between the two take time of each, and two that work at once have less of the processor.
 */
const CALM = { loop: 0.6, thread: 0.9 }

export interface ThreadOptions {
  readonly path: string
  /** The thread's module. Default: the one beside this, as source or built. */
  readonly entry?: URL | undefined
  /** Called when the thread has ended unexpectedly and its connection is closed; what was in flight may or may not have happened. */
  readonly onEnd: (error: Error) => void
  /** Called when the disk fails during background work. */
  readonly onFault: (fault: Fault) => void
  /** The fault that the event loop or this executor has met: nothing waiting is sent to be written after it. */
  readonly known: () => Fault | undefined
  /** Called when the event loop would do better, at a moment when nothing is being written, and again while that is still so. */
  readonly onQuiet?: () => void
  /** Default: Node's own, for the event loop and for the thread. */
  readonly performance?: Pick<Performance, 'now' | 'eventLoopUtilization'>
  readonly threadPerformance?: Pick<Performance, 'eventLoopUtilization'>
}

export interface ThreadedExecutor extends SqliteExecutor {
  /** Call it when the thread takes over the file: `onQuiet` follows `calmMs` of calm, measured from here on. */
  take(calmMs: number): void
}

const LOST: Fault = { code: THREAD_ENDED, message: 'The database worker thread ended.' }

/** @throws when the thread cannot be started (a bundler may have left out its module), or cannot open the file. */
export async function createThreadedExecutor(options: ThreadOptions): Promise<ThreadedExecutor> {
  const { path, entry, onEnd, onFault, known, onQuiet, performance: time = performance } = options
  const module = import.meta.url.endsWith('.ts') ? './sqlite-thread.ts' : './sqlite-thread.js'
  // A dedicated channel: code that others load into every thread could post on the worker's own.
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(entry ?? new URL(module, import.meta.url), {
    name: 'sqlite',
    workerData: { path, port: port2 } satisfies ThreadData,
    transferList: [port2],
    // Shared by both instead of copied; tests reach the thread through it.
    env: SHARE_ENV,
    // The program's own flags, such as --input-type or a preloaded instrument, are not for this module.
    execArgv: [],
    resourceLimits: RESOURCES,
  })
  const asked = new Map<number, (answer: FromThread) => void>()
  let last = 0
  let isReady = false
  let hasEnded = false
  let fault: Error | undefined

  /** Only work in flight keeps the process alive. */
  function hold(): void {
    if (asked.size > 0) {
      worker.ref()
      port.ref()
    } else {
      worker.unref()
      port.unref()
    }
  }

  function expect(number: number): Promise<FromThread> {
    return new Promise((resolve) => {
      asked.set(number, resolve)
      if (asked.size === 1) hold()
    })
  }

  /** @throws when the message cannot be sent; nothing has happened then. */
  function ask(message: ToThread): Promise<FromThread> {
    if (hasEnded) return Promise.resolve(LOST)
    last += 1
    port.postMessage([last, message])
    return expect(last)
  }

  /** Terminates the thread: no caller may get another's answer. */
  function giveUp(error: Error): void {
    fault ??= error
    void worker.terminate()
  }

  port.on('message', ([number, answer]: readonly [number, FromThread]) => {
    if (number === DISK_FAILED) return onFault(answer as Fault)
    const resolve = asked.get(number)
    if (resolve === undefined) giveUp(new Error('The database worker thread answered an unknown request.'))
    asked.delete(number)
    resolve?.(answer)
    if (asked.size === 0) hold()
  })
  port.on('messageerror', giveUp)
  worker.on('error', (error) => (fault ??= error as Error))
  worker.on('exit', (code) => {
    hasEnded = true
    port.close()
    fault ??= new Error(`The database worker thread ended with ${code}.`)
    if (isReady) onEnd(fault)
    for (const resolve of asked.values()) resolve(LOST)
    asked.clear()
  })

  // Both events may have arrived before this check.
  if ((await expect(READY)) !== true || hasEnded) {
    await worker.terminate()
    throw fault as unknown as Error
  }
  isReady = true

  async function each(kind: 'read' | 'write', jobs: readonly Job[]): Promise<readonly Answer[]> {
    let answers: FromThread
    try {
      answers = await ask({ kind, jobs })
    } catch (error) {
      // A value that cannot be cloned fails only the job that contains it.
      if (jobs.length === 1) return [faultOf(error)]
      return (await Promise.all(jobs.map((job) => each(kind, [job])))).flat()
    }
    return Array.isArray(answers) ? (answers as readonly Answer[]) : jobs.map(() => LOST)
  }
  const reader = createBatcher({ send: (jobs) => each('read', jobs), lanes: Infinity })

  async function write(jobs: readonly Job[]): Promise<readonly Answer[]> {
    const met = known()
    return met === undefined ? each('write', jobs) : jobs.map(() => met)
  }
  const writer = createBatcher({ send: write, lanes: 1 })
  const threadTime = options.threadPerformance ?? worker.performance
  const loads = () => ({ at: time.now(), loop: time.eventLoopUtilization(), thread: threadTime.eventLoopUtilization() })
  let since = loads()
  let calmMs = Infinity

  /** At most once every `calmMs`: whether it was calm all that time. */
  function isQuiet(): boolean {
    if (time.now() - since.at < calmMs) return false
    const loop = time.eventLoopUtilization(since.loop).utilization
    const thread = threadTime.eventLoopUtilization(since.thread).utilization
    since = loads()
    return loop < CALM.loop && thread < CALM.thread
  }

  return {
    take(given) {
      calmMs = given
      since = loads()
    },
    define(statement, sql) {
      if (!hasEnded) void ask({ kind: 'define', statement, sql })
    },
    read: reader.ask,
    async write(job) {
      const answer = await writer.ask(job)
      // If loop and thread wrote at once, they would wait for each other's lock.
      if (writer.isIdle() && isQuiet()) onQuiet?.()
      return answer
    },
    async emptyLog() {
      const answer = await ask({ kind: 'empty log' })
      if (typeof answer !== 'boolean') throw errorOf(answer as Fault)
      return answer
    },
    async close() {
      reader.flush()
      writer.flush()
      if ((await ask({ kind: 'close' })) !== true) return
      isReady = false
      // Something else that was loaded into the thread could keep it, and the process, alive.
      await worker.terminate()
    },
  }
}
