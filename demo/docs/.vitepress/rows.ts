// Each row of a table of names can be linked to and found: a setting, an error code, a metric, an
// event. The name in its first cell is its anchor, and the search knows the row as a section of its
// own.
import type { MarkdownRenderer } from 'vitepress'

/** Pages that are tables of names. */
const PAGES = new Set(['settings.md', 'errors.md', 'metrics.md', 'element.md'])

interface Env {
  readonly relativePath: string
}

/** Gives each row of the pages above the name in its first cell as its anchor. */
export function anchorRows(md: MarkdownRenderer): void {
  md.core.ruler.push('rows-with-anchors', ({ tokens, env }) => {
    if (!PAGES.has((env as Env).relativePath)) return
    // Also those that the page itself names, by `<a id="…">`.
    const named = tokens.flatMap(({ content }) => [...content.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id))
    const taken = new Set<string | null | undefined>([...named, ...tokens.map((token) => token.attrGet('id'))])
    for (const [index, row] of tokens.entries()) {
      const cell = row.type === 'tr_open' ? tokens[index + 2]?.children : undefined
      const name = cell?.find(({ type }) => type === 'code_inline')?.content ?? ''
      if (!/^[\w-]+$/.test(name) || taken.has(name)) continue
      taken.add(name)
      row.attrSet('id', name)
    }
  })
}

/**
 * A page as the search reads it: it splits a page at its headings, so each row with an anchor gets
 * one.
 */
export function searchable(source: string, env: Env, md: MarkdownRenderer): string {
  const page = md.render(source, env)
  const heading = (name: string) => `<h3 id="${name}">${name} <a class="header-anchor" href="#${name}"></a></h3>`
  return page.replaceAll(
    /<tr id="([\w-]+)"|<tr>\s*<td[^>]*><a id="([\w-]+)"/g,
    (row: string, name?: string, code?: string) => `${heading(name ?? code ?? '')}${row}`,
  )
}
