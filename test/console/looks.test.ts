// Each view of the console on a phone, a tablet and a desk, by day and by night: nothing that axe
// finds fault with, nothing wider than the screen; and a whole day by keyboard alone.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFaults } from '../browser/axe.ts'
import { PASSWORD } from '../helpers/console-users.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { atTheConsole, eachTestAtTheConsole, signIn, start, system } from './console-system.ts'

eachTestAtTheConsole()

/** A shop that has seen everything: each phase, a long name, a payment that is owed back. */
async function busyShop(): Promise<string> {
  const now = Date.now()
  const phases = ['open', 'confirming', 'review', 'succeeded', 'failed', 'expired', 'abandoned', 'rejected'] as const
  for (const [at, phase] of phases.entries())
    await system.store.apply(
      creation(
        depositRecord({
          phase,
          createdAt: now - at * 60_000,
          updatedAt: now,
          payer: { name: 'Nsengiyumva Jean de Dieu Habimana', phone: `25471234567${at}` },
          orderId: `INVOICE-2026-11-28-000${at}`,
          amount: 1_250_000,
          ...(phase === 'failed' ? { resultCode: '1032', resultDescription: 'Cancelled' } : {}),
        }),
      ),
    )
  const review = depositRecord({ phase: 'review', reviewReason: 'query_not_found', createdAt: now, updatedAt: now })
  await system.store.apply(creation(review))
  await system.store.apply(
    creation(depositRecord({ phase: 'succeeded', duplicate: true, createdAt: now, updatedAt: now, settledAt: now })),
  )
  return review.id
}

const loaded = async (page: Page): Promise<void> => {
  await page.locator('main h1').waitFor()
  await expect.poll(() => page.locator('.waiting, [aria-busy=true]').count()).toBe(0)
}

/** Looks at what is shown in all sizes and both colours. */
async function look(page: Page, view: string): Promise<void> {
  for (const width of [320, 768, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const name = `${view} ${width} ${colorScheme}`
      expect(await axeFaults(page), name).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBeLessThanOrEqual(0)
    }
}

/** By the part of the address behind the #, which the payment's id may follow. */
const VIEWS = [
  '/payments',
  '/payments/',
  '/payments/dep_0',
  '/owed',
  '/links',
  '/figures',
  '/books',
  '/health',
  '/audit',
]

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await loaded(page)
}

test.each(VIEWS)('axe finds nothing at %s, and nothing is wider than a small phone', async (view) => {
  const review = await busyShop()
  const page = await atTheConsole()
  await signIn(page, 'owner')
  await goTo(page, view.endsWith('/') ? `${view}${review}` : view)
  await look(page, view)
})

test('axe finds nothing at the sign-in, and in the menu of a phone', async () => {
  const page = await atTheConsole()
  await page.getByLabel('User name').waitFor()
  await look(page, 'sign in')
  await signIn(page, 'viewer')
  await page.setViewportSize({ width: 320, height: 800 })
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await axeFaults(page)).toEqual([])
})

test('axe finds nothing in what opens: a form with its fault, evidence, a link', async () => {
  const review = await busyShop()
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await goTo(page, `/payments/${review}`)
  await page.getByRole('button', { name: 'Decide this review' }).click()
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await page.locator('summary').first().click()
  await look(page, 'decision')
  await goTo(page, '/links')
  await page.getByLabel('Amount').fill('4500')
  await page.getByLabel('What for').fill('2 bags of cement')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByRole('heading', { name: /The link is ready/ }).waitFor()
  await look(page, 'link')
})

test('each language fits a small phone', async () => {
  const review = await busyShop()
  const page = await atTheConsole({ viewport: { width: 320, height: 800 } })
  await signIn(page, 'owner')
  for (const language of ['fr', 'sw']) {
    await page.evaluate(`localStorage.setItem('hc-console-language', '${language}')`)
    await page.reload()
    for (const hash of ['#/payments', `#/payments/${review}`, '#/owed', '#/links', '#/books', '#/health', '#/audit']) {
      await page.evaluate(`location.hash = '${hash}'`)
      await loaded(page)
      expect(await page.evaluate('document.documentElement.lang')).toBe(language)
      expect(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        `${language} ${hash}`,
      ).toBeLessThanOrEqual(0)
    }
  }
})

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    const at = (await page.evaluate(`(() => {
      const at = document.activeElement
      return (at.labels?.[0] ?? at).textContent.trim().replace(/\\s+/g, ' ')
    })()`)) as string
    if (typeof name === 'string' ? at === name : name.test(at)) return
    passed.push(at)
  }
  throw new Error(`Tab does not lead to ${String(name)}, but to ${passed.join(', ')}`)
}

test('a day by keyboard alone: sign in, find, note, make a link, sign out', async () => {
  await start()
  const page = await atTheConsole({ viewport: { width: 1280, height: 800 } })
  const focused = () => page.evaluate('document.activeElement.textContent.trim()')
  await page.getByLabel('User name').waitFor()
  // The first field has the focus already.
  await page.keyboard.type('the.operator')
  await tabTo(page, 'Password')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /Achieng Otieno/ }).waitFor()

  await tabTo(page, 'Find a payment')
  await page.keyboard.type('345678')
  await page.keyboard.press('Enter')
  await page.getByText('Found by phone number.').waitFor()
  await tabTo(page, /Achieng Otieno/)
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('KSh 2,500 from Achieng Otieno'.replace('KSh ', 'KSh\u00a0'))

  await tabTo(page, 'Add a note')
  await page.keyboard.press('Enter')
  await page.getByLabel('Note', { exact: true }).waitFor()
  await page.keyboard.type('Called at noon.')
  await tabTo(page, 'Add a note')
  await page.keyboard.press('Enter')
  await page.getByText('Called at noon.').waitFor()
  // The focus is back at the button that opened the form.
  await expect.poll(focused).toBe('Add a note')

  await page.keyboard.press('Control+Home')
  await page.evaluate('document.activeElement.blur()')
  await tabTo(page, 'Payment links')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Payment links')
  await tabTo(page, /^Amount/)
  await page.keyboard.type('900')
  await tabTo(page, 'What for')
  await page.keyboard.type('Airtime')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toMatch(/^The link is ready/)

  await page.evaluate('document.activeElement.blur()')
  await tabTo(page, 'Sign out')
  await page.keyboard.press('Enter')
  await page.getByText('You are signed out.').waitFor()
})
