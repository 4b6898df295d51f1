// Sign-ins of the console: they live in the store, so that they hold over several companions, and
// end.
import { hash } from 'node:crypto'
import type { Me, SignIn } from '../contract/index.ts'
import type { Actor, Acts } from '../deposits/merchant/acts.ts'
import type { Days } from '../deposits/merchant/days.ts'
import { offeredCountries, countries } from '../deposits/markets.ts'
import { sameText } from '../deposits/identity.ts'
import type { DeskStore, SignInRow } from '../deposits/ports/desk-store.ts'
import type { Store } from '../deposits/ports/store.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Settings } from '../settings/settings.ts'
import { createPasswords, markOf } from './passwords.ts'

const HOUR_MS = 3_600_000
/** A sign-in ends so long after it began, and earlier without a request. */
const LASTS_MS = 12 * HOUR_MS
const IDLE_MS = 2 * HOUR_MS
/** The last request of a sign-in is written down so often. */
const SEEN_EVERY_MS = 60_000
/** Attempts in this time, at all companions together: of all addresses for one name, … */
const WINDOW_MS = 15 * 60_000
const MOST_OF_NAME = 100
/** … of one address for one name, … */
const MOST_OF_ONE = 10
/**
 * … and of one address, or of one network that has many, whatever the names. Checks of passwords
 * run one after the other, and a stranger with many names would keep the people of the shop out.
 * Those are few.
 */
const MOST_OF_ADDRESS = 30
const MOST_OF_NETWORK = 60
/** Attempts that wait: each takes a tenth of a second or two, one after the other. */
const MOST_WAITING = 20

/** A user with a sign-in that holds. `id`: of the sign-in. */
export interface SignedIn extends Actor {
  readonly id: string
  readonly csrf: string
  readonly endsAt: number
}

/** Where an attempt comes from. */
export interface Origin {
  /** As the record has it. */
  readonly address: string
  /** Under which the address is counted; undefined for this machine. */
  readonly bucket: string | undefined
  readonly network: string | undefined
}

interface Begun {
  readonly token: string
  readonly user: SignedIn
}

export interface SignIns {
  /**
   * Throws `sign_in_refused` and `rate_limited`.
   * @returns what the cookie holds
   */
  begin(given: SignIn, from: Origin): Promise<Begun>
  /** @param isUse false where a request says nothing about a person being there */
  byToken(token: string, isUse: boolean): Promise<SignedIn | undefined>
  end(user: SignedIn): Promise<void>
  me(user: SignedIn): Me
}

const idOf = (token: string): string => hash('sha256', `sign-in ${token}`, 'hex')
const csrfOf = (token: string): string => hash('sha256', `csrf ${token}`, 'base64url')

export function createSignIns(parts: {
  readonly settings: Settings
  readonly store: Pick<Store, 'take'>
  readonly desk: DeskStore
  readonly acts: Acts
  readonly days: Days
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly background: (work: () => Promise<unknown>) => void
}): SignIns {
  const { settings, store, desk, acts, days, now, random, background } = parts
  const passwords = createPasswords(settings.consoleUsers[0]?.hash ?? '')
  let waiting = 0
  const markets = offeredCountries(settings.wallets).map((country) => {
    const currency = countries[country][1]
    return { country, currency, ...settings.limits[currency] }
  })

  const userOf = (name: string) =>
    settings.consoleUsers.find((user) => user.name.toLowerCase() === name.trim().toLowerCase())

  /** Counted before the password is looked at, for names that there are not too. */
  async function count(name: string, { address, bucket, network }: Origin): Promise<void> {
    const at = now()
    const windowStart = Math.floor(at / WINDOW_MS) * WINDOW_MS
    // No name that somebody makes up may have the key of another.
    const key = (...of: readonly string[]) => `sign-in ${hash('sha256', JSON.stringify(of), 'hex')}`
    const ofName = name.trim().toLowerCase()
    const may = async (most: number, ...of: readonly string[]) =>
      (await store.take(key(...of), windowStart, 1, most)) === 1
    const granted =
      (bucket === undefined || (await may(MOST_OF_ADDRESS, 'address', bucket))) &&
      (network === undefined || (await may(MOST_OF_NETWORK, 'network', network))) &&
      (await may(MOST_OF_ONE, 'of one', ofName, bucket ?? address)) &&
      (await may(MOST_OF_NAME, 'of all', ofName))
    if (granted) return
    const retryAfter = Math.max(1, Math.ceil((windowStart + WINDOW_MS - at) / 1000))
    throw new CompanionError('rate_limited', {
      detail: `There were too many attempts to sign in. Wait ${retryAfter} s, then try again.`,
      retryAfter,
    })
  }

  const endOf = ({ seenAt, endsAt }: SignInRow): number => Math.min(endsAt, seenAt + IDLE_MS)

  async function attempt({ name, password }: SignIn, from: Origin): Promise<Begun> {
    const { address } = from
    await count(name, from)
    const user = userOf(name)
    if (!(await passwords.isRight(password, user?.hash)) || user === undefined) {
      // Not waited for: a name that there is would be answered later than one that there is not.
      if (user !== undefined) background(() => acts.note(user, { act: 'sign_in_refused', detail: address }))
      throw new CompanionError('sign_in_refused', { detail: 'Name or password is wrong.' })
    }
    const token = Buffer.from(random(32)).toString('base64url')
    const at = now()
    const row = {
      id: idOf(token),
      name: user.name,
      mark: markOf(user.hash),
      createdAt: at,
      seenAt: at,
      endsAt: at + LASTS_MS,
    }
    await desk.purgeSignIns(at)
    await desk.addSignIn(row)
    await acts.note(user, { act: 'sign_in', detail: address })
    return { token, user: { name: user.name, role: user.role, id: row.id, csrf: csrfOf(token), endsAt: endOf(row) } }
  }

  return {
    async begin(given, from) {
      // Before anything is counted: a crowd must not use up the counters, either.
      if (waiting >= MOST_WAITING)
        throw new CompanionError('rate_limited', { detail: 'Many sign in just now: try again.', retryAfter: 5 })
      waiting += 1
      try {
        return await attempt(given, from)
      } finally {
        waiting -= 1
      }
    },

    async byToken(token, isUse) {
      const row = await desk.signIn(idOf(token))
      if (row === undefined) return undefined
      const at = now()
      const user = userOf(row.name)
      // A clock that was set back must not let a sign-in live longer.
      if (
        user === undefined ||
        !sameText(row.mark, markOf(user.hash)) ||
        at >= endOf(row) ||
        at < row.createdAt - HOUR_MS
      )
        return undefined
      if (isUse && at - row.seenAt >= SEEN_EVERY_MS) await desk.seeSignIn(row.id, at)
      const endsAt = endOf(isUse ? { ...row, seenAt: Math.max(at, row.seenAt) } : row)
      return { name: user.name, role: user.role, id: row.id, csrf: csrfOf(token), endsAt }
    },

    async end(user) {
      await desk.endSignIn(user.id)
      await acts.note(user, { act: 'sign_out' })
    },

    me({ name, role, csrf, endsAt }) {
      return {
        name,
        role,
        csrf,
        endsAt: new Date(endsAt).toISOString(),
        shop: {
          mode: settings.paymentMode,
          timeZone: settings.timeZone,
          today: days.dayOf(now()),
          markets,
          languages: [...new Set(settings.locales.map((locale) => locale.slice(0, 2)))] as Me['shop']['languages'],
          contact: settings.consoleContact,
        },
      }
    },
  }
}
