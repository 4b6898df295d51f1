// What is mutated is there, and what may survive is still a mutant: the program that mutates takes
// hours, and is not part of a test run.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, run } from '../helpers/run-quietly.ts'
import { GROUPS } from '../mutants/groups.ts'
import { mutantsOf } from '../mutants/mutate.ts'

it('the files that are mutated, and their tests, exist', () => {
  const named = GROUPS.flatMap(({ files, tests }) => [...files, ...tests])
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('each mutant that may survive is one of today', () => {
  const explained = JSON.parse(readFileSync(join(root, 'test/mutants/survivors.json'), 'utf8')) as object
  const files = GROUPS.flatMap((group) => group.files)
  const ids = files.flatMap((path) => mutantsOf(path, readFileSync(join(root, path), 'utf8')).map(({ id }) => id))
  expect(Object.keys(explained).filter((id) => !ids.includes(id))).toEqual([])
})

it('a test of a mutant may wait for a deadline, whose timer keeps no process alive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-test-'))
  const file = join(folder, 'deadline.test.ts')
  const wait = `new Promise((settle) => AbortSignal.timeout(50).addEventListener('abort', settle))`
  writeFileSync(file, `import { it } from 'vitest'\nit('waits', async () => void (await ${wait}))\n`)
  const { code, output } = await run(process.execPath, [join(root, 'test/mutants/quick.ts'), file])
  rmSync(folder, { recursive: true, force: true })
  expect({ code, output }).toEqual({ code: 0, output: '1 passed\n' })
})
