// The texts that every language must provide, and that a shop may replace: those of the English
// files, whose comments say what is filled into the braces. A text may do without one of these.
import type { texts as flowTexts } from './en.ts'
import type { texts as moreTexts } from './en-more.ts'
import type { firstTexts } from './first.ts'

/** Those of the form, and those needed after the first keystroke. */
export type FlowTexts = typeof firstTexts & typeof flowTexts

/** Those of errors and unusual results, the other phone, the receipt and the help. */
export type MoreTexts = typeof moreTexts

/** What is loaded on demand: texts, and their keys by code. */
export interface Rare {
  readonly texts: MoreTexts
  /** For a failed payment: result codes of service.md's callbacks, and of the companion. */
  readonly failures: Readonly<Record<string, keyof MoreTexts>>
  /** For a refusal: the companion's problem codes, and the widget's own. */
  readonly problems: Readonly<Record<string, keyof MoreTexts>>
}

/** A language. */
export interface Words {
  readonly texts: FlowTexts
  /** Loads what few need. */
  readonly rare: () => Promise<Rare>
}

/**
 * Texts available to the card. Before the flow has come it has those of the form alone; more
 * general ones replace rare ones that have not.
 */
export interface CardTexts extends FlowTexts, Partial<MoreTexts> {}

/** All texts; the page can replace each. */
export interface Texts extends FlowTexts, MoreTexts {}
