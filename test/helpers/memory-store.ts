// An in-memory store that can crash: the model that the real stores are compared with.
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { isAbsorbing, isLive, statusOf } from '../../server/deposits/machine/phases.ts'
import type { Session } from '../../server/deposits/machine/deposit.ts'
import type {
  Applied,
  Change,
  ConflictKind,
  IdempotencyRow,
  InboxRow,
  NoticeRow,
  PaymentFilter,
  Store,
  TimelineRow,
} from '../../server/deposits/ports/store.ts'

/** After this no attempt is queried any more. */
const UNSETTLED_FOR_MS = 30 * 86_400_000

export interface MemoryStoreOptions {
  /**
   * `full` (default): acknowledged writes survive a crash. `normal`: like SQLite's
   * synchronous=NORMAL, where a power cut loses the newest acknowledged writes. To show that a test
   * notices.
   */
  readonly durability?: 'full' | 'normal'
  /**
   * 0 to 1; decides how much a crash under `normal` loses. Default: everything that was not synced.
   */
  readonly random?: () => number
  /**
   * Called at every write: `before` rejects without writing, `after` writes and then rejects (an
   * unknown outcome).
   */
  readonly fault?: (operation: string) => 'before' | 'after' | undefined
}

export interface MemoryStore extends Store {
  /** Returns the store as the next process finds it. This one then rejects everything. */
  crash(): MemoryStore
}

interface State {
  readonly deposits: Map<string, Deposit>
  /** Id of the deposit of each reference; neither ever changes. */
  readonly references: Map<string, string>
  readonly timeline: TimelineRow[]
  readonly notices: Map<string, NoticeRow>
  readonly idempotency: Map<string, IdempotencyRow>
  readonly sessions: Map<string, Session>
  readonly inbox: Map<string, InboxRow>
  readonly counters: Map<string, { readonly windowStart: number; used: number }>
  readonly meta: Map<string, string>
}

type Operation<T> = (state: State) => T

/** Under `normal`, writes are synced after this many, like by SQLite's checkpoint. */
const WRITES_A_SYNC = 50

function emptyState(): State {
  return {
    deposits: new Map(),
    references: new Map(),
    timeline: [],
    notices: new Map(),
    idempotency: new Map(),
    sessions: new Map(),
    inbox: new Map(),
    counters: new Map(),
    meta: new Map(),
  }
}

function copyOf(state: State): State {
  return {
    deposits: new Map(state.deposits),
    references: new Map(state.references),
    timeline: [...state.timeline],
    notices: new Map(state.notices),
    idempotency: new Map(state.idempotency),
    sessions: new Map(state.sessions),
    inbox: new Map(state.inbox),
    counters: new Map([...state.counters].map(([key, counter]) => [key, { ...counter }])),
    meta: new Map(state.meta),
  }
}

const credited = (deposit: Deposit) => deposit.phase === 'succeeded' && !deposit.duplicate

/** Test and live payments are told apart by the start of their references. */
const isOfOrder = (row: Deposit, orderId: string, reference: string) =>
  row.orderId === orderId && row.reference.slice(0, 3) === reference.slice(0, 3)

const canStillBePaid = ({ phase, dueAt }: Deposit) => isLive(phase) || (phase === 'abandoned' && dueAt !== undefined)

/**
 * All rules that `change` violates on `state`; a real store reports one of them, `idempotency`
 * before all others.
 */
function conflictsOf(state: State, change: Change): Set<ConflictKind> {
  const found = new Set<ConflictKind>()
  if (change.idempotency && state.idempotency.has(change.idempotency.keyHash)) found.add('idempotency')
  if (change.session && state.sessions.has(change.session.id)) found.add('duplicate_id')
  for (const read of [change.startIn, change.close?.session]) {
    const row = read && state.sessions.get(read.id)
    if (read && (row === undefined || row.closedAt !== undefined || row.starts !== read.starts)) found.add('version')
  }
  if (change.session && change.session.closedAt === undefined) {
    const { orderId } = change.session
    const other = [...state.sessions.values()].find((row) => row.orderId === orderId && row.closedAt === undefined)
    if (other !== undefined && other.id !== change.close?.session.id) found.add('order')
  }
  for (const { id } of change.notices ?? []) if (state.notices.has(id)) found.add('duplicate_id')
  if (!change.deposit) return found
  const { row: given, expect } = change.deposit
  const present = state.deposits.get(given.id)
  if (expect === 'new' && (present !== undefined || state.references.has(given.reference))) found.add('duplicate_id')
  if (expect !== 'new' && present?.version !== expect) return found.add('version')
  const row = expect === 'new' ? given : moved(present, given)
  for (const kind of brokenBy(row, state.deposits)) found.add(kind)
  return found
}

