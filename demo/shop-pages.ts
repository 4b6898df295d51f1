// The shop's pages as Vite built them (demo/app), and the policy that they are sent with.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { ShopEnv } from './shop-request.ts'

export interface PageOptions {
  /** Folder of the build: pages, `assets/` and `policy.json`. */
  readonly folder: string
  readonly companionUrl: string
}

/** The pages by their names, and their files. */
export function shopPages({ folder, companionUrl }: PageOptions): Hono<ShopEnv> {
  const app = new Hono<ShopEnv>()
  const page = (name: string): string =>
    readFileSync(join(folder, name), 'utf8').replaceAll('{{companion}}', companionUrl)
  const [shop, playground] = [page('index.html'), page('playground.html')]
  const withNonce = (html: string) => (context: Context<ShopEnv>) =>
    context.html(html.replace('{{nonce}}', context.get('nonce')))
  app.get('/', withNonce(shop))
  app.get('/playground.html', withNonce(playground))
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
 * Sends each answer with the policy that a page with the widget needs (demo/docs/security.md): the
 * companion as source of scripts and connections. The hashes are of the small scripts by which the
 * build chooses between its files for new browsers and for old ones. One of them imports a `data:`
 * module, to see whether the browser knows `import.meta.resolve`. The nonce lets the card have its
 * looks in browsers where Lit must write them into the page.
 */
export function contentSecurityPolicy({ folder, companionUrl }: PageOptions): MiddlewareHandler<ShopEnv> {
  const hashes = JSON.parse(readFileSync(join(folder, 'policy.json'), 'utf8')) as readonly string[]
  const scripts = `script-src 'self' ${companionUrl} data: ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')}`
  return function send(context, next) {
    const nonce = randomBytes(16).toString('base64url')
    context.set('nonce', nonce)
    const rules = [
      "default-src 'none'",
      scripts,
      `connect-src 'self' ${companionUrl}`,
      `style-src 'self' 'nonce-${nonce}'`,
      `img-src 'self' ${companionUrl}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]
    context.header('Content-Security-Policy', rules.join('; '))
    return next()
  }
}
