// Click handler of the buttons for another phone, receipt and help: loads the extras and opens the sheet.
import type { LitElement } from 'lit'
import type { CardTexts } from './locales/texts.ts'
import { loadExtras } from './load-extras.ts'
import { linksOf } from './payment-links.ts'
import type { Deposit } from './types.ts'

/** The button's value names the sheet. */
export async function openExtra(
  button: HTMLButtonElement,
  host: LitElement & { check(): Promise<void> },
  texts: CardTexts,
  deposit: Deposit,
  locale: string,
): Promise<void> {
  button.setAttribute('aria-busy', 'true')
  const extras = await loadExtras().catch(() => undefined)
  if (extras) await extras.openSheet(button, host, texts, deposit, locale, linksOf(deposit.id).payUrl || '')
  // No network: a receipt can be printed from the card; while waiting, a check shows that there is no network.
  else if (button.value === 'receipt') print()
  else await host.check()
  button.removeAttribute('aria-busy')
}
