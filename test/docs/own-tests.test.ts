// Runs the documentation's companion and sandbox for a merchant's own tests as they are.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { root, run } from '../helpers/run-quietly.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-own-tests-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a payment succeeds between companion and sandbox in one process, which then ends', async () => {
  const page = readFileSync(join(root, 'demo/docs/sandbox.md'), 'utf8')
  const [, example = ''] = /<!-- own tests -->\s*```js\n([\s\S]*?)\n```/.exec(page) ?? []
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'example.mjs'), example)
  const { code, output } = await run(process.execPath, ['--conditions=hc-source', 'example.mjs'], { cwd: folder })
  expect({ code, output }).toEqual({ code: 0, output: '201 2300\n' })
})
