// What the card shows now: hands the view of the present step its values, and what its buttons do.
import type { LitElement, TemplateResult } from 'lit'
import type { CheckoutController } from './checkout-controller.ts'
import { depositOf } from './checkout-state.ts'
import type { Flow } from './flow.ts'
import type { FormController } from './form-controller.ts'
import { html } from './html.ts'
import type { CardTexts } from './locales/texts.ts'
import type { Pressing } from './pressing.ts'
import type { StartOver } from './start-over.ts'
import { formView } from './views/form.ts'
import type { StatusProps } from './views/status.ts'

/** What it needs of the element. */
export interface StepHost extends LitElement {
  readonly companion: string
  readonly session: string | undefined
  readonly _checkout: CheckoutController
  readonly _form: FormController
  readonly _pressing: Pressing
  readonly _startOver: StartOver
  readonly _words: CardTexts
  readonly _locale: string
  check(): Promise<void>
}

/** What the page shows where there is no script; without a session any browser may pay at `/pay`. */
function otherWay(host: StepHost): string {
  const own = host.querySelector('a')
  if (own) return own.href
  return host.session ? '' : `${host.companion.replace(/\/$/, '')}/pay`
}

function statusProps(host: StepHost, { parts, rare }: Flow): StatusProps {
  const { _checkout: checkout, _startOver: startOver, _words: texts, _locale: locale } = host
  const { state } = checkout
  return {
    state,
    texts,
    locale,
    rare,
    hasSession: Boolean(host.session),
    otherWay: otherWay(host),
    onCheck: () => void host.check(),
    onOpened: () => checkout.reopenPage(),
    onNotSent: () => startOver.notSent(),
    onAgain: () => void startOver.reset(),
    onForget: () => void startOver.forget(),
    onHurry: () => checkout.hurry(),
    onExtra: ({ currentTarget }) => {
      const deposit = depositOf(state)
      if (deposit) void parts.openExtra(currentTarget as HTMLButtonElement, host, texts, deposit, locale)
    },
  }
}

/** For screen readers: each step once. */
export function announcement(host: StepHost, isForm: boolean): string {
  const { _form: form, _checkout: checkout, _words: texts } = host
  const { flow } = checkout
  if (isForm && !form.isPressed) return form.phoneHint()
  return flow ? flow.parts.statusAnnouncement(statusProps(host, flow)) : texts.submitting
}

export function stepView(host: StepHost, isForm: boolean): TemplateResult {
  const { _checkout: checkout, _words: texts } = host
  const { flow, state } = checkout
  if (isForm) return formView(host._form.props(() => host._pressing.press()))
  if (!flow) return html`<h2 tabindex="-1" .textContent=${texts.submitting}></h2>`
  if (!state.isAsking) return flow.parts.statusView(statusProps(host, flow))
  return flow.parts.questionView({ texts, onAnswer: (isForgotten) => checkout._answer(isForgotten) })
}
