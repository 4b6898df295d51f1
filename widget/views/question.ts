// The question before a payment that may still be paid is forgotten on this device.
import type { TemplateResult } from 'lit'
import { html } from '../html.ts'
import type { Card } from '../card.ts'

export function questionView({ _words: t }: Card, answer: (isForgotten: boolean) => void): TemplateResult {
  return html`<div class="stack" part="question">
    <h2 tabindex="-1" .textContent=${t.forgetTitle}></h2>
    <p .textContent=${t.overdueText}></p>
    <button class="main" type="button" @click=${() => answer(false)} .textContent=${t.forgetNo}></button>
    <button class="plain" type="button" value="forget" @click=${() => answer(true)} .textContent=${t.notSent}></button>
  </div>`
}
