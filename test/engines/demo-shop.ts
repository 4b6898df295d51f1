// A whole purchase in the demo, in one browser engine: a lamp is bought and paid by the phone
// number that the sandbox plays as paid, and the page, the card and the shop's books say so.
import { startLocalSystem } from '../helpers/start-local-system.ts'
import type { EnginePage } from './engine-page.ts'
import { clickOn, part, until } from './hand.ts'

/**
 * @param isOld true where the page must take its files for old browsers
 * @throws when a step of it fails, in words that name the step
 */
export async function buyAtTheDemo(open: (address: string) => Promise<EnginePage>, isOld: boolean): Promise<void> {
  const system = await startLocalSystem()
  let page: EnginePage | undefined
  try {
    page = await open(system.credentials.shopUrl)
    const { evaluate, addresses } = page
    const has = (selector: string): string => `!!document.querySelector('${selector}')`
    await until(() => evaluate(has('[data-buy=lantern]:enabled')), 'the goods are there')
    const isLegacy = (await evaluate('!window.__vite_is_modern_browser && !!window.System')) === true
    if (isLegacy !== isOld) throw new Error(`The page took its files for ${isLegacy ? 'old' : 'new'} browsers.`)
    await evaluate(`(document.querySelector('[data-buy=lantern]').click(), true)`)
    await until(() => evaluate(`!!${part('[part~="locked"]')} && !!${part('.test')}`), 'the card shows the order')
    // The shop's policy refuses styles that are written into the page without its nonce.
    await until(() => evaluate(`${part('[part~="pay-button"]')}.offsetHeight >= 44`), 'the card has its looks')
    await until(() => evaluate(has('#scenarios button')), 'the outcomes are there')
    await evaluate(`(document.querySelector('#scenarios button').click(), true)`)
    await until(() => evaluate(`/0{4}01:/.test(document.querySelector('#scenario-said').textContent)`), 'one is chosen')
    await clickOn(page, '[part~="pay-button"]')
    await until(async () => (await addresses()).some((one) => /\/checkout\//.test(one)), 'the payment page is open')
    await until(() => evaluate(`!document.querySelector('#paid').hidden`), 'the page says that it is paid')
    await until(() => evaluate(`!!${part('[part~="success"]')}`), 'the card says that it is paid')
    await until(() => evaluate(`!!${part('[part~="return-link"]')}`), 'the card leads back to the shop')
    await until(
      () => evaluate(`/books, once/.test(document.querySelector('#happenings').textContent)`),
      'the list says that it is in the books',
    )
    await evaluate(`(window.before = true, setTimeout(function () { location.reload() }), 1)`)
    await until(
      () => evaluate(`!window.before && !!${part('[part~="success"]')}`),
      'a reload finds the paid order again',
    )
  } finally {
    await page?.close()
    await system.remove()
  }
}
