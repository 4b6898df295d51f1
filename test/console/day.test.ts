// A day at the console of the real companion, with the sandbox: what each of the staff sees and
// does.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PASSWORD } from '../helpers/console-users.ts'
import { creation, depositRecord } from '../helpers/deposit-record.ts'
import { atTheConsole, eachTestAtTheConsole, signIn, start, system } from './console-system.ts'

eachTestAtTheConsole()

/** Waits until the page says it. */
const says = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()

const goTo = (page: Page, view: string) => page.getByRole('navigation').getByRole('link', { name: view }).click()

async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text)
  await page.getByRole('button', { name: 'Search' }).click()
}

test('a viewer sees and finds payments, and is told why they may not act', async () => {
  const { id } = await start()
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await find(page, '5678')
  await page.getByRole('link', { name: /Achieng Otieno/ }).click()
  await page.getByRole('heading', { name: 'KSh 2,500 from Achieng Otieno' }).waitFor()
  await says(page, 'You are signed in as viewer. Only an operator or the owner may do this.')
  expect(await page.getByRole('button', { name: 'Tell the shop again' }).count()).toBe(0)
  // Also where the page is left out.
  const refused = await page.evaluate(
    `fetch('../v1/payments/${id}/notices', { method: 'POST' }).then((answer) => answer.status)`,
  )
  expect(refused).toBe(403)
  await goTo(page, 'Files and statement')
  await says(page, 'Only an operator or the owner may do this.')
})

test('an operator finds a payment by phone digits, sees why it waits, asks and resends', async () => {
  await start()
  await start({ payer: { name: 'Juma Mwangi', phone: '254700111222' }, amount: 900 })
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await find(page, 'nobody')
  await says(page, /^No payment fits\./)
  expect(await page.getByText('Found by').count()).toBe(0)
  await find(page, '11222')
  await says(page, 'Found by phone number.')
  expect(await page.locator('a.item').count()).toBe(1)
  await page.getByRole('link', { name: /Juma Mwangi/ }).click()
  await says(page, /no money has been seen yet/)
  await says(page, 'The payment service took it up, and the customer got the payment page.')

  await page.getByRole('button', { name: 'Ask the payment service now' }).click()
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'the.operator asked the payment service.')
  await says(page, 'Asked just now. Nothing has changed: “Waiting for the customer”.')

  const [, juma] = await system.deposits().then((all) => all.toSorted((a, b) => b.amount - a.amount))
  for (const what of ['lock', 'paid', 'confirm'] as const) await system.act(what, juma!.reference)
  await system.until('succeeded', juma!.reference)
  // It moves while they look.
  await says(page, 'Your payment has arrived.')
  const before = (await system.told()).length
  await page.getByRole('button', { name: 'Tell the shop again' }).click()
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Notices queued: 1. They go out within seconds.')
  expect((await system.told()).slice(before).map(({ type }) => type)).toEqual(['payment.succeeded'])

  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Note', { exact: true }).fill('Called at noon. <img src=x onerror=alert(1)>')
  await page.locator('form.act').getByRole('button', { name: 'Add a note' }).click()
  await says(page, 'Called at noon. <img src=x onerror=alert(1)>')
})

test('the evidence shows each message of the service as text, without its hash', async () => {
  await start({ payer: { name: '<b>Achieng</b>', phone: '254712345678' } })
  await system.pays()
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await page.getByRole('link', { name: /Achieng/ }).click()
  await page.getByText('Evidence', { exact: true }).click()
  await says(page, 'had us ask the payment service')
  const shown = (await page.locator('pre.raw').allTextContents()).join('\n')
  expect(shown).toContain('"acc_name":"<b>Achieng</b>"')
  expect(shown).toContain('payment.succeeded')
  expect(shown).toContain('[hash]')
  expect(shown).not.toMatch(/[0-9a-f]{64}/i)
  expect(await page.locator('pre b').count()).toBe(0)
})

