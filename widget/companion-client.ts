// The only fetch of the widget: one function for each endpoint of the companion.
import type {
  Banks,
  CreatedDeposit,
  CreateDeposit,
  DepositView,
  Markets,
  Problem,
  SessionView,
} from '../server/contract/index.ts'
import { CheckoutError } from './base/checkout-error.ts'
import { withoutLinks } from './base/payment-links.ts'
import type { Deposit } from './base/types.ts'

/** A new payment and its token. */
export type Created = Deposit & { readonly token: string }

/**
 * Each method rejects with a CheckoutError, after 25 s at the latest, when there is no clear
 * answer; `events` as `fetch` does.
 */
export interface CompanionClient {
  markets(): Promise<Markets>
  banks(country: string): Promise<Banks>
  session(token: string): Promise<SessionView>
  create(body: CreateDeposit, key: string): Promise<Created>
  /** Recovers the lost answer to a create by its idempotency key. */
  recover(key: string): Promise<Created>
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
const lost = (why: string): never => {
  throw new CheckoutError('network', why)
}

/** Not found during a deployment, timeout of a queue, too early, too many requests. */
const passing = [404, 408, 425, 429]

/**
 * Of a refusal that is not the companion's: it was something in between. What passes by itself is a
 * lost answer.
 */
const isBlocked = (status: number): boolean => status >= 400 && status < 500 && !passing.includes(status)

/**
 * A browser hides from its pages why `fetch` failed. Of another origin it may be a refusal, which
 * only the shop's developer can mend.
 */
function whyLost(root: string): string {
  const here = (globalThis.location || {}).origin
  if (!here || `${root}/`.startsWith(`${here}/`) || !/^https?:/.test(root) || !navigator.onLine) return 'No answer.'
  return `No answer from ${root}. If it is up, its HC_ALLOWED_ORIGINS may lack ${here}, or a script of this page adds a header.`
}

/** @param root address of the companion, without a slash at its end */
export function createCompanionClient(root: string): CompanionClient {
  // A token that no header can carry is a wrong token, which the companion must get to say so:
  // `fetch` would fail as if there were no network.
  const bearer = (token: string): Record<string, string> => ({
    authorization: `Bearer ${token}`.replace(/[^ -~]/g, ''),
  })

  async function json<T>(path: string, fields: readonly (keyof T)[], init: RequestInit = {}): Promise<T> {
    const controller = globalThis.AbortController && new AbortController()
    let ok = false
    let status = 0
    let why = 'No answer.'
    // No `cache` option: with one, Chromium sends a preflight before each request, even if it has
    // the answer to the last one.
    const answer = fetch(root + path, {
      ...init,
      credentials: 'omit',
      signal: controller && controller.signal,
    }).then(
      (response) => {
        ;({ ok, status } = response)
        return response.json()
      },
      () => {
        why = whyLost(root)
        throw new Error()
      },
    )
    const silence = new Promise<never>((_, reject) =>
      setTimeout(() => {
        reject()
        // While one GET is not answered, Chromium holds the next one for the same address back for
        // 20 s.
        if (controller) controller.abort()
      }, TIMEOUT_MS),
    )
    const body = ((await Promise.race([answer, silence]).catch(() => undefined)) || {}) as T & Problem
    if (ok && fields.every((field) => body[field] !== undefined)) return body
    // A gateway may answer in this format, too, and with a code: the type is the companion's alone.
    if (ok || !body.code || body.type !== `/problems/${body.code}`) {
      if (isBlocked(status))
        throw new CheckoutError(
          'blocked',
          `${root + path} was answered ${status}, but not by the companion: a firewall or proxy before it refuses the request.`,
        )
      lost(why)
    }
    throw new CheckoutError(body.code, body.detail, body.issues?.[0]?.path, body.retryAfter)
  }

  /** A view of another payment is not the answer: it must neither be shown nor end this one. */
  const ownView = async (id: string, path: string, init: RequestInit): Promise<Deposit> => {
    const view = await json<DepositView>(`/v1/deposits/${id}${path}`, paymentFields, init)
    return view.id === id ? withoutLinks(view) : lost('The answer is about another payment.')
  }

  return {
    markets: () => json('/v1/markets', ['markets']),
    banks: (country) => json(`/v1/banks?country=${country}`, ['banks']),
    session: (token) => json('/v1/session', ['amount', 'currency', 'orderId'], { headers: bearer(token) }),
    create: (body, key) =>
      json<CreatedDeposit>('/v1/deposits', createdFields, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      }).then(withoutLinks),
    recover: (key) =>
      json<CreatedDeposit>('/v1/attempt', createdFields, { headers: { 'idempotency-key': key } }).then(withoutLinks),
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
