// What the card shows after the press: hands the views their values, and what their buttons do.
import type { LitElement, TemplateResult } from 'lit'
import { depositOf } from './base/checkout-state.ts'
import type { CheckoutState } from './base/checkout-state.ts'
import type { ShopOffer } from './checkout.ts'
import type { Faults } from './base/form-values.ts'
import type { CardTexts } from './locales/texts.ts'
import { openExtra } from './open-extra.ts'
import type { RareSource } from './open-extra.ts'
import { questionView } from './views/question.ts'
import { statusAnnouncement } from './views/status-words.ts'
import type { StatusProps } from './views/status-words.ts'
import { statusView } from './views/status.ts'

/** What it needs of the element. */
export interface StatusHost extends LitElement {
  readonly companion: string
  readonly session: string | undefined
  payerName: string | undefined
  payerPhone: string | undefined
  payerEmail: string | undefined
  bank: string | undefined
  readonly _offer: ShopOffer
  readonly returnUrl: string | undefined
  readonly _words: CardTexts
  readonly _locale: string
  readonly _checkout: {
    readonly state: CheckoutState
    readonly flow: (RareSource & { readonly rare?: NonNullable<StatusProps['rare']> }) | undefined
    reopenPage(): void
    hurry(): void
    reset(keep: true): void
    _answer(isForgotten: boolean): void
  }
  readonly _takesFocus: boolean
  readonly _form: { faults: Faults; query: string }
  readonly _pressing: { replaces: string | undefined }
  check(): Promise<void>
  reset(): Promise<boolean>
}

export function statusStep(host: StatusHost): TemplateResult {
  const { _checkout: checkout, _words: texts } = host
  if (!checkout.state.isAsking) return statusView(propsOf(host))
  return questionView({ texts, onAnswer: (isForgotten) => checkout._answer(isForgotten) })
}

/** For screen readers. */
export const announcedStep = (host: StatusHost): string => statusAnnouncement(propsOf(host))

function propsOf(host: StatusHost): StatusProps {
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
    takesFocus: host._takesFocus,
    hasSession: Boolean(host.session),
    otherWay: flow?.rare?.parts?.otherWay(host) ?? '',
    onCheck: () => void host.check(),
    onOpened: () => checkout.reopenPage(),
    onNotSent: () => notSent(host),
    onAgain: () => void host.reset(),
    onForget: () => void forget(host),
    onHurry: () => checkout.hurry(),
    onExtra: ({ currentTarget }) => void openExtra(currentTarget as HTMLButtonElement, host),
  }
}

/** The payer's first name, as typed here; after a reload it is not known. */
function firstName({ _checkout: { state }, payerName }: StatusHost): string {
  const isHere = 'resumed' in state.screen && !state.screen.resumed
  return (isHere && payerName?.trim().split(/\s+/)[0]) || ''
}

/**
 * Where the page leads after success. Only a web address: it may come from the address of the page
 * itself.
 */
function returnUrl({ returnUrl: wanted }: StatusHost): string {
  if (!wanted) return ''
  try {
    const { href, protocol } = new URL(wanted, document.baseURI)
    return /^https?:$/.test(protocol) ? href : ''
  } catch {
    return ''
  }
}

/** "Not you? Forget": erases payer details too. */
async function forget(host: StatusHost): Promise<void> {
  if (!(await host.reset())) return
  host.payerName = host.payerPhone = host.payerEmail = host.bank = undefined
  host._form.query = ''
}

/** Shows the form again after "I have not sent money". */
function notSent({ _checkout: checkout, _form: form, _pressing: pressing }: StatusHost): void {
  const deposit = depositOf(checkout.state)
  if (!deposit) return
  // Kept on this device until the new attempt replaces it: a reload before that finds it again.
  form.faults = {}
  checkout.reset(true)
  pressing.replaces = deposit.id
}
