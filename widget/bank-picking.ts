// The bank field once its list can be searched: what is open in it, and which bank is chosen.
import { render } from 'lit'
import { bankMeant, isBankOpen } from './bank-search.ts'
import type { Bank, FormValues } from './form-values.ts'
import { bankPicker } from './views/bank-picker.ts'
import { bankLabel } from './views/form.ts'

/** What it needs of the form (form-controller.ts). */
export interface BankForm {
  readonly isOff: boolean
  values(): FormValues
  /** Takes what was typed into the field. */
  typed(field: 'bank', text: string): void
  /** Takes what the field shows, if the form has not heard of it yet. */
  heard(field: 'bank', text: string): void
  choose(bank: Bank): void
  leaveBank(): void
}

export class BankPicking {
  private readonly _form: BankForm
  private readonly _root: ParentNode
  private _isOpen = false
  /** The row that is selected by keyboard; -1 if none. */
  private _active = -1
  /** The customer has scrolled the list, so all of it is rendered. */
  private _isWhole = false

  constructor(form: BankForm, root: ParentNode) {
    this._form = form
    this._root = root
    const { page, entry } = form.values()
    // What was typed into the plain field is searched at once.
    if (!page.bank && entry.query) this._active = 0
  }

  /** Renders only the field and its list, if the form is shown. */
  draw(): void {
    const place = this._root.querySelector<HTMLElement>('.combo')
    if (!place) return
    const { _form: form } = this
    const values = form.values()
    const picker = bankPicker({
      ...values,
      label: bankLabel(values),
      isOff: form.isOff,
      isOpen: this._isOpen,
      active: this._active,
      isWhole: this._isWhole,
      onInput: (text) => form.typed('bank', text),
      onShow: (isOpen, active) => this._show(isOpen, active),
      onScroll: () => {
        if (this._isWhole) return
        this._isWhole = true
        this.draw()
      },
      onChosen: (bank) => form.choose(bank),
      onLeft: (text) => {
        form.heard('bank', text)
        this._show(false, -1)
        form.leaveBank()
      },
    })
    render(picker, place)
  }

  /** Another text, or another country: the list is as at first. */
  renew(isOpen: boolean, query: string): void {
    this._isOpen = isOpen
    this._isWhole = false
    this._active = query ? 0 : -1
  }

  close(): void {
    this._isOpen = false
  }

  /**
   * The picker has taken the place of the plain field in which the customer types: they go on where
   * they were.
   */
  takeOver(): void {
    this._isOpen = true
    this.draw()
    const field = this._root.querySelector<HTMLInputElement>('#bank')
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }

  /** The bank that the text of the field means. */
  get meant(): Bank | undefined {
    const { offer, entry } = this._form.values()
    return Array.isArray(offer.banks) ? bankMeant(offer.banks, entry.query) : undefined
  }

  /** The text of the field could mean several banks. */
  get isUnclear(): boolean {
    return isBankOpen(this._form.values())
  }

  private _show(isOpen: boolean, active: number): void {
    this._isOpen = isOpen
    this._active = active
    this.draw()
  }
}
