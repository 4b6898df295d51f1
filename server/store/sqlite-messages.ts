// The thread's side of sqlite-threaded.ts: the messages between the two, and how the thread handles them.
import type { MessagePort } from 'node:worker_threads'
import type Database from 'better-sqlite3'
import type { CrashPoint } from './engine.ts'
import { emptyLog } from './sqlite-erasure.ts'
import type { Answer, Fault, Job } from './sqlite-work.ts'
import { createSqliteWork, faultOf } from './sqlite-work.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly path: string
  readonly port: MessagePort
}

/** Each message has a number, and its answer carries the same number. */
export type ToThread =
  | { readonly kind: 'define'; readonly statement: number; readonly sql: string }
  | { readonly kind: 'read' | 'write'; readonly jobs: readonly Job[] }
  | { readonly kind: 'empty log' }
  | { readonly kind: 'close' }

/** Numbers of unsolicited messages: the thread is ready; the disk failed during background work. */
export const READY = 0
export const DISK_FAILED = -1

/** `true`: done. */
export type FromThread = readonly Answer[] | boolean | Fault

export function serveSqlite(port: MessagePort, database: Database.Database, crashPoint?: CrashPoint): void {
  const work = createSqliteWork(database, () => performance.now(), crashPoint)

  function emptied(): boolean | Fault {
    try {
      return emptyLog(database)
    } catch (error) {
      return faultOf(error)
    }
  }

  function answer(message: ToThread): FromThread {
    switch (message.kind) {
      case 'define':
        work.define(message.statement, message.sql)
        return true
      case 'read': {
        const answers = message.jobs.map(work.read)
        work.endReads()
        return answers
      }
      case 'write':
        return work.write(message.jobs)
      case 'empty log':
        return emptied()
      case 'close':
        database.close()
        return true
    }
  }

  port.on('message', ([number, message]: readonly [number, ToThread]) => {
    port.postMessage([number, answer(message)])
    const fault = message.kind === 'write' ? work.tidy() : undefined
    if (fault !== undefined) port.postMessage([DISK_FAILED, fault])
  })
  // A message that cannot be read cannot be answered: waiting callers are failed when the thread ends.
  port.on('messageerror', (error) => {
    throw error
  })
  port.postMessage([READY, true])
}
