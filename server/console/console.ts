// The merchant's console behind its doors. Loaded with the first request that needs it: a companion
// whose console is off never has it in memory.
import type { FigureQuery, Figures, Health } from '../contract/index.ts'
import type { Acts } from '../deposits/merchant/acts.ts'
import { createDays } from '../deposits/merchant/days.ts'
import type { Payments } from '../deposits/merchant/payments.ts'
import type { Sessions } from '../deposits/merchant/sessions.ts'
import type { Store } from '../deposits/ports/store.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Settings } from '../settings/settings.ts'
import { createFigures } from './figures.ts'
import { createHealthWords, type FoundTrouble } from './health.ts'
import { createLinks, type Links } from './links.ts'
import { createLive, type Live } from './live.ts'
import { createOwedBack, type OwedBack } from './owed.ts'
import { createReconciliation, type Reconciliation } from './reconciliation.ts'
import { type ActRecord, createActRecord } from './record.ts'
import { createSignIns, type SignIns } from './sign-ins.ts'

export interface Console {
  readonly signIns: SignIns
  readonly record: ActRecord
  readonly owed: OwedBack
  readonly links: Links
  readonly live: Live
  readonly figures: (query: FigureQuery) => Promise<Figures>
  readonly reconciliation: Reconciliation
  readonly health: () => Promise<Health>
}

export interface ConsoleParts {
  readonly settings: Settings
  readonly store: Store
  readonly acts: Acts
  readonly payments: Payments
  readonly sessions: Sessions
  readonly findings: () => Promise<readonly FoundTrouble[]>
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly random: (bytes: number) => Uint8Array
  readonly background: (work: () => Promise<unknown>) => void
  readonly onError: (error: unknown) => void
}

export function createConsole(parts: ConsoleParts): Console {
  const { desk } = parts.store
  if (desk === undefined) throw new CompanionError('not_found', { detail: 'This store keeps nothing for the console.' })
  const days = createDays(parts.settings.timeZone)
  return {
    signIns: createSignIns({ ...parts, desk, days }),
    record: createActRecord({ ...parts, desk, days }),
    owed: createOwedBack({ ...parts, desk, days }),
    links: createLinks({ ...parts, desk }),
    live: createLive(parts),
    figures: createFigures({ ...parts, desk, days }),
    reconciliation: createReconciliation(parts),
    health: createHealthWords(parts),
  }
}
