// Files of the repository that a page links to. On GitHub such a link opens the file; the site has
// a page for each.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const FOLDER = 'demo/docs'

/**
 * Address of the page of a file: `server/deploy/nginx.conf` is at
 * `/files/server-deploy-nginx-conf`.
 */
const slugOf = (path: string): string => path.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()

/** The links of a Markdown text, without what is in blocks of code. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '')
  return [...prose.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g)].map(([, link = '']) => link)
}

const isFolder = (path: string) => existsSync(join(root, path)) && statSync(join(root, path)).isDirectory()

/** What a link in `from` leads to, from the root; a folder that has a README stands for that. */
function targetOf(from: string, link: string): string {
  const path = posix.join(posix.dirname(from), link).replace(/\/$/, '')
  const readme = posix.join(path, 'README.md')
  return isFolder(path) && existsSync(join(root, readme)) ? readme : path
}

/** Shown where it stands. */
const isPicture = (path: string) => path.endsWith('.png')
const isPage = (path: string) => path.startsWith(`${FOLDER}/`) && path.endsWith('.md')

/**
 * Every file outside the documentation that its pages, or the Markdown that they lead to, link to.
 */
export function linkedFiles(): { readonly slug: string; readonly path: string; readonly content: string }[] {
  const found = new Set<string>()
  const waiting = globSync(`${FOLDER}/**/*.md`, { cwd: root, exclude: [`${FOLDER}/files/**`] })
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    for (const link of linksOf(pageOf(page))) {
      const path = targetOf(page, link)
      if (isPage(path) || isPicture(path) || found.has(path) || !existsSync(join(root, path))) continue
      found.add(path)
      if (path.endsWith('.md') || isFolder(path)) waiting.push(path)
    }
  }
  return [...found].toSorted().map((path) => ({ slug: slugOf(path), path, content: pageOf(path) }))
}

const languages: Readonly<Record<string, string>> = {
  '.conf': 'nginx',
  '.service': 'ini',
  '.timer': 'ini',
  '.example': 'ini',
}

/** A file as a page: Markdown as it is, code in a block, a folder as the list of its files. */
function pageOf(path: string): string {
  if (isFolder(path)) {
    const files = globSync('**/*', { cwd: join(root, path), exclude: ['**/node_modules/**', '**/dist/**'] })
    const list = files.filter((file) => !isFolder(posix.join(path, file))).toSorted()
    return [`# ${path}`, ...list.map((file) => `- [${file}](${posix.basename(path)}/${file})`)].join('\n\n')
  }
  const text = readFileSync(join(root, path), 'utf8')
  if (path.endsWith('.md')) return text
  const extension = extname(path)
  const language = languages[extension] ?? (extension === '' ? 'docker' : extension.slice(1))
  return `# ${path}\n\n\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\`\n`
}

/**
 * Where the site has what a page links to.
 *
 * @param page path of the page within the documentation, as VitePress knows it
 * @returns the address within the site, or undefined where the link can stay as it is.
 */
export function addressOf(page: string, link: string, files: ReturnType<typeof linkedFiles>): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/.test(link)) return undefined
  const own = files.find(({ slug }) => page === `files/${slug}.md`)?.path ?? `${FOLDER}/${page}`
  const [path = '', section] = link.split('#')
  const target = targetOf(own, path)
  const hash = section === undefined ? '' : `#${section}`
  if (isPage(target)) return `/${target.slice(FOLDER.length + 1)}${hash}`
  const file = files.find((one) => one.path === target)
  // An address that does not exist: the build ends with it, as a dead link.
  return file === undefined ? `/files/${slugOf(target)}` : `/files/${file.slug}${hash}`
}
