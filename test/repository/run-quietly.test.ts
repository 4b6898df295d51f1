// The tools and suites run alike on every machine, whatever is set on it.
import { afterEach, expect, it, vi } from 'vitest'
import { run } from '../helpers/run-quietly.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('settings of a companion on this machine reach no program of the tests, but for what a test gives it', async () => {
  vi.stubEnv('HC_MODE', 'sessions')
  vi.stubEnv('HC_SECRET_FILE', '/run/secrets/hc')
  vi.stubEnv('HC_PORT', '1')
  vi.stubEnv('HC_FUZZ_SEED', '7')
  const program = 'const { HC_MODE, HC_SECRET_FILE, HC_PORT, HC_FUZZ_SEED } = process.env'
  const args = ['-e', `${program}; console.log(HC_MODE, HC_SECRET_FILE, HC_PORT, HC_FUZZ_SEED)`]
  const { output } = await run(process.execPath, args, { env: { NODE_OPTIONS: '', HC_PORT: '8787' } })
  expect(output).toBe('undefined undefined 8787 7\n')
})