/**
 * The rules of session and transaction that the row violates beside the others. Most rows have
 * neither: suites write tens of thousands.
 */
function brokenBy(row: Deposit, deposits: ReadonlyMap<string, Deposit>): ConflictKind[] {
  const { id, sessionId, orderId, transactionId } = row
  if (sessionId === undefined && orderId === undefined && transactionId === undefined) return []
  const others = [...deposits.values()].filter((other) => other.id !== id)
  const ofSession = others.filter((other) => sessionId !== undefined && other.sessionId === sessionId)
  const broken: ConflictKind[] = []
  if (isLive(row.phase) && ofSession.some(({ phase }) => isLive(phase))) broken.push('live')
  const ofOrder = others.filter((other) => orderId !== undefined && isOfOrder(other, orderId, row.reference))
  if (credited(row) && [...ofSession, ...ofOrder].some(credited)) broken.push('credited')
  if (transactionId !== undefined && others.some((other) => other.transactionId === transactionId))
    broken.push('transaction')
  return broken
}

/** The conflict to report, so that model and stores agree if several rules are violated at once. */
function firstOf(conflicts: ReadonlySet<ConflictKind>): ConflictKind | undefined {
  return conflicts.has('idempotency') ? 'idempotency' : conflicts.values().next().value
}

function without<T extends object>(row: T, key: keyof T): T {
  const { [key]: _, ...rest } = row
  return rest as T
}

/** Fields that no later write changes. Payer details too: erased ones must not come back. */
const fixed = ['reference', 'amount', 'currency', 'country', 'sessionId', 'orderId', 'createdAt', 'payer'] as const

function moved(present: Deposit | undefined, row: Deposit): Deposit {
  if (present === undefined) return row
  const next: Record<string, unknown> = { ...row }
  for (const field of fixed) {
    if (present[field] === undefined) delete next[field]
    else next[field] = present[field]
  }
  return next as unknown as Deposit
}

function applyTo(state: State, change: Change): Applied {
  for (const { depositId } of change.timeline ?? [])
    if (change.deposit?.row.id !== depositId) throw new TypeError('A line without its deposit.')
  const conflict = firstOf(conflictsOf(state, change))
  if (conflict !== undefined) return { applied: false, conflict }
  if (change.deposit) {
    const given = change.deposit.row
    const row = moved(state.deposits.get(given.id), given)
    state.deposits.set(row.id, row)
    state.references.set(row.reference, row.id)
  }
  state.timeline.push(...(change.timeline ?? []))
  for (const row of change.notices ?? []) state.notices.set(row.id, row)
  if (change.idempotency) state.idempotency.set(change.idempotency.keyHash, change.idempotency)
  if (change.answer) {
    const row = state.idempotency.get(change.answer.keyHash)
    if (row && row.answer === undefined) state.idempotency.set(row.keyHash, { ...row, answer: change.answer.answer })
  }
  if (change.startIn) {
    const row = state.sessions.get(change.startIn.id)
    if (row) state.sessions.set(row.id, { ...row, starts: (row.starts ?? 0) + 1 })
  }
  if (change.close) {
    const row = state.sessions.get(change.close.session.id)
    if (row) state.sessions.set(row.id, { ...row, closedAt: change.close.at })
  }
  if (change.session) state.sessions.set(change.session.id, change.session)
  if (change.inbox && !state.inbox.has(change.inbox.id)) state.inbox.set(change.inbox.id, change.inbox)
  return { applied: true }
}

function lease<T extends { readonly dueAt?: number }>(
  rows: Map<string, T>,
  idOf: (row: T) => string,
  due: (row: T) => boolean,
  rank: (row: T) => number,
  until: number,
  limit: number,
): T[] {
  return [...rows.values()]
    .filter(due)
    .toSorted((a, b) => rank(a) - rank(b) || (a.dueAt ?? 0) - (b.dueAt ?? 0))
    .slice(0, limit)
    .map((row) => {
      const leased = { ...row, dueAt: until }
      rows.set(idOf(row), leased)
      return leased
    })
}

