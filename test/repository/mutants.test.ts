// What is mutated is there, and what may survive is still a mutant: the program that mutates takes hours, and is not part of a test run.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'
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
