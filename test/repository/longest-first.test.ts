// What is named to begin first exists, and begins first.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LONG, longestFirst } from '../helpers/longest-first.ts'
import { root } from '../helpers/run-quietly.ts'

it('each file that is named for the beginning exists', () => {
  expect(LONG.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('they begin in their order, and all others keep theirs', () => {
  const ids = ['/a/test/money/time.test.ts', `/a${LONG[1]}`, '/a/test/deposit.test.ts', `/a${LONG[0]}`]
  const sorted = longestFirst(ids.map((moduleId) => ({ moduleId })))
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual([ids[3], ids[1], ids[0], ids[2]])
})
