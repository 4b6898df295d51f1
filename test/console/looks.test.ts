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

test('axe finds nothing while what is shown is loaded again', async () => {
  await busyShop()
  const page = await atTheConsole()
  await signIn(page, 'owner')
  await goTo(page, '/payments')
  // Never answered, as on a network that hangs.
  await page.route('**/v1/payments*', () => {})
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.locator('[aria-busy=true] .mark').first().waitFor()
  // The line that shows that the view waits.
  await expect
    .poll(() => page.evaluate(`getComputedStyle(document.querySelector('[aria-busy=true]')).boxShadow`))
    .not.toBe('none')
  await look(page, 'payments, once more')
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

/** What has the focus: its label or text, and whether a person can see that it has. */
const focus = `(() => {
  const at = document.activeElement
  if (at === document.body) return { name: '', isShown: true }
  const { outlineStyle, outlineWidth } = getComputedStyle(at)
  const { top, bottom, width } = at.getBoundingClientRect()
  const isOnScreen = width > 0 && bottom > 0 && top < innerHeight
  return {
    name: (at.labels?.[0] ?? at).textContent.trim().replace(/\\s+/g, ' '),
    isShown: isOnScreen && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
  }
})()`

interface Focus {
  readonly name: string
  readonly isShown: boolean
}

/** Presses Tab until this has the focus; all that is passed shows that it has. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab')
    const at = (await page.evaluate(focus)) as Focus
    expect(at.isShown, `the focus at ${at.name}`).toBe(true)
    if (typeof name === 'string' ? at.name === name : name.test(at.name)) return
    passed.push(at.name)
  }
  throw new Error(`Tab does not lead to ${String(name)}, but to ${passed.join(', ')}`)
}

/** The page itself has led the focus there, where it can be seen. */
async function isLedTo(page: Page, name: string | RegExp): Promise<void> {
  const present = async () => (await page.evaluate<Focus>(focus)).name.replaceAll('\u00a0', ' ')
  await expect.poll(present).toMatch(name)
  expect(await page.evaluate(focus)).toMatchObject({ isShown: true })
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

async function findByKeys(page: Page, text: string, payment: RegExp): Promise<void> {
  await press(page, 'Payments')
  await isLedTo(page, /^Payments$/)
  await tabTo(page, 'Find a payment')
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await page.getByText(/^Found by/).waitFor()
  await page.getByRole('link', { name: payment }).waitFor()
  await press(page, payment)
}

/** Whole, from the first field to the last: no mouse, and no help of a script. */
test('a day by keyboard alone, with the focus in sight from the sign-in to the sign-out', async () => {
  const now = Date.now()
  const { reference } = await start()
  await system.pays()
  const [paid] = await system.deposits()
  const row = { createdAt: now, updatedAt: now }
  const review = depositRecord({ ...row, phase: 'review', reviewReason: 'query_amount', payer: { name: 'Fatou Diop' } })
  await system.store.apply(creation(review))
  const twice = depositRecord({
    ...row,
    phase: 'succeeded',
    duplicate: true,
    settledAt: now,
    payer: { name: 'Juma Mwangi' },
  })
  await system.store.apply(creation(twice))
  const page = await atTheConsole({ viewport: { width: 1280, height: 800 } })
  const says = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()
  const type = (text: string) => page.keyboard.type(text)

  await isLedTo(page, /^User name$/)
  await type('the.operator')
  await tabTo(page, 'Password')
  await type(PASSWORD)
  await page.keyboard.press('Enter')
  await isLedTo(page, /^Payments$/)

  await findByKeys(page, '345678', /Achieng Otieno/)
  await isLedTo(page, /^KSh 2,500 from Achieng Otieno$/)
  await says('Asked by us, the payment service proved that it is paid.')
  await press(page, 'Evidence')
  await says('What the payment service was asked for')
  await press(page, 'Tell the shop again')
  await isLedTo(page, /^Yes, do it$/)
  await page.keyboard.press('Enter')
  await says('Notices queued: 1. They go out within seconds.')
  await isLedTo(page, /^Tell the shop again$/)
  await press(page, 'Add a note')
  await isLedTo(page, /^Note$/)
  await type('Called at noon.')
  await press(page, 'Add a note')
  await says('Called at noon.')
  await isLedTo(page, /^Add a note$/)

  await findByKeys(page, 'fatou', /Fatou Diop/)
  await press(page, 'Decide this review')
  await isLedTo(page, /^The money has arrived/)
  await page.keyboard.press('ArrowDown')
  await isLedTo(page, /^The money has not arrived/)
  await tabTo(page, 'Reason')
  await type('The portal shows another payment.')
  await press(page, 'Yes, do it')
  await says('A person of the shop decided that it was not paid.')
  await isLedTo(page, /^What you can do$/)
  expect((await system.store.deposit(review.id))?.phase).toBe('failed')

  await press(page, 'Owed back')
  await isLedTo(page, /^Money owed back$/)
  await press(page, 'Mark as paid back')
  await isLedTo(page, /^KSh [\d,]+ from /)
  await press(page, 'Mark as paid back')
  await isLedTo(page, /^How it was paid back$/)
  await type('M-Pesa, QX12AB34CD')
  await press(page, 'Yes, do it')
  await says(/Paid back on .*: KSh\s[\d,]+, M-Pesa, QX12AB34CD/)
  await isLedTo(page, /^What you can do$/)

  await press(page, 'Payment links')
  await isLedTo(page, /^Payment links$/)
  await tabTo(page, /^Amount/)
  await type('900')
  await tabTo(page, 'What for')
  await type('Airtime')
  await page.keyboard.press('Enter')
  await isLedTo(page, /^The link is ready/)
  await press(page, 'Close this link')
  await isLedTo(page, /^Reason$/)
  await type('Made for the wrong person.')
  await press(page, 'Yes, do it')
  await says(/^Closed .* by the\.operator: Made for the wrong person\.$/)
  await isLedTo(page, /^KSh 900 · Airtime/)

  await press(page, 'Files and statement')
  await isLedTo(page, /^Files and statement$/)
  await tabTo(page, 'Save the file')
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const saved = await downloading
  expect(saved.suggestedFilename()).toBe('payments.csv')
  // A browser opens no list of files for a key that is pressed while it begins to save one.
  await saved.path()
  // Early: a key can arrive before the browser knows that its own dialog must not open.
  const choosing = page.waitForEvent('filechooser')
  await tabTo(page, 'Drop the file here, or choose it')
  await page.keyboard.press('Space')
  const day = new Date(now).toISOString().slice(0, 10)
  const statement = `reference,transaction id,status,amount,currency,date\n${reference},${paid!.transactionId},SUCCESS,2500,KES,${day}\n`
  await (await choosing).setFiles({ name: 'day.csv', mimeType: 'text/csv', buffer: Buffer.from(statement) })
  await says(/Lines compared: 1; differences: \d\./)
  await isLedTo(page, /^day\.csv/)

  await press(page, 'Sign out')
  await says('You are signed out.')
  await isLedTo(page, /^User name$/)
})
