// Faults that can be switched on in the console: what networks and services do on bad days.
import { z } from 'zod'
import type { Settings } from './database.ts'

const whole = (least: number, most: number) => {
  const error = `Give a whole number from ${least} to ${most}.`
  return z.int({ error }).min(least, { error }).max(most, { error })
}
/** How many of the next calls are hit; true: all of them until switched off. */
const Hits = z.union([z.boolean(), whole(0, 1_000_000)])
export const ENDPOINTS = ['login', 'banks', 'create', 'query'] as const
export type Endpoint = (typeof ENDPOINTS)[number]

export const Faults = z.strictObject({
  /** Delay before each response, in milliseconds. */
  latency_ms: whole(0, 120_000),
  /** 500 before anything is processed. */
  server_error: Hits,
  /** 429 with Retry-After: 2, not processed. */
  rate_limited: Hits,
  /** Processed, then no answer for 30 seconds, then 504. */
  timeout: Hits,
  /** Processed, then the connection is cut without an answer. */
  cut: Hits,
  /** The endpoints hit by server_error, rate_limited, timeout and cut. */
  on: z.array(z.enum(ENDPOINTS)),
  /** The status query does not exist: 404 as a web server sends it, 405 or 501. */
  query_path_missing: z.union([z.literal(false), z.literal(404), z.literal(405), z.literal(501), z.literal(true)]),
  /** Callbacks carry an undocumented field. */
  extra_field: z.boolean(),
  /** Callbacks write the amount as `2500.00`. */
  decimal_amount: z.boolean(),
  /** `date` in 24 hours with a marker, as observed once. */
  date_24_hours: z.boolean(),
  /** redirect_url is strictly one-time: opening it in another browser gives 410. */
  strict_session: z.boolean(),
  /** Client addresses that may call; empty: all. */
  ip_allow_list: z.array(z.string().max(64)).max(64),
  /** Requests a minute instead of the default; null: the default. */
  rate: z.union([z.null(), whole(1, 1_000_000)]),
})
export type Faults = z.infer<typeof Faults>

export const NO_FAULTS: Faults = {
  latency_ms: 0,
  server_error: false,
  rate_limited: false,
  timeout: false,
  cut: false,
  on: [...ENDPOINTS],
  query_path_missing: false,
  extra_field: false,
  decimal_amount: false,
  date_24_hours: false,
  strict_session: false,
  ip_allow_list: [],
  rate: null,
}

/**
 * False if every call is answered as by a service on a good day; a count that has come down to 0 is
 * off.
 */
export function isAnyOn({ on: _endpoints, ...switches }: Faults): boolean {
  return Object.values(switches).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
}

export interface FaultSwitches {
  get(): Faults
  set(changes: Partial<Faults>): Faults
  /** True if this call is to be hit; decrements the counter. */
  hit(kind: 'server_error' | 'rate_limited' | 'timeout' | 'cut', endpoint: Endpoint): boolean
}

export function createFaults(settings: Settings): FaultSwitches {
  let faults: Faults = { ...NO_FAULTS, ...settings.get<Partial<Faults>>('faults', {}) }
  const set = (changes: Partial<Faults>): Faults => {
    faults = { ...faults, ...changes }
    settings.set('faults', faults)
    return faults
  }
  return {
    get: () => faults,
    set,
    hit(kind, endpoint) {
      const hits = faults[kind]
      if (hits === false || hits === 0 || !faults.on.includes(endpoint)) return false
      if (typeof hits === 'number') set({ [kind]: hits - 1 })
      return true
    },
  }
}