function matches(row: Deposit, filter: PaymentFilter): boolean {
  const { after } = filter
  return (
    (filter.status === undefined || statusOf(row.phase) === filter.status) &&
    (['phase', 'currency', 'country', 'orderId', 'sessionId', 'reference'] as const).every(
      (field) => filter[field] === undefined || row[field] === filter[field],
    ) &&
    (filter.from === undefined || row.createdAt >= filter.from) &&
    (filter.to === undefined || row.createdAt < filter.to) &&
    (after === undefined || row.createdAt < after.createdAt || (row.createdAt === after.createdAt && row.id < after.id))
  )
}

const newestFirst = (a: Deposit, b: Deposit) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)

function purgeOver(state: State, before: number): number {
  let purged = 0
  for (const row of state.deposits.values()) {
    const settled = row.settledAt !== undefined && row.settledAt < before
    const abandoned = row.phase === 'abandoned' && row.updatedAt < before
    const stuck = row.settledAt === undefined && row.createdAt < before - UNSETTLED_FOR_MS
    if (row.payer === undefined || row.createdAt >= before || !(settled || abandoned || stuck)) continue
    state.deposits.set(row.id, without(row, 'payer'))
    purged += 1
  }
  for (const row of state.sessions.values())
    if (row.expiresAt < before) state.sessions.set(row.id, without(row, 'payer'))
  return purged
}

function forget(state: State, phone: string): number {
  let forgotten = 0
  const dialled = phone.length > 9 ? [phone, phone.slice(3), `0${phone.slice(3)}`] : [phone, `0${phone}`]
  for (const row of state.deposits.values()) {
    if (row.payer?.phone !== phone) continue
    state.deposits.set(row.id, without(row, 'payer'))
    for (const callback of state.inbox.values())
      if (callback.reference === row.reference) state.inbox.set(callback.id, { ...callback, body: new Uint8Array() })
    for (const key of state.idempotency.values())
      if (key.depositId === row.id) state.idempotency.set(key.keyHash, without(key, 'answer'))
    forgotten += 1
  }
  for (const row of state.sessions.values())
    if (dialled.includes(row.payer?.phone ?? '')) state.sessions.set(row.id, without(row, 'payer'))
  return forgotten
}

function purge(state: State, before: number): number {
  let purged = 0
  for (const row of state.idempotency.values()) {
    if (row.answer === undefined || row.createdAt >= before) continue
    state.idempotency.set(row.keyHash, without(row, 'answer'))
    purged += 1
  }
  for (const row of state.inbox.values())
    if (row.receivedAt < before && row.dueAt === undefined && state.inbox.delete(row.id)) purged += 1
  for (const [key, { windowStart }] of state.counters) if (windowStart < before) state.counters.delete(key)
  return purged
}

export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  return over(emptyState(), options)
}

