// Everything that is not needed before the first keystroke: loaded while the customer fills in the
// form, so that the form appears sooner. A press on Pay waits for it.
import type { CardTexts } from '../locales/texts.ts'
import type { RareLooks } from '../views/status-words.ts'

export { flowStyles } from '../styles/flow.styles.ts'
export { settle, submit } from './creating.ts'
export { watchDeposit } from '../client/deposit-stream.ts'
export { FollowStep } from './follow-step.ts'
export { mustWait, pay, sessionRequired } from './paying.ts'
export { linksOf } from '../base/payment-links.ts'
export { countryName, groupTyped, phoneHint } from './form-later.ts'
export { announcedStep, statusStep } from './status-step.ts'
export { shopMark, wearAccent } from '../views/shop-mark.ts'
export { check, watch } from './watching.ts'

/** The parts and their texts in one language; the rare texts once they are loaded. */
export interface Flow {
  readonly parts: typeof import('./flow.ts')
  /** The language of the texts. */
  readonly locale: string
  readonly texts: CardTexts
  readonly loadRare: () => Promise<RareLooks>
  rare?: RareLooks
}
