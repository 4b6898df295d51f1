// What the card shows after the press: hands the views their values, and what their buttons do.
import type { TemplateResult } from 'lit'
import { depositOf } from '../base/checkout-state.ts'
import type { CheckoutHost } from './checkout.ts'
import { reopenPage } from './creating.ts'
import { openExtra } from './open-extra.ts'
import { statusAnnouncement, type StatusProps } from '../views/status-words.ts'
import { questionView, statusView } from '../views/status.ts'

export function statusStep(host: CheckoutHost): TemplateResult {
  const { _checkout: checkout, _words: texts } = host
  if (!checkout.state._isAsking) return statusView(propsOf(host))
  return questionView(texts, (isForgotten) => checkout._answer(isForgotten))
}

export const announcedStep = (host: CheckoutHost): string => statusAnnouncement(propsOf(host))

function propsOf(host: CheckoutHost): StatusProps {
  const { _checkout: checkout, _words: texts, _locale: locale } = host
  const { state, flow } = checkout
  return {
    state,
    texts,
    locale,
    rare: flow?.rare,
    shop: host._offer.shop,
    firstName: firstName(host),
    returnUrl: returnUrl(host),
    _takesFocus: host._takesFocus,
    _hasSession: Boolean(host.session),
    otherWay: flow?.rare?.parts?.otherWay(host) || '',
    _onCheck: () => void host.check(),
    _onOpened: () => reopenPage(checkout),
    _onNotSent: () => notSent(host),
    _onAgain: () => void host.reset(),
    _onForget: () => void forget(host),
    _onHurry: () => checkout.hurry(),
    _onExtra: ({ currentTarget }) => void openExtra(currentTarget as HTMLButtonElement, host),
  }
}

/** The payer's first name, as typed here; after a reload it is not known. */
function firstName({ _checkout: { state }, payerName }: CheckoutHost): string {
  const isHere = 'resumed' in state.screen && !state.screen.resumed
  return (isHere && payerName?.trim().split(/\s+/)[0]) || ''
}

/**
 * Where the page leads after success. Only a web address: it may come from the address of the page
 * itself.
 */
function returnUrl({ returnUrl: wanted }: CheckoutHost): string {
  if (!wanted) return ''
  try {
    const { href, protocol } = new URL(wanted, document.baseURI)
    return /^https?:$/.test(protocol) ? href : ''
  } catch {
    return ''
  }
}

/** "Not you? Forget": erases payer details too. */
async function forget(host: CheckoutHost): Promise<void> {
  if (!(await host.reset())) return
  host.payerName = host.payerPhone = host.payerEmail = host.bank = undefined
  host._form.query = ''
}

/** Shows the form again after "I have not sent money". */
function notSent({ _checkout: checkout, _form: form, _pressing: pressing }: CheckoutHost): void {
  const deposit = depositOf(checkout.state)
  if (!deposit) return
  // Kept on this device until the new attempt replaces it: a reload before that finds it again.
  form.faults = {}
  checkout.reset(true)
  pressing.replaces = deposit.id
}
