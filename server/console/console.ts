// The merchant's console behind its doors. Loaded with the first request that needs it: a companion
// whose console is off never has it in memory.
import type { Acts } from '../deposits/merchant/acts.ts'
import type { Store } from '../deposits/ports/store.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Settings } from '../settings/settings.ts'
import { createSignIns, type SignIns } from './sign-ins.ts'

export interface Console {
  readonly signIns: SignIns
}

export interface ConsoleParts {
  readonly settings: Settings
  readonly store: Store
  readonly acts: Acts
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
}

export function createConsole(parts: ConsoleParts): Console {
  const { desk } = parts.store
  if (desk === undefined) throw new CompanionError('not_found', { detail: 'This store keeps nothing for the console.' })
  return { signIns: createSignIns({ ...parts, desk }) }
}
