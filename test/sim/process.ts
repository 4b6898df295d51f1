// One process of the companion in a simulated world: the real companion over injected ports, any of
// which may fail, be slow, or crash the process. The ports of a dead process never answer again.
import { createCompanionWith } from '../../server/companion.ts'
import type { Companion, CompanionOptions, Judgement } from '../../server/companion.ts'
import { CompanionError } from '../../server/platform/errors.ts'
import type { Logger } from '../../server/platform/logging/logger.ts'
import type { Settings } from '../../server/settings/settings.ts'
import type { Store } from '../../server/deposits/ports/store.ts'
import type { Upstream } from '../../server/deposits/ports/upstream.ts'
import type { Chance } from './chance.ts'
import type { Disk } from './disk.ts'
import type { Faults } from './faults.ts'
import type { SimChangeEvents } from './sim-store.ts'
import { createSimStore } from './sim-store.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface SimProcess {
  readonly name: string
  readonly companion: Companion
  readonly isAlive: () => boolean
  /** Requests being answered. */
  busy: number
  kill(): void
}

/** The parts that a planted bug replaces. */
export interface Wrong {
  readonly settings?: Partial<Settings>
  readonly parts?: Judgement
  readonly store?: (store: Store, time: VirtualTime) => Store
  readonly upstream?: (upstream: Upstream, chance: Chance) => Upstream
  readonly durability?: 'normal'
}

const never = <T>() => new Promise<T>(() => {})

/**
 * Idle intervals of the background loops (scheduler.ts); nothing else pauses for exactly as long.
 */
const IDLE_PAUSES: ReadonlySet<number> = new Set([500, 1000, 5000])

export function startProcess(parts: {
  readonly name: string
  readonly settings: Settings
  readonly disk: Disk
  readonly changes: SimChangeEvents
  readonly upstream: Upstream
  readonly time: VirtualTime
  readonly chance: Chance
  readonly faults: Faults
  readonly fetch: typeof fetch
  readonly logger: Logger
  readonly alert: (kind: string, detail: string) => void
  readonly onDeath: (name: string) => void
  readonly wrong: Wrong
  /** Further options of the companion, such as metrics. */
  readonly extra?: Partial<CompanionOptions>
}): SimProcess {
  const { name, settings, disk, changes, time, chance, faults, logger, alert, onDeath, wrong } = parts
  let alive = true
  const owner = {}

  function kill(): void {
    if (!alive) return
    alive = false
    process.busy = 0
    time.forget(owner)
    onDeath(name)
  }

  /** Calls the outside; a process that died meanwhile never gets the answer. */
  async function outside<T>(work: () => Promise<T>): Promise<T> {
    if (!alive || (faults.crashesNow() && (kill(), true))) return never()
    try {
      const value = await work()
      if (!alive || (faults.crashesNow() && (kill(), true))) return await never<T>()
      return value
    } catch (error) {
      if (!alive) return never()
      throw error
    }
  }

  const unavailable = () =>
    new CompanionError('store_unavailable', { detail: 'The simulated disk failed.', retryAfter: 1 })
  const store = createSimStore(disk, changes, (_name, kind, work) =>
    outside(async () => {
      const fault = faults.store()
      if (fault === 'slow') await new Promise<void>((resolve) => time.after(chance.between(1, 400), resolve))
      if (!alive) return never()
      if (fault === 'before') throw unavailable()
      const value = work()
      if (fault === 'after' && kind === 'write') throw unavailable()
      return value
    }),
  )
  const upstream: Upstream = {
    ...parts.upstream,
    banks: (country) => outside(() => parts.upstream.banks(country)),
    create: (order) => outside(() => parts.upstream.create(order)),
    query: (order) => outside(() => parts.upstream.query(order)),
  }
  const companion = createCompanionWith(wrong.parts ?? {}, {
    settings,
    store: wrong.store?.(store, time) ?? store,
    upstream: wrong.upstream?.(upstream, chance) ?? upstream,
    now: () => time.wall(),
    sleep: (ms) =>
      new Promise<void>((resolve) => {
        if (!alive) return
        const wake = () => void (alive && resolve())
        if (IDLE_PAUSES.has(ms)) time.idle(owner, ms, wake)
        else time.after(ms, wake)
      }),
    random: (bytes) => chance.bytes(bytes),
    fetch: (input, init) => outside(() => parts.fetch(input, init)),
    logger,
    alerts: { raise: alert },
    ...parts.extra,
  })
  const process: SimProcess = { name, companion, isAlive: () => alive, busy: 0, kill }
  // In a later turn: it may die in its very first call, and must be registered before.
  time.after(0, () => void (alive && companion.start()))
  return process
}
