// A table in Markdown, for the pages of the documentation that are printed from the code.

/** Pipes inside cells are escaped; a line break in a text becomes a space. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cellOf = (cell: string) => cell.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
