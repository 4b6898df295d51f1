// The requests of a payment: to create it, to find it again, to read it and to follow it.
import type { CreatedDeposit, CreateDeposit, DepositView } from '../../server/contract/index.ts'
import { withoutLinks } from '../base/payment-links.ts'
import type { Deposit } from '../base/types.ts'
import { bearer, type CompanionClient } from './companion-client.ts'

export type Created = Deposit & { readonly token: string }

export type PaymentClient = ReturnType<typeof paymentClient>

/** Fields by which an answer is known to be the companion's. */
const paymentFields = ['id', 'phase', 'version'] as const
const createdFields = [...paymentFields, 'token'] as const

/** Each method rejects as those of CompanionClient do; `events` as `fetch` does. */
export function paymentClient({ root, json }: CompanionClient) {
  /** A view of another payment is not the answer: it must neither be shown nor end this one. */
  const ownView = async (id: string, path: string, init: RequestInit): Promise<Deposit> =>
    withoutLinks(await json<DepositView>(`/v1/deposits/${id}${path}`, paymentFields, init, (view) => view.id === id))
  const created = async (path: string, init: RequestInit): Promise<Created> =>
    withoutLinks(await json<CreatedDeposit>(path, createdFields, init))
  return {
    create: (body: CreateDeposit, key: string) =>
      created('/v1/deposits', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }),
    /**
     * Recovers the lost answer to a create by its idempotency key. The answer does not name the
     * key, so its address is a new one each time: no cache has another's answer for it.
     */
    recover: (key: string) => created(`/v1/attempt?${Math.random()}`, { headers: { 'idempotency-key': key } }),
    get: (id: string, token: string) => ownView(id, '', { headers: bearer(token) }),
    // The type of a body that it does not have: SvelteKit 3 and Astro refuse a POST from another
    // origin that names none.
    check: (id: string, token: string) =>
      ownView(id, '/check', {
        method: 'POST',
        headers: { ...bearer(token), 'content-type': 'application/json' },
      }),
    /** The response whose body is the status stream. */
    events: (id: string, token: string, signal: AbortSignal | undefined) =>
      fetch(`${root}/v1/deposits/${id}/events`, { headers: bearer(token), credentials: 'omit', signal }),
  }
}
