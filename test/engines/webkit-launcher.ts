// The element tests in WebKit: a launcher for web-test-runner that opens each test file in a
// separate browser.
import type { BrowserLauncher } from '@web/test-runner'
import type { EnginePage } from './engine-page.ts'
import { findMiniBrowser, openWebkit } from './webkit.ts'

export function webkitLauncher(): BrowserLauncher {
  const pages = new Map<string, { address: string; page: EnginePage }>()
  async function stopSession(session: string): Promise<object> {
    const { page } = pages.get(session) ?? {}
    pages.delete(session)
    await page?.close()
    return {}
  }
  return {
    name: 'WebKit',
    type: 'webkit',
    concurrency: 1,
    isActive: (session) => pages.has(session),
    getBrowserUrl(session) {
      const { address } = pages.get(session) ?? {}
      if (address === undefined) throw new Error('This page of the tests is not open.')
      return address
    },
    async startSession(session, address) {
      const found = findMiniBrowser()
      if ('why' in found) throw new Error(`No WebKit: ${found.why}`)
      pages.set(session, { address, page: await openWebkit(found.path, address) })
    },
    startDebugSession: () => Promise.reject(new Error('Debugging is for the other browsers.')),
    stopSession,
    async stop() {
      for (const session of pages.keys()) await stopSession(session)
    },
  }
}