function over(state: State, options: MemoryStoreOptions): MemoryStore {
  const { durability = 'full', random = () => 0, fault } = options
  const listeners = new Set<(depositId: string, version: number) => void>()
  /** Ended deposits that a restore made due again: they are leased last. */
  const woken = new Set<string>()
  const synced = durability === 'full' ? state : copyOf(state)
  let unsynced: Operation<unknown>[] = []
  let gone = false

  function alive(): void {
    if (gone) throw new Error('This process has crashed.')
  }

  async function write<T>(name: string, operation: Operation<T>): Promise<T> {
    alive()
    const outcome = fault?.(name)
    if (outcome === 'before') throw new Error(`The store did not take "${name}".`)
    const value = operation(state)
    if (durability === 'normal') {
      unsynced.push(operation)
      if (unsynced.length >= WRITES_A_SYNC) sync()
    }
    // Answers in a later turn of the event loop, like a disk: a crash may come in between.
    await Promise.resolve()
    if (outcome === 'after') throw new Error(`Whether the store took "${name}" is not known.`)
    alive()
    return value
  }

  function sync(): void {
    for (const operation of unsynced) operation(synced)
    unsynced = []
  }

  async function read<T>(operation: Operation<T>): Promise<T> {
    alive()
    await Promise.resolve()
    return operation(state)
  }

  const find = (test: (row: Deposit) => boolean) => read(({ deposits }) => [...deposits.values()].find(test))

  return {
    async apply(change) {
      const applied = await write('apply', (into) => applyTo(into, change))
      if (applied.applied && change.deposit) {
        const { row, before } = change.deposit
        if (before === undefined || row.phase !== before.phase || row.updatedAt !== before.updatedAt)
          woken.delete(row.id)
        for (const listener of listeners) listener(row.id, row.version)
      }
      return applied
    },
    deposit: (id) => read(({ deposits }) => deposits.get(id)),
    depositByReference: (reference) =>
      read(({ deposits, references }) => deposits.get(references.get(reference) ?? '')),
    liveDeposit: (sessionId) => find((row) => row.sessionId === sessionId && isLive(row.phase)),
    creditedDeposit: (sessionId) => find((row) => row.sessionId === sessionId && credited(row)),
    session: (id) => read(({ sessions }) => sessions.get(id)),
    sessionOfOrder: (orderId) =>
      read(({ sessions }) =>
        [...sessions.values()].find((row) => row.orderId === orderId && row.closedAt === undefined),
      ),
    async orderPayment(orderId, mode) {
      const isOf = (row: Deposit) => isOfOrder(row, orderId, mode === 'live' ? 'HCL' : 'HCT')
      return (
        (await find((row) => isOf(row) && row.phase === 'succeeded')) ?? find((row) => isOf(row) && canStillBePaid(row))
      )
    },
    liveOfOrder: (orderId, mode) =>
      read(({ deposits }) =>
        [...deposits.values()].filter(
          (row) => isOfOrder(row, orderId, mode === 'live' ? 'HCL' : 'HCT') && isLive(row.phase),
        ),
      ),
    idempotency: (keyHash) => read(({ idempotency }) => idempotency.get(keyHash)),
    timeline: (depositId) => read(({ timeline }) => timeline.filter((row) => row.depositId === depositId)),
    // It has no searches.
    searchEnd: () => Promise.resolve(undefined),
    payments: (filter) =>
      read(({ deposits }) =>
        [...deposits.values()]
          .filter((row) => matches(row, filter))
          .toSorted(newestFirst)
          .slice(0, filter.limit),
      ),

    leaseDeposits: (now, until, limit, { others = limit, ended = 0 } = {}) =>
      write('leaseDeposits', ({ deposits }) => {
        const rankOf = ({ id, phase }: Deposit) => {
          if (['creating', 'unknown', 'confirming'].includes(phase)) return 0
          return woken.has(id) ? 2 : 1
        }
        const take = (ranks: readonly number[], most: number) =>
          lease(
            deposits,
            ({ id }) => id,
            (row) => row.dueAt !== undefined && row.dueAt <= now && ranks.includes(rankOf(row)),
            rankOf,
            until,
            Math.max(0, most),
          )
        const inDoubt = take([0], limit)
        const patient = Math.min(others, limit - inDoubt.length)
        const first = take([2], Math.min(ended, patient))
        return [...inDoubt, ...first, ...take([1, 2], patient - first.length)]
      }),
    reschedule: ({ id, version, dueAt: was }, { dueAt, asks, queryMissingSince }) =>
      write('reschedule', ({ deposits }) => {
        const row = deposits.get(id)
        if (row?.version !== version || row.dueAt !== was) return
        const kept = without(without(row, 'dueAt'), 'queryMissingSince')
        deposits.set(id, {
          ...kept,
          asks,
          ...(dueAt === undefined ? {} : { dueAt }),
          ...(queryMissingSince === undefined ? {} : { queryMissingSince }),
        })
      }),
    wakeDeposits: (since, now) =>
      write('wakeDeposits', ({ deposits }) => {
        const seconds = Math.floor((now - Date.UTC(2026, 9, 1)) / 1000)
        const isUnresolved = ({ phase, dueAt }: Deposit) =>
          isLive(phase) || (phase === 'abandoned' && dueAt !== undefined)
        const risen = (row: Deposit) => ({ ...row, version: Math.max(row.version, seconds) + 1000 })
        for (const row of deposits.values())
          if (row.createdAt <= since && isUnresolved(row)) deposits.set(row.id, risen(row))
        const asleep = [...deposits.values()].filter((row) => row.createdAt > since && !isAbsorbing(row.phase))
        for (const row of asleep) {
          deposits.set(row.id, { ...risen(row), dueAt: now })
          if (['failed', 'expired', 'abandoned'].includes(row.phase)) woken.add(row.id)
        }
        return asleep.length
      }),

    leaseNotices: async (now, until, limit) => {
      const leased = await write('leaseNotices', ({ notices }) =>
        lease(
          notices,
          ({ id }) => id,
          ({ state: waiting, dueAt }) => waiting === 'waiting' && dueAt <= now,
          () => 0,
          until,
          limit,
        ),
      )
      return leased.toSorted((a, b) => a.createdAt - b.createdAt)
    },
    updateNotice: ({ id, attempts }, outcome) =>
      write('updateNotice', ({ notices }) => {
        const row = notices.get(id)
        if (row === undefined || row.state === 'delivered' || row.attempts !== attempts) return
        notices.set(id, { ...without(without(row, 'deliveredAt'), 'lastError'), ...outcome })
      }),
    notices: (depositId) =>
      read(({ notices }) =>
        [...notices.values()]
          .filter((row) => row.depositId === depositId)
          .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
      ),
    requeueNotices: (depositId, now) =>
      write('requeueNotices', ({ notices }) => {
        const wanted = [...notices.values()].filter((row) => row.depositId === depositId)
        for (const row of wanted)
          notices.set(row.id, {
            ...without(row, 'deliveredAt'),
            state: 'waiting',
            attempts: 0,
            earlierAttempts: (row.earlierAttempts ?? 0) + row.attempts,
            dueAt: now,
          })
        return wanted.length
      }),

    leaseInbox: async (now, until, limit) => {
      const leased = await write('leaseInbox', ({ inbox }) =>
        lease(
          inbox,
          ({ id }) => id,
          ({ dueAt }) => dueAt !== undefined && dueAt <= now,
          () => 0,
          until,
          limit,
        ),
      )
      return leased.toSorted((a, b) => a.receivedAt - b.receivedAt)
    },
    updateInbox: (id, verdict, depositId) =>
      write('updateInbox', ({ inbox }) => {
        const row = inbox.get(id)
        if (row === undefined) return
        inbox.set(id, {
          ...without(without(row, 'depositId'), 'dueAt'),
          verdict,
          ...(depositId === undefined ? {} : { depositId }),
        })
      }),

    hasten: (waiting, after, by, now) =>
      write('hasten', (into) => {
        const table: Map<string, { dueAt?: number; state?: string }> = into[waiting]
        const late = [...table].filter(
          ([, { dueAt, state }]) => dueAt !== undefined && dueAt > after && (state ?? 'waiting') === 'waiting',
        )
        for (const [id, row] of late) table.set(id, { ...row, dueAt: Math.max(now, (row.dueAt ?? 0) - by) })
        return late.length
      }),

    take: (name, windowStart, want, limit) =>
      write('take', ({ counters }) => {
        const key = `${windowStart} ${name}`
        const counter = counters.get(key) ?? { windowStart, used: 0 }
        const granted = Math.max(0, Math.min(want, limit - counter.used))
        counters.set(key, { windowStart, used: counter.used + granted })
        return granted
      }),

    purgePayers: (before) => write('purgePayers', (into) => purgeOver(into, before)),
    forgetPhone: (phone) => write('forgetPhone', (into) => forget(into, phone)),
    emptyLog: async () => true,
    purgeOld: (before) => write('purgeOld', (into) => purge(into, before)),

    stats: () =>
      read(({ deposits, notices, inbox }) => {
        const unresolved = [...deposits.values()].filter(({ phase }) => isLive(phase) || phase === 'abandoned')
        const dues = [...deposits.values()].flatMap(({ dueAt }) => (dueAt === undefined ? [] : [dueAt]))
        return {
          depositsByPhase: Object.fromEntries(
            [
              ...Map.groupBy(unresolved, ({ phase, dueAt }) =>
                phase === 'confirming' && dueAt === undefined ? 'open' : phase,
              ),
            ].map(([phase, rows]) => [phase, rows.length]),
          ),
          noticesWaiting: [...notices.values()].filter((row) => row.state === 'waiting').length,
          noticesDead: [...notices.values()].filter((row) => row.state === 'dead').length,
          inboxUnmatched: [...inbox.values()].filter((row) => row.verdict === 'unmatched' && row.dueAt !== undefined)
            .length,
          ...(dues.length === 0 ? {} : { oldestDueAt: Math.min(...dues) }),
        }
      }),
    meta: (key) => read(({ meta }) => meta.get(key)),
    setMeta: (key, value) => write('setMeta', ({ meta }) => void meta.set(key, value)),

    onChange(listener) {
      const own: typeof listener = (depositId, version) => listener(depositId, version)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    ping: () => write('ping', () => undefined),
    async close() {
      gone = true
      await Promise.resolve()
    },
    crash() {
      gone = true
      listeners.clear()
      if (durability === 'full') return over(copyOf(state), options)
      const kept = Math.floor(random() * (unsynced.length + 1))
      for (const operation of unsynced.slice(0, kept)) operation(synced)
      return over(copyOf(synced), options)
    },
  }
}
