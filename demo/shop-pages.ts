// The shop's pages as Vite built them (demo/app), and the policy that they are sent with.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

export interface PageOptions {
  /** Folder of the build: pages, `assets/` and `policy.json`. */
  readonly folder: string
  readonly companionUrl: string
}

/** The pages by their names, and their files. */
export function shopPages({ folder, companionUrl }: PageOptions): Hono {
  const app = new Hono()
  const page = (name: string): string =>
    readFileSync(join(folder, name), 'utf8').replaceAll('{{companion}}', companionUrl)
  const [shop, playground] = [page('index.html'), page('playground.html')]
  app.get('/', (context) => context.html(shop))
  app.get('/playground.html', (context) => context.html(playground))
  app.get('/:picture{[\\w-]+\\.svg}', serveStatic({ root: folder }))
  app.get(
    '/assets/*',
    serveStatic({
      root: folder,
      precompressed: true,
      // The files of a build are named by their content.
      onFound: (_, context) => context.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  )
  return app
}

/**
 * The policy that a page with the widget needs (demo/docs/security.md): the companion as source of
 * scripts and connections. The hashes are of the small scripts by which the build chooses between
 * its files for new browsers and for old ones. One of them imports a `data:` module, to see whether
 * the browser knows `import.meta.resolve`.
 */
export function contentSecurityPolicy({ folder, companionUrl }: PageOptions): string {
  const hashes = JSON.parse(readFileSync(join(folder, 'policy.json'), 'utf8')) as readonly string[]
  return [
    "default-src 'none'",
    `script-src 'self' ${companionUrl} data: ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')}`,
    `connect-src 'self' ${companionUrl}`,
    "style-src 'self'",
    `img-src 'self' ${companionUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
