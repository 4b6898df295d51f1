// A checkout as its parts see it: creating, resuming and watching a payment. Types only.
import type { ReactiveControllerHost } from 'lit'
import type { Action, CheckoutState } from './base/checkout-state.ts'
import type { CheckoutError } from './base/checkout-error.ts'
import type { CompanionClient } from './companion-client.ts'
import type { CardTexts } from './locales/texts.ts'
import type { Market, Shop } from '../server/contract/index.ts'

/** Who is paid, and how one pays there. */
export interface ShopOffer {
  readonly shop: Shop | undefined
  readonly markets: readonly Market[] | undefined
}

/** What a checkout needs of the element. */
export interface CheckoutHost extends ReactiveControllerHost, EventTarget {
  readonly companion: string
  readonly session: string | undefined
  readonly clientReference: string | undefined
  readonly presentation: 'auto' | 'tab' | 'redirect'
  readonly deposit: string | undefined
  readonly isConnected: boolean
  readonly _locale: string
  readonly _words: CardTexts
  readonly _wordsLocale: string
  readonly _offer: ShopOffer
}

export interface Checkout {
  readonly _host: CheckoutHost
  readonly state: CheckoutState
  /** A new client for each order, so that an answer for an earlier order can be recognised. */
  client: CompanionClient
  /** The only way to change the state; draws it unless nobody sees the page. */
  _apply(action: Action, isSeen?: boolean): void
  /** What is shown, or stored for this order, may still be paid. */
  readonly mayBePaid: boolean
  /** Loads the rare texts, but does not wait long. */
  explain(): Promise<void>
  /** Shows a payment, once its state is known, and keeps it up to date. */
  _follow(id: string, token: string, resumed: boolean): void
  /** Ends that. */
  _stop(): void
  /** Says why a payment is not shown, once for each reason; it is asked for again meanwhile. */
  _doubt(fault: CheckoutError): void
  /** Takes the question back. */
  _answer(isForgotten: boolean): void
  /** Shows why nothing can be paid or shown. Resolves when the texts for it are loaded. */
  refuse(fault: CheckoutError): Promise<void>
}