test('an operator decides a review with a reason, and the owner reads who did it', async () => {
  const row = depositRecord({
    phase: 'review',
    reviewReason: 'query_amount',
    createdAt: Date.now(),
    updatedAt: Date.now(),
    payer: { name: 'Fatou Diop', phone: '254733444555' },
  })
  await system.store.apply(creation(row))
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await page.getByRole('combobox', { name: 'State' }).selectOption('review')
  await page.getByRole('link', { name: /Fatou Diop/ }).click()
  await says(page, 'The payment service calls it paid, with another amount or currency than ours.')
  await page.getByRole('button', { name: 'Decide this review' }).click()
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Choose one of the two.')
  await page.getByRole('radio', { name: /The money has not arrived/ }).check()
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Write the reason, so that others can follow it later.')
  expect((await system.store.deposit(row.id))?.phase).toBe('review')
  await page.getByLabel('Reason').fill('The portal shows 1000 for this transaction, not 1500.')
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'A person of the shop decided that it was not paid.')
  expect((await system.store.deposit(row.id))?.phase).toBe('failed')

  const owner = await atTheConsole()
  await signIn(owner, 'owner')
  await goTo(owner, 'Who did what')
  await says(owner, 'the.operator decided it.')
  await says(owner, 'The portal shows 1000 for this transaction, not 1500.')
})

test('a payment made twice is owed back until somebody writes how it was paid back', async () => {
  const { token: session } = await system.session()
  const first = await start({ session })
  const second = await start({ session, replaces: first.id })
  for (const { reference } of [second, first]) {
    for (const what of ['lock', 'paid', 'confirm'] as const) await system.act(what, reference)
    await system.until('succeeded', reference)
  }
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await goTo(page, 'Owed back')
  await says(page, 'Paid twice: the order was paid already.')
  await page.getByRole('link', { name: 'Mark as paid back' }).click()
  await page.getByRole('button', { name: 'Mark as paid back' }).click()
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Write how it was paid back.')
  await page.getByLabel('How it was paid back').fill('M-Pesa, QX12AB34CD')
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, /Paid back on .*: KSh\s2,500, M-Pesa, QX12AB34CD \(the\.operator\)/)
  await goTo(page, 'Owed back')
  await says(page, 'Nobody is owed money.')
  await page.getByRole('button', { name: 'Paid back' }).click()
  await says(page, /M-Pesa, QX12AB34CD/)
})

