// The Idempotency-Key of requests that the shop itself makes. What the answer holds is guarded
// otherwise, so a key may be any text: an order number will do.
import type { Context } from 'hono'
import { sha256 } from '../deposits/identity.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from './http.ts'

/** @throws CompanionError `idempotency_key_invalid` */
export function keyOfShop(c: Context<Env>): string | undefined {
  const header = c.req.header('idempotency-key')
  if (header === undefined) return undefined
  const key = header.replace(/^"(.*)"$/, '$1')
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new CompanionError('idempotency_key_invalid', {
      detail: 'Use 1 to 255 printable characters without a space, the same ones for each repeat of this request.',
    })
  return key
}

/** The key of an act, with its address and body: with others it is another act. */
export function keyOfAct(c: Context<Env>, body: unknown): string | undefined {
  const key = keyOfShop(c)
  return key === undefined ? undefined : sha256(JSON.stringify([key, c.req.path, body]))
}
