// The documentation matches the code: its tables are generated from it, and every setting and error it names exists.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DepositPhase } from '../../server/contract/index.ts'
import { problems } from '../../server/contract/problem.ts'
import { statusOf } from '../../server/deposits/deposit.ts'
import { settingsTable } from '../../server/settings-table.ts'
import { blocks, readBlock } from '../helpers/docs-tables.ts'

const root = join(import.meta.dirname, '../..')
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('demo/docs/*.md', { cwd: root })]

/** Cells are compared, not the spaces that a formatter puts between them. */
const cells = (text = '') =>
  text.split('\n').map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/^-+$/, '---')))

test.each(blocks.map((block) => [block.name, block] as const))(
  'the table of %s is the code’s own (else: npm run docs)',
  (_, { file, name, text }) => {
    expect(cells(readBlock(file, name))).toEqual(cells(text()))
  },
)

/** What the tests themselves read, such as how many forgeries to send. */
function settingsOfTests(): string[] {
  return globSync('test/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/process\.env(?:\['|\.)(HC_[A-Z_]+)/g)].map(
      ([, name = '']) => name,
    ),
  )
}

test.each(pages)('%s names only settings that exist', (page) => {
  const known = new Set<string>([
    ...settingsTable.flatMap(({ name }) => [name, `${name}_FILE`]),
    'HC_SANDBOX_PORT',
    'HC_DEMO_PORT',
    'HC_CHROMIUM',
    'HC_DIRECTORY',
    'HC_CONFORMANCE_URL',
    'HC_CONFORMANCE_AUTH_URL',
    ...(page === 'CONTRIBUTING.md' ? settingsOfTests() : []),
  ])
  const named = readFileSync(join(root, page), 'utf8').match(/\bHC_[A-Z_]+\b/g) ?? []
  expect([...new Set(named)].filter((name) => !known.has(name) && !name.endsWith('_'))).toEqual([])
})

test.each(pages)('every link of %s inside the repository leads somewhere', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(
    ([, path = '']) => path,
  )
  const missing = links.filter((path) => globSync(join(page, '..', path), { cwd: root }).length === 0)
  expect(missing).toEqual([])
})

test('every error code that the error page explains exists', () => {
  const explained = [...readFileSync(join(root, 'demo/docs/errors.md'), 'utf8').matchAll(/^\*\*`([a-z_]+)`\*\*/gm)].map(
    ([, code]) => code,
  )
  expect(explained.length).toBeGreaterThan(5)
  expect(explained.filter((code) => code === undefined || !(code in problems))).toEqual([])
})

test('every phase of a payment is explained, with its status', () => {
  const page = readFileSync(join(root, 'demo/docs/integrate.md'), 'utf8')
  const explained = [...page.matchAll(/^\| `([a-z]+)` +\| `([A-Z]+)` +\|/gm)].map(([, ...pair]) => pair.join(' '))
  expect(new Set(explained)).toEqual(new Set(DepositPhase.options.map((phase) => `${phase} ${statusOf(phase)}`)))
})
