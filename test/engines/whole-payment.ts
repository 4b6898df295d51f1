// Whole payments in one browser engine, on a shop's page as documented: form, hosted page, SUCCESS,
// a reload after it;
// and pressing Pay twice before the session is loaded.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSystem } from '../browser/fixture.ts'
import type { BrowserSystem } from '../browser/fixture.ts'
import { pictureOf, readCode, type Picture } from '../helpers/read-code.ts'
import { root } from '../helpers/run-quietly.ts'
import type { EnginePage } from './engine-page.ts'
import { clickOn, part, until } from './hand.ts'

/**
 * The lines that widget.md gives for a page, for the companion at `companionUrl`, with a session or
 * without.
 */
function documentedEmbed(companionUrl: string, session?: string): string {
  const page = readFileSync(join(root, 'demo/docs/widget.md'), 'utf8')
  const [, embed = ''] = /## Embed\n[\s\S]*?```html\n([\s\S]*?)```/.exec(page) ?? []
  if (!embed.includes('nomodule')) throw new Error('widget.md gives no lines for a page.')
  return embed
    .replaceAll('https://pay.shop.example', companionUrl)
    .replace(/ session="[^"]*"/, session === undefined ? '' : ` session="${session}"`)
}

/** @throws when a step of it fails, in words that name the step */
export async function wholePayment(open: (address: string) => Promise<EnginePage>): Promise<void> {
  const system = await openSystem()
  let page: EnginePage | undefined
  try {
    page = await open(till(system))
    const { evaluate } = page
    await until(() => evaluate(`!!${part('[part~="pay-button"]')}`), 'the form is there')
    await until(() => evaluate(`!!${part('#bank[role="combobox"]')}`), 'the bank list can be used')
    await offered(page)
    await type(page, 'name', 'Amina Otieno')
    await type(page, 'phone', '0712345678')
    await type(page, 'amount', '2500')
    await type(page, 'bank', 'victoria')
    await until(() => evaluate(`!!${part('[role="option"]')}`), 'the bank list finds "victoria"')
    await clickOn(page, '[role="option"]')
    await until(() => evaluate(`/^Victoria /.test(${part('#bank')}.value)`), 'the bank is chosen')
    await clickOn(page, '[part~="pay-button"]')
    await until(
      async () => (await system.deposits()).some((one) => one.checkoutUrl !== undefined),
      'the companion has the payment',
    )
    const { checkoutUrl = '', reference, bankName } = await system.deposit()
    if (bankName === undefined) throw new Error('The payment has no bank.')
    const hosted = page
    await until(async () => (await hosted.addresses()).includes(checkoutUrl), 'the hosted checkout is open')
    await until(() => evaluate(`!!${part('[part~="waiting"]')}`), 'the page waits beside it')
    await until(() => evaluate(besides), 'the buttons of a row stand apart')
    await clickOn(page, 'button[value="help"]')
    await until(() => evaluate(`!!${part('.sheet')}`), 'the help is open')
    await until(() => evaluate(apart), 'nothing in the help lies over its text')
    await evaluate(`(${part('.sheet')}.shadowRoot.querySelector('.close').click(), true)`)
    await clickOn(page, 'button[value="share"]')
    await until(() => evaluate(`!!${code}`), 'the code for another phone is shown')
    const link = readCode((await evaluate(pictureOf(code))) as Picture)
    if (link !== (await evaluate(`document.querySelector('hc-checkout').paymentLink()`)))
      throw new Error(`The code for another phone leads to ${link}.`)
    await evaluate(`(${part('.sheet')}.shadowRoot.querySelector('.close').click(), true)`)
    await system.pays()
    const paid = `!!${part('[part~="success"]')} && ${part('[part~="success"]')}.textContent.indexOf('${reference}') > 0`
    await until(() => evaluate(paid), 'the page says that it is paid')
    await until(
      () => evaluate(`/\\d\\d:\\d\\d(?!:)/.test(${part('[part~="success"]')}.textContent)`),
      'its time has no seconds',
    )
    await evaluate(`(window.before = true, setTimeout(function () { location.reload() }), 1)`)
    await until(() => evaluate(`!window.before && ${paid}`), 'a reload finds the paid payment again')
    if (system.creates() !== 1) throw new Error(`The payment was asked for ${system.creates()} times.`)
  } finally {
    await page?.close()
    await system.close()
  }
}

