// llms.txt (https://llmstxt.org): the list of pages for programs that read, and each page as it is
// written.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sidebar } from './sidebar.ts'

/** The first paragraph of a page, on one line and without links. */
function summaryOf(text: string): string {
  const paragraph = text.split('\n\n').find((part) => /^[\p{L}`*<"]/u.test(part.trim())) ?? ''
  return paragraph
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** @param base the path under which the site is served, with a slash at both ends */
export function writeLlms(pages: string, out: string, base: string): void {
  const sections = sidebar.map(({ text, items }) => {
    const lines = items.map(({ text: title, link }) => {
      const page = readFileSync(join(pages, `${link}.md`), 'utf8')
      return `- [${title}](${base}${link.slice(1)}.md): ${summaryOf(page)}`
    })
    return [`## ${text}`, ...lines].join('\n')
  })
  const head =
    '# hc-checkout\n\n> A drop-in checkout for mobile money in Africa: one element in the page, one small server beside the shop.'
  writeFileSync(join(out, 'llms.txt'), `${[head, ...sections].join('\n\n')}\n`)
  for (const page of globSync('**/*.md', { cwd: pages, exclude: ['files/**'] })) {
    mkdirSync(dirname(join(out, page)), { recursive: true })
    cpSync(join(pages, page), join(out, page))
  }
}
