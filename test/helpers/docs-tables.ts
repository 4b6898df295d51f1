// Generates the tables of the documentation from the code: settings, errors. `npm run docs` writes them, a test compares them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { problems } from '../../server/contract/problem.ts'
import { aboutSetting, settingsTable } from '../../server/settings/table.ts'
import { DEFAULT_LIMITS } from '../../server/settings/groups.ts'

const docs = join(import.meta.dirname, '../../demo/docs')

/** Each generated block: its file, its name between the markers, and its text. */
export const blocks: readonly { readonly file: string; readonly name: string; readonly text: () => string }[] = [
  { file: 'settings.md', name: 'settings', text: settings },
  { file: 'settings.md', name: 'limits', text: limits },
  { file: 'errors.md', name: 'errors', text: errors },
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
