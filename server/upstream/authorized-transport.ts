// A guarded transport that adds the bearer token to every call: when the service refuses the token, it renews it and resends once.
import type { Login, TokenReading } from './login.ts'
import type { Answered, GuardedTransport } from './guarded-transport.ts'
import { isAddressRefusal, isSignatureRefusal, readRefusal } from './wire.ts'

/** `resent`: this is the answer to a resend, after a 401. */
export type Authorized =
  | { readonly answer: Answered; readonly resent: boolean; readonly noLogin?: never }
  | { readonly noLogin: TokenReading & { ok: false } }

export interface AuthorizedTransport {
  send(url: string, body: string, headers?: Readonly<Record<string, string>>): Promise<Authorized>
  /** True while the service refuses our IP address, for calls or for a login that is needed. */
  addressRefused(): boolean
}

export function createAuthorizedTransport(parts: {
  readonly transport: GuardedTransport
  readonly login: Login
}): AuthorizedTransport {
  const { transport, login } = parts
  let addressRefused = false

  function note(answer: Answered): void {
    if (answer.kind !== 'answer') return
    const { status, text } = answer
    // Looked for first: few answers name it, and all others need not be read twice.
    if (/\bIP address\b/i.test(text) && isAddressRefusal(status, readRefusal(text))) addressRefused = true
    else if (status >= 200 && status < 300) addressRefused = false
  }

  /** A 401 that a new token may fix; it means that nothing was processed (FACTS.md lists no other 401, but for two texts). */
  function isTokenRefusal(answer: Answered): boolean {
    if (answer.kind !== 'answer') return false
    if (answer.status === 401 && !isSignatureRefusal(readRefusal(answer.text))) return true
    login.trust()
    return false
  }

  return {
    async send(url, body, headers = {}) {
      const json = { accept: 'application/json', 'content-type': 'application/json' }
      const sendWith = async (token: string) => {
        const answer = await transport.send({
          url,
          body,
          headers: { ...json, authorization: `Bearer ${token}`, ...headers },
        })
        note(answer)
        return answer
      }
      const before = await login.token()
      if (!before.ok) return { noLogin: before }
      const first = await sendWith(before.token)
      if (!isTokenRefusal(first)) return { answer: first, resent: false }
      const renewed = await login.renew(before.token)
      if (renewed === undefined) return { answer: first, resent: false }
      if (!renewed.ok) return { noLogin: renewed }
      const second = await sendWith(renewed.token)
      if (isTokenRefusal(second)) login.distrust()
      return { answer: second, resent: true }
    },
    addressRefused: () => addressRefused || (!login.hasToken() && login.health().addressRefused),
  }
}
