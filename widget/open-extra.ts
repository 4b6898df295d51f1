// What the buttons for another phone, receipt and help do: load the extras, then leave it to them.
import type { LitElement } from 'lit'
import type { CardTexts } from './locales/texts.ts'
import { loadExtras } from './load-extras.ts'
import type { Deposit } from './types.ts'

/** The button's value says what is wanted. */
export async function openExtra(
  button: HTMLButtonElement,
  host: LitElement & { check(): Promise<void> },
  texts: CardTexts,
  deposit: Deposit,
  locale: string,
): Promise<void> {
  button.setAttribute('aria-busy', 'true')
  const extras = await loadExtras().catch(() => undefined)
  if (extras) await extras.openSheet(button, host, texts, deposit, locale)
  // No network: a receipt can be printed as it stands; while waiting, asking now shows that there is none.
  else if (button.value === 'receipt') print()
  else await host.check()
  button.removeAttribute('aria-busy')
}
