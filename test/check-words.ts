// Fails on a word in the code that the glossary of CONTRIBUTING.md bans, and on a wide comment. The
// list of words is that of textlint, in .textlintrc.json, which checks them in Markdown.
import { globSync, readFileSync, statSync } from 'node:fs'
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

const WIDEST_COMMENT = 100
/** A private member begins with the sign of a comment, too. */
const COMMENT = /^\s*(?:#(?!\w)|\/\/|\/\*|\* |<!--)/

/**
 * One sentence for each comment line that is too wide. The linter of code reads neither the styles
 * in a template nor its own directives, and not every file.
 */
export function widthFaults(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > WIDEST_COMMENT && COMMENT.test(line)
        ? [`${path}:${index + 1} has a comment of ${line.length} columns: at most ${WIDEST_COMMENT}.`]
        : [],
    )
}

if (import.meta.main) {
  const files = globSync('{*,{widget,server,demo,test}/**/*}.{ts,js,css,html}', {
    cwd: root,
    exclude: ['**/dist/**', '**/node_modules/**', 'test/check-words.ts', 'test/repository/words.test.ts'],
  })
  const faults = files.flatMap((path) => wordFaults(path, readFileSync(join(root, path), 'utf8')))
  const commented = globSync(
    ['.ci/*', 'server/deploy/*', '{widget,server,demo,test}/**/*.{css,html,ts,tsx,js,mjs,vue,svelte,py,php}'],
    { cwd: root, exclude: ['**/dist/**', '**/node_modules/**', 'server/deploy/{secrets,certificates}/**'] },
  ).filter((path) => statSync(join(root, path)).isFile())
  faults.push(...commented.flatMap((path) => widthFaults(path, readFileSync(join(root, path), 'utf8'))))
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exit(1)
  console.log(`${files.length} files use the words of the glossary.`)
}
