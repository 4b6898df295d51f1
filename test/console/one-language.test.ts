// What staff see who know only French or only Swahili, in a browser that speaks English: the way to
// their language, and then no sentence of another one in any view.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { languages } from '../../server/console/web/words/index.ts'
import { PASSWORD } from '../helpers/console-users.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { atTheConsole, eachTestAtTheConsole, start, system } from './console-system.ts'

eachTestAtTheConsole()

/** Sentences and labels of a language that another one says otherwise. */
function textsOf(words: object): string[] {
  return Object.values(words).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value as object)))
}

/** All that is shown or read out. */
const said = (page: Page): Promise<string> =>
  page.evaluate(`[document.title, document.body.innerText,
    ...[...document.querySelectorAll('[aria-label]')].map((at) => at.getAttribute('aria-label'))].join('\\n')`)

test.each(['fr', 'sw'] as const)('in %s: the way from the English front, and every view', async (language) => {
  const now = Date.now()
  const own = new Set(textsOf(languages[language]))
  // Labels of one word may be part of another word; names of languages stay as they are.
  const foreign = textsOf(languages.en).filter((text) => text.includes(' ') && !text.includes('{') && !own.has(text))
  expect(foreign.length).toBeGreaterThan(200)
  const only = async (page: Page, view: string): Promise<void> => {
    const text = await said(page)
    expect(
      foreign.filter((sentence) => text.includes(sentence)),
      view,
    ).toEqual([])
  }
  const { words } = languages[language]
  await start()
  await system.pays()
  const row = { createdAt: now, updatedAt: now }
  const review = depositRecord({ ...row, phase: 'review', reviewReason: 'query_amount' })
  await system.store.apply(creation(review))
  await system.store.apply(creation(depositRecord({ ...row, phase: 'succeeded', duplicate: true, settledAt: now })))

  const page = await atTheConsole()
  await page.getByRole('button', { name: words.signIn.inThis }).click()
  // The names of the ways to the other languages are in those languages.
  expect((await said(page)).replace(languages.en.words.signIn.inThis, '')).toContain(words.signIn.help)
  await page.getByLabel(words.signIn.name).fill('the.owner')
  await page.getByLabel(words.signIn.password).fill(PASSWORD)
  await page.getByRole('button', { name: words.signIn.button, exact: true }).click()
  await page.getByRole('heading', { name: words.nav.payments, exact: true }).waitFor()
  for (const view of ['payments', `payments/${review.id}`, 'owed', 'links', 'figures', 'books', 'health', 'audit']) {
    await page.evaluate(`location.hash = '#/${view}'`)
    await page.locator('main h1').waitFor()
    await expect.poll(() => page.locator('.waiting, [aria-busy=true]').count()).toBe(0)
    for (const summary of await page.locator('main summary').all()) await summary.click()
    await only(page, view)
  }
})
