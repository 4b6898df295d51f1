// Notices that companions on one database run with different settings. Each works well by itself, and what is lost between them, as a notice that went to
// another address, nobody would be told.
import { isRecent } from '../clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import type { Capabilities } from './identity.ts'
import type { Alert } from './ports.ts'

const KEY = 'settings_mark'
/** A change reaches the companions one after the other: a difference is reported when two looks in a row find it. */
const LOOK_EVERY_MS = 10 * 60_000

/** What all must have alike, with the names of the variables. HC_SECRET has an alert of its own. */
const ALIKE = {
  HC_AUTH_URL: 'authUrl', HC_BASE_URL: 'baseUrl', HC_CONSUMER_KEY: 'consumerKey', HC_PRIVATE_KEY: 'privateKey', HC_BUSINESS_ID: 'businessId',
  HC_WALLETS: 'wallets', HC_PUBLIC_URL: 'publicUrl', HC_CHECKOUT_ORIGINS: 'checkoutOrigins', HC_MERCHANT_KEY: 'merchantKey',
  HC_NOTIFY_URL: 'notifyUrl', HC_NOTIFY_SECRET: 'notifySecrets', HC_MODE: 'mode', HC_LIMITS: 'limits', HC_RETENTION_DAYS: 'retentionDays',
  HC_CONFIRM: 'confirm', HC_HASH_ORDER: 'hashOrder', HC_HASH_KEY: 'hashKey', HC_QUERY_PATH: 'queryPath', HC_RATE: 'rate',
} as const satisfies Readonly<Record<string, keyof Settings>> // prettier-ignore

export type AlikeSettings = Pick<Settings, (typeof ALIKE)[keyof typeof ALIKE]>
type Marks = Readonly<Record<string, string>>

export interface SettingsWatch {
  /** At the start: keeps the marks of our settings, for the others to compare theirs with. */
  begin(): Promise<void>
  /** Alerts a person, once for each difference that lasts, when the companion that started last has other settings. Call it regularly. */
  look(): Promise<void>
}

/** Lists and records in whatever order they were written. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return JSON.stringify(
    Object.entries(value)
      .map((entry) => JSON.stringify(Array.isArray(value) ? entry[1] : entry))
      .toSorted(),
  )
}

export function createSettingsWatch(parts: {
  readonly store: Pick<Store, 'meta' | 'setMeta'>
  readonly settings: AlikeSettings
  readonly capabilities: Pick<Capabilities, 'mark'>
  readonly now: () => number
  readonly alert: Alert
}): SettingsWatch {
  const { store, settings, capabilities, now, alert } = parts
  const marks: Marks = Object.fromEntries([
    ['HC_SECRET', capabilities.mark()],
    ...Object.entries(ALIKE).map(([name, field]) => [name, capabilities.mark(`${name}=${textOf(settings[field])}`)]),
  ])
  let lookedAt = now()
  let seen = ''
  let told = ''

  function differencesTo(others: Marks): string {
    // Marks by another secret say nothing about the values.
    if (others['HC_SECRET'] !== marks['HC_SECRET']) return ''
    // A release may know more settings than another.
    const names = Object.keys(marks).filter((name) => others[name] !== undefined && others[name] !== marks[name])
    return names.join(', ')
  }

  return {
    begin: () => store.setMeta(KEY, JSON.stringify(marks)),
    async look() {
      if (isRecent(lookedAt, now(), LOOK_EVERY_MS)) return
      const found = differencesTo(JSON.parse((await store.meta(KEY)) ?? '{}') as Marks)
      lookedAt = now()
      const isLasting = found !== '' && found === seen
      seen = found
      if (isLasting && found !== told) alert('other_settings', `The companion that started last has another ${found}.`)
      if (isLasting || found === '') told = found
    },
  }
}
