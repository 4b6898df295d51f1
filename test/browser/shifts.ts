// What jumps on a page, and a phone that is slow enough to see it.
import type { Locator, Page } from 'playwright-core'

interface Shift {
  readonly value: number
  readonly hadRecentInput: boolean
  /** All that has moved is the card or within it: what is in a shadow root has no name here. */
  readonly isInCard: boolean
  /** What has moved, for whoever has to mend it. */
  readonly what: readonly string[]
}

/** To be called before the page is loaded. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`window.shifts = []
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        const isInCard = sources.length > 0 && sources.every(({ node }) => !node || node.localName === 'hc-checkout')
        const what = sources.map(({ node, previousRect: a, currentRect: b }) => {
          const name = node ? (node.nodeName + '.' + (node.className || '') + '#' + (node.id || '')) : 'none'
          return name + ' ' + [a, b].map(({ x, y, width, height }) => [x, y, width, height].join(',')).join(' to ')
        })
        shifts.push({ value, hadRecentInput, isInCard, what })
      }
    }).observe({ type: 'layout-shift', buffered: true })`)
}

export const shiftsOf = (page: Page): Promise<readonly Shift[]> => page.evaluate('shifts')

/** A cheap phone on a bad line. */
export async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await devtools.send('Network.enable')
  const bytes = 400_000 / 8
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytes,
    uploadThroughput: bytes,
  })
}

/** Whether all of a place is in the window. */
export async function isInView(page: Page, place: Locator): Promise<boolean> {
  const { y = -1, height = 0 } = (await place.boundingBox()) ?? {}
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0)
}
