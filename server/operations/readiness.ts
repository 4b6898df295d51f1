// Whether it is safe to take payments now: looks, and prints the one list of checks
// (operations/health.ts).
import { isRecent } from '../platform/clock.ts'
import type { AfterRestore } from './after-restore.ts'
import type { Others } from './others.ts'
import type { Outbox } from '../notices/outbox.ts'
import { reasonOf } from '../platform/errors.ts'
import type { Answers } from './answers.ts'
import { type Finding, type Seen, type StoreFault, healthChecks, inOneLine } from './health.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../deposits/ports/store.ts'
import type { Upstream } from '../deposits/ports/upstream.ts'
import type { ReadyCheck } from '../http/operations.ts'

/** A customer waits no longer for a database either, and a probe only a few seconds. */
const STORE_ANSWERS_MS = 3_000
/** Strangers may ask as often as they like; the database sees at most one check per second. */
const CHECKS_KEPT_MS = 1_000

type DatabaseSeen = Pick<Seen, 'store' | 'isRestoreUnfinished'>

/** What a check of the list found. */
export type Found = Finding & { readonly name: string }

function printed({ name, state, ...finding }: Found): ReadyCheck {
  return state === 'ok' ? { name, ok: true } : { name, ok: state === 'warn', detail: inOneLine(finding) }
}

export function createReadiness(parts: {
  readonly settings: Settings
  readonly store: Store
  readonly upstream: Upstream
  readonly outbox: Pick<Outbox, 'health'>
  readonly answers: Pick<Answers, 'seen'>
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly afterRestore: Pick<AfterRestore, 'isUnfinished' | 'isWaking'>
  readonly others: Pick<Others, 'seen'>
  /** Whether this process has done any background work. */
  readonly isBegun: () => boolean
}) {
  const { settings, store, upstream, outbox, answers, now, sleep, afterRestore, others, isBegun } = parts
  let checking: Promise<readonly Found[]> | undefined
  let asking: Promise<DatabaseSeen> | undefined
  let checked: { readonly at: number; readonly found: readonly Found[] } | undefined

  /** What the database said to the last question that it answered. */
  let why = ''

  async function lookAtStore(): Promise<'ok' | StoreFault> {
    try {
      await store.ping()
      why = ''
      return 'ok'
    } catch (error) {
      why = reasonOf(error).trim()
      return { why }
    }
  }

  async function lookAtDatabase(): Promise<DatabaseSeen> {
    const found = await lookAtStore()
    return { store: found, isRestoreUnfinished: await afterRestore.isUnfinished().catch(afterRestore.isWaking) }
  }

  /** One question in flight: ones that hang would take connections from payments. */
  function askDatabase(): Promise<DatabaseSeen> {
    asking ??= lookAtDatabase().finally(() => (asking = undefined))
    const silent = (): DatabaseSeen => ({ store: { silentMs: STORE_ANSWERS_MS, why } })
    return Promise.race([asking, sleep(STORE_ANSWERS_MS).then(silent)])
  }

  async function checkAll(): Promise<readonly Found[]> {
    const warming = upstream.warmUp().catch(() => {})
    if (upstream.health().login === 'unknown') await warming
    const database = await askDatabase()
    const notices = { isBegun: isBegun(), ...outbox.health() }
    const seen = {
      settings,
      upstream: upstream.health(),
      ...database,
      ...answers.seen(),
      notices,
      others: others.seen(),
    }
    return healthChecks.flatMap(({ name, look }) => {
      const finding = look(seen)
      return finding === undefined ? [] : [{ name, ...finding }]
    })
  }

  /** Results at most a second old, shared by all concurrent callers. */
  function findings(): Promise<readonly Found[]> {
    if (checked !== undefined && isRecent(checked.at, now(), CHECKS_KEPT_MS)) return Promise.resolve(checked.found)
    checking ??= checkAll()
      .then((all) => {
        checked = { at: now(), found: all }
        return all
      })
      .finally(() => (checking = undefined))
    return checking
  }

  return {
    findings,
    /** The same as `/readyz` prints it. */
    checks: async (): Promise<readonly ReadyCheck[]> => (await findings()).map(printed),
  }
}

export type Readiness = ReturnType<typeof createReadiness>
