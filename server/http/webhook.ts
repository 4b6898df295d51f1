// The webhook of the payment service: stores the raw bytes durably, then answers 200 (money rule
// 2).
import { Hono } from 'hono'
import type { Callbacks } from '../deposits/settle/callbacks.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from './http.ts'
import { readBytes } from './read-request.ts'

const MOST_BYTES = 16 * 1024

/**
 * `POST /v1/webhook/:key`, the result_url of one deposit.
 * @param onGenuine called after each callback that was stored
 * @param isAllowed optional address list (HC_WEBHOOK_ALLOW), a third layer that replaces none of
 *   the others
 */
export function webhookRoutes(
  callbacks: Callbacks,
  onGenuine: () => void,
  isAllowed: (address: string) => boolean,
): Hono<Env> {
  const app = new Hono<Env>()
  // With a slash at its end it is the same address to many programs.
  app.on('POST', ['/webhook/:key', '/webhook/:key/'], async (c) => {
    if (!isAllowed(c.get('address')))
      throw new CompanionError('forbidden_address', { detail: 'This address is not in HC_WEBHOOK_ALLOW.' })
    const raw = await readBytes(c, MOST_BYTES, 'gzip')
    const refusal = await callbacks.receive(c.req.param('key'), raw).catch((cause: unknown) => {
      // Not stored: the service must send it again.
      throw new CompanionError('store_unavailable', {
        detail: 'Not written down; send it again.',
        retryAfter: 5,
        cause,
      })
    })
    if (refusal !== undefined) {
      throw new CompanionError('webhook_refused', {
        detail: 'The callback does not verify for this address. It was not acted upon.',
      })
    }
    onGenuine()
    return c.json({ received: true })
  })
  return app
}
