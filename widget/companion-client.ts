// The only fetch of the widget: one function for each endpoint of the companion.
import type { Banks, CreatedDeposit, CreateDeposit, Markets, Problem, SessionView } from '../server/contract/index.ts'
import { CheckoutError } from './checkout-error.ts'
import type { Deposit } from './types.ts'

/** Each method rejects with a CheckoutError, after 25 s at the latest, when there is no clear answer; `events` as `fetch` does. */
export interface CompanionClient {
  markets(): Promise<Markets>
  banks(country: string): Promise<Banks>
  session(token: string): Promise<SessionView>
  create(body: CreateDeposit, key: string): Promise<CreatedDeposit>
  /** Recovers the lost answer to a create by its idempotency key. */
  recover(key: string): Promise<CreatedDeposit>
  get(id: string, token: string): Promise<Deposit>
  check(id: string, token: string): Promise<Deposit>
  /** The response whose body is the status stream. */
  events(id: string, token: string, signal: AbortSignal | undefined): Promise<Response>
}

const TIMEOUT_MS = 25_000

/** Fields by which an answer is known to be the companion's. */
const paymentFields = ['id', 'phase', 'version'] as const
const createdFields = [...paymentFields, 'token'] as const

/** No answer, half of one, or another one's: the page of a captive portal, a gateway's own JSON. */
const lost = (): never => {
  throw new CheckoutError('network', 'No answer.')
}

/** @param root address of the companion, without a slash at its end */
export function createCompanionClient(root: string): CompanionClient {
  // A token that no header can carry is a wrong token, which the companion must get to say so: `fetch` would fail as if there were no network.
  const bearer = (token: string): Record<string, string> => ({
    authorization: `Bearer ${token}`.replace(/[^ -~]/g, ''),
  })

  async function json<T>(path: string, fields: readonly (keyof T)[], init: RequestInit = {}): Promise<T> {
    const controller = globalThis.AbortController && new AbortController()
    let ok = false
    let isProblem = false
    // No `cache` option: with one, Chromium sends a preflight before each request, even if it has the answer to the last one.
    const answer = fetch(root + path, {
      ...init,
      credentials: 'omit',
      signal: controller && controller.signal,
    }).then((response) => {
      ok = response.ok
      // A gateway that has lost the companion's answer says so with 5xx, perhaps in this format: it must not count as a refusal.
      isProblem = response.status < 500 && /problem\+json/.test(response.headers.get('content-type') || '')
      return response.json()
    })
    const silence = new Promise<never>((_, reject) =>
      setTimeout(() => {
        reject()
        // While one GET is not answered, Chromium holds the next one for the same address back for 20 s.
        if (controller) controller.abort()
      }, TIMEOUT_MS),
    )
    const body = ((await Promise.race([answer, silence]).catch(lost)) || {}) as T & Problem
    if (ok && fields.every((field) => body[field] !== undefined)) return body
    const isOurs = body.type === `/problems/${body.code}` || (isProblem && /^[a-z_]+$/.test(body.code))
    if (ok || !body.code || !isOurs) lost()
    const issue = body.issues && body.issues[0]
    throw new CheckoutError(body.code, body.detail, issue && issue.path, body.retryAfter)
  }

  return {
    markets: () => json('/v1/markets', ['markets']),
    banks: (country) => json(`/v1/banks?country=${country}`, ['banks']),
    session: (token) => json('/v1/session', ['amount', 'currency'], { headers: bearer(token) }),
    create: (body, key) =>
      json('/v1/deposits', createdFields, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }),
    recover: (key) => json('/v1/attempt', createdFields, { headers: { 'idempotency-key': key } }),
    get: (id, token) => json(`/v1/deposits/${id}`, paymentFields, { headers: bearer(token) }),
    // The type of a body that it does not have: SvelteKit 3 and Astro refuse a POST from another origin that names none.
    check: (id, token) =>
      json(`/v1/deposits/${id}/check`, paymentFields, {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/json' },
      }),
    events: (id, token, signal) =>
      fetch(`${root}/v1/deposits/${id}/events`, {
        headers: bearer(token),
        credentials: 'omit',
        signal: signal as AbortSignal,
      }),
  }
}
