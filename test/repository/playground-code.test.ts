// The playground: its code in PHP, run by the interpreter where there is one, and its words in each
// of its languages. The other ways of a page are compiled by test/check-examples.ts.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { samples } from '../../demo/app/playground/code.ts'
import { playgroundWords } from '../../demo/app/words/playground.ts'
import { describedElement } from '../helpers/docs-element.ts'

const isHere = spawnSync('php', ['--version']).status === 0

it.skipIf(!isHere)('its PHP writes what was typed as it was typed, and runs none of it', () => {
  const typed = `O'Neill "& <?php echo 6 * 7 ?> {$x} </style>`
  const pairs = (name: string) => [[name, typed]] as const
  const code = samples['PHP']?.({ attributes: pairs('payer-name'), tokens: pairs('--hc-font'), texts: pairs('name') })
  const folder = mkdtempSync(join(tmpdir(), 'hc-php-'))
  writeFileSync(join(folder, 'page.php'), code ?? '')
  const env = { ...process.env, HC_COMPANION: 'https://pay.test/?a&b' }
  const { status, stdout, stderr } = spawnSync('php', [join(folder, 'page.php')], { env, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(status, stdout + stderr).toBe(0)
  const [, companion, name] = /<hc-checkout companion="([^"]*)" payer-name="([^"]*)"><\/hc-checkout>/.exec(stdout) ?? []
  const read = (text = '') =>
    text
      .replaceAll('&#123;', '{')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  expect(read(companion)).toBe('https://pay.test/?a&b')
  expect(read(name)).toBe(typed)
  expect(stdout.match(/<\/style>/g)).toHaveLength(1)
  const [, texts = ''] = /\.texts = ([^]*?)\n<\/script>/.exec(stdout) ?? []
  expect(JSON.parse(texts)).toEqual({ name: typed })
  expect(stdout).not.toContain('42')
})

it.each(['fr', 'sw'])('it says in %s what each attribute and each token is for', async (language) => {
  const { element } = await describedElement()
  const elsewhere = ['companion', 'session', 'deposit', 'name', 'return-url']
  const names = [...element.attributes, ...element.cssProperties].map(({ name }) => name)
  expect(names.length).toBeGreaterThan(20)
  const own = playgroundWords[language] ?? {}
  expect(names.filter((name) => !elsewhere.includes(name) && own[name] === undefined)).toEqual([])
  // And none for a name that is no more, in the words of English either.
  const known = new Set([...Object.keys(playgroundWords['en'] ?? {}), ...names])
  expect(Object.keys(own).filter((name) => !known.has(name))).toEqual([])
  expect(Object.keys(playgroundWords['en'] ?? {}).filter((key) => own[key] === undefined)).toEqual([])
})
