// The documentation as a site: what can be found in it, where its links lead, what its first view
// weighs, and whether everybody can read it.
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import MiniSearch from 'minisearch'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDocsIfStale, docsFolder, docsSite } from '../../demo/docs-site.ts'
import { problems } from '../../server/contract/problem.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { settingsTable } from '../../server/settings/table.ts'
import { axeFaults } from '../browser/axe.ts'
import { openChromium } from '../browser/customer.ts'
import { type DescribedElement, describedElement } from '../helpers/docs-element.ts'

let pages: readonly string[]
let element: DescribedElement
beforeAll(async () => {
  await buildDocsIfStale()
  pages = globSync('**/*.html', { cwd: docsFolder }).toSorted()
  element = (await describedElement()).element
})

const html = (page: string) => readFileSync(join(docsFolder, page), 'utf8')

describe('the search', () => {
  let find: (text: string) => readonly string[]
  beforeAll(async () => {
    const [chunk = ''] = globSync('assets/chunks/@localSearchIndexroot*.js', { cwd: docsFolder })
    const { default: index } = (await import(pathToFileURL(join(docsFolder, chunk)).href)) as { default: string }
    // As VitePress's search box opens it, with the settings of demo/docs/.vitepress/config.ts.
    const search = MiniSearch.loadJSON(index, {
      fields: ['title', 'titles', 'text'],
      storeFields: ['title', 'titles'],
      searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, combineWith: 'AND' },
    })
    find = (text) => search.search(text).map(({ id }) => String(id))
  })

  /** Names whose own row is not among the first results. */
  const unfound = (names: readonly string[]) =>
    names.filter(
      (name) =>
        !find(name)
          .slice(0, 5)
          .some((id) => id.endsWith(`#${name}`)),
    )

  test('finds every setting', () => {
    expect(settingsTable.length).toBeGreaterThan(40)
    expect(unfound(settingsTable.map(({ name }) => name))).toEqual([])
  })

  test('finds every error code', () => {
    expect(unfound(Object.keys(problems))).toEqual([])
  })

  test('finds every event, attribute and token of the element', () => {
    const names = [element.events, element.attributes, element.cssProperties].flat().map(({ name }) => name)
    expect(names.length).toBeGreaterThan(30)
    expect(unfound(names)).toEqual([])
  })

  test('finds every metric', async () => {
    const names = [...(await createMetrics().read()).matchAll(/^# HELP (\S+)/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(30)
    expect(unfound(names)).toEqual([])
  })

  test('finds nothing for what no page says', () => {
    expect(unfound(['HC_QQZZXXKK'])).toEqual(['HC_QQZZXXKK'])
  })
})

test('no link of the site leads nowhere, and no anchor is missing', () => {
  const anchors = new Map(
    pages.map((page) => [page, new Set([...html(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  )
  const dead = pages.flatMap((page) =>
    [...html(page).matchAll(/<a [^>]*href="([^"]+)"/g)].flatMap(([, href = '']) => {
      if (/^(https?:|mailto:|http:)/.test(href)) return []
      const { pathname, hash } = new URL(href, `http://docs.example/docs/${page}`)
      const path = pathname.replace(/^\/docs\//, '').replace(/^$|\/$/, '$&index.html')
      const file = /\.[a-z]+$/.test(path) ? path : `${path}.html`
      const ids = anchors.get(file)
      const isThere = ids !== undefined && (hash === '' || ids.has(decodeURIComponent(hash.slice(1))))
      return isThere ? [] : [`${page}: ${href}`]
    }),
  )
  expect(pages.length).toBeGreaterThan(20)
  expect(dead.filter((link) => !link.startsWith('404.html'))).toEqual([])
})

test.each([
  ['receivers.html', 'Node Express PHP Python'],
  ['integrate.html', 'Node PHP Python'],
  ['client.html', 'PHP Python'],
])('%s has its backend code in tabs: %s', (page, labels) => {
  const groups = html(page).split('<div class="vp-code-group').slice(1)
  const shown = groups.map((group) => {
    const [tabs = ''] = group.split('</div>')
    return [...tabs.matchAll(/<label[^>]*>([^<]+)</g)].map(([, label]) => label).join(' ')
  })
  expect(shown).toContain(labels)
})

test('each error code has an anchor in the page of errors', () => {
  const page = html('errors.html')
  expect(Object.keys(problems).filter((code) => !page.includes(`id="${code}"`))).toEqual([])
})

test('llms.txt lists each page of the sidebar, and the site has each as Markdown', () => {
  const listed = [...readFileSync(join(docsFolder, 'llms.txt'), 'utf8').matchAll(/\]\(\/docs\/([\w/-]+\.md)\): \S/g)]
  const own = globSync('**/*.md', { cwd: docsFolder, exclude: ['index.md'] })
  expect(listed.map(([, page = '']) => page).toSorted()).toEqual(own.toSorted())
})

test.each(['index.html', 'start.html'])('the first view of %s is below 100 kB, compressed', (page) => {
  const assets = [...html(page).matchAll(/(?:src|href)="\/docs\/([^"]+\.(?:js|css))"/g)].map(([, file = '']) => file)
  expect(assets.length).toBeGreaterThan(3)
  const bytes = [page, ...assets].map((file) => brotliCompressSync(readFileSync(join(docsFolder, file))).length)
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(100_000)
  expect(html(page)).not.toContain('font/woff')
})

describe('served beside the shop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-docs-'))
  writeFileSync(join(folder, 'errors.html'), 'every code')
  writeFileSync(join(folder, '404.html'), 'no such page')
  afterAll(() => rmSync(folder, { recursive: true }))

  test('while it is built, each page says so and comes again by itself', async () => {
    let state: 'being built' | 'built' = 'being built'
    const site = docsSite(() => state, folder)
    const early = await site.request('/docs/errors')
    expect([early.status, await early.text()]).toEqual([
      503,
      expect.stringMatching(/being built[^]*|http-equiv="refresh"/),
    ])
    state = 'built'
    expect(await (await site.request('/docs/errors')).text()).toBe('every code')
  })

  test('answers a page with or without its ending, and 404 for an unknown one', async () => {
    const site = docsSite(() => 'built', folder)
    const answers = await Promise.all(
      ['errors', 'errors.html', 'nothing'].map(async (page) => site.request(`/docs/${page}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
    expect(await answers[2]?.text()).toBe('no such page')
  })

  test('leaves every other address to the shop', async () => {
    expect((await docsSite(() => 'built', folder).request('/')).status).toBe(404)
    expect((await docsSite(() => 'being built', folder).request('/')).status).toBe(404)
  })
})

describe('in a browser', () => {
  let server: Server
  let browser: Browser
  let site: string
  beforeAll(async () => {
    const listener = getRequestListener((request) => docsSite().fetch(request))
    server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  // Colours depend on the scheme alone, and the layout on the width alone: one page of each kind is
  // seen in both.
  const kinds = ['', 'start', 'integrate', 'errors', 'states', 'element', 'troubleshooting']
  const views = [
    { width: 320, scheme: 'light', read: kinds },
    { width: 1280, scheme: 'dark', read: kinds },
    { width: 320, scheme: 'dark', read: ['', 'start'] },
    { width: 1280, scheme: 'light', read: ['', 'start'] },
  ] as const

  test.each(views)('everybody can read it, at $width px and $scheme', async ({ width, scheme, read }) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme, bypassCSP: true })
    const page = await context.newPage()
    const faults: string[] = []
    for (const name of read) {
      await page.goto(`${site}/${name}`)
      faults.push(...(await axeFaults(page)).map((fault) => `${name}: ${fault}`))
      const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (wide !== 0) faults.push(`${name} is ${String(wide)} px too wide`)
    }
    expect(faults).toEqual([])
    await context.close()
  })

  test('no table of any page is scrolled sideways on a phone, nor a table of settings at a desk', async () => {
    const page = await browser.newPage()
    const wide = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.vp-doc table')]
        .filter((table) => table.scrollWidth > table.clientWidth + 1).map((table) => table.textContent.slice(0, 60))`)
    await page.setViewportSize({ width: 360, height: 800 })
    const read = pages.filter((name) => !name.startsWith('files/'))
    expect(read.length).toBeGreaterThan(30)
    for (const name of read) {
      await page.goto(`${site}/${name}`)
      expect(await wide(), name).toEqual([])
    }
    await page.goto(`${site}/states`)
    // What a cell is stands before it, where no head stands above it.
    const cell = page.locator('td[data-label="asked about"]').first()
    expect(await cell.evaluate((one) => getComputedStyle(one, '::before').content)).toContain('asked about: ')
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const name of ['settings', 'errors', 'element', 'scale']) {
      await page.goto(`${site}/${name}`)
      expect(await wide(), name).toEqual([])
    }
    await page.close()
  })

  test('its search box finds a setting', async () => {
    const page = await browser.newPage()
    await page.goto(`${site}/start`)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('HC_MERCHANT_KEY')
    await page
      .getByRole('option', { name: /Settings/ })
      .first()
      .click()
    await page.waitForURL(/settings/)
    await page.close()
  })
})
