// Tables of sentences and names are too wide for a phone: there each is a list, and each cell says
// what it is by the head of its column.
import type { MarkdownRenderer } from 'vitepress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Letters that fit beside each other on a phone. */
const FITS = 24

/** Marks head and body of what does not fit as `long`, and each cell with the head above it. */
export function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('cells-with-labels', ({ tokens }) => {
    let start = 0
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') start = index
      if (token.type === 'table_close') label(tokens.slice(start, index))
    }
  })
}

function label(table: readonly Token[]): void {
  const texts = (type: string): string[] =>
    table.flatMap((token, at) => (token.type === type ? [plain(table[at + 1])] : []))
  const heads = texts('th_open')
  const cells = texts('td_open')
  const longest = heads.map((head, column) =>
    Math.max(head.length, ...cells.filter((_, at) => at % heads.length === column).map(({ length }) => length)),
  )
  if (longest.reduce((sum, length) => sum + length, 0) <= FITS) return
  for (const part of table) if (/^(thead|tbody)_open$/.test(part.type)) part.attrSet('class', 'long')
  // Of two columns the second says what the first is: it needs no name.
  if (heads.length === 2) return
  for (const [at, cell] of table.filter(({ type }) => type === 'td_open').entries())
    if (at % heads.length > 0) cell.attrSet('data-label', heads[at % heads.length] ?? '')
}

const plain = (cell: Token | undefined): string =>
  cell?.children?.map(({ type, content }) => (type === 'html_inline' ? '' : content)).join('') ?? ''
