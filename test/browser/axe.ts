// Runs axe in a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/**
 * Checks a page through the driver, so that the page's own policy stands. Each document gets the
 * program once, because compiling it takes longer than most checks. What is right stays in the
 * page: to send it takes twice as long as the check.
 *
 * @returns each violated rule with its places
 */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)`,
  )
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html} ${failureSummary}`).join(' | ')}`,
  )
}
