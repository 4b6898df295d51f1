// The requests of a payment: to create it, to find it again, to read it and to follow it.
import type { CreatedDeposit, CreateDeposit, DepositView } from '../server/contract/index.ts'
import { withoutLinks } from './base/payment-links.ts'
import type { Deposit } from './base/types.ts'
import { bearer, lost } from './companion-client.ts'
import type { CompanionClient } from './companion-client.ts'

/** A new payment and its token. */
export type Created = Deposit & { readonly token: string }

/** Rejects as CompanionClient does; `events` as `fetch` does. */
export interface PaymentClient {
  create(body: CreateDeposit, key: string): Promise<Created>
  /** Recovers the lost answer to a create by its idempotency key. */
  recover(key: string): Promise<Created>
  get(id: string, token: string): Promise<Deposit>
  check(id: string, token: string): Promise<Deposit>
  /** The response whose body is the status stream. */
  events(id: string, token: string, signal: AbortSignal | undefined): Promise<Response>
}

/** Fields by which an answer is known to be the companion's. */
const paymentFields = ['id', 'phase', 'version'] as const
const createdFields = [...paymentFields, 'token'] as const

export function paymentClient({ root, json }: CompanionClient): PaymentClient {
  /** A view of another payment is not the answer: it must neither be shown nor end this one. */
  const ownView = async (id: string, path: string, init: RequestInit): Promise<Deposit> => {
    const view = await json<DepositView>(`/v1/deposits/${id}${path}`, paymentFields, init)
    return view.id === id ? withoutLinks(view) : lost('The answer is about another payment.')
  }
  const created = async (path: string, init: RequestInit): Promise<Created> =>
    withoutLinks(await json<CreatedDeposit>(path, createdFields, init))
  return {
    create: (body, key) =>
      created('/v1/deposits', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }),
    recover: (key) => created('/v1/attempt', { headers: { 'idempotency-key': key } }),
    get: (id, token) => ownView(id, '', { headers: bearer(token) }),
    // The type of a body that it does not have: SvelteKit 3 and Astro refuse a POST from another
    // origin that names none.
    check: (id, token) =>
      ownView(id, '/check', {
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
