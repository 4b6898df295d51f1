// A companion in somebody's bundle cannot find the widget's files beside it: payments go on, and
// the log says what is missing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { openCompanion } from '../../server/open-companion.ts'
import { COMPANION_URL, environment } from '../helpers/create-test-system.ts'

vi.mock('node:fs', async (real) => ({
  ...(await real<typeof import('node:fs')>()),
  existsSync: () => false,
}))

it('without the widget’s files /widget answers 404, the log says why, and the rest answers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-no-widget-'))
  const said: string[] = []
  const logger = { ...silentLogger, warn: (_: object, what?: string) => void said.push(String(what)) }
  const { companion, close } = await openCompanion(environment(folder), { logger })
  const absent = await companion.app.request(`${COMPANION_URL}/widget/v1/hc-checkout.js`)
  expect(absent.status).toBe(404)
  expect(await absent.json()).toMatchObject({ detail: expect.stringContaining('hc-checkout are not here: install it') })
  expect((await companion.app.request(`${COMPANION_URL}/v1/markets`)).status).toBe(200)
  expect(said.join()).toMatch(/hc-checkout were not found: .*Install hc-checkout beside hc-checkout-server/)
  await close()
  rmSync(folder, { recursive: true })
})
