// What a companion leaves in the database of its settings, so that the next one, or `doctor`, finds
// that it has others. Tokens, links and callback addresses are derived from HC_SECRET: another one
// makes those of every open payment invalid, and each fault by itself looks like something else.
import type { Capabilities } from '../deposits/identity.ts'
import type { Alert } from '../deposits/ports/machine.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../deposits/ports/store.ts'

const KEY = 'settings_mark'

/** What all companions on one database must have alike, with the names of the variables. */
const ALIKE = {
  HC_AUTH_URL: 'authUrl', HC_BASE_URL: 'baseUrl', HC_CONSUMER_KEY: 'consumerKey', HC_PRIVATE_KEY: 'privateKey',
  HC_BUSINESS_ID: 'businessId', HC_WALLETS: 'wallets', HC_PUBLIC_URL: 'publicUrl',
  HC_CHECKOUT_ORIGINS: 'checkoutOrigins', HC_MERCHANT_KEY: 'merchantKey', HC_NOTIFY_URL: 'notifyUrl',
  HC_NOTIFY_SECRET: 'notifySecrets', HC_MODE: 'mode', HC_LIMITS: 'limits', HC_RETENTION_DAYS: 'retentionDays',
  HC_CONFIRM: 'confirm', HC_HASH_ORDER: 'hashOrder', HC_HASH_KEY: 'hashKey', HC_QUERY_PATH: 'queryPath',
  HC_RATE: 'rate',
} as const satisfies Readonly<Record<string, keyof Settings>> // prettier-ignore

type AlikeSettings = Pick<Settings, (typeof ALIKE)[keyof typeof ALIKE]>
type Marks = Readonly<Record<string, string>>

interface MarksParts {
  readonly store: Pick<Store, 'meta'>
  readonly settings: AlikeSettings
  readonly capabilities: Pick<Capabilities, 'mark' | 'isMark'>
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

/** Keyed by HC_SECRET: nobody can try values against a mark without it. */
function marksOf({ settings, capabilities }: Omit<MarksParts, 'store'>): Marks {
  const marks = Object.entries(ALIKE).map(([name, field]) => [
    name,
    capabilities.mark(`${name}=${textOf(settings[field])}`),
  ])
  return { HC_SECRET: capabilities.mark(), ...Object.fromEntries(marks) }
}

/**
 * How we differ from the companion that started last on this database: whether its HC_SECRET is
 * neither our present nor our previous one, and the names of the variables. There are none under
 * another secret, whose marks say nothing of values.
 */
export async function compareMarks(parts: MarksParts) {
  const kept = JSON.parse((await parts.store.meta(KEY)) ?? '{}') as Marks
  const secret = kept['HC_SECRET']
  if (secret === undefined) return { isOtherSecret: false, settings: [] }
  const marks = marksOf(parts)
  if (secret !== marks['HC_SECRET']) return { isOtherSecret: !parts.capabilities.isMark(secret), settings: [] }
  // A release may know more settings than another.
  const isOther = (name: string): boolean => kept[name] !== undefined && kept[name] !== marks[name]
  return { isOtherSecret: false, settings: Object.keys(marks).filter(isOther) }
}

/** At the start: raises an alert if the secret is another one, and keeps our marks. */
export async function beginMarks(
  parts: MarksParts & { readonly store: Pick<Store, 'meta' | 'setMeta'>; readonly alert: Alert },
): Promise<void> {
  // Other settings are no alert: a start is how settings change.
  if ((await compareMarks(parts)).isOtherSecret)
    parts.alert('other_secret', 'The database was last used with another one, which is not HC_SECRET_PREVIOUS either.')
  await parts.store.setMeta(KEY, JSON.stringify(marksOf(parts)))
}
