// The list of the bank field and its search, loaded once somebody uses the field: what is open in
// it, and which bank its text means.
import { nothing, render } from 'lit'
import { bankMeant, isBankOpen, searchBanks } from '../base/bank-search.ts'
import type { CheckoutForm, CheckoutHost } from './checkout.ts'
import { bankList } from '../views/bank-list.ts'
import type { Bank } from '../../server/contract/index.ts'

export { bankStyles } from '../views/bank-list.styles.ts'

/**
 * Rows rendered at first, more than are visible; the rest on scrolling: 312 rows take a slow phone
 * a third of a second.
 */
const FIRST_ROWS = 8

/**
 * The row to scroll into view if the list opens at the lower edge of the window or above a
 * keyboard: the third, or the last of fewer.
 */
const FIRST_SEEN = 'li:nth-child(3),li:last-child:nth-child(-n+2)'

export class BankPicking {
  private readonly _form: CheckoutForm
  private readonly _host: CheckoutHost
  private _isOpen = false
  /** The row that is selected by keyboard; -1 if none. */
  private _active = -1
  /** The customer has scrolled the list, so all of it is rendered. */
  private _isWhole = false
  /** The row to bring into view with the next drawing. */
  private _reveal = ''

  constructor(form: CheckoutForm, host: CheckoutHost) {
    this._form = form
    this._host = host
    // If the customer is still in the field, the list opens.
    this.renew(this._hasFocus)
  }

  /** Renders only the list, if the form is shown: a keystroke changes little else. */
  draw(): void {
    const { _field: field, _found: found, _active: active } = this
    const place = this._host.renderRoot.querySelector<HTMLElement>('.banks')
    if (!field || !place) return
    const isOpen = this._isShown
    const set = (name: string, value: string): void =>
      value ? field.setAttribute(name, value) : field.removeAttribute(name)
    set('aria-autocomplete', 'list')
    set('aria-expanded', String(isOpen))
    set('aria-controls', isOpen ? 'banks' : '')
    set('aria-activedescendant', isOpen && active >= 0 ? `b${active}` : '')
    const list = bankList({
      label: this._form.values().texts.bank,
      rows: this._isWhole ? found : found.slice(0, Math.max(FIRST_ROWS, active + 10)),
      all: found.length,
      active,
      onScroll: () => {
        if (this._isWhole) return
        this._isWhole = true
        this.draw()
      },
      onChosen: (bank) => this._choose(bank),
    })
    render(isOpen ? list : nothing, place)
    if (this._reveal) place.querySelector(this._reveal)?.scrollIntoView({ block: 'nearest' })
    this._reveal = ''
  }

  handle(event: Event): void {
    const { _field: field } = this
    if (event.type === 'keydown') this._press(event as KeyboardEvent)
    if (event.type === 'click') {
      this._show(true)
      // A chosen bank, or a query without match, is replaced by the next letter.
      if (this._host.bank || !this._found[0]) field?.select()
    }
    if (event.type === 'blur') {
      this._show(false)
      if (field) this._form._heard('bank', field.value)
      this.leave()
    }
  }

  private _press(event: KeyboardEvent): void {
    const { key } = event
    const { _active: active, _found: found, _isShown: isOpen } = this
    const last = found.length - 1
    const chosen = found[active]
    if (isOpen && key === 'Enter' && chosen) this._choose(chosen)
    else if (isOpen && key === 'Escape') this._show(false)
    else if (key === 'ArrowDown') this._show(true, isOpen ? (active < last ? active + 1 : 0) : -1)
    else if (key === 'ArrowUp') this._show(true, isOpen ? (active > 0 ? active - 1 : last) : -1)
    else return
    event.preventDefault()
    // Escape closes only the list, not a dialog of the page around the card.
    event.stopPropagation()
  }

  /** Another text, or another country: the list is as at first. */
  renew(isOpen: boolean): void {
    this._isOpen = isOpen
    this._isWhole = false
    this._active = this._form.query && !this._host.bank ? 0 : -1
    this._reveal = FIRST_SEEN
  }

  close(): void {
    this._isOpen = false
  }

  /**
   * The customer has left the field: the bank that its text means is taken, or it says that one
   * must be chosen.
   */
  leave(): void {
    const { _form: form, _host: host } = this
    const { offer, page } = form.values()
    this.close()
    if (host.bank || form._isOff || page.bankChoice === 'hidden' || !form._isShown) return
    const meant = Array.isArray(offer.banks) ? bankMeant(offer.banks, form.query) : undefined
    if (meant) this._choose(meant)
    else if (this._isUnclear) {
      form.faults.bank = page.bankChoice === 'required' ? 'errBank' : 'errBankList'
      host.requestUpdate()
    }
  }

  /** The list of the chosen country has come, or has failed. */
  came(): void {
    const { banks } = this._host._offer
    const given = Array.isArray(banks) && banks.find((bank) => bank.code === this._host.bank)
    if (given) this._form.query = given.name
    if (!this._hasFocus) this.leave()
  }

  /** What the field says where no bank is found. */
  get hint(): string {
    const { texts, page, entry, offer } = this._form.values()
    if (!entry.query || !Array.isArray(offer.banks) || this._found[0]) return ''
    return page.bankChoice === 'required' ? texts.errBank : texts.noBank
  }

  /** The text of the field could mean several banks. */
  get _isUnclear(): boolean {
    return isBankOpen(this._form.values())
  }

  private get _hasFocus(): boolean {
    return this._form.focused()?.id === 'bank'
  }

  private get _field(): HTMLInputElement | null {
    return this._host.renderRoot.querySelector('#bank')
  }

  private get _found(): readonly Bank[] {
    const { page, offer, entry } = this._form.values()
    return Array.isArray(offer.banks) ? searchBanks(offer.banks, page.bank ? '' : entry.query) : []
  }

  /** The list is on the screen. */
  private get _isShown(): boolean {
    return this._isOpen && !this._form._isOff && this._found.length > 0
  }

  private _show(isOpen: boolean, active = -1): void {
    this._isOpen = isOpen
    this._active = active
    this._reveal = active < 0 ? FIRST_SEEN : 'li[aria-selected=true]'
    this.draw()
  }

  private _choose({ name, code }: Bank): void {
    this._form.write('bank', name)
    this._form.query = name
    this._host.bank = code
    this.close()
    this._form.changed('bank', code)
  }
}
