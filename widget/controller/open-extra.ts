// Click handler of the buttons for another phone, receipt and help: loads the extras and opens the
// sheet.
import { depositOf } from '../base/checkout-state.ts'
import type { CheckoutHost } from './checkout.ts'
import { loadExtras } from './load-extras.ts'
import { linksOf } from '../base/payment-links.ts'

/** The button's value names the sheet. */
export async function openExtra(button: HTMLButtonElement, host: CheckoutHost): Promise<void> {
  const { _checkout: checkout, _offer: offer, _words: texts, _locale: locale, payerName } = host
  const deposit = depositOf(checkout.state)
  if (!deposit) return
  button.setAttribute('aria-busy', 'true')
  const loaded = await Promise.all([loadExtras(), checkout.flow?.loadRare()]).catch(() => undefined)
  if (loaded) {
    const [extras, rare] = loaded
    const market = offer.markets?.find(({ country }) => country === deposit.country)
    extras.openSheet(button, host, {
      texts: { ...rare!.texts, ...texts },
      deposit,
      locale,
      link: linksOf(deposit.id).payUrl || '',
      shop: offer.shop,
      operators: market?.operators || [],
      payerName,
    })
  }
  // No network: a receipt can be printed from the card; while waiting, a check shows that there is
  // no network.
  else if (button.value === 'receipt') print()
  else await host.check()
  button.removeAttribute('aria-busy')
}
