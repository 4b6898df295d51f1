// CSV text as lines of cells. A quote in the wrong place is refused: it could make one cell of many
// lines.
import { CsvError, type Info, parse } from 'csv-parse/sync'
import { StatementError } from './statement-error.ts'

export interface CsvLine {
  readonly cells: readonly string[]
  /** Line in the file, the first being 1. */
  readonly line: number
}

/** A record with the options `info` and `raw`, which the types of csv-parse leave out. */
interface Parsed {
  readonly record: string[]
  readonly info: Info
  readonly raw: string
}

/**
 * RFC 4180 with comma, semicolon or tab: the one that a first line `sep=;` declares (Excel writes
 * it), else the most frequent one in the header. Lines may end with CR, LF or both. Lines without
 * any text are left out.
 *
 * @throws StatementError for a quote in the wrong place.
 */
export function parseCsv(written: string): CsvLine[] {
  // One kind of line end: csv-parse takes the first kind that it meets for all lines.
  const lines = written.replaceAll(/\r\n?/g, '\n')
  const declared = /^"?sep=([,;\t])"?\n/i.exec(lines)
  // Portals mark cells as text for a spreadsheet by `="…"`. To CSV this quote is in the wrong
  // place.
  const text = lines.slice(declared?.[0].length ?? 0).replaceAll(/(^|[,;\t])="(?!")/gm, '$1"')
  const head = text.split('\n', 1)[0] ?? ''
  const delimiter =
    declared?.[1] ?? [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!
  const linesAbove = declared === null ? 0 : 1
  try {
    const records = parse(text, {
      delimiter,
      recordDelimiter: '\n',
      info: true,
      raw: true,
      relaxColumnCount: true,
      rtrim: true,
    }) as unknown as Parsed[]
    return records
      .map(({ record, info, raw }) => ({
        cells: record,
        // csv-parse counts to the end of the record, and quotes may hold line ends.
        line: info.lines - (raw.trimEnd().split('\n').length - 1) + linesAbove,
      }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') throw new StatementError('cut_off')
    throw new StatementError('text_beside_quotes', { line: String(Number(error['lines']) + linesAbove) })
  }
}
