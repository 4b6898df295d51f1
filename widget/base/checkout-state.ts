// The state of a checkout, whole, and what each action makes of it. Pure: no Lit, no DOM, no clock,
// no storage.
import type { CheckoutError } from './checkout-error.ts'
import type { Deposit } from './types.ts'

export type Screen =
  | { readonly step: 'form' }
  /** `tries` counts the attempts to reach the companion with the same key. */
  | { readonly step: 'submitting'; readonly tries: number }
  | { readonly step: 'waiting'; readonly deposit: Deposit; readonly silent: boolean; readonly resumed: boolean }
  | { readonly step: 'ended'; readonly deposit: Deposit; readonly resumed: boolean }

export interface Names {
  /** How the names of all orders of this companion begin. */
  readonly root: string
  /** The payment of this order. */
  readonly own: string
}

export interface CheckoutState {
  readonly screen: Screen
  /** Why nothing can be paid or shown. */
  readonly fault: CheckoutError | undefined
  /** The texts for the fault are loaded, or cannot be. */
  readonly isExplained: boolean
  /**
   * A check is running, or did not get through; or when the last one found nothing new.
   */
  readonly checked: 'asking' | 'lost' | Date | undefined
  /** The customer is asked whether a payment that may still be paid is to be forgotten. */
  readonly _isAsking: boolean
  /**
   * The payment whose hosted page was opened from here: the customer sees it, or has it in another
   * tab. It is left once this page itself has been left: whoever comes back to this page, as it
   * was, may have paid meanwhile.
   */
  readonly opened: { readonly id: string; readonly isLeft: boolean } | undefined
  /**
   * The payment whose link somebody else has handed over: this browser had not stored it, and has
   * not opened its page.
   */
  readonly handed: string
  /** Id of the payment that is shown, or is being loaded to be shown. */
  readonly id: string
  /** Empty before the first order. */
  readonly names: Names
  /** Storage name of the payment that is shown, which may be one of another order. */
  readonly kept: string
  /**
   * What was shown before, until the companion has confirmed the token of a payment that the page
   * has named.
   */
  readonly back: { readonly id: string; readonly kept: string } | undefined
  /** The payment and end of the last success or failure that was dispatched. */
  readonly told: string
  /**
   * Rises with every new order, attempt or reset: answers to requests of an earlier run are
   * dropped.
   */
  readonly run: number
}

export type Action = (state: CheckoutState) => CheckoutState

const form: Screen = { step: 'form' }

export const initialState: CheckoutState = {
  screen: form,
  fault: undefined,
  isExplained: false,
  checked: undefined,
  _isAsking: false,
  opened: undefined,
  handed: '',
  id: '',
  names: { root: '', own: '' },
  kept: '',
  back: undefined,
  told: '',
  run: 0,
}

export const depositOf = ({ screen }: CheckoutState): Deposit | undefined =>
  'deposit' in screen ? screen.deposit : undefined

/** The order is paid: by this payment, or by another one that came first. */
export const isOrderPaid = ({ status, result }: Deposit): boolean =>
  status === 'SUCCESS' || result?.code === 'order_paid'

/** Another payment, or a create, is shown or being loaded. */
export const isBusy = ({ screen, id }: CheckoutState): boolean => id !== '' || screen.step === 'submitting'

export const submit: Action = (state) => ({ ...state, screen: { step: 'submitting', tries: 1 } })

/**
 * A payment is taken from the storage, or from the page.
 * @param handed its id, if this browser has not known it
 */
export const resume =
  (name: string, handed: string): Action =>
  (state) => {
    const { id, kept, back } = state
    // What is on the screen stays if the token opens nothing, also a create whose outcome is
    // unknown.
    return { ...state, kept: name, handed, back: back || (isBusy(state) ? { id, kept } : undefined) }
  }

/** From now on this payment is followed. */
export const watch =
  (id: string): Action =>
  (state) => ({ ...state, id, fault: undefined, run: state.run + 1 })

/** The text for a lost network is among the first; without a network no other would come. */
export const fail =
  (fault: CheckoutError | undefined): Action =>
  (state) => ({ ...state, fault, isExplained: fault?.code === 'network' })

export const reset: Action = (state) => ({
  ...state,
  screen: form,
  fault: undefined,
  id: '',
  kept: state.names.own,
  back: undefined,
  run: state.run + 1,
})
