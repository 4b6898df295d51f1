// Serves the widget's bundles, compressed: an exact build is immutable and has SRI hashes, `v1`
// follows the newest. A file with its build in its name is immutable under each name.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { CompanionError } from '../platform/errors.ts'
import { withEtag } from './http.ts'
import type { Env } from './http.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Best first. On a slow network the uncompressed bundle would take three times as long. */
const encodings = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof encodings)[number]

interface File {
  readonly bytes: Bytes
  readonly hash: string
  readonly type: string
  readonly packed: Map<Encoding, Promise<Bytes>>
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  css: 'text/css; charset=utf-8',
}

/** The widget's bundles as they are built. */
export interface WidgetBundles {
  /** Ends with a slash. */
  readonly folder: URL
  /** As in the package `hc-checkout`. */
  readonly version: string
  /** What tells builds of this version apart. Default: nothing, since there is one. */
  readonly build?: string
}

/** In an address: the name of exactly these files, which a browser may keep for good. */
export const exactName = ({ version, build }: WidgetBundles): string =>
  build === undefined ? version : `${version}-${build}`

const pack: Readonly<Record<Encoding, (bytes: Bytes) => Promise<Bytes>>> = {
  br: async (bytes) => new Uint8Array(await promisify(brotliCompress)(bytes)),
  gzip: async (bytes) => new Uint8Array(await promisify(gzip)(bytes, { level: 9 })),
  identity: async (bytes) => bytes,
}

/** Compresses a file when it is first asked for, so that the first customer waits for it alone. */
function packed(file: File, encoding: Encoding): Promise<Bytes> {
  const known = file.packed.get(encoding)
  if (known !== undefined) return known
  const packing = pack[encoding](file.bytes)
  file.packed.set(encoding, packing)
  packing.catch(() => file.packed.delete(encoding))
  return packing
}

/**
 * `GET /widget/<version>/…` and `/widget/v1/…`. The first request reads all files, so that they are
 * of one build even when the package is replaced while we run.
 */
export function widgetFiles(bundles: WidgetBundles): Hono<Env> {
  const { folder, version } = bundles
  const exact = exactName(bundles)
  let reading: Promise<Map<string, File>> | undefined

  async function read(): Promise<Map<string, File>> {
    const files = new Map<string, File>()
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const type = types[entry.name.slice(entry.name.lastIndexOf('.') + 1)]
      if (!entry.isFile() || type === undefined) continue
      const bytes = new Uint8Array(await readFile(new URL(entry.name, folder)))
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
      files.set(entry.name, { bytes, hash, type, packed: new Map() })
    }
    return files
  }

  const app = new Hono<Env>()
  app.get('/widget/:version/:file', withEtag, async (c) => {
    const wanted = c.req.param('version')
    reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    const known = [version, exact, 'v1'].includes(wanted)
    // A page that pinned what `v1` is today would lose the widget with the next release.
    const isPin = wanted === 'v1' && c.req.param('file') === 'integrity.json'
    const file = known && !isPin ? (await reading).get(c.req.param('file')) : undefined
    if (file === undefined)
      throw new CompanionError('not_found', {
        detail: isPin
          ? `v1 changes with each release, so it has no hashes; see /widget/${exact}/integrity.json.`
          : known
            ? 'There is no such file.'
            : `This companion serves widget ${exact} and v1.`,
      })
    c.header('access-control-allow-origin', '*')
    c.header('cross-origin-resource-policy', 'cross-origin')
    // A package from a clone has the version of the build before: kept for good under it, that
    // build's entry would not fit the new hash of a page that pins it. A browser that still has an
    // older entry of `v1` has the later files that it has used.
    const isExact = wanted === exact || /-[0-9a-f]{8}\.js$/.test(c.req.param('file'))
    c.header('cache-control', isExact ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
    c.header('vary', 'accept-encoding')
    const encoding = accepts(c, {
      header: 'Accept-Encoding',
      supports: [...encodings],
      default: 'identity',
      // Of those that the browser names, ours decides.
      match: (named) =>
        encodings.find((name) => named.some(({ type, q }) => q > 0 && type.toLowerCase() === name)) ?? 'identity',
    }) as Encoding
    // One file in two encodings is two representations, each with its own ETag (RFC 9110, 8.8.3.3).
    const etag = encoding === 'identity' ? `"${file.hash}"` : `"${file.hash}-${encoding}"`
    c.header('etag', etag)
    if (encoding !== 'identity') c.header('content-encoding', encoding)
    return c.body(await packed(file, encoding), 200, { 'content-type': file.type })
  })
  return app
}
