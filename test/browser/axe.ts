// Runs axe in a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * Checks a page through the driver, so that the page's own policy stands. Each document gets the
 * program once, because compiling it takes longer than most checks.
 *
 * @param exclude selectors of what is left out; the widget has its own tests
 * @returns each violated rule with its places
 */
export async function axeFaults(page: Page, exclude: readonly string[] = ['hc-checkout']): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run({ exclude: ${JSON.stringify(exclude)} }, { resultTypes: ['violations'] })`,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
