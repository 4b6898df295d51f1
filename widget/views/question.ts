// The question before a payment that may still be paid is forgotten on this device.
import type { TemplateResult } from 'lit'
import { html } from '../base/html.ts'
import type { FlowTexts } from '../locales/texts.ts'

export function questionView(t: FlowTexts, onAnswer: (isForgotten: boolean) => void): TemplateResult {
  return html`<div class="stack" part="question">
    <h2 tabindex="-1" .textContent=${t.forgetTitle}></h2>
    <p .textContent=${t.overdueText}></p>
    <button class="main" type="button" @click=${() => onAnswer(false)} .textContent=${t.forgetNo}></button>
    <button
      class="plain"
      type="button"
      value="forget"
      @click=${() => onAnswer(true)}
      .textContent=${t.notSent}
    ></button>
  </div>`
}
