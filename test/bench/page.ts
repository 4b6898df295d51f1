// Writes the results of a run into demo/docs/scale.md, between two markers, so that the page has
// only measured figures.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

const PAGE = fileURLToPath(new URL('../../demo/docs/scale.md', import.meta.url))
const FORMATTER = fileURLToPath(new URL('../../node_modules/oxfmt/bin/oxfmt', import.meta.url))
const [BEGIN, END] = ['<!-- measured -->', '<!-- /measured -->']

/** @param lines a header and rows, as printed at the end of a run */
export function writePage(lines: readonly (readonly string[])[], command: string): void {
  const text = readFileSync(PAGE, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin === -1 || end < begin) throw new Error(`${PAGE} has lost its marks ${BEGIN} and ${END}.`)
  const [head = [], ...rows] = lines
  const row = (cells: readonly string[]) => `| ${cells.map((cell) => (cell === '' ? ' ' : cell)).join(' | ')} |`
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`
  const table = [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
  const measured = `${BEGIN}\n\n\`${command}\` on ${machine}:\n\n${table}\n\n`
  writeFileSync(PAGE, text.slice(0, begin) + measured + text.slice(end))
  execFileSync(process.execPath, [FORMATTER, PAGE], { stdio: 'ignore' })
}
