// A whole deposit by keyboard alone, and what a screen reader announces on the way.
import { expect, test } from 'vitest'
import { context, eachTestAtTheShop, system, shop } from './at-the-shop.ts'
import { STANDING_TIMERS, standTimersAtTheForm, widgetOf } from './customer.ts'

eachTestAtTheShop()

/** Role-like words for what has the focus inside the element, and its name. */
function focused(): Promise<string> {
  return shop.evaluate(`(() => {
    let at = document.activeElement
    while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement
    return !at ? '' : at.id || (at.textContent || '').trim().replace(/\\s+/g, ' ')
  })()`)
}

/** Presses Tab until that has the focus; a customer would give up much earlier than this. */
async function tabTo(name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 25; presses += 1) {
    await shop.keyboard.press('Tab')
    const at = await focused()
    if (typeof name === 'string' ? at === name : name.test(at)) return
    passed.push(at)
  }
  throw new Error(`Tab does not lead to ${String(name)}, but to ${passed.join(', ')}`)
}

test('a whole deposit by keyboard alone', async () => {
  await shop.goto(system.shop())
  const { element, heading } = widgetOf(shop)
  await element.locator('.chips button').first().waitFor()
  await element.getByRole('combobox', { name: /bank/ }).waitFor()

  await tabTo('country')
  await shop.keyboard.press('K')
  expect(await element.locator('#country').inputValue()).toBe('KE')
  await tabTo('bank')
  await shop.keyboard.type('victria')
  await element.locator('[role=option]').first().waitFor()
  await shop.keyboard.press('ArrowUp')
  await shop.keyboard.press('Home')
  expect(await element.locator('#bank').getAttribute('aria-activedescendant')).toBe(
    await element.locator('[role=option][aria-selected=true]').getAttribute('id'),
  )
  await shop.keyboard.press('Enter')
  expect(await element.locator('#bank').inputValue()).toBe('Victoria Commercial Bank Ltd')
  expect(await element.locator('[role=option]').count()).toBe(0)

  // Too early: the first field that is wrong takes the focus and says why.
  await shop.keyboard.press('Enter')
  await element.locator('#amount[aria-invalid=true]').waitFor()
  expect(await focused()).toBe('amount')
  const note = await element.locator('#amount').getAttribute('aria-describedby')
  expect(await element.locator(`#${note}`).textContent()).toContain('Enter a whole amount')
  await tabTo(/^1,000$/)
  await shop.keyboard.press('Space')
  expect(await element.locator('#amount').inputValue()).toBe('1,000')
  await tabTo('name')
  await shop.keyboard.type('Achieng Otieno')
  await tabTo('phone')
  await shop.keyboard.type('0712 345 678')
  await tabTo('email')
  await tabTo('Pay KSh 1,000')
  const opening = context.waitForEvent('page')
  await shop.keyboard.press('Enter')
  const hosted = await opening
  await hosted.waitForURL(/\/checkout\//)
  expect(await system.deposit()).toMatchObject({ amount: 1000, country: 'KE' })

  await shop.bringToFront()
  await heading('Pay on the page that opened')
  // The focus has followed to the new step, and the way on begins there.
  await expect.poll(focused).toBe('Pay on the page that opened')
  await tabTo('Open the payment page again')
  const again = context.waitForEvent('page')
  await shop.keyboard.press('Enter')
  await (await again).waitForURL(hosted.url())
  await shop.bringToFront()
  // Who comes back may ask at once.
  await shop.reload()
  await heading('Your payment is open')
  await tabTo('Check now')
  const asks = system.requests.length
  await shop.keyboard.press('Enter')
  await expect.poll(() => system.requests.slice(asks).filter((one) => /^POST .*\/check$/.test(one))).toHaveLength(1)

  await system.pays()
  await heading(/^Thank you/)
  await expect.poll(focused).toBe('Thank you')
  await tabTo(/Start another/)
  await shop.keyboard.press('Enter')
  await element.locator('#name').waitFor()
  expect(await element.locator('#name').inputValue()).toBe('')
  expect(system.creates()).toBe(1)
})

/**
 * Opens the shop. @returns all that live regions say from then on, in order; of a slow machine they
 * say nothing
 */
async function listen(): Promise<() => Promise<string[]>> {
  await shop.addInitScript(STANDING_TIMERS)
  await shop.goto(system.shop())
  await standTimersAtTheForm(shop)
  await shop.evaluate(`(() => {
    const root = document.querySelector('hc-checkout').shadowRoot
    const spoken = (window.spoken = [])
    const look = () => {
      for (const region of root.querySelectorAll('[role=status], [role=alert]')) {
        const text = region.textContent.trim().replace(/\\s+/g, ' ')
        if (region.said !== text && text) spoken.push(region.getAttribute('role') + ': ' + text)
        region.said = text
      }
    }
    look()
    new MutationObserver(look).observe(root, { subtree: true, childList: true, characterData: true })
  })()`)
  return async () =>
    (await shop.evaluate<string[]>('window.spoken')).map((text) => text.replace(/ before .*/, ' before …'))
}

test('a screen reader is told which fields must be filled in, and how many banks were found', async () => {
  await shop.goto(system.shop())
  const { element } = widgetOf(shop)
  const bank = element.getByRole('combobox', { name: /bank/ })
  await bank.waitFor()
  await element.locator('.chips button').first().waitFor()
  const must = await element.locator('input').evaluateAll((fields) => fields.map((one) => one.ariaRequired))
  expect(must).toEqual(['false', 'true', 'true', 'false', 'false'])
  const offered = await fetch(`${system.companionUrl}/v1/banks?country=KE`)
  const { banks } = (await offered.json()) as { banks: unknown[] }
  await bank.press('ArrowDown')
  const rows = element.locator('[role=option]')
  await rows.first().waitFor()
  // Only what is seen is drawn.
  expect(await rows.count()).toBeLessThan(banks.length)
  expect(await rows.first().getAttribute('aria-setsize')).toBe(String(banks.length))
  await shop.goto(system.shop({ 'bank-choice': 'required' }))
  await expect.poll(() => bank.getAttribute('aria-required')).toBe('true')
})

test('a screen reader is told each step of a payment once, in the customer’s words', async () => {
  const { fill, payButton, heading } = widgetOf(shop)
  const spoken = await listen()
  // Its last digits make the service's own query lag behind its callback: there is time to be told
  // of the confirmation.
  await fill({ phone: '0700000020' })
  const opening = context.waitForEvent('page')
  await payButton.click()
  await (await opening).waitForURL(/\/checkout\//)
  await heading('Pay on the page that opened')
  await system.until('confirming')
  await heading('Confirming your payment')
  await system.until('succeeded')
  await heading(/^Thank you/)
  expect(await spoken()).toEqual([
    'status: Preparing your payment…',
    'status: Pay on the page that opened. Choose an agent before …',
    'status: Confirming your payment',
    // The title takes the focus, and is read for that.
    'status: KSh 2,500. We have received your payment.',
  ])
})

test('a screen reader is told of a payment that failed, and of a refusal', async () => {
  const { element, fill, payButton, heading } = widgetOf(shop)
  const spoken = await listen()
  system.between = (request, next) =>
    request.method === 'POST'
      ? Response.json(
          { type: '/problems/rate_limited', title: 'Too many', status: 429, code: 'rate_limited', retryAfter: 1 },
          {
            status: 429,
            headers: {
              'content-type': 'application/problem+json',
              'access-control-allow-origin': system.shopUrl,
            },
          },
        )
      : next()
  await fill({ phone: '0700000003' })
  await payButton.click()
  await element.locator('[role=alert]').waitFor()
  system.between = (_, next) => next()
  await payButton.click()
  await heading('Pay on the page that opened')
  await system.until('failed')
  await heading('Not paid')
  // The ring may be seen before the result that it brings, or both at once.
  expect((await spoken()).filter((each) => !each.startsWith('status: Confirming your payment'))).toEqual([
    'status: Preparing your payment…',
    'alert: Many people are paying right now. Wait a minute and try again.',
    'status: Preparing your payment…',
    'status: Pay on the page that opened. Choose an agent before …',
    'status: The payment was cancelled, or the phone could not be reached.',
  ])
})

test('Escape closes the list of banks and the sheet alone, not the shop’s dialog around the card', async () => {
  const address = system.page(
    '/dialog',
    `<!doctype html><html lang="en"><script type="module" src="${system.companionUrl}/widget/v1/hc-checkout.js"></script>
    <body><dialog><hc-checkout companion="${system.companionUrl}" country="KE"></hc-checkout></dialog><script>
    document.querySelector('dialog').showModal()
    window.heard = 0
    addEventListener('keydown', ({ key }) => (heard += key === 'Escape' ? 1 : 0))
    </script></body></html>`,
  )
  await shop.goto(address)
  const { element, fill, payButton, heading } = widgetOf(shop)
  const isOpen = () => shop.evaluate('document.querySelector("dialog").open')
  await element.getByRole('combobox', { name: /bank/ }).click()
  await element.locator('[role=option]').first().waitFor()
  await shop.keyboard.press('Escape')
  expect(await element.locator('[role=option]').count()).toBe(0)
  expect(await isOpen()).toBe(true)

  await fill()
  const opening = context.waitForEvent('page')
  await payButton.click()
  await (await opening).waitForURL(/\/checkout\//)
  await shop.bringToFront()
  await heading('Pay on the page that opened')
  await element.getByRole('button', { name: 'How to pay' }).click()
  await element.locator('dialog').waitFor()
  await shop.keyboard.press('Escape')
  await element.locator('dialog').waitFor({ state: 'detached' })
  expect(await isOpen()).toBe(true)
  expect(await focused()).toBe('How to pay')
  expect(await shop.evaluate('heard')).toBe(0)
  await shop.keyboard.press('Escape')
  await expect.poll(isOpen).toBe(false)
})
