// `npm run check` reports an unknown step.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, run } from '../helpers/run-quietly.ts'

test('a misspelt step is an error that names the steps there are, not a green check of nothing', async () => {
  const { code, output } = await run(process.execPath, ['--conditions=hc-source', join(root, 'test/check.ts'), 'lnit'])
  expect(code).toBe(1)
  expect(output).toMatch(/There is no step lnit\. There are: format, lint, prose, words, types/)
})
