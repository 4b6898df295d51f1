// The guard by itself: what becomes of the breaker when a call breaks without an outcome.
import { expect, it } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { createGuard } from '../../server/upstream/guard.ts'
import type { Call, Sent } from '../../server/upstream/transport.ts'

it('is not held open for ever by a try that broke without an outcome', async () => {
  let at = 0
  let answer = (): Sent => ({ ok: false, fault: 'reset' })
  const login = { success: true, data: { access_token: 'token-1', token_type: 'bearer', expires_in: 3600 } }
  const isLogin = ({ url }: Call) => url.endsWith('/login')
  const guard = createGuard({
    transport: {
      send: async (call) =>
        isLogin(call) ? { ok: true, status: 200, retryAfter: undefined, text: JSON.stringify(login) } : answer(),
    },
    loginUrl: 'https://login.example/login',
    serviceUrl: 'https://service.example/',
    consumerKey: 'ck',
    consumerSecret: 'cs',
    now: () => at,
    random: (count) => new Uint8Array(count),
    logger: silentLogger,
    hide: (text) => text,
  })
  for (let call = 0; call < 5; call += 1) await guard.send('https://service.example/', '{}')
  expect([guard.health().breaker, guard.isDown()]).toEqual(['open', true])
  at += 750
  answer = () => {
    throw new Error('of a program')
  }
  await expect(guard.send('https://service.example/', '{}')).rejects.toThrow('of a program')
  expect([guard.health().breaker, guard.isDown()]).toEqual(['half_open', false])
})
