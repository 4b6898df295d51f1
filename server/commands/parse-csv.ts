// CSV text as lines of cells. A quote in the wrong place is refused: it could make one cell of many lines.
import { UsageError } from './io.ts'

export interface CsvLine {
  readonly cells: readonly string[]
  /** Line in the file, the first being 1. */
  readonly line: number
}

/**
 * RFC 4180 with comma, semicolon or tab: the one that a first line `sep=;` declares (Excel writes it), else the most frequent in the header. Lines
 * may end with CR, LF or both.
 */
export function parseCsv(written: string): CsvLine[] {
  const lines = written.replaceAll(/\r\n?/g, '\n')
  const declared = /^"?sep=([,;\t])"?\n/i.exec(lines)
  const text = lines.slice(declared?.[0].length ?? 0)
  const head = text.split('\n', 1)[0] ?? ''
  const delimiter =
    declared?.[1] ?? [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!
  const rows: CsvLine[] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  /** The quotes around the cell are closed. */
  let closed = false
  let line = declared === null ? 1 : 2
  let startedAt = line
  const endRow = (): void => {
    cells.push(cell)
    if (cells.some((content) => content.trim() !== '')) rows.push({ cells, line: startedAt })
    cells = []
    cell = ''
    closed = false
    startedAt = line + 1
  }
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (quoted) {
      if (character !== '"') cell += character
      else if (text[i + 1] === '"') cell += text[++i]
      else {
        quoted = false
        closed = true
      }
    } else if (character === '"' && cell === '') quoted = true
    else if (character === delimiter) {
      cells.push(cell)
      cell = ''
      closed = false
    } else if (character === '\n') endRow()
    else {
      // The quotes that closed it may belong to another cell, lines below the one that opened them.
      if (closed && character.trim() !== '')
        throw new UsageError(
          `Line ${line}: text follows the quotes around a cell; a quote within a cell is written twice.`,
        )
      cell += character
    }
    if (character === '\n') line++
  }
  if (quoted) throw new UsageError('The statement ends inside quotes: it was cut off.')
  endRow()
  return rows
}
