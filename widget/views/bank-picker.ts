// Picker of the customer's own bank: a WAI-ARIA combobox over what people call it. Never stops a
// payment.
import { nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { searchBanks } from '../bank-search.ts'
import { html } from '../html.ts'
import type { Bank, FormValues } from '../form-values.ts'
import { faultText } from '../read-form.ts'

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

export interface BankPickerProps extends FormValues {
  readonly label: string
  /** Nothing can be filled in. */
  readonly isOff: boolean
  /** The list is shown, if there is something to show. */
  readonly isOpen: boolean
  /** The row that is selected by keyboard; -1 if none. */
  readonly active: number
  /** The customer has scrolled the list, so all of it is rendered. */
  readonly isWhole: boolean
  /** The field shows this text. */
  onInput(text: string): void
  /**
   * The list is to be shown or closed, with this row selected. The picker is rendered before this
   * returns.
   */
  onShow(isOpen: boolean, active: number): void
  readonly onScroll: () => void
  onChosen(bank: Bank): void
  /** The customer has left the field, or another program has filled it in. */
  onLeft(text: string): void
}

/**
 * The bank part of the form. It is rendered separately, because a keystroke in it changes nothing
 * else.
 */
export function bankPicker(props: BankPickerProps): TemplateResult {
  const { texts: t, page, entry, active, isOff } = props
  const { query } = entry
  const { banks } = props.offer
  const isRequired = page.bankChoice === 'required'
  const found = Array.isArray(banks) ? searchBanks(banks, page.bank ? '' : query) : []
  const last = found.length - 1
  const open = props.isOpen && !isOff && last >= 0
  const error = faultText(props, 'bank')
  const rows = props.isWhole ? found : found.slice(0, Math.max(FIRST_ROWS, active + 10))

  function show({ currentTarget }: Event, isOpen: boolean, row = -1): void {
    props.onShow(isOpen, row)
    reveal(currentTarget, row < 0 ? FIRST_SEEN : 'li[aria-selected=true]')
  }
  function reveal(input: EventTarget | null, which: string): void {
    ;(input as HTMLInputElement).parentElement?.querySelector(which)?.scrollIntoView({ block: 'nearest' })
  }
  const left = ({ currentTarget }: Event): void => props.onLeft((currentTarget as HTMLInputElement).value)
  function keydown(event: KeyboardEvent): void {
    const { key } = event
    const chosen = found[active]
    if (open && key === 'Enter' && chosen) props.onChosen(chosen)
    else if (open && key === 'Escape') show(event, false)
    else if (key === 'ArrowDown') show(event, true, open ? (active < last ? active + 1 : 0) : -1)
    else if (key === 'ArrowUp') show(event, true, open ? (active > 0 ? active - 1 : last) : -1)
    else return
    event.preventDefault()
    // Escape closes only the list, not a dialog of the page around the card.
    event.stopPropagation()
  }
  return html`<label for="bank" .textContent=${props.label}></label>
    <input
      id="bank"
      role="combobox"
      autocomplete="off"
      aria-autocomplete="list"
      aria-controls="banks"
      aria-expanded=${open}
      aria-activedescendant=${open && active >= 0 ? `b${active}` : nothing}
      aria-invalid=${error !== ''}
      aria-describedby="bank-note"
      aria-required=${isRequired}
      placeholder=${t.bankHint}
      ?disabled=${isOff}
      .value=${query}
      @input=${(event: InputEvent) => {
        props.onInput((event.target as HTMLInputElement).value)
        reveal(event.currentTarget, FIRST_SEEN)
      }}
      @click=${(event: Event) => {
        show(event, true)
        // A chosen bank, or a query without match, is replaced by the next letter.
        if (page.bank || last < 0) (event.target as HTMLInputElement).select()
      }}
      @keydown=${keydown}
      @change=${left}
      @blur=${left}
    />
    ${
      open
        ? html`<ul
            id="banks"
            role="listbox"
            aria-label=${t.bank}
            part="bank-list"
            @pointerdown=${(event: Event) => event.preventDefault()}
            @scroll=${props.onScroll}
          >
            ${rows.map((bank, index) => html`<li role="option" id=${`b${index}`} aria-setsize=${found.length} aria-selected=${index === active} @click=${() => props.onChosen(bank)}><i aria-hidden="true" .textContent=${monogram(bank.name)}></i><span translate="no" .textContent=${bank.name}></span></li>`)}
          </ul>`
        : nothing
    }
    <p
      id="bank-note"
      role="status"
      class=${error ? 'err' : 'hint'}
      .textContent=${error || (banks === 'failed' ? t.banksFailed : query && banks !== 'loading' && last < 0 ? (isRequired ? t.errBank : t.noBank) : '')}
    ></p>`
}

/** `BA` for Bank of Africa. */
const monogram = (name: string): string =>
  name
    .replace(/[^\w\u00c0-\u024f ]|\b(of|the|de|du|la|and|et|pour) /gi, '')
    .split(' ', 2)
    .map((word) => word.charAt(0))
    .join('')
    .toUpperCase()
