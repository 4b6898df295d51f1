// The demo backend's client: sessions and payments of the companion, scenarios of the sandbox. The
// merchantKey stays on the server.
import { randomUUID } from 'node:crypto'
import { PaymentDetail, PaymentList } from 'hc-checkout-server/contract'
import type { CreateSession, PaymentView } from 'hc-checkout-server/contract'
import type { Order } from './store.ts'

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly does: string
  /** Last digits of the payer's phone: `0000` and two digits. */
  readonly number: string
  /** What the payment service says in the end. */
  readonly ending: string
}

export type SessionAnswer = { ok: true; token: string; payUrl: string } | { ok: false; why: string }

const PATIENCE_MS = 10_000

export type PayClient = ReturnType<typeof createPayClient>

export function createPayClient(keys: {
  companionUrl: string
  sandboxUrl: string
  shopUrl: string
  merchantKey: string
}) {
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

    /**
     * Starts a payment, as the customer's browser does with the order's session. @returns its id
     */
    async start({ country, currency, amount, sessionToken }: Order, phone: string): Promise<string | undefined> {
      const payer = { name: 'Amina Test', phone }
      const response = await fetch(`${keys.companionUrl}/v1/deposits`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID(), Origin: keys.shopUrl },
        body: JSON.stringify({ country, currency, amount, payer, session: sessionToken }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch(() => undefined)
      return ((await response?.json().catch(() => undefined)) as { id?: string } | undefined)?.id
    },

    /** Has the companion tell the shop the news of a payment once more. */
    async tellAgain(paymentId: string): Promise<void> {
      await ask(`/v1/payments/${encodeURIComponent(paymentId)}/notices`, { method: 'POST', body: '{}' })
    },

    /** What a stranger sends the shop, who has not the secret. @returns the answer's status */
    async sendForgedNotice({ id, amount, currency, country }: Order): Promise<number | undefined> {
      const data = { orderId: id, amount, currency, country, phase: 'succeeded', version: 9 }
      const response = await fetch(`${keys.shopUrl}/notices`, {
        method: 'POST',
        headers: {
          'webhook-id': randomUUID(),
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
        },
        body: JSON.stringify({ type: 'payment.succeeded', timestamp: new Date().toISOString(), data }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      }).catch(() => undefined)
      return response?.status
    },

    /** An order's payments as the companion has them. */
    async paymentsOf(orderId: string): Promise<readonly PaymentView[]> {
      const response = await ask(`/v1/payments?orderId=${encodeURIComponent(orderId)}`)
      return PaymentList.parse(await response.json()).payments
    },

    /**
     * What the payment service itself says about these payments; one that it does not know is left
     * out.
     */
    async statusesAtService(references: readonly string[]): Promise<string[]> {
      const response = await fetch(`${keys.sandboxUrl}/console/api/transactions`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const { data } = (await response.json()) as { data: { reference: string; status: string }[] }
      return data.filter(({ reference }) => references.includes(reference)).map(({ status }) => status)
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
