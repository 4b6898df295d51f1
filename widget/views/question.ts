// The question before a payment that may still be paid is forgotten on this device.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { Card } from '../card.ts'

export function questionView({ _words: t }: Card, answer: (isForgotten: boolean) => void): TemplateResult {
  return html`<div class="stack" part="question">
    <h2 tabindex="-1">${t.forgetTitle}</h2>
    <p>${t.overdueText}</p>
    <button class="main" type="button" @click=${() => answer(false)}>${t.forgetNo}</button>
    <button class="plain" type="button" value="forget" @click=${() => answer(true)}>${t.notSent}</button>
  </div>`
}
