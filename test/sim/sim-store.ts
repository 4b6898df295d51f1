// The store port over a simulated disk, for one process of a world. Several may share a disk; with
// `around` the world injects faults and crashes before and after each operation.
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { isAbsorbing, isLive } from '../../server/deposits/machine/phases.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import type { Disk, DueKind } from './disk.ts'

/** Runs one operation, or makes it fail. */
export type Around = <T>(name: string, kind: 'read' | 'write', work: () => T) => Promise<T>

/** Change events between the processes of one disk; they may be lost. */
export interface SimChangeEvents {
  emit(depositId: string, version: number): void
  listen(listener: (depositId: string, version: number) => void): () => void
}

export function createSimChangeEvents(isLost: () => boolean = () => false): SimChangeEvents {
  const listeners = new Set<(depositId: string, version: number) => void>()
  return {
    emit(depositId, version) {
      for (const listener of listeners) if (!isLost()) listener(depositId, version)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function lease<T extends { readonly dueAt?: number }>(
  disk: Disk,
  kind: DueKind,
  table: Map<string, T>,
  now: number,
  until: number,
  limit: number,
  isDue: (row: T) => boolean,
  rank: (row: T) => number,
): T[] {
  if (disk.nextDue(kind) > now) return []
  const due: [string, T][] = []
  for (const entry of table)
    if (entry[1].dueAt !== undefined && entry[1].dueAt <= now && isDue(entry[1])) due.push(entry)
  due.sort(([, a], [, b]) => rank(a) - rank(b) || (a.dueAt ?? 0) - (b.dueAt ?? 0))
  return due.slice(0, limit).map(([key, row]) => {
    const leased = { ...row, dueAt: until }
    disk.put(table, key, leased)
    return leased
  })
}

export function createSimStore(disk: Disk, changes: SimChangeEvents, around: Around): Store {
  const read = <T>(name: string, work: () => T) => around(name, 'read', work)
  const write = <T>(name: string, work: () => T) =>
    around(name, 'write', () => {
      const value = work()
      disk.written()
      return value
    })
  /** In a world all payments are of one mode. */
  const ofOrder = (orderId: string) =>
    (disk.orderDeposits.get(orderId) ?? []).flatMap((id) => disk.deposits.get(id) ?? [])
  const ofSession = (sessionId: string, test: (row: Deposit) => boolean) =>
    (disk.sessionDeposits.get(sessionId) ?? []).flatMap((id) => disk.deposits.get(id) ?? []).find(test)

  return {
    apply: (change) =>
      write('apply', () => {
        const applied = disk.apply(change)
        const row = change.deposit?.row
        if (applied.applied && row) changes.emit(row.id, row.version)
        return applied
      }),
    deposit: (id) => read('deposit', () => disk.deposits.get(id)),
    depositByReference: (reference) =>
      read('depositByReference', () => disk.deposits.get(disk.references.get(reference) ?? '')),
    liveDeposit: (sessionId) => read('liveDeposit', () => ofSession(sessionId, (row) => isLive(row.phase))),
    creditedDeposit: (sessionId) =>
      read('creditedDeposit', () => ofSession(sessionId, (row) => row.phase === 'succeeded' && !row.duplicate)),
    session: (id) => read('session', () => disk.sessions.get(id)),
    sessionOfOrder: (orderId) => read('sessionOfOrder', () => disk.sessions.get(disk.orders.get(orderId) ?? '')),
    orderPayment: (orderId) =>
      read('orderPayment', () => {
        const rows = ofOrder(orderId)
        return (
          rows.find(({ phase }) => phase === 'succeeded') ??
          rows.find(({ phase, dueAt }) => isLive(phase) || (phase === 'abandoned' && dueAt !== undefined))
        )
      }),
    liveOfOrder: (orderId) => read('liveOfOrder', () => ofOrder(orderId).filter(({ phase }) => isLive(phase))),
    idempotency: (keyHash) => read('idempotency', () => disk.idempotency.get(keyHash)),
    timeline: (depositId) => read('timeline', () => disk.timeline.get(depositId) ?? []),
    searchEnd: () => Promise.resolve(undefined),
    payments: ({ limit, sessionId }) =>
      read('payments', () =>
        [...disk.deposits.values()]
          .filter((row) => sessionId === undefined || row.sessionId === sessionId)
          .toSorted((a, b) => b.createdAt - a.createdAt)
          .slice(0, limit),
      ),

    leaseDeposits: (now, until, limit, { others = limit } = {}) =>
      write('leaseDeposits', () => {
        const take = (doubtful: boolean, most: number) =>
          lease(
            disk,
            'deposits',
            disk.deposits,
            now,
            until,
            Math.max(0, most),
            ({ phase }) => doubtful === ['creating', 'unknown', 'confirming'].includes(phase),
            () => 0,
          )
        const first = take(true, limit)
        return [...first, ...take(false, Math.min(others, limit - first.length))]
      }),
    reschedule: ({ id, version, dueAt: was }, { dueAt, asks, queryMissingSince }) =>
      write('reschedule', () => {
        const row = disk.deposits.get(id)
        if (row?.version !== version || row.dueAt !== was) return
        const { dueAt: _, queryMissingSince: __, ...rest } = row
        disk.put(disk.deposits, id, {
          ...rest,
          asks,
          ...(dueAt === undefined ? {} : { dueAt }),
          ...(queryMissingSince === undefined ? {} : { queryMissingSince }),
        })
      }),
    wakeDeposits: (since, now) =>
      write('wakeDeposits', () => {
        const seconds = Math.floor((now - Date.UTC(2026, 9, 1)) / 1000)
        const risen = (row: Deposit) => ({ ...row, version: Math.max(row.version, seconds) + 1000 })
        const all = [...disk.deposits.values()]
        const isUnresolved = ({ phase, dueAt }: Deposit) =>
          isLive(phase) || (phase === 'abandoned' && dueAt !== undefined)
        for (const row of all.filter((each) => each.createdAt <= since && isUnresolved(each)))
          disk.put(disk.deposits, row.id, risen(row))
        const asleep = all.filter((row) => row.createdAt > since && !isAbsorbing(row.phase))
        for (const row of asleep) disk.put(disk.deposits, row.id, { ...risen(row), dueAt: now })
        return asleep.length
      }),

    leaseNotices: (now, until, limit) =>
      write('leaseNotices', () =>
        lease(
          disk,
          'notices',
          disk.notices,
          now,
          until,
          limit,
          ({ state }) => state === 'waiting',
          () => 0,
        ),
      ),
    updateNotice: ({ id, attempts }, outcome) =>
      write('updateNotice', () => {
        const row = disk.notices.get(id)
        if (row !== undefined && row.state !== 'delivered' && row.attempts === attempts)
          disk.put(disk.notices, id, { ...row, ...outcome })
      }),
    notices: (depositId) =>
      read('notices', () => [...disk.notices.values()].filter((row) => row.depositId === depositId)),
    requeueNotices: (depositId, now) =>
      write('requeueNotices', () => {
        const rows = [...disk.notices.values()].filter((row) => row.depositId === depositId)
        for (const { deliveredAt: _, ...row } of rows)
          disk.put(disk.notices, row.id, {
            ...row,
            state: 'waiting',
            attempts: 0,
            earlierAttempts: (row.earlierAttempts ?? 0) + row.attempts,
            dueAt: now,
          })
        return rows.length
      }),

    leaseInbox: (now, until, limit) =>
      write('leaseInbox', () =>
        lease(
          disk,
          'inbox',
          disk.inbox,
          now,
          until,
          limit,
          () => true,
          () => 0,
        ),
      ),
    updateInbox: (id, verdict, depositId) =>
      write('updateInbox', () => {
        const row = disk.inbox.get(id)
        if (row === undefined) return
        const { dueAt: _, depositId: __, ...rest } = row
        disk.put(disk.inbox, id, {
          ...rest,
          verdict,
          ...(depositId === undefined ? {} : { depositId }),
        })
      }),

    hasten: (waiting, after, by, now) =>
      write('hasten', () => {
        const table: Map<string, { dueAt?: number; state?: string }> = disk[waiting]
        const late = [...table].filter(
          ([, { dueAt, state }]) => dueAt !== undefined && dueAt > after && (state ?? 'waiting') === 'waiting',
        )
        for (const [id, row] of late) disk.put(table, id, { ...row, dueAt: Math.max(now, (row.dueAt ?? 0) - by) })
        return late.length
      }),

    take: (name, windowStart, want, limit) =>
      write('take', () => {
        const key = `${windowStart} ${name}`
        const used = disk.counters.get(key) ?? 0
        const granted = Math.max(0, Math.min(want, limit - used))
        disk.counters.set(key, used + granted)
        return granted
      }),
    purgePayers: () => write('purgePayers', () => 0),
    forgetPhone: () => write('forgetPhone', () => 0),
    emptyLog: async () => true,
    purgeOld: () => write('purgeOld', () => 0),
    stats: () => read('stats', () => ({ depositsByPhase: {}, noticesWaiting: 0, noticesDead: 0, inboxUnmatched: 0 })),
    meta: (key) => read('meta', () => disk.meta.get(key)),
    setMeta: (key, value) => write('setMeta', () => disk.put(disk.meta, key, value)),
    onChange: (listener) => changes.listen(listener),
    ping: () => write('ping', () => undefined),
    close: () => Promise.resolve(),
  }
}
