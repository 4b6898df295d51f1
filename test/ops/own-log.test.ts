// The log that a companion opened from the environment writes by itself: without any secret of its
// settings, and to its last line at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openCompanion } from '../../server/open-companion.ts'
import { environment, keys } from '../helpers/create-test-system.ts'

const output = vi.hoisted(() => ({ waiting: [] as string[], written: '' }))
vi.mock('../../server/platform/logging/log-output.ts', () => ({
  standardOutput: () => ({
    write: (line: string) => void output.waiting.push(line),
    flushSync: () => void (output.written += output.waiting.splice(0).join('')),
  }),
}))

it('has no secret in it, wherever one is quoted, and is written to its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-log-'))
  const settings = { ...environment(folder), HC_OPS_TOKEN: 'ot_canary_c0ffee00c0ffee00c0ffee00', HC_OPS_TOKN: 'x' }
  const { logger, close } = await openCompanion(settings, {
    widget: { folder: new URL('./', import.meta.url), version: '1.2.3' },
  })
  const secrets = [keys.consumerKey, keys.consumerSecret, keys.merchantKey, keys.secret, settings.HC_OPS_TOKEN]
  logger.info({ said: `quoted: ${secrets.join(' ')}` }, 'an answer of somebody')
  await Promise.all([close(), close()])
  for (const secret of secrets) expect(output.written).not.toContain(secret)
  const lines = output.written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string; msg: string; name?: string })
  expect(lines.filter(({ level }) => level === 'warn').map(({ name }) => name)).toEqual(['HC_OPS_TOKN'])
  expect(lines.filter(({ level }) => level === 'info').map(({ msg }) => msg)).toEqual([
    'an answer of somebody',
    'companion has stopped; all acknowledged work is on disk',
  ])
  rmSync(folder, { recursive: true })
})
