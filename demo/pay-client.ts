// The demo backend's client: sessions and payments of the companion, scenarios of the sandbox. The merchantKey stays on the server.
import { PaymentDetail } from 'hc-checkout-server/contract'
import type { CreateSession } from 'hc-checkout-server/contract'

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly does: string
  /** Last digits of the payer's phone: `0000` and two digits. */
  readonly number: string
}

export type SessionAnswer = { ok: true; token: string; payUrl: string } | { ok: false; why: string }

const PATIENCE_MS = 10_000

export type PayClient = ReturnType<typeof createPayClient>

export function createPayClient(keys: { companionUrl: string; sandboxUrl: string; merchantKey: string }) {
  const headers = { Authorization: `Bearer ${keys.merchantKey}`, 'Content-Type': 'application/json' }
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${keys.companionUrl}${path}`, { headers, signal: AbortSignal.timeout(PATIENCE_MS), ...init })
  let scenarios: Scenario[] | undefined

  return {
    /** Creates a session, which locks the amount of an order. */
    async createSession(body: CreateSession): Promise<SessionAnswer> {
      const response = await ask('/v1/sessions', { method: 'POST', body: JSON.stringify(body) }).catch(() => undefined)
      if (response === undefined) return { ok: false, why: 'The companion cannot be reached just now. Try again.' }
      const answer = (await response.json().catch(() => ({}))) as { token?: string; payUrl?: string; detail?: string }
      if (!response.ok || answer.token === undefined || answer.payUrl === undefined) {
        return { ok: false, why: answer.detail ?? 'The companion refused the session.' }
      }
      return { ok: true, token: answer.token, payUrl: answer.payUrl }
    },

    /** One payment with its timeline; undefined if it is not available now. */
    async payment(id: string): Promise<PaymentDetail | undefined> {
      const response = await ask(`/v1/payments/${encodeURIComponent(id)}`).catch(() => undefined)
      if (response?.ok !== true) return undefined
      return PaymentDetail.safeParse(await response.json().catch(() => undefined)).data
    },

    /** The sandbox's scenarios. Empty with a real service. */
    async scenarios(): Promise<Scenario[]> {
      if (scenarios !== undefined) return scenarios
      const response = await fetch(`${keys.sandboxUrl}/console/api/scenarios`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch(() => undefined)
      const answer =
        response?.ok === true
          ? ((await response.json().catch(() => undefined)) as { data?: Scenario[] } | undefined)
          : undefined
      scenarios = answer?.data
      return scenarios ?? []
    },
  }
}
