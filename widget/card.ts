// The element as its views see it: public properties, and members private to the package.
import type { LitElement } from 'lit'
import type { Market, SessionView } from '../server/contract/index.ts'
import type { CheckoutState } from './checkout-state.ts'
import type { CardTexts, Rare } from './locales/texts.ts'
import type { MarketRow } from './markets.ts'
import type { FieldName } from './types.ts'

export interface Bank {
  readonly name: string
  readonly code: string
}

/** State of the checkout (checkout-controller.ts). */
export interface Checkout {
  readonly state: CheckoutState
  readonly flow:
    | {
        readonly rare?: Rare
        readonly parts: { isBankOpen(card: Card): boolean }
      }
    | undefined
  reopenPage(): void
  hurry(): void
}

/** What can be paid (offer.ts). */
export interface CardOffer {
  readonly session: SessionView | undefined
  /** The markets that can be chosen, and the chosen one. */
  readonly rows: readonly MarketRow[]
  readonly row: MarketRow
  /** Its limits, once the companion has answered. */
  readonly market: Market | undefined
  readonly banks: readonly Bank[] | 'loading' | 'failed'
}

export interface Card extends LitElement {
  bank: string | undefined
  readonly bankChoice: 'optional' | 'required' | 'hidden'
  readonly amount: number | undefined
  readonly minAmount: number | undefined
  readonly maxAmount: number | undefined
  readonly clientReference: string | undefined
  readonly country: string | undefined
  readonly companion: string
  readonly session: string | undefined
  payerName: string | undefined
  payerPhone: string | undefined
  payerEmail: string | undefined
  check(): Promise<void>
  reset(): Promise<boolean>

  readonly _checkout: Checkout
  readonly _offer: CardOffer
  readonly _locale: string
  /** All texts loaded so far; those of the flow come together with its parts. */
  readonly _words: CardTexts
  /** Text of the bank field, whether its list is open, and the row selected by keyboard. */
  _query: string
  _open: boolean
  _active: number
  /** The customer has scrolled the list, so all of it is rendered. */
  _whole: boolean
  /** Nothing can be filled in or paid. */
  readonly _off: boolean
  /** Pay was pressed and waits for the session. */
  readonly _pressed: boolean
  /** As typed. */
  readonly _amount: string
  /** Errors by field (read-form.ts). */
  _faults: Readonly<Partial<Record<FieldName, string>>>
  _typed(field: FieldName, value: string): void
  /** The field shows this text: takes it, if the card has not heard of it yet. */
  _heard(field: FieldName, value: string): void
  /** Puts this text into the field, whatever another program has written there. */
  _fill(field: FieldName, value: string): void
  /** The customer has chosen this bank. */
  _chose(bank: Bank): void
  /** The customer has left the bank field: the bank that its text means is taken, or the field says that one must be chosen. */
  _leftBank(): void
  /** A field was given this value: clears its error and dispatches `hc-change`. */
  _field(field: FieldName, value: string): void
  /** Renders only the bank picker again. */
  _drawBank(): void
  _submit(event: Event): void
  _notSent(): void
  _forget(): void
}
