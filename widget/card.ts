// What the element shows: the form or a step of the payment, with what stands around both.
import { nothing, type TemplateResult } from 'lit'
import { depositOf } from './base/checkout-state.ts'
import { grouped } from './base/format.ts'
import { html } from './base/html.ts'
import type { FormController, FormHost } from './controller/form-controller.ts'
import type { Pressing } from './controller/pressing.ts'
import { formView } from './views/form.ts'

/** The element, with all that it shows. */
interface CardHost extends FormHost {
  readonly _form: FormController
  readonly _pressing: Pressing
}

/** For screen readers: each step once. */
function announcement(host: CardHost, isForm: boolean): string {
  const { _form: form, _checkout: checkout, _words: texts } = host
  if (isForm && !form._isPressed) return form.phoneHint()
  return checkout.flow ? checkout.flow.parts.announcedStep(host) : texts.submitting
}

function step(host: CardHost, isForm: boolean): TemplateResult {
  const { _form: form, _checkout: checkout, _pressing: pressing, _words: texts } = host
  if (isForm) return formView(form.props(() => pressing._press()))
  if (checkout.flow) return checkout.flow.parts.statusStep(host)
  return html`<h2 tabindex="-1" .textContent=${texts.submitting}></h2>`
}

export function card(host: CardHost): TemplateResult {
  const { _offer: offer, _words: texts } = host
  const { state, flow } = host._checkout
  // The question stands in the place of what it is about.
  const isForm = state.screen.step === 'form' && !(state._isAsking && flow)
  const deposit = depositOf(state)
  const mode = deposit?.mode || offer.mode
  const hasHeader = host.querySelector('[slot=header]')
  const said = announcement(host, isForm)
  // A sum is not for a page translator.
  const hasSum = deposit && said.includes(grouped(deposit.amount, host._locale))
  return html`<div class="card" part="card" lang=${host._wordsLocale}>
    <div class="sr" role="status" translate=${hasSum ? 'no' : nothing} .textContent=${said}></div>
    <div class="top">
      ${mode === 'test' ? html`<p class="test" .textContent=${texts.test}></p>` : nothing}
      ${hasHeader ? nothing : flow?.parts.shopMark(offer.shop)}
    </div>
    <slot name="header" @slotchange=${() => host.requestUpdate()}></slot>
    ${step(host, isForm)}
    <slot name="footer"></slot>
  </div>`
}