test('of a payment that names another amount, a person says how much was paid back, once its review is decided', async () => {
  const row = depositRecord({
    phase: 'review',
    reviewReason: 'query_amount',
    createdAt: Date.now(),
    payer: { name: 'Juma Mwangi', phone: '254700111222' },
  })
  await system.store.apply(creation(row))
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await goTo(page, 'Owed back')
  // It may still be paid as ordered.
  await says(page, 'Nobody is owed money.')
  await goTo(page, 'Payments')
  await page.getByRole('link', { name: /Juma Mwangi/ }).click()
  await page.getByRole('button', { name: 'Decide this review' }).waitFor()
  expect(await page.getByRole('button', { name: 'Mark as paid back' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Decide this review' }).click()
  await page.getByLabel(/The money has not arrived/).check()
  await page.getByLabel('Reason').fill('The portal says KES 250.')
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await page.getByRole('button', { name: 'Mark as paid back' }).click()
  const amount = page.getByLabel('How much was paid back (KES)')
  // Not the amount of the order: another one was paid.
  expect(await amount.inputValue()).toBe('')
  await page.getByLabel('How it was paid back').fill('M-Pesa, QX12AB34CD')
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Write the amount as a whole number, or 0 if nothing was owed.')
  await amount.fill('250')
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, /Paid back on .*: KSh\s250, M-Pesa, QX12AB34CD \(the\.operator\)/)
})

test('what was typed stays where the network goes, and what somebody else has done is asked for no more', async () => {
  const row = depositRecord({ phase: 'review', reviewReason: 'query_amount', createdAt: Date.now() })
  await system.store.apply(creation(row))
  const [page, other] = [await atTheConsole(), await atTheConsole()]
  for (const one of [page, other]) {
    await signIn(one, 'operator')
    await one.locator('a.item').first().click()
    await one.getByRole('button', { name: 'Decide this review' }).click()
    await one.getByLabel(/The money has arrived/).check()
    await one.getByLabel('Reason').fill('Seen in the portal.')
  }
  const title = await page.getByRole('heading', { level: 1 }).textContent()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, /The companion cannot be reached/)
  expect(await page.getByLabel('Reason').inputValue()).toBe('Seen in the portal.')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Decided. The shop is told at once.')
  await says(other, 'Somebody else was faster: read what is new below.')
  expect(await other.locator('form.act').count()).toBe(0)
  await says(other, /^The shop is to be told/)
  await system.told()
  // Nobody has touched the page since.
  await says(other, /^The shop was told/)
})

test('pressed again after its answer was lost, a note is kept once, and a decision is no surprise', async () => {
  const row = depositRecord({ phase: 'review', reviewReason: 'query_amount', createdAt: Date.now() })
  await system.store.apply(creation(row))
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await page.locator('a.item').first().click()
  /** The companion does it, and the browser never hears of it. */
  const loseOne = (address: string) =>
    page.route(
      address,
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
  await loseOne('**/notes')
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Note', { exact: true }).fill('Called at noon.')
  const send = page.locator('form.act').getByRole('button', { name: 'Add a note' })
  await send.click()
  await says(page, /The companion cannot be reached/)
  await send.click()
  await says(page, 'Called at noon.')
  await expect.poll(() => page.locator('form.act').count()).toBe(0)
  // The same words, meant once more.
  await page.getByRole('button', { name: 'Add a note' }).click()
  await page.getByLabel('Note', { exact: true }).fill('Called at noon.')
  await send.click()
  await expect.poll(() => page.locator('form.act').count()).toBe(0)
  const acts = async (act: string) => (await system.store.desk!.actsOf(row.id)).filter((one) => one.act === act)
  expect(await acts('note')).toHaveLength(2)

  const decide = async (): Promise<void> => {
    await loseOne('**/decision')
    await page.getByRole('button', { name: 'Decide this review' }).click()
    await page.getByLabel(/The money has not arrived/).check()
    await page.getByLabel('Reason').fill('Not in the portal.')
  }
  await decide()
  // What is new is heard of only once the form was sent again.
  await page.route('**/v1/payments/dep*', (route) => route.abort('connectionfailed'))
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, /The companion cannot be reached/)
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Decided. The shop is told at once.')
  expect(await acts('decision')).toMatchObject([{ result: 'done' }])
  await page.unrouteAll()

  // Where the page hears first that it was done, nobody else has done it.
  const other = depositRecord({ phase: 'review', reviewReason: 'query_amount', createdAt: Date.now() })
  await system.store.apply(creation(other))
  await page.evaluate(`location.hash = '/payments/${other.id}'`)
  await decide()
  await page.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Decided. The shop is told at once.')
  expect(await page.locator('form.act').count()).toBe(0)
})

test('what was typed is there again once the same person has signed in, and for nobody else', async () => {
  const row = depositRecord({ phase: 'review', reviewReason: 'query_amount', createdAt: Date.now() })
  await system.store.apply(creation(row))
  const page = await atTheConsole()
  const fillIn = async (role: 'operator' | 'owner'): Promise<void> => {
    await page.getByLabel('User name').fill(`the.${role}`)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('nav').waitFor()
  }
  await signIn(page, 'operator')
  await page.locator('a.item').first().click()
  const note = page.getByLabel('Note', { exact: true })
  const reason = page.getByLabel('Reason')
  const signOut = page.getByRole('button', { name: 'Sign out' })
  await page.getByRole('button', { name: 'Add a note' }).click()
  await note.fill('Called at noon.\nWill call again.')

  // Revoked or ended at the server: the page hears of it with the press.
  await page.context().clearCookies()
  await page.locator('form.act').getByRole('button', { name: 'Add a note' }).click()
  await says(page, 'Your session has ended. Sign in again; you come back to where you were, and to what you had typed.')
  await fillIn('operator')
  expect(await note.inputValue()).toBe('Called at noon.\nWill call again.')
  await page.locator('form.act').getByRole('button', { name: 'Add a note' }).click()
  await says(page, 'The note is saved.')

  // By hand.
  await page.getByRole('button', { name: 'Decide this review' }).click()
  await page.getByLabel(/The money has not arrived/).check()
  await reason.fill('Not in the portal.')
  await signOut.click()
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('portal')
  await fillIn('operator')
  await page.locator('a.item').first().click()
  expect(await reason.inputValue()).toBe('Not in the portal.')
  expect(await page.getByLabel(/The money has not arrived/).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Cancel' }).click()

  await goTo(page, 'Payment links')
  await page.getByLabel('Amount (KES)').fill('4,500')
  await page.getByLabel('What for').fill('2 bags of cement')
  await signOut.click()
  await fillIn('owner')
  await goTo(page, 'Payment links')
  await page.getByLabel('What for').waitFor()
  expect(await page.getByLabel('What for').inputValue()).toBe('')
  await signOut.click()
  // It has gone with the other person.
  await fillIn('operator')
  await goTo(page, 'Payment links')
  expect(await page.getByLabel('What for').inputValue()).toBe('')
  await page.getByRole('combobox', { name: 'Country of the customer' }).selectOption('UG')
  await page.getByLabel('Amount (UGX)').fill('4,500')
  await signOut.click()
  await fillIn('operator')
  await goTo(page, 'Payment links')
  await expect.poll(() => page.getByLabel('Amount (UGX)').inputValue()).toBe('4,500')
})

test('a shopkeeper without a website makes a payment link, and it is paid', async () => {
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await page.getByRole('link', { name: 'Make a payment link' }).click()
  await page.getByRole('combobox', { name: 'Country of the customer' }).selectOption('KE')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await says(page, 'Write a whole amount above zero, for example 2500.')
  await page.getByLabel('Amount (KES)').fill('4,500')
  await page.getByLabel('What for').fill('2 bags of cement')
  await page.getByRole('combobox', { name: "Customer's language" }).selectOption('sw')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByRole('heading', { name: 'The link is ready: KSh 4,500, 2 bags of cement' }).waitFor()
  await page.getByRole('img', { name: 'QR code of the payment link' }).waitFor()
  const address = await page.getByLabel('Address').inputValue()
  const message = await page.getByLabel('Message').inputValue()
  expect(address).toContain(`${system.companionUrl}/pay/`)
  expect(message).toContain(address)
  const whatsApp = await page.getByRole('link', { name: 'Send by WhatsApp' }).getAttribute('href')
  expect(whatsApp).toBe(`https://wa.me/?text=${encodeURIComponent(message)}`)

  const customer = await page.context().newPage()
  await customer.goto(address)
  await customer.locator('hc-checkout #name').filter({ visible: true }).fill('Achieng Otieno')
  await customer.locator('hc-checkout [part~=pay-button]').click()
  await expect.poll(async () => (await system.deposits()).length).toBe(1)
  await expect.poll(async () => (await system.deposit()).phase).toBe('open')
  await system.pays()
  await page.bringToFront()
  await says(page, 'paid')
  await page.getByRole('link', { name: 'See the payment' }).click()
  await page.getByRole('heading', { name: 'KSh 4,500 from Achieng Otieno' }).waitFor()
})

test('a link that went to the wrong person is closed for a reason, and its page says so', async () => {
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await goTo(page, 'Payment links')
  await page.getByLabel('Amount (KES)').fill('900')
  await page.getByLabel('What for').fill('Airtime')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const address = await page.getByLabel('Address').first().inputValue()
  const row = page.getByRole('listitem').filter({ hasText: 'Airtime' })
  await row.getByRole('button', { name: 'Close this link' }).click()
  await says(page, /Nobody can start a payment with it any more/)
  await row.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, 'Write the reason, so that others can follow it later.')
  await row.getByLabel('Reason').fill('Sent to the wrong number. <img src=x onerror=alert(1)>')
  await row.getByRole('button', { name: 'Yes, do it' }).click()
  await says(page, /^Closed .* by the\.operator: Sent to the wrong number\. <img src=x onerror=alert\(1\)>$/)
  expect(await page.getByRole('button', { name: 'Close this link' }).count()).toBe(0)
  // The code and the address are not held out to be sent any more.
  expect(await page.getByLabel('Address').count()).toBe(0)
  const customer = await page.context().newPage()
  await customer.goto(address)
  await says(customer, 'This payment link is closed')
  const viewer = await atTheConsole()
  await signIn(viewer, 'viewer')
  await goTo(viewer, 'Payment links')
  await says(viewer, /^Closed .* by the\.operator/)
})

test('the day is saved as a file, in which no cell is a formula', async () => {
  await start({ payer: { name: '=HYPERLINK("http://evil.example")', phone: '254712345678' } })
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await goTo(page, 'Files and statement')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save the file' }).click()
  const table = readFileSync(await (await downloading).path(), 'utf8')
  expect(table).toMatch(/^\uFEFFid,.*,created_at,created_at \(Africa\/Nairobi\),/)
  expect(table.split('\n').length).toBeGreaterThan(2)
  expect(table).toContain('HYPERLINK')
  expect(table).not.toMatch(/(^|[,;"])=HYPERLINK/m)
})

test('a statement is dropped, and each difference says what to do', async () => {
  const { reference } = await start()
  await system.pays()
  const [paid] = await system.deposits()
  const day = new Date(paid!.createdAt).toISOString().slice(0, 10)
  const line = `${reference},${paid!.transactionId},SUCCESS,2500,KES,${day}`
  const statement = (...lines: readonly string[]) => ({
    name: 'statement.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${['reference,transaction id,status,amount,currency,date', ...lines].join('\n')}\n`),
  })
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await goTo(page, 'Files and statement')
  const file = page.getByLabel('Drop the file here, or choose it')
  await file.setInputFiles(statement(line))
  await says(page, 'Everything agrees. Lines compared: 1.')
  await file.setInputFiles(
    statement(line.replace('2500', '1000'), `HCT000000000000000000ABCD,x,SUCCESS,700,KES,${day}`),
  )
  await says(page, 'Lines compared: 2; differences: 2.')
  await says(page, /Paid in the statement, not here/)
  await says(page, 'HCT000000000000000000ABCD')
  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await page.getByRole('heading', { name: 'KSh 2,500 from Achieng Otieno' }).waitFor()
  await goTo(page, 'Files and statement')
  await file.setInputFiles({ name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
  await says(page, /notes\.csv: There is no column for the reference; known names are reference, /)
  // In the language of the console, also what differs.
  await page.evaluate("localStorage.setItem('hc-console-language', 'fr')")
  await page.reload()
  await page
    .getByLabel('Déposez le fichier ici, ou choisissez-le')
    .setInputFiles(statement(line.replace('2500', '1000'), `HCT000000000000000000ABCD,x,SUCCESS,700,KES,${day}`))
  await says(page, 'montant 1000 dans le relevé, 2500 ici')
  await says(page, 'payé 700 KES (x) à la ligne 3, inconnu ici')
  // Also why a file is refused; where its days are missing, the fields for them open.
  const choice = page.getByLabel('Déposez le fichier ici, ou choisissez-le')
  await choice.setInputFiles(statement(line.replace('SUCCESS', 'MAYBE')))
  await says(page, /statement\.csv: Ligne 2 : le statut "MAYBE" n’est pas connu\. Mots connus : success, /)
  expect(await page.locator('#statement-from').isVisible()).toBe(false)
  await choice.setInputFiles(statement(line.replace(day, '')))
  const refusal = page.getByText(/Aucune ligne n’a de date\. Indiquez plus haut le premier et le dernier jour/)
  await refusal.waitFor()
  const fields = (await page.locator('#statement-from').boundingBox())!
  expect((await refusal.boundingBox())!.y).toBeGreaterThan(fields.y)
  // Closed by hand, they open again for the next such file; another refusal leaves them open.
  await page.getByText('Jours du relevé').click()
  await choice.setInputFiles(statement(line.replace(day, '')))
  await page.locator('#statement-from').fill(day)
  await page.locator('#statement-to').fill(day)
  await choice.setInputFiles(statement(line.replace(day, '')))
  await says(page, 'Tout concorde. Lignes comparées : 1.')
  await choice.setInputFiles(statement(line.replace('SUCCESS', 'MAYBE')))
  await says(page, /le statut "MAYBE" n’est pas connu/)
  expect(await page.locator('#statement-from').isVisible()).toBe(true)
})

test('figures are drawn, with their numbers as a table, and health is said in words', async () => {
  await start()
  await system.pays()
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await goTo(page, 'Figures')
  await says(page, 'Payments started: 1; paid: 1 (100%).')
  const totals = page.getByRole('region', { name: 'Totals of each day' }).getByRole('table')
  expect(await totals.getByRole('row').last().getByRole('cell').allInnerTexts()).toEqual(['KSh\u00a02,500 (1)', '–'])
  const volume = page.getByRole('region', { name: 'Volume paid, in KES', exact: true })
  await volume.locator('canvas').waitFor()
  await volume.getByText('The numbers as a table').click()
  await volume.getByRole('cell', { name: 'KSh 2,500' }).waitFor()
  await page.getByRole('region', { name: 'From the click to paid', exact: true }).locator('canvas').waitFor()
  await page.getByRole('button', { name: '30 days' }).click()
  await volume.locator('canvas').waitFor()
  await goTo(page, 'Health')
  await says(page, /Customers can pay/)
  await says(page, 'The payment service')
})

test('the totals of each day are there on a phone, however large, with what was paid back', async () => {
  await start()
  const { createdAt: at } = (await system.deposits())[0]!
  const day = new Date(at + 3 * 3_600_000).toISOString().slice(0, 10)
  for (const [id, currency, amount] of [
    ['dep_1', 'KES', 12_345_678],
    ['dep_2', 'UGX', 395_061_728],
  ] as const) {
    const country = currency.slice(0, 2) as 'KE' | 'UG'
    const paid = { phase: 'succeeded', duplicate: true, createdAt: at, settledAt: at } as const
    await system.store.apply(creation(depositRecord({ id, country, currency, amount, ...paid })))
  }
  await system.store.desk!.payBack({ depositId: 'dep_2', onDay: day, amount: 24_690, how: 'Cash', name: 'x', at })
  const page = await atTheConsole({ viewport: { width: 360, height: 800 } })
  await signIn(page, 'viewer')
  await page.evaluate("location.hash = '/figures'")
  const table = page.getByRole('region', { name: 'Totals of each day' }).getByRole('table')
  const cells = async () =>
    (await table.getByRole('row').all()).reduce<Promise<string[][]>>(
      async (all, row) => [
        ...(await all),
        (await row.getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s/g, ' ')),
      ],
      Promise.resolve([]),
    )
  const days = [
    ['KSh 12,345,678 (1)', '–'],
    ['USh 395,061,728 (1)', 'USh 24,690 (1)'],
  ]
  await table.waitFor()
  expect(await cells()).toEqual([[], ...days])
  await page.getByRole('button', { name: '7 days' }).click()
  await table.locator('tfoot').waitFor()
  expect(await cells()).toEqual([[], ...days, ...days])
  for (const dir of ['ltr', 'rtl']) {
    await page.evaluate(`document.querySelector('main').dir = '${dir}'`)
    const { width } = (await page.locator('.totals').boundingBox())!
    const { width: room } = (await page.locator('.totals').locator('..').boundingBox())!
    expect(width, dir).toBeLessThanOrEqual(room)
  }
})

test('a new payment appears by itself, and one that nobody has searched for stays away', async () => {
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await says(page, 'Live: new payments appear by themselves.')
  await start()
  await page.getByRole('link', { name: /Achieng Otieno/ }).waitFor()
  await find(page, '99999')
  await says(page, 'No payment fits.')
  await start({ payer: { name: 'Juma Mwangi', phone: '254700111222' } })
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('link', { name: /Juma Mwangi/ }).waitFor()
})

test('that nothing fits is said once the search is answered: not while it waits, nor when it fails', async () => {
  await start()
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  const none = page.getByText('No payment fits')
  await find(page, '99999')
  await none.waitFor()
  const failure = Promise.withResolvers<void>()
  await page.route('**/v1/payments*', async (route) => {
    await failure.promise
    await route.abort('connectionfailed')
  })
  await find(page, 'Achieng')
  await page.locator('.waiting').waitFor()
  expect(await none.count()).toBe(0)
  failure.resolve()
  await page.locator('.fault').waitFor()
  expect(await none.count()).toBe(0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: /Achieng Otieno/ }).waitFor()
})

test('a search goes on by itself over pages where nothing fits, and says so where it stops', async () => {
  await start()
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await page.getByRole('link', { name: /Achieng Otieno/ }).waitFor()
  let empty = 3
  const asked: (string | null)[] = []
  system.between = (request, next) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/v1/payments' || !searchParams.has('search') || empty === 0) return next()
    empty -= 1
    asked.push(searchParams.get('cursor'))
    // As the companion answers where none of the payments that it has looked at fits.
    return Response.json({
      payments: [],
      by: 'reference',
      nextCursor: Buffer.from('9999999999999.dep_z.HCTZ').toString('base64url'),
    })
  }
  await find(page, 'HCT')
  // What was shown before stays until the answer is there.
  await expect.poll(() => empty).toBe(0)
  await says(page, 'Found by reference.')
  await page.getByRole('link', { name: /Achieng Otieno/ }).waitFor()
  expect([asked[0], asked.length]).toEqual([null, 3])
  empty = 1000
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await says(page, /^Nothing found so far\./)
  expect(await page.getByText('No payment fits').count()).toBe(0)
  expect(await page.getByText('Found by').count()).toBe(0)
  // The live list may have begun anew meanwhile.
  expect(1000 - empty).toBeGreaterThanOrEqual(20)
  empty = 0
  await page.getByRole('button', { name: 'Search on' }).click()
  await page.getByRole('link', { name: /Achieng Otieno/ }).waitFor()
})

test('from one payment to all of its order, and to all of its phone', async () => {
  const row = { createdAt: Date.now(), updatedAt: Date.now(), orderId: 'INV-7' }
  for (const [id, phone] of [
    ['dep_1', '254712345678'],
    ['dep_2', '254700111222'],
  ] as const)
    await system.store.apply(creation(depositRecord({ ...row, id, payer: { name: id, phone } })))
  await start({ payer: { name: 'Elsewhere', phone: '254712345678' } })
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await page.getByRole('link', { name: /dep_1/ }).click()
  await page.getByRole('link', { name: 'All payments of this order' }).click()
  await says(page, 'Found by order.')
  await page.getByRole('link', { name: /dep_2/ }).waitFor()
  expect(await page.locator('a.item').count()).toBe(2)
  await page.getByRole('link', { name: /dep_1/ }).click()
  await page.getByRole('link', { name: 'All payments of this phone' }).click()
  await says(page, 'Found by phone number.')
  await page.getByRole('link', { name: /Elsewhere/ }).waitFor()
  expect(await page.locator('a.item').count()).toBe(2)
})

test('the owner reads what one person did, of chosen days', async () => {
  for (const role of ['viewer', 'operator'] as const) await signIn(await atTheConsole(), role)
  const page = await atTheConsole()
  await signIn(page, 'owner')
  await goTo(page, 'Who did what')
  await says(page, 'the.viewer signed in')
  await page.getByLabel('Who (user name)').fill('the.operator')
  await page.keyboard.press('Tab')
  await says(page, 'the.operator signed in')
  await expect.poll(() => page.locator('li.item').count()).toBe(1)
  const saved = await page.getByRole('link', { name: 'Save as a file' }).getAttribute('href')
  expect(saved).toMatch(/acts\.csv\?by=the\.operator&format=spreadsheet$/)
  await page.getByLabel('To day').fill('2020-01-01')
  await page.keyboard.press('Tab')
  await says(page, 'Nothing was done yet.')
})

test('who has signed out sees nothing more, and a wrong password lets nobody in', async () => {
  const page = await atTheConsole()
  await signIn(page, 'operator')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await says(page, 'You are signed out.')
  await page.reload()
  await page.getByLabel('User name').fill('the.operator')
  await page.getByLabel('Password').fill('a guess')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await says(page, 'The name or the password is wrong.')
  expect(await page.locator('nav').count()).toBe(0)
})

test('a companion that is away is said so, and comes back without a reload', async () => {
  await start()
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await page.getByRole('link', { name: /Achieng Otieno/ }).waitFor()
  await system.stopCompanion()
  await find(page, '5678')
  await says(page, 'The companion cannot be reached. Is this device online?')
  await system.startCompanion()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: /Achieng Otieno/ }).waitFor()
})

test('each tab of a payment is named by its order, or else by its reference', async () => {
  const row = { createdAt: Date.now(), updatedAt: Date.now(), payer: { name: 'Fatou Diop' } }
  await system.store.apply(creation(depositRecord({ ...row, id: 'dep_1', orderId: 'INV-7' })))
  const { orderId: _, ...without } = depositRecord({ ...row, id: 'dep_2' })
  await system.store.apply(creation(without))
  const page = await atTheConsole()
  await signIn(page, 'viewer')
  await expect.poll(() => page.title()).toBe('Payments · Payments console')
  await page.getByRole('link', { name: /INV-7/ }).click()
  await expect.poll(() => page.title()).toBe('INV-7 · Payments · Payments console')
  await goTo(page, 'Owed back')
  await expect.poll(() => page.title()).toBe('Owed back · Payments console')
  await page.evaluate("location.hash = '/payments/dep_2'")
  await expect.poll(() => page.title()).toBe(`${without.reference} · Payments · Payments console`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect.poll(() => page.title()).toBe('Payments console')
})

test('Escape closes the menu of a phone, and leads back to its button', async () => {
  const page = await atTheConsole({ viewport: { width: 360, height: 800 } })
  await signIn(page, 'viewer')
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await page.getByRole('link', { name: 'Owed back' }).focus()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('link', { name: 'Owed back' }).isVisible()).toBe(false)
  expect(await menu.getAttribute('aria-expanded')).toBe('false')
  expect(await menu.evaluate('document.activeElement.className')).toContain('menu')
})
