// Click handler of the buttons for another phone, receipt and help: loads the extras and opens the
// sheet.
import type { LitElement } from 'lit'
import type { ShopOffer } from './checkout.ts'
import { loadExtras } from './load-extras.ts'
import { english, languages } from './locales/languages.ts'
import type { CardTexts, MoreTexts } from './locales/texts.ts'
import { linksOf } from './base/payment-links.ts'
import type { Deposit } from './base/types.ts'

/** The button's value names the sheet. */
export async function openExtra(
  button: HTMLButtonElement,
  host: LitElement & { check(): Promise<void>; readonly payerName: string | undefined; readonly _offer: ShopOffer },
  texts: CardTexts,
  deposit: Deposit,
  locale: string,
): Promise<void> {
  button.setAttribute('aria-busy', 'true')
  const loaded = await Promise.all([loadExtras(), moreTexts(locale)]).catch(() => undefined)
  if (loaded) {
    const [extras, more] = loaded
    const link = linksOf(deposit.id).payUrl || ''
    const { payerName, _offer: offer } = host
    const known = { shop: offer.shop, operators: offer.operatorsOf(deposit.country), payerName }
    extras.openSheet(button, host, { ...more, ...texts }, deposit, locale, link, known)
  }
  // No network: a receipt can be printed from the card; while waiting, a check shows that there is
  // no network.
  else if (button.value === 'receipt') print()
  else await host.check()
  button.removeAttribute('aria-busy')
}

async function moreTexts(locale: string): Promise<MoreTexts> {
  const words = await (languages[locale] ?? english)()
  return (await words.rare()).texts
}
