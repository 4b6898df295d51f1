// The linter of words: what it refuses in Markdown and in code, and that the glossary says the
// same.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bannedWords, widthFaults, wordFaults } from '../check-words.ts'
import { bin, root, run } from '../helpers/run-quietly.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-words-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What textlint says of a page with this text, by the rules of the repository. */
async function linted(text: string): Promise<{ code: number | null; output: string }> {
  const page = join(folder, 'page.md')
  writeFileSync(page, `# Page\n\n${text}\n`)
  return run(bin('textlint'), ['--config', join(root, '.textlintrc.json'), page])
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

test('a sentence of 30 words passes, and one of 31 does not', async () => {
  expect(await linted(`${words(30)}. ${words(30)}.`)).toMatchObject({ code: 0 })
  expect(await linted(`${words(30)}. ${words(31)}.`)).toMatchObject({
    code: 1,
    output: expect.stringContaining('sentence-length'),
  })
})

test('a long cell of a table passes', async () => {
  expect(await linted(`| what |\n| --- |\n| ${words(40)} |`)).toMatchObject({ code: 0 })
})

test('a banned word does not pass in Markdown, but as code it does', async () => {
  expect(await linted('The buyer pays.')).toMatchObject({ code: 1, output: expect.stringContaining('customer') })
  expect(await linted('Not `buyer`.')).toMatchObject({ code: 0 })
})

test('a banned word does not pass in code', () => {
  expect(wordFaults('a.ts', "ok()\n// The Shop's server is told, e.g. once.")).toEqual([
    'a.ts:2 says "shop\'s server": the name of it is "backend".',
    'a.ts:2 says "e.g.": the name of it is "for example".',
  ])
  expect(wordFaults('a.ts', '// At the edge of buyers.')).toEqual([])
})

test('a comment of 100 columns passes, and one of 101 does not', async () => {
  const lint = async (width: number) => {
    const file = join(folder, 'comment.ts')
    writeFileSync(file, `${'// a '.padEnd(width, 'b')}\nexport const one = 1\n`)
    return run(bin('oxlint'), ['--config', join(root, '.oxlintrc.json'), file])
  }
  expect(await lint(100)).toMatchObject({ code: 0 })
  expect(await lint(101)).toMatchObject({ code: 1, output: expect.stringContaining('max-len') })
})

test.each(['# ', '/* ', ' * ', '<!-- ', '  // '])('a wide comment that begins with "%s" does not pass', (start) => {
  expect(widthFaults('a', `${start.padEnd(100, 'b')}\n${'.wide-rule'.padEnd(130, 'b')}`)).toEqual([])
  expect(widthFaults('a', start.padEnd(101, 'b'))).toEqual(['a:1 has a comment of 101 columns: at most 100.'])
})

test('the glossary names each banned word, and bans no other', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const glossary = /## Glossary\n([^]*?)\n## /.exec(page)?.[1] ?? ''
  const inTable = [...glossary.matchAll(/^\|.*\|([^|]*)\|$/gm)].flatMap(([, cell = '']) => cell.match(/`[^`]+`/g) ?? [])
  const inText = /not `e\.g\.` and `i\.e\.`/.test(glossary) ? ['`e.g.`', '`i.e.`'] : []
  const banned = bannedWords().map(([word]) => `\`${word.replaceAll('\\', '')}\``)
  expect([...inTable, ...inText].toSorted()).toEqual(banned.toSorted())
})
