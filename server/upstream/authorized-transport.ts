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

/** `success: false` under a status of success, for the token. */
function isTokenRefusalInWords(answer: Answered): boolean {
  if (answer.kind !== 'answer' || answer.status < 200 || answer.status > 299) return false
  // Looked for first: few answers have such words, and all others need not be read twice.
  const words = /\b(?:unauthori[sz]ed|unauthenticated|token)\b/i
  return words.test(answer.text) && words.test(readRefusal(answer.text)?.message ?? '')
}

export function createAuthorizedTransport(parts: {
  readonly transport: GuardedTransport
  readonly login: Login
}): AuthorizedTransport {
  const { transport, login } = parts
  let addressRefused = false
  /** The token that has replaced one which was refused in words. */
  let replacement: string | undefined

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
    if (!isTokenRefusalInWords(answer)) login.trust()
    return false
  }

  /**
   * A token that is refused with HTTP 200 is no proof that nothing was processed, so this call is not sent again. But the next one needs another token, or
   * none would be answered for the hour that this one lives.
   */
  async function replace(token: string): Promise<void> {
    const isSecond = token === replacement
    const renewed = await login.renew(token)
    if (renewed?.ok) replacement = renewed.token
    if (isSecond) login.distrust()
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
      if (!isTokenRefusal(first)) {
        if (isTokenRefusalInWords(first)) await replace(before.token)
        return { answer: first, resent: false }
      }
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
