// Runs axe in a page, all but the widget, which has its own tests.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * As the driver runs it, so that the page's own policy stands. A document gets the program once: to
 * read it anew takes longer than most pages take to check. @returns each violated rule with its
 * places
 */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run({ exclude: ['hc-checkout'] }, { resultTypes: ['violations'] })`,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