/** Of the buttons of a row each begins 8 px beside the one before, or below it. */
const besides = `Array.prototype.every.call(${part('.links')}.children, function (button, at, all) {
  if (at === 0) return true
  var before = all[at - 1].getBoundingClientRect(), own = button.getBoundingClientRect()
  return Math.max(own.left - before.right, own.top - before.bottom) > 7.5
})`

/** In the sheet. */
const code = `(${part('.sheet')} && ${part('.sheet')}.shadowRoot.querySelector('svg.qr'))`

/** In the sheet each part begins below the one before. */
const apart = `[].every.call(${part('.sheet')}.shadowRoot.querySelectorAll('.inside > *'), function (one) {
  var next = one.nextElementSibling
  return !next || next.getBoundingClientRect().top >= one.getBoundingClientRect().bottom
})`

/**
 * A customer who is faster than the network: two presses on Pay before it is known what is to be
 * paid.
 */
export async function earlyPresses(open: (address: string) => Promise<EnginePage>): Promise<void> {
  const system = await openSystem()
  let page: EnginePage | undefined
  try {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    system.between = async (request, next) => {
      if (request.method === 'GET' && request.url.endsWith('/v1/session')) await released
      return next()
    }
    page = await open(till(system, (await system.session()).token))
    const { evaluate } = page
    await until(() => evaluate(`!!${part('[part~="pay-button"]')}`), 'the form is there')
    await offered(page)
    await type(page, 'name', 'Amina Otieno')
    await type(page, 'phone', '0712345678')
    await clickOn(page, '[part~="pay-button"]')
    await clickOn(page, '[part~="pay-button"]')
    await until(
      () => evaluate(`${part('[part~="pay-button"]')}.textContent.indexOf('Preparing') >= 0`),
      'the press is answered',
    )
    if (system.creates() > 0) throw new Error('A payment was asked for before its amount was known.')
    release()
    await until(
      async () => (await system.deposits()).some((one) => one.checkoutUrl !== undefined),
      'the companion has the payment',
    )
    const { checkoutUrl = '' } = await system.deposit()
    const hosted = page
    await until(async () => (await hosted.addresses()).includes(checkoutUrl), 'the hosted checkout is open')
    await system.pays()
    // A browser that counts the presses as too long ago for a tab goes there in the same one; Back
    // returns.
    await evaluate(`document.querySelector('hc-checkout') ? true : (setTimeout(function () { history.back() }), true)`)
    await until(() => evaluate(`!!${part('[part~="success"]')}`), 'the page says that it is paid')
    if (system.creates() !== 1) throw new Error(`The payment was asked for ${system.creates()} times.`)
  } finally {
    await page?.close()
    await system.close()
  }
}

/** A shop's page as the documentation says to write it. @returns its address */
function till(system: BrowserSystem, session?: string): string {
  return system.page(
    '/till',
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Till</title>${documentedEmbed(system.companionUrl, session)}</html>`,
  )
}

/**
 * Waits for what the companion offers, which moves all that stands below it: a click would miss its
 * place.
 */
async function offered({ evaluate }: EnginePage): Promise<void> {
  await until(() => evaluate(`!!${part('.test')}`), 'the companion has answered')
}

/** Again, where the driver gave a script up. */
async function type({ evaluate }: EnginePage, id: string, text: string): Promise<void> {
  const typing = `(function () {
    var field = ${part(`#${id}`)}
    field.focus()
    field.value = ${JSON.stringify(text)}
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    // The bank field would take its only match by it: a browser sends it once a person has left the
    // field.
    if (field.id !== 'bank') field.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
    return true
  })()`
  await until(() => evaluate(typing), `${id} is filled in`)
}
