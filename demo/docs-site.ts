// The documentation beside the shop, under /docs/: built once, and again when a page, a file that
// it shows, or the generator changes.
import { hash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { linkedFiles } from './docs/.vitepress/repository-files.ts'
import { npm, stampOf } from './widget-bundle.ts'

const root = join(import.meta.dirname, '..')
export const docsFolder = join(root, 'dist/docs')
const stampFile = join(docsFolder, '.built-from')

/** All pages, and what turns them into a site. */
function sources(): string[] {
  return globSync(['demo/docs/**/*', 'demo/docs/.vitepress/**/*', 'CONTRIBUTING.md', 'package-lock.json'], {
    cwd: root,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Changes with the content of any page, and of any file of the repository that the site shows. */
export function docsStamp(): string {
  return hash('sha256', `${stampOf(sources())} ${JSON.stringify(linkedFiles())}`)
}

/** True if `dist/docs` was built from the pages as they are. */
function docsAreFresh(): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === docsStamp()
}

/**
 * Builds the site unless it is fresh.
 *
 * @throws BuildError if the build fails, for example because of a link that leads nowhere.
 */
export async function buildDocsIfStale(): Promise<void> {
  if (docsAreFresh()) return
  const made = docsStamp()
  await npm('documentation', ['run', '--silent', 'docs:build'])
  writeFileSync(stampFile, made)
}

/**
 * VitePress sets the theme by a script in the page, before anything is drawn; nothing comes from
 * elsewhere.
 */
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export type DocsState = 'being built' | 'built' | 'not built'

/** The page in the place of each page while there is no site; it looks again by itself. */
function placeholder(state: DocsState): string {
  const said =
    state === 'being built'
      ? 'This takes about 20 seconds after the first start, and after a change. The page then comes by itself.'
      : 'The terminal in which you started the shop says why.'
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta http-equiv="refresh" content="2" />
    <meta name="color-scheme" content="light dark" />
    <title>hc-checkout documentation</title>
  </head>
  <body>
    <main>
      <h1>The documentation is ${state}</h1>
      <p>${said}</p>
    </main>
  </body>
</html>
`
}

/** Serves the site, under /docs/. */
export function docsSite(state: () => DocsState = () => 'built', folder = docsFolder): Hono {
  mkdirSync(folder, { recursive: true })
  const app = new Hono()
  app.use('/docs/*', compress())
  app.use('/docs/*', async (context, next) => {
    context.header('Content-Security-Policy', contentSecurityPolicy)
    context.header('X-Content-Type-Options', 'nosniff')
    return state() === 'built' ? next() : context.html(placeholder(state()), 503, { 'Retry-After': '2' })
  })
  app.get('/docs', (context) => context.redirect('/docs/'))
  app.use(
    '/docs/*',
    serveStatic({
      root: folder,
      rewriteRequestPath: (path) => fileOf(path.replace(/^\/docs\//, '/')),
      // The files of a build are named by their content.
      onFound: (path, context) =>
        context.header('Cache-Control', path.includes('/assets/') ? 'max-age=31536000, immutable' : 'no-cache'),
    }),
  )
  app.get('/docs/*', (context) => context.html(readFileSync(join(folder, '404.html'), 'utf8'), 404))
  return app
}

/** `/errors` is the page `errors.html`. */
const fileOf = (page: string): string => (page.endsWith('/') || /\.[a-z0-9]+$/.test(page) ? page : `${page}.html`)
