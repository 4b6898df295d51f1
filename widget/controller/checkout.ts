// A checkout and its element, as those parts see them that create, resume, watch and show a
// payment. Types only.
import type { Action, CheckoutState } from '../base/checkout-state.ts'
import type { CheckoutError } from '../base/checkout-error.ts'
import type { Entry, Faults, FormValues, Offered } from '../base/form-values.ts'
import type { FieldName } from '../base/types.ts'
import type { CheckoutProperties } from '../base/checkout-properties.ts'
import type { CompanionClient } from '../client/companion-client.ts'
import type { CardTexts } from '../locales/texts.ts'
import type { RareLooks } from '../views/status-words.ts'
import type { CreateDeposit, SessionView } from '../../server/contract/index.ts'

/** The element. */
export interface CheckoutHost extends CheckoutProperties {
  readonly _locale: string
  readonly _words: CardTexts
  readonly _wordsLocale: string
  readonly _takesFocus: boolean
  readonly _checkout: Checkout
  readonly _offer: CheckoutOffer
  readonly _form: CheckoutForm
  readonly _pressing: CheckoutPress
  check(): Promise<void>
  reset(): Promise<boolean>
}

/** What can be paid. */
export interface CheckoutOffer extends Offered {
  loadSession(): Promise<void>
  loadBanks(): Promise<void>
}

/** What the customer enters. */
export interface CheckoutForm extends Entry {
  query: string
  faults: Faults
  /** Nothing can be filled in. */
  readonly _isOff: boolean
  /** The form is on the screen. */
  readonly _isShown: boolean
  /** Pay was pressed and waits for what is still to come. */
  readonly _isPressed: boolean
  /** Somebody is to name a bank, or has: only then its list and search are loaded. */
  readonly _wantsBanks: boolean
  /** The search of the bank field, once somebody has used the field. */
  readonly _picking: { readonly _isUnclear: boolean; close(): void; leave(): void } | undefined
  values(): FormValues
  /** The fields that are shown now, each with the name of what it asks as its id. */
  fields(): readonly (HTMLInputElement | HTMLSelectElement)[]
  focused(): Element | null
  /** Takes what the field shows, if the form has not heard of it yet. */
  _heard(field: FieldName, text: string): void
  /** Puts a text into the field. */
  write(field: FieldName, text: string): void
  /** The field was given this value: its error is gone. */
  changed(field: FieldName, value: string): void
  /** Loads the search of the bank field; a failed load is tried again with the next one. */
  loadSearch(): Promise<void>
  /** The bank list of the chosen country and its search have come, or have failed. */
  banksCame(): void
}

/** The press on Pay. */
export interface CheckoutPress {
  /** Id of the payment that the customer has given up and the next one replaces. */
  replaces: string | undefined
  /** The session has come; without one, the markets. */
  _offerCame(answer?: SessionView): void
  /** Why it did not; it is requested again if that passes by itself. */
  _offerFailed(answer: CheckoutError): Promise<void>
  /** The press goes on once what is still to come has come. */
  wait(): void
  /** Brings the reason why nothing can be paid into view. */
  _showReason(): Promise<void>
}

export interface Checkout {
  readonly _host: CheckoutHost
  readonly state: CheckoutState
  /** What is loaded after the form, of that the texts and views that few see. */
  readonly flow: { readonly loadRare: () => Promise<RareLooks>; readonly rare?: RareLooks } | undefined
  /** A new client for each order, so that an answer for an earlier order can be recognised. */
  client: CompanionClient
  /** Changes the state, and draws it unless nobody sees the page. */
  _set(change: Partial<CheckoutState>, isSeen?: boolean): void
  /** The same, where what changes depends on the state. */
  _apply(action: Action): void
  /**
   * What is shown may still be paid, as far as this browser knows; or, with the form on the screen,
   * what is stored for this order.
   */
  readonly _mayBePaid: boolean
  /**
   * Connects to a companion and looks for a payment of this order to resume; false if it was
   * already connected.
   */
  connect(again?: boolean): boolean
  /** Shows the payment of this id, or the one that the token opens. */
  resume(id?: string, token?: string): void
  /**
   * Back to the form, forgetting the payment on this device unless `keep`; the payment itself goes
   * on. Whoever calls it has asked the customer, or has an answer that allows it (answers.ts).
   */
  reset(keep?: boolean): void
  /** Loads what is needed after the form; retries until the network allows it. */
  loadFlow(): Promise<unknown>
  /** Loads the rare texts, but does not wait long: the more general texts are true as well. */
  _explain(): Promise<void>
  /**
   * Asks for the answer to a create by its key, unless something else is shown once the flow is
   * loaded.
   */
  _settle(key: string): Promise<void>
  /** Shows a payment, once its state is known, and keeps it up to date. */
  _follow(id: string, token: string, resumed: boolean): void
  /** Ends that. */
  _stop: () => void
  /** Says why a payment is not shown, once for each reason; it is asked for again meanwhile. */
  _doubt(fault: CheckoutError): void
  /** Takes the question back. */
  _answer(isForgotten: boolean): void
  /** Shows why nothing can be paid or shown. Resolves when the texts for it are loaded. */
  refuse(fault: CheckoutError): Promise<void>
  submit(body: CreateDeposit, openingText: string): Promise<void>
  /** Hides why nothing can be paid. */
  dismiss(): void
  /** The customer does not want to wait until a request is repeated. */
  hurry: () => void
}
