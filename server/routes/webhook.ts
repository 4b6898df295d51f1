// The service's door: raw bytes in, durable, then 200 (money rule 2).
import { Hono } from 'hono'
import type { Callbacks } from '../deposits/callbacks.ts'
import { CompanionError } from '../errors.ts'
import { readBytes } from './http.ts'
import type { Env } from './http.ts'

const MOST_BYTES = 16 * 1024

/**
 * `POST /v1/webhook/:key`, the result_url of one deposit.
 * @param onGenuine told after each callback that was written down
 * @param isAllowed optional address list (HC_WEBHOOK_ALLOW), a third layer that replaces none of the others
 */
export function webhookRoutes(
  callbacks: Callbacks,
  onGenuine: () => void,
  isAllowed: (address: string) => boolean,
): Hono<Env> {
  const app = new Hono<Env>()
  app.post('/webhook/:key', async (c) => {
    if (!isAllowed(c.get('address')))
      throw new CompanionError('forbidden_address', { detail: 'This address is not in HC_WEBHOOK_ALLOW.' })
    const raw = await readBytes(c.req.raw, MOST_BYTES)
    try {
      await callbacks.receive(c.req.param('key'), raw)
    } catch (error) {
      if (error instanceof CompanionError && error.code === 'webhook_refused') throw error
      // Not durable: the service shall come again.
      throw new CompanionError('store_unavailable', {
        detail: 'Not written down; send it again.',
        retryAfter: 5,
        cause: error,
      })
    }
    onGenuine()
    return c.json({ received: true })
  })
  return app
}
