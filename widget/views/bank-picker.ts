// Picker of the customer's own bank: a WAI-ARIA combobox that tolerates missing accents and one typo. Never stops a payment.
import { nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { html } from '../html.ts'
import type { Bank, FormValues } from '../form-values.ts'
import { faultText } from '../read-form.ts'

/** The text without accents, case, apostrophes and hyphens, for a tolerant search: an iPhone types ’, and "cooperative" is Co-operative. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’-]/g, '')
    .toLowerCase()
}

/** Rows rendered at first, more than are visible; the rest on scrolling: 312 rows take a slow phone a third of a second. */
const FIRST_ROWS = 8

/** The row to scroll into view if the list opens at the lower edge of the window or above a keyboard: the third, or the last of fewer. */
const FIRST_SEEN = 'li:nth-child(3),li:last-child:nth-child(-n+2)'

/** Normalised names of each list, cached: normalising at each keystroke is too slow on a slow phone. */
const plainNames = new WeakMap<readonly Bank[], readonly string[]>()

/** Matching banks, best first: names that begin with the query, words that begin with it, anywhere; if none, with one typo. */
export function searchBanks(banks: readonly Bank[], query: string): readonly Bank[] {
  const wanted = plain(query.trim())
  if (wanted === '') return banks
  const names = plainNames.get(banks) || banks.map(({ name }) => plain(name))
  plainNames.set(banks, names)
  const first: Bank[] = []
  const inner: Bank[] = []
  const rest: Bank[] = []
  banks.forEach((bank, i) => {
    const at = names[i]!.indexOf(wanted)
    if (at >= 0) (at === 0 ? first : names[i]![at - 1] === ' ' ? inner : rest).push(bank)
  })
  const found = [...first, ...inner, ...rest]
  if (found[0] || wanted.length < 4) return found
  return banks.filter((_, i) => names[i]!.split(' ').some((word) => nearly(word, wanted)))
}

/** Whether a word begins with `wanted` with one typo: a letter added, missing or replaced, or two swapped. */
function nearly(word: string, wanted: string): boolean {
  for (let i = 0; i < wanted.length; i++) {
    if (word[i] === wanted[i]) continue
    const rest = wanted.slice(i + 1)
    return (
      word.startsWith(rest, i + 1) ||
      word.startsWith(wanted.slice(i), i + 1) ||
      word.startsWith(rest, i) ||
      word.startsWith(wanted[i + 1]! + wanted[i] + wanted.slice(i + 2), i)
    )
  }
  return true
}

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

/** The bank part of the form. It is rendered separately, because a keystroke in it changes nothing else. */
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
