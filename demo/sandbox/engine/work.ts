// Scheduled work: rows with a due time, run in order by the moved clock or by real timers.
import type { MovableClock } from './clock.ts'
import type { SandboxDatabase } from './database.ts'

type WorkKind = 'expire' | 'close' | 'agent' | 'step' | 'deliver'

interface WorkRow {
  readonly id: number
  readonly due_at: number
  readonly kind: WorkKind
  /** A transaction_id, or a delivery's id. */
  readonly subject: string
  /** JSON */
  readonly detail: string
}

/**
 * Handles one row. State changes and the removal of the row are one database transaction, so the
 * handler is called inside it and returns nothing; work that uses the network returns a promise and
 * removes its own row.
 */
type WorkHandler = (row: WorkRow) => void | Promise<void>

export interface Work {
  add(kind: WorkKind, dueAt: number, subject: string, detail?: unknown): void
  /**
   * Removes rows of one kind and subject that are no longer wanted; one in flight stays until it
   * lands, so that no other gets its id.
   */
  drop(kind: WorkKind, subject: string): void
  /** True if a later row of its kind and subject is there. */
  isOutdated(row: WorkRow): boolean
  done(id: number): void
  handle(kind: WorkKind, handler: WorkHandler): void
  /** Runs the rows of one kind and subject ahead of the others, and waits for them. */
  now(kind: WorkKind, subject: string): Promise<void>
  /** Runs what is due now, and waits for network work among it. */
  tick(): Promise<void>
  /** Moves the clock, stopping at each due time on the way. */
  advance(seconds: number): Promise<void>
  start(): void
  close(): Promise<void>
}

const LONGEST_SLEEP_IN_MS = 60_000
const AFTER_FAULT_IN_MS = 60_000

export function createWork(db: SandboxDatabase, clock: MovableClock, onFault: (error: unknown) => void): Work {
  const insert = db.prepare('INSERT INTO work (due_at, kind, subject, detail) VALUES (?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM work WHERE id = ?')
  const move = db.prepare('UPDATE work SET due_at = ? WHERE id = ?')
  const first = db.prepare<[number], WorkRow>('SELECT * FROM work ORDER BY due_at, id LIMIT ?')
  const ofSubject = db.prepare<[string, string], WorkRow>('SELECT * FROM work WHERE kind = ? AND subject = ?')
  const handlers = new Map<WorkKind, WorkHandler>()
  // Rows whose network work is in flight; after a restart they are still due.
  const flying = new Map<number, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let running = false
  let closed = false

  const earliest = (): WorkRow | undefined => first.all(flying.size + 1).find((row) => !flying.has(row.id))

  const runOne = (row: WorkRow): void => {
    const handler = handlers.get(row.kind)
    if (!handler) throw new Error(`Nobody handles ${row.kind}`)
    if (row.kind !== 'deliver') {
      db.transaction(() => {
        remove.run(row.id)
        void handler(row)
      })()
      return
    }
    const flight = Promise.resolve(handler(row))
      .catch((error: unknown) => {
        move.run(clock.now() + AFTER_FAULT_IN_MS, row.id)
        onFault(error)
      })
      .finally(() => {
        flying.delete(row.id)
        arm()
      })
    flying.set(row.id, flight)
  }

  /** Starts everything that is due now; a handler may add more that is due at once. */
  const runDue = (): void => {
    for (let row = earliest(); row && row.due_at <= clock.now(); row = earliest()) {
      try {
        runOne(row)
      } catch (error) {
        // One broken row must not block the others.
        remove.run(row.id)
        onFault(error)
      }
    }
  }
  const landed = async (): Promise<void> => {
    while (flying.size > 0) await Promise.all(flying.values())
  }

  const arm = (): void => {
    if (!running || closed) return
    clearTimeout(timer)
    const next = earliest()
    const wait = next ? Math.max(0, next.due_at - clock.now()) : LONGEST_SLEEP_IN_MS
    timer = setTimeout(
      () => {
        runDue()
        arm()
      },
      Math.min(wait, LONGEST_SLEEP_IN_MS),
    )
  }

  // Serialised: two concurrent clock moves would run work out of order.
  let queue: Promise<void> = Promise.resolve()
  const inTurn = (job: () => Promise<void>): Promise<void> => {
    const turn = queue.then(job)
    queue = turn.catch(() => undefined)
    return turn
  }

  return {
    add(kind, dueAt, subject, detail = null) {
      insert.run(dueAt, kind, subject, JSON.stringify(detail))
      if (running) setImmediate(arm)
    },
    drop(kind, subject) {
      for (const { id } of ofSubject.all(kind, subject)) if (!flying.has(id)) remove.run(id)
    },
    isOutdated: ({ id, kind, subject }) => ofSubject.all(kind, subject).some((other) => other.id > id),
    done: (id) => void remove.run(id),
    handle: (kind, handler) => void handlers.set(kind, handler),
    async now(kind, subject) {
      for (const row of ofSubject.all(kind, subject)) {
        if (!flying.has(row.id)) runOne(row)
        await flying.get(row.id)
      }
    },
    tick: () =>
      inTurn(async () => {
        runDue()
        await landed()
      }),
    advance: (seconds) =>
      inTurn(async () => {
        const target = clock.now() + seconds * 1000
        for (;;) {
          runDue()
          await landed()
          const next = earliest()
          if (!next || next.due_at > target) break
          clock.moveTo(next.due_at)
        }
        clock.moveTo(target)
        arm()
      }),
    start() {
      running = true
      arm()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await landed()
    },
  }
}
