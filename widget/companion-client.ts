// The only fetch of the widget: one function for each endpoint of the companion.
import type { Banks, CreatedDeposit, CreateDeposit, Markets, Problem, SessionView } from '../server/contract/index.ts'
import { CheckoutError } from './checkout-error.ts'
import type { Deposit } from './types.ts'

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

/** No answer, half of one, or another one's, such as the page of a captive portal. */
const lost = (): never => {
  throw new CheckoutError('network', 'No answer.')
}

export function createCompanionClient(base: string): CompanionClient {
  const root = base.replace(/\/$/, '')
  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

  async function json<T>(path: string, init: RequestInit = {}): Promise<T> {
    const controller = globalThis.AbortController && new AbortController()
    let ok = false
    // No `cache` option: with one, Chromium sends a preflight before each request, even if it has the answer to the last one.
    const answer = fetch(root + path, {
      ...init,
      credentials: 'omit',
      signal: controller && controller.signal,
    }).then((response) => {
      ok = response.ok
      return response.json().catch(ok ? lost : () => 0)
    })
    const silence = new Promise<never>((_, reject) =>
      setTimeout(() => {
        reject()
        // While one GET is not answered, Chromium holds the next one for the same address back for 20 s.
        if (controller) controller.abort()
      }, TIMEOUT_MS),
    )
    const body = ((await Promise.race([answer, silence]).catch(lost)) || {}) as T & Partial<Problem>
    if (ok) return body
    const issue = body.issues && body.issues[0]
    // Without a code it is not the companion's: a gateway's error, or a captive portal.
    throw new CheckoutError(body.code || 'network', body.detail || '', issue && issue.path, body.retryAfter)
  }

  return {
    markets: () => json('/v1/markets'),
    banks: (country) => json(`/v1/banks?country=${country}`),
    session: (token) => json('/v1/session', { headers: bearer(token) }),
    create: (body, key) =>
      json('/v1/deposits', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }),
    recover: (key) => json('/v1/attempt', { headers: { 'idempotency-key': key } }),
    get: (id, token) => json(`/v1/deposits/${id}`, { headers: bearer(token) }),
    check: (id, token) => json(`/v1/deposits/${id}/check`, { method: 'POST', headers: bearer(token) }),
    events: (id, token, signal) =>
      fetch(`${root}/v1/deposits/${id}/events`, {
        headers: bearer(token),
        credentials: 'omit',
        signal: signal as AbortSignal,
      }),
  }
}
