// Serving the widget's bundles: compressed as the browser accepts, and the same file in every
// encoding.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompress, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { widgetFiles } from '../../server/http/widget-files.ts'
import { openCompanion } from '../../server/open-companion.ts'
import { COMPANION_URL, environment } from '../helpers/create-test-system.ts'

vi.mock('node:zlib', { spy: true })

const script = `console.log(${JSON.stringify('a payment '.repeat(400))})`
const folder = mkdtempSync(join(tmpdir(), 'hc-widget-files-'))
const app = widgetFiles({ folder: pathToFileURL(`${folder}/`), version: '1.2.3' })

beforeAll(() => writeFileSync(join(folder, 'hc-checkout.js'), script))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function ask(headers: Record<string, string> = {}, version = 'v1'): Promise<Response> {
  return Promise.resolve(app.request(`/widget/${version}/hc-checkout.js`, { headers }))
}
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

it('sends brotli to a browser that reads it, and caches keep the encodings apart', async () => {
  const response = await ask({ 'accept-encoding': 'gzip, deflate, br, zstd' })
  expect(response.headers.get('content-encoding')).toBe('br')
  expect(response.headers.get('vary')).toContain('accept-encoding')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const body = await bytes(response)
  expect(brotliDecompressSync(body).toString()).toBe(script)
  expect(body.length).toBeLessThan(script.length / 4)
})

it('sends gzip where brotli is not named, or refused', async () => {
  for (const wish of ['gzip, deflate', 'gzip;q=0.5, br;q=0', 'GZIP , br; q=0.000']) {
    const response = await ask({ 'accept-encoding': wish })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(await bytes(response)).toString()).toBe(script)
  }
})

it('sends the file as it is to whoever names no encoding that we have', async () => {
  const wishes: Record<string, string>[] = [
    {},
    { 'accept-encoding': 'identity' },
    { 'accept-encoding': 'deflate, zstd' },
  ]
  for (const headers of wishes) {
    const response = await ask(headers)
    expect(response.headers.get('content-encoding')).toBeNull()
    expect((await bytes(response)).toString()).toBe(script)
  }
})

it('answers 304 to the tag of the same encoding, and the whole file to that of another', async () => {
  const tag = (await ask({ 'accept-encoding': 'br' })).headers.get('etag') ?? ''
  expect((await ask({ 'accept-encoding': 'br', 'if-none-match': tag })).status).toBe(304)
  expect((await ask({ 'accept-encoding': 'gzip', 'if-none-match': tag })).status).toBe(200)
  // As a proxy that compresses by itself passes it on, and a cache that holds several.
  for (const held of [`W/${tag}`, `"older", ${tag}`, '*'])
    expect((await ask({ 'accept-encoding': 'br', 'if-none-match': held })).status).toBe(304)
})

it('keeps an exact version for ever and the newest for five minutes, from any origin', async () => {
  expect((await ask({}, '1.2.3')).headers.get('cache-control')).toContain('immutable')
  const newest = await ask()
  expect(newest.headers.get('cache-control')).toBe('public, max-age=300')
  expect(newest.headers.get('access-control-allow-origin')).toBe('*')
})

it('keeps for ever what has its build in its name: who has an older entry has its later files', async () => {
  writeFileSync(join(folder, 'hc-flow-0a1b2c3d.js'), script)
  const files = widgetFiles({ folder: pathToFileURL(`${folder}/`), version: '1.2.3' })
  const later = await files.request('/widget/v1/hc-flow-0a1b2c3d.js')
  expect(later.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

it('gives hashes to pin for an exact version only: those of v1 would lose the page its widget with the next release', async () => {
  writeFileSync(join(folder, 'integrity.json'), '{}')
  const files = widgetFiles({ folder: pathToFileURL(`${folder}/`), version: '1.2.3' })
  files.onError((error) => Response.json({ detail: error.message }, { status: 404 }))
  expect((await files.request('/widget/1.2.3/integrity.json')).status).toBe(200)
  expect((await files.request('/widget/v1/integrity.json')).status).toBe(404)
})

it('compresses a file when it is asked for, once: nobody waits for the others', async () => {
  for (const name of ['hc-flow.js', 'hc-extras.js']) writeFileSync(join(folder, name), script)
  const files = widgetFiles({ folder: pathToFileURL(`${folder}/`), version: '1.2.3' })
  vi.mocked(brotliCompress).mockClear()
  const headers = { 'accept-encoding': 'br' }
  const bodies = [1, 2, 3].map(async () => bytes(await files.request('/widget/v1/hc-flow.js', { headers })))
  for (const body of await Promise.all(bodies)) expect(brotliDecompressSync(body).toString()).toBe(script)
  expect(brotliCompress).toHaveBeenCalledTimes(1)
})

it('tries again where a file could not be compressed', async () => {
  const files = widgetFiles({ folder: pathToFileURL(`${folder}/`), version: '1.2.3' })
  files.onError((error) => Response.json({ detail: error.message }, { status: 500 }))
  const again = () => files.request('/widget/v1/hc-checkout.js', { headers: { 'accept-encoding': 'br' } })
  vi.mocked(brotliCompress).mockImplementationOnce((_bytes: unknown, told: unknown) => {
    ;(told as (error: Error) => void)(new Error('no memory'))
  })
  expect((await again()).status).toBe(500)
  expect(brotliDecompressSync(await bytes(await again())).toString()).toBe(script)
})

it('keeps the files of one build together while a package is replaced', async () => {
  const files = widgetFiles({ folder: pathToFileURL(`${folder}/`), version: '1.2.3' })
  await files.request('/widget/v1/hc-checkout.js')
  writeFileSync(join(folder, 'hc-flow.js'), 'of another build')
  const later = await files.request('/widget/v1/hc-flow.js', { headers: { 'accept-encoding': 'gzip' } })
  expect(gunzipSync(await bytes(later)).toString()).toBe(script)
})

it('names the build on our own pages: a package from a clone has the version of the build before', async () => {
  const files = widgetFiles({ folder: pathToFileURL(`${folder}/`), version: '1.2.3', build: '0a1b2c3d' })
  const kept = async (name: string) =>
    (await files.request(`/widget/${name}/hc-checkout.js`)).headers.get('cache-control')
  expect(await kept('1.2.3-0a1b2c3d')).toContain('immutable')
  // Another build may come under this name: its hash would refuse what a browser had kept for good.
  expect(await kept('1.2.3')).toBe('public, max-age=300')

  const { companion, close } = await openCompanion(environment(folder))
  const page = await (await companion.app.request(`${COMPANION_URL}/pay?country=KE`)).text()
  const [script = ''] = /\/widget\/\d+\.\d+\.\d+-[0-9a-f]{8}\/hc-checkout\.js/.exec(page) ?? []
  const answer = await companion.app.request(`${COMPANION_URL}${script}`)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  const [build = ''] = /[0-9a-f]{8}/.exec(script) ?? []
  expect(await answer.text()).toContain(`-${build}.js`)
  await close()
})
