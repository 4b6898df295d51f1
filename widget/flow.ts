// All that is not needed before the first keystroke: loaded while the customer fills in the form, so that the form is there sooner.
import type { FlowTexts, RareTexts } from './locales/texts.ts'

export { watchDeposit } from './deposit-stream.ts'
export { openExtra } from './open-extra.ts'
export { problemText } from './problem-text.ts'
export { bankPicker, searchBanks } from './views/bank-picker.ts'
export { flowStyles } from './views/flow.styles.ts'
export { announcement, endedView, nextAnnouncement, submittingView, waitingView } from './views/status.ts'

export type FlowParts = typeof import('./flow.ts')

/** The parts, and the words for them in one language. */
export interface Flow {
  readonly parts: FlowParts
  readonly texts: FlowTexts & Partial<RareTexts>
  readonly rareTexts: () => Promise<RareTexts>
}
