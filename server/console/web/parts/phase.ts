// The state of a payment as a coloured mark with its word: never by colour alone.
import { html, nothing, type TemplateResult } from 'lit'
import type { PaymentView } from '../../../contract/index.ts'
import type { App } from '../base/app.ts'
import type { PhaseWords } from '../words/en-story.ts'

type Looks = Pick<PaymentView, 'phase' | 'overdue'>

const TONES: Readonly<Record<PaymentView['phase'], string>> = {
  creating: 'wait',
  unknown: 'wait',
  open: 'wait',
  confirming: 'wait',
  abandoned: 'off',
  review: 'look',
  succeeded: 'good',
  failed: 'bad',
  expired: 'bad',
  rejected: 'bad',
}

export const phaseWords = ({ story }: App, { phase, overdue }: Looks): PhaseWords =>
  overdue === true ? story.overdue : story.phases[phase]

export function phaseMark(app: App, payment: Looks): TemplateResult {
  const tone = payment.overdue === true ? 'look' : TONES[payment.phase]
  return html`<span class="mark ${tone}">${phaseWords(app, payment).label}</span>`
}

/** What is unusual about it. */
export function extraMarks({ words: { marks } }: App, payment: PaymentView): TemplateResult {
  const mark = (text: string): TemplateResult => html`<span class="mark look">${text}</span>`
  return html`${payment.late ? mark(marks.late) : nothing}${payment.duplicate ? mark(marks.duplicate) : nothing}${
    payment.disputedSum === true ? mark(marks.disputed) : nothing
  }`
}

/** The payer's name, or that it was erased. */
export const payerOf = ({ words }: App, { payer }: PaymentView): string => payer?.name ?? words.payments.noPayer
