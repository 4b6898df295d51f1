// The form as plain values: what the page has set, what the customer has entered, and what can be
// paid. Types only.
import type { LitElement } from 'lit'
import type { Bank, Market, SessionView, Shop } from '../../server/contract/index.ts'
import type { CardTexts } from '../locales/texts.ts'
import type { CheckoutProperties } from './checkout-properties.ts'
import type { CheckoutError } from './checkout-error.ts'
import type { MarketRow } from './markets.ts'
import type { FieldName } from './types.ts'

/** What is wrong with each field: the key of its text, or a refusal whose own message says it. */
export type Faults = Partial<Record<FieldName, keyof CardTexts | CheckoutError>>

/** What a page can set on the element. */
export type PageValues = Readonly<Omit<CheckoutProperties, keyof LitElement>>

/** What can be paid (offer.ts). */
export interface Offered {
  readonly session: SessionView | undefined
  readonly shop: Shop | undefined
  /** All markets, once the companion has answered. */
  readonly markets: readonly Market[] | undefined
  /** The markets that can be chosen, and the chosen one. */
  readonly rows: readonly MarketRow[]
  readonly row: MarketRow
  /** Its limits, once the companion has answered. */
  readonly market: Market | undefined
  readonly banks: readonly Bank[] | 'loading' | 'failed'
}

/** What the customer has entered, besides what is kept in public properties. */
export interface Entry {
  readonly query: string
  readonly amount: string
  readonly faults: Faults
}

export interface FormValues {
  readonly page: PageValues
  readonly offer: Offered
  readonly entry: Entry
  /** All texts loaded so far; those of the flow come together with its parts. */
  readonly texts: CardTexts
  readonly locale: string
}
