// What CONTRIBUTING.md promises of every file: its first comment says what it is for, and in a long
// one why it is long.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) }).map((path) => ({
    path,
    lines: readFileSync(root + path, 'utf8').split('\n'),
  }))

test('every file says first what it is for', () => {
  const files = read('{widget,server,demo,test}/**/*.ts')
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter(({ lines: [first = ''] }) => !/^(\/\/|\/\*|#!)/.test(first)).map(({ path }) => path)).toEqual([])
})

test('a file of 400 lines says why it is that long', () => {
  for (const { path, lines } of read('{widget,server,demo}/**/*.ts').filter(({ lines: { length } }) => length > 400)) {
    const comment = lines
      .slice(
        0,
        lines.findIndex((line) => !line.startsWith('//')),
      )
      .join(' ')
    expect([path, /\blong\b|four hundred/i.test(comment)]).toEqual([path, true])
  }
})
