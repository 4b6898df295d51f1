// Fails on a word in the code that the glossary of CONTRIBUTING.md bans. The list is that of
// textlint, in .textlintrc.json, which checks the same in Markdown.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface TextlintRules {
  readonly rules: { readonly terminology: { readonly terms: readonly (readonly [banned: string, instead: string])[] } }
}

const root = dirname(import.meta.dirname)

/** Each banned word, with the one to use instead. */
export function bannedWords(): readonly (readonly [banned: string, instead: string])[] {
  const text = readFileSync(join(root, '.textlintrc.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')
  return (JSON.parse(text) as TextlintRules).rules.terminology.terms
}

/** One sentence for each banned word of a file, with its line. */
export function wordFaults(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    bannedWords()
      .filter(([banned]) => new RegExp(`(?<!\\w)(?:${banned})(?!\\w)`, 'i').test(line))
      .map(
        ([banned, instead]) =>
          `${path}:${index + 1} says "${banned.replaceAll('\\', '')}": the name of it is "${instead}".`,
      ),
  )
}

if (import.meta.main) {
  const files = globSync('{*,{widget,server,demo,test}/**/*}.{ts,js,css,html}', {
    cwd: root,
    exclude: ['**/dist/**', '**/node_modules/**', 'test/check-words.ts', 'test/repository/words.test.ts'],
  })
  const faults = files.flatMap((path) => wordFaults(path, readFileSync(join(root, path), 'utf8')))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exit(1)
  console.log(`${files.length} files use the words of the glossary.`)
}
