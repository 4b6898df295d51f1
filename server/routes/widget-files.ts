// The widget's bundles: an exact version is immutable and has SRI hashes, `v1` follows the newest (DESIGN.md).
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import { CompanionError } from '../errors.ts'
import type { Env } from './http.ts'

interface File {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  css: 'text/css; charset=utf-8',
}

/**
 * `GET /widget/<version>/…` and `GET /widget/v1/…`.
 * @param folder where the built bundles are; read once, at the first request
 */
export function widgetFiles(folder: URL, version: string): Hono<Env> {
  let reading: Promise<Map<string, File>> | undefined

  async function read(): Promise<Map<string, File>> {
    const files = new Map<string, File>()
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = new Uint8Array(await readFile(new URL(entry.name, folder)))
      const type = types[entry.name.slice(entry.name.lastIndexOf('.') + 1)]
      if (type !== undefined)
        files.set(entry.name, {
          bytes,
          type,
          etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
        })
    }
    return files
  }

  const app = new Hono<Env>()
  app.get('/widget/:version/:file', async (c) => {
    const wanted = c.req.param('version')
    reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    const known = wanted === version || wanted === 'v1'
    const file = known ? (await reading).get(c.req.param('file')) : undefined
    if (file === undefined)
      throw new CompanionError('not_found', {
        detail: known ? 'There is no such file.' : `This companion serves widget ${version} and v1.`,
      })
    c.header('access-control-allow-origin', '*')
    c.header('cross-origin-resource-policy', 'cross-origin')
    c.header('cache-control', wanted === 'v1' ? 'public, max-age=300' : 'public, max-age=31536000, immutable')
    c.header('etag', file.etag)
    if (c.req.header('if-none-match') === file.etag) return c.body(null, 304)
    return c.body(file.bytes, 200, { 'content-type': file.type })
  })
  return app
}
