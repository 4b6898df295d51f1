// Runs axe in a page.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
  /** Number of rules that the page keeps. */
  readonly kept: number
}

/** Each page keeps more rules than this. Fewer show that axe did not see it. */
const FEWEST_KEPT = 10

/**
 * Checks a page through the driver, so that the page's own policy stands. Each document gets the
 * program once, because compiling it takes longer than most checks. Only violations are told in
 * full: all that is right takes twice as long to collect as to check.
 *
 * @param exclude selectors of what is left out; the widget has its own tests
 * @returns each violated rule with its places
 */
export async function axeFaults(page: Page, exclude: readonly string[] = ['hc-checkout']): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const { violations, kept } = await page.evaluate<Found>(
    `axe.run({ exclude: ${JSON.stringify(exclude)} }, {
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true } },
    }).then(({ violations, passes }) => ({ violations, kept: passes.length }))`,
  )
  if (kept <= FEWEST_KEPT) throw new Error(`axe found only ${kept} rules to check at ${page.url()}.`)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html} ${failureSummary}`).join(' | ')}`,
  )
}
