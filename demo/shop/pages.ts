// The shop's pages as Vite built them (demo/app), and the headers that they are sent with.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'

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
  const withNonce = (html: string) => (context: Context) =>
    context.html(html.replace('{{nonce}}', context.get('secureHeadersNonce') ?? ''))
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
 * Headers of every answer. Their policy is the one that a page with the widget needs
 * (demo/docs/security.md): the companion as source of scripts and connections. The hashes are of
 * the small scripts by which the build chooses between its files for new browsers and for old ones.
 * One of them imports a `data:` module, to see whether the browser knows `import.meta.resolve`. The
 * nonce is for browsers where Lit writes the card's styles into the page.
 */
export function shopHeaders({ folder, companionUrl }: PageOptions): MiddlewareHandler {
  const hashes = JSON.parse(readFileSync(join(folder, 'policy.json'), 'utf8')) as readonly string[]
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", companionUrl, 'data:', ...hashes.map((hash) => `'sha256-${hash}'`)],
      connectSrc: ["'self'", companionUrl],
      styleSrc: ["'self'", NONCE],
      imgSrc: ["'self'", companionUrl],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: 'strict-origin',
    xContentTypeOptions: true,
    // The companion's pages show the shop's logo.
    crossOriginResourcePolicy: false,
    // It belongs to the proxy that ends TLS.
    strictTransportSecurity: false,
    // `frame-ancestors` says the same, and nothing here needs the others.
    xFrameOptions: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    removePoweredBy: false,
  })
}
