// What each sheet is given: the payment, its words, and the way to draw itself again.
import type { SheetTexts } from '../locales/texts.ts'
import type { Deposit } from '../types.ts'

export interface Sheet {
  readonly texts: SheetTexts
  readonly deposit: Deposit
  readonly locale: string
  readonly root: ShadowRoot
  /** Choices made in the sheet, by name. */
  readonly chosen: Record<string, string>
  /** What to do when the sheet goes. */
  readonly after: (() => void)[]
  /** Says a text to everybody, those who do not see it included. */
  say(text: string): void
  draw(): void
}
