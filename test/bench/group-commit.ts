// The simplest durable store: better-sqlite3 in WAL mode with synchronous=FULL, writers of one turn
// share one commit.
import Database from 'better-sqlite3'

export interface BareStore {
  readonly db: Database.Database
  /** Runs `write` in the next shared transaction; resolves after its commit. */
  commit(write: () => void): Promise<void>
}

export function bareStore(path: string, schema: string, options: { readonly group: boolean }): BareStore {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(schema)
  const begin = db.prepare('BEGIN IMMEDIATE')
  const end = db.prepare('COMMIT')
  let waiting: { write: () => void; done: () => void }[] = []

  function flush(): void {
    const batch = waiting
    waiting = []
    begin.run()
    for (const { write } of batch) write()
    end.run()
    for (const { done } of batch) done()
  }
  return {
    db,
    commit(write) {
      if (!options.group) {
        begin.run()
        write()
        end.run()
        return Promise.resolve()
      }
      return new Promise((done) => {
        if (waiting.push({ write, done }) === 1) setImmediate(flush)
      })
    },
  }
}
