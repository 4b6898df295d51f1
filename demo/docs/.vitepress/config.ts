// The documentation as a site: https://vitepress.dev. `npm run docs:build` makes it in dist/docs;
// `npm start` serves it beside the shop.
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { writeLlms } from './llms.ts'
import { addressOf, linkedFiles } from './repository-files.ts'
import { anchorRows, searchable } from './rows.ts'
import { sidebar } from './sidebar.ts'
import { labelCells } from './tables.ts'

const files = linkedFiles()
/** Their tables take the room of the outline, which has a few lines. */
const wide = new Set(['settings.md', 'errors.md', 'states.md', 'element.md', 'scale.md'])

export default defineConfig({
  title: 'hc-checkout',
  description: 'A drop-in checkout for mobile money in Africa.',
  lang: 'en',
  // On a host of its own: npm run docs:build -- --base /
  base: '/docs/',
  outDir: '../../dist/docs',
  cacheDir: '../../dist/docs-cache',
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // The anchors that GitHub makes, so that a link to a heading works in both places.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
    },
    languageAlias: { haproxy: 'ini', caddyfile: 'nginx', lighttpd: 'ini', apache: 'xml' },
    config: (md) => {
      anchorRows(md)
      labelCells(md)
      md.core.ruler.push('links-to-the-repository', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === 'link_open' ? token.attrGet('href') : null
          const address =
            link === null ? undefined : addressOf((env as { relativePath: string }).relativePath, link, files)
          if (address !== undefined) token.attrSet('href', address)
        }
      })
    },
  },
  transformPageData({ relativePath, frontmatter }) {
    if (wide.has(relativePath)) Object.assign(frontmatter, { aside: false, pageClass: 'wide' })
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/integrate' },
      { text: 'Demo', link: '/show' },
      { text: 'Reference', link: '/api' },
    ],
    sidebar: sidebar.map(({ text, items }) => ({ text, items: [...items] })),
    outline: [2, 3],
    // A word of several parts, such as HC_MERCHANT_KEY, is found only where all its parts are.
    search: {
      provider: 'local',
      options: { _render: searchable, miniSearch: { searchOptions: { combineWith: 'AND' } } },
    },
    footer: { message: 'MIT licence.' },
  },
  buildEnd: ({ outDir, srcDir, site }) => writeLlms(join(srcDir), outDir, site.base),
})
