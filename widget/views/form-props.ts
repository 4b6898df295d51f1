// What the form shows, and what it calls: all that it can change.
import type { CheckoutError } from '../base/checkout-error.ts'
import type { FormValues } from '../base/form-values.ts'
import type { FieldName } from '../base/types.ts'
import type { RareLooks } from './status-words.ts'

export interface FormProps extends FormValues {
  /** Nothing can be filled in or paid. */
  readonly _isOff: boolean
  /** Pay was pressed and waits for what is still to come. */
  readonly _isPressed: boolean
  /** Why nothing can be paid, and whether its text is loaded. */
  readonly fault: CheckoutError | undefined
  readonly isExplained: boolean
  /** The rare texts and views, once they are loaded. */
  readonly rare: RareLooks | undefined
  readonly phoneHint: string
  /** The bank field opens a list; before the later parts have come, it is a plain field. */
  readonly _hasList: boolean
  /** What the bank field says where it finds none. */
  readonly bankHint: string
  /** The customer enters or leaves the bank field, clicks or presses a key in it. */
  _onBank(event: Event): void
  countryName(code: string, name: string): string
  /** The customer types into a field, or chooses in it. */
  _onInput(field: FieldName, text: string): void
  /**
   * The customer types an amount: groups its digits. `how`: the event's `inputType`. @returns what
   * the field shows
   */
  _onAmount(field: HTMLInputElement, how?: string): string
  /** A field shows this text now. */
  onChange(field: FieldName, text: string): void
  /** This text is to be put into a field. */
  _onFill(field: FieldName, text: string): void
  readonly onSubmit: (event: Event) => void
}
