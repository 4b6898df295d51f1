// The documentation's site is built anew when what it shows has changed.
import { expect, test, vi } from 'vitest'
import { docsStamp } from '../../demo/docs-site.ts'

const shown = vi.hoisted(() => ({ content: 'as it was' }))
vi.mock('../../demo/docs/.vitepress/repository-files.ts', () => ({
  linkedFiles: () => [{ slug: 'server-js', path: 'demo/examples/shop-express/server.js', content: shown.content }],
}))

test('the site is stale once a file of the repository that it shows has changed', () => {
  const before = docsStamp()
  expect(docsStamp()).toBe(before)
  shown.content = 'as it is now'
  expect(docsStamp()).not.toBe(before)
})
