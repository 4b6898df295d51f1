// Asks the companion: what every request has in common, and what the form needs. The requests of a
// payment are in payment-client.ts.
import type { Banks, Markets, Problem, SessionView } from '../../server/contract/index.ts'
import { CheckoutError } from '../base/checkout-error.ts'

export type CompanionClient = ReturnType<typeof createCompanionClient>

const TIMEOUT_MS = 25_000

/** No answer, half of one, or another one's: the page of a captive portal, a gateway's own JSON. */
const lost = (why: string): never => {
  throw new CheckoutError('network', why)
}

/** Not found during a deployment, timeout of a queue, too early, too many requests. */
const passing = [404, 408, 425, 429]

/**
 * A browser hides from its pages why `fetch` failed. Of another origin it may be a wrong address or
 * a refusal, which only the shop's developer can mend.
 */
function whyLost(root: string): string {
  const here = globalThis.location?.origin
  if (!here || `${root}/`.startsWith(`${here}/`) || !root.includes(':') || !navigator.onLine) return 'No answer.'
  const reason = `its HC_ALLOWED_ORIGINS may lack ${here}, or a script of this page adds a header.`
  return `No answer from ${root}. If it is up and the address right (https, port, path), ${reason}`
}

/**
 * A token that no header can carry is a wrong token, which the companion must get to say so:
 * `fetch` would fail as if there were no network.
 */
export const bearer = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`.replace(/[^ -~]/g, ''),
})

/**
 * Each method rejects with a CheckoutError, after 25 s at the latest, when there is no clear
 * answer.
 * @param root address of the companion, without a slash at its end
 */
export function createCompanionClient(root: string) {
  /**
   * @param fields by which an answer is known to be the companion's
   * @param fits and to be that to this request
   */
  async function json<T>(
    path: string,
    fields: readonly (keyof T)[],
    init?: RequestInit,
    fits?: (answer: T) => boolean,
  ): Promise<T> {
    const controller = globalThis.AbortController && new AbortController()
    const silence = new Promise<undefined>((resolve) =>
      setTimeout(() => {
        resolve(undefined)
        // While one GET is not answered, Chromium holds the next one for the same address back for
        // 20 s.
        controller?.abort()
      }, TIMEOUT_MS),
    )
    // No `cache` option: with one, Chromium sends a preflight before each request, even if it has
    // the answer to the last one.
    const asked = fetch(root + path, { ...init, credentials: 'omit', signal: controller?.signal })
    const response = await Promise.race([asked.catch(() => lost(whyLost(root))), silence])
    if (!response) return lost('No answer.')
    const { ok, status } = response
    const body = ((await Promise.race([response.json(), silence]).catch(() => undefined)) || {}) as T & Problem
    if (ok && fields.every((field) => body[field] !== undefined) && (!fits || fits(body))) return body
    // A gateway may answer in this format, too, and with a code: the type is the companion's alone.
    if (!ok && body.code && body.type === `/problems/${body.code}`)
      throw new CheckoutError(body.code, body.detail, body.issues?.[0]?.path, body.retryAfter)
    const said = `${root + path} was answered ${status}, but not by the companion: `
    // A refusal that is not the companion's is of something in between; what passes by itself is a
    // lost answer.
    if (status >= 400 && status < 500 && !passing.includes(status))
      throw new CheckoutError('blocked', `${said}a firewall or proxy before it refuses the request.`)
    return lost(`${said}is its address right?`)
  }

  return {
    root,
    json,
    markets: () => json<Markets>('/v1/markets', ['markets']),
    banks: (country: string) => json<Banks>(`/v1/banks?country=${country}`, ['banks']),
    // The cache of a service worker may hold the answer about another session. An older companion
    // gives no id.
    session: (token: string) =>
      json<SessionView>(
        '/v1/session',
        ['amount', 'currency', 'orderId'],
        { headers: bearer(token) },
        ({ id }) => !id || token.startsWith(id),
      ),
  }
}
