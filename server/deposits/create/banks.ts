// The bank lists: cached by country, one upstream request per country at a time, served stale when
// the service fails.
import type { Bank, Banks, CountryCode } from '../../contract/index.ts'
import { isRecent, isWaiting } from '../../platform/clock.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { Budget } from '../settle/budget.ts'
import { countries } from '../markets.ts'
import { aliasesOf } from './bank-aliases.ts'

const FRESH_MS = 6 * 3_600_000
/** After a failure the stale list is served this long before the service is asked again. */
const RETRY_MS = 30_000
/** The same where there is no list to serve, as after a start before the service's. */
const FIRST_RETRY_MS = 5_000
/**
 * The service takes no bank: it routes nothing, so looking up its name must not delay a payment.
 */
const PATIENCE_MS = 2_000

export function createBankLists(options: {
  readonly upstream: Pick<Upstream, 'banks'>
  readonly budget: Budget
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}) {
  const { upstream, budget, now, sleep } = options
  const kept = new Map<CountryCode, { readonly banks: readonly Bank[]; readonly freshUntil: number }>()
  const flights = new Map<CountryCode, Promise<readonly Bank[]>>()
  const failed = new Map<CountryCode, { readonly at: number; readonly error: unknown }>()

  async function fetchList(country: CountryCode): Promise<readonly Bank[]> {
    if (!(await budget.take('check')))
      throw new CompanionError('upstream_unavailable', {
        detail: 'Too many requests to the payment service just now.',
        retryAfter: 5,
      })
    const named = await upstream.banks(country)
    const banks = named.map((bank): Bank => ({ ...bank, aliases: aliasesOf(country, bank.name) }))
    kept.set(country, { banks, freshUntil: now() + FRESH_MS })
    failed.delete(country)
    return banks
  }

  function fly(country: CountryCode): Promise<readonly Bank[]> {
    const running = flights.get(country)
    if (running !== undefined) return running
    const flight = fetchList(country)
      .catch((error: unknown) => {
        failed.set(country, { at: now(), error })
        throw error
      })
      .finally(() => flights.delete(country))
    flights.set(country, flight)
    return flight
  }

  async function banksOf(country: CountryCode): Promise<readonly Bank[]> {
    const old = kept.get(country)
    if (old !== undefined && isWaiting(old.freshUntil, now(), FRESH_MS)) return old.banks
    const failure = failed.get(country)
    if (failure !== undefined && isRecent(failure.at, now(), old === undefined ? FIRST_RETRY_MS : RETRY_MS)) {
      if (old !== undefined) return old.banks
      throw failure.error
    }
    try {
      return await fly(country)
    } catch (error) {
      if (old !== undefined) return old.banks
      throw error
    }
  }

  return {
    /** Throws `upstream_unavailable` only if no list has ever been fetched. */
    async list(country: CountryCode): Promise<Banks> {
      return { country, currency: countries[country][1], banks: [...(await banksOf(country))] }
    },
    /** The cached list, fresh or stale; never asks the service. */
    cached: (country: CountryCode): readonly Bank[] | undefined => kept.get(country)?.banks,
    /**
     * Fetches the lists of these countries one after another, so that the first customer does not
     * wait for one. Never throws.
     */
    async warm(offered: readonly CountryCode[]): Promise<void> {
      for (const country of offered) await banksOf(country).catch(() => undefined)
    },
    /**
     * The bank with this code; `in_no_list` if the list has no such code, `no_list` if no list is
     * available within 2 s.
     */
    async find(country: CountryCode, code: string): Promise<Bank | 'in_no_list' | 'no_list'> {
      const banks = await Promise.race([
        banksOf(country).catch(() => undefined),
        sleep(PATIENCE_MS).then(() => undefined),
      ])
      if (banks === undefined) return 'no_list'
      return banks.find((bank) => bank.code === code) ?? 'in_no_list'
    },
  }
}

export type BankLists = ReturnType<typeof createBankLists>
