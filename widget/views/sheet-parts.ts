// What each sheet is given: the payment, its texts, and a function to render it again.
import type { Shop } from '../../server/contract/index.ts'
import type { SheetTexts } from '../locales/texts.ts'
import type { Deposit } from '../base/types.ts'

/** What the page knows of a payment beside its view. */
export interface Known {
  readonly shop: Shop | undefined
  /** The mobile-money services of its market. */
  readonly operators: readonly string[]
  /** As it stands in the form; it may be another person's. */
  readonly payerName: string | undefined
}

export interface Sheet extends Known {
  readonly texts: SheetTexts
  readonly deposit: Deposit
  /** The companion's page of the payment. */
  readonly link: string
  readonly locale: string
  readonly root: ShadowRoot
  /** Choices made in the sheet, by name. */
  readonly chosen: Record<string, string>
  /** Called when the sheet closes. */
  readonly after: (() => void)[]
  /** Shows a text and announces it to screen readers. */
  say(text: string): void
  draw(): void
}
