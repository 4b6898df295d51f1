// Runs axe in a page, all but the widget, which has its own tests.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * As the driver runs it, so that the page's own policy stands. @returns each violated rule with its
 * places
 */
export async function axeFaults(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(
    `(() => { ${axe}; return axe.run({ exclude: ['hc-checkout'] }, { resultTypes: ['violations'] }) })()`,
  )) as { violations: { id: string; nodes: { html: string }[] }[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
