// The other side of sqlite-threaded.ts: what a thread does with the messages it is sent.
import type { MessagePort } from 'node:worker_threads'
import type Database from 'better-sqlite3'
import type { CrashPoint } from './engine.ts'
import { emptyLog } from './sqlite-erasure.ts'
import type { Answer, Fault, Job } from './sqlite-work.ts'
import { createSqliteWork, faultOf } from './sqlite-work.ts'

/** Answered in their order, each but `define` by one answer. */
export type ToThread =
  | { readonly kind: 'define'; readonly statement: number; readonly sql: string }
  | { readonly kind: 'read' | 'write'; readonly jobs: readonly Job[] }
  | { readonly kind: 'empty log' }
  | { readonly kind: 'close' }

/** `true` when it is ready, and when it has closed. */
export type FromThread = readonly Answer[] | boolean | Fault

export function serveSqlite(port: MessagePort, database: Database.Database, crashPoint?: CrashPoint): void {
  const work = createSqliteWork(database, crashPoint)

  function emptied(): boolean | Fault {
    try {
      return emptyLog(database)
    } catch (error) {
      return faultOf(error)
    }
  }

  function answer(message: ToThread): FromThread | undefined {
    switch (message.kind) {
      case 'define':
        work.define(message.statement, message.sql)
        return undefined
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
        port.close()
        return true
    }
  }

  port.on('message', (message: ToThread) => {
    const answered = answer(message)
    if (answered !== undefined) port.postMessage(answered)
  })
  port.postMessage(true)
}
