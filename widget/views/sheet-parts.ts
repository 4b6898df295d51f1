// What each sheet is given: the payment, its texts, and functions to render it again.
import type { Shop } from '../../server/contract/index.ts'
import type { Texts } from '../locales/texts.ts'
import type { CopyField } from '../base/copy-text.ts'
import type { Deposit } from '../base/types.ts'

/** A payment, and what the page knows of it beside its view. */
export interface Known {
  readonly texts: Texts
  readonly deposit: Deposit
  readonly locale: string
  /** The companion's page of the payment. */
  readonly link: string
  readonly shop: Shop | undefined
  /** The mobile-money services of its market. */
  readonly operators: readonly string[]
  /** As it stands in the form; it may be another person's. */
  readonly payerName: string | undefined
}

export interface Sheet extends Known {
  readonly root: ShadowRoot
  /** The mobile-money service that was chosen in the sheet. */
  operator: string
  readonly after: (() => void)[]
  /** Shows a text and announces it to screen readers. */
  say(text: string): void
  /** Copies a text, and says so; `field` shows the text. */
  copy(text: string, field: CopyField): Promise<void>
  draw(): void
}
