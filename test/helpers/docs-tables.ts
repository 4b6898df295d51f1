// Generates the tables of the documentation from the code: settings, errors, what answers mean. `npm run docs` writes them, a test compares them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { problems } from '../../server/contract/problem.ts'
import { aboutSetting, settingsTable } from '../../server/settings/table.ts'
import { DEFAULT_LIMITS } from '../../server/settings/groups.ts'
import { type Asked, meaningOf } from '../../widget/answers.ts'

const docs = join(import.meta.dirname, '../../demo/docs')

/** Each generated block: its file, its name between the markers, and its text. */
export const blocks: readonly { readonly file: string; readonly name: string; readonly text: () => string }[] = [
  { file: 'settings.md', name: 'settings', text: settings },
  { file: 'settings.md', name: 'limits', text: limits },
  { file: 'errors.md', name: 'errors', text: errors },
  { file: 'errors.md', name: 'answers', text: answers },
]

function settings(): string {
  const rows = settingsTable.map((variable) => {
    const kind = ['required' in variable ? 'required' : undefined, 'secret' in variable ? 'secret' : undefined]
      .filter(Boolean)
      .join(', ')
    const fallback = 'fallback' in variable ? variable.fallback : ''
    return [`\`${variable.name}\``, kind, fallback, aboutSetting(variable)]
  })
  return table(['variable', '', 'default', 'what it is'], rows)
}

function limits(): string {
  const rows = Object.entries(DEFAULT_LIMITS).map(([currency, { min, max }]) => [
    currency,
    min.toLocaleString('en-US'),
    max.toLocaleString('en-US'),
  ])
  return table(['currency', 'smallest', 'largest'], rows)
}

function errors(): string {
  const rows = Object.entries(problems).map(([code, { status, title }]) => [`\`${code}\``, String(status), title])
  return table(['code', 'status', 'title'], rows)
}

/** One row for all codes that mean the same to each request; what is the companion's own, and what is not. */
function answers(): string {
  const requests: readonly Asked[] = ['create', 'repeat', 'recover', 'read', 'check', 'events']
  const said = { ask: 'asks again', refused: 'no payment', none: 'no payment, after a minute', forget: 'may forget' }
  const alike = new Map<string, string[]>()
  for (const code of ['network', 'blocked', ...Object.keys(problems)]) {
    const meanings = requests.map((one) => said[meaningOf(one, code)]).join(' | ')
    alike.set(meanings, [...(alike.get(meanings) ?? []), `\`${code}\``])
  }
  const most = Math.max(...[...alike.values()].map(({ length }) => length))
  const rows = [...alike]
    .toSorted(([, a], [, b]) => a.length - b.length)
    .map(([meanings, codes]) => [
      codes.length === most ? 'every other code of the companion' : codes.join(', '),
      ...meanings.split(' | '),
    ])
  return table(['answer', 'first create', 'create, repeated', '`/v1/attempt`', 'read', '"Check now"', 'stream'], rows)
}

/** A Markdown table; pipes inside cells are escaped. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function readBlock(file: string, name: string): string | undefined {
  return marked(name)
    .exec(readFileSync(join(docs, file), 'utf8'))?.[1]
    ?.trim()
}

function marked(name: string): RegExp {
  return new RegExp(`<!-- made from the code: ${name} -->\\n([\\s\\S]*?)<!-- end -->`)
}

if (import.meta.main) {
  for (const { file, name, text } of blocks) {
    const path = join(docs, file)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(
        marked(name),
        () => `<!-- made from the code: ${name} -->\n\n${text()}\n\n<!-- end -->`,
      ),
    )
  }
}
