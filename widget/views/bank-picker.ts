// Picker of the customer's own bank: a WAI-ARIA combobox that tolerates missing accents and one typo. Never stops a payment.
import { nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { html } from '../html.ts'
import type { Bank, Card } from '../card.ts'
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

/** The bank part of the form. It is rendered separately, because a keystroke in it changes nothing else. */
export function bankPicker(card: Card, label: string): TemplateResult {
  const { _words: t, _query: query, _active: active } = card
  const { banks } = card._offer
  const found = Array.isArray(banks) ? searchBanks(banks, card.bank ? '' : query) : []
  const last = found.length - 1
  const open = card._open && !card._off && last >= 0
  const error = faultText(card, 'bank')
  const rows = card._whole ? found : found.slice(0, Math.max(FIRST_ROWS, active + 10))

  function show(list: boolean, row = -1): void {
    card._open = list
    card._active = row
    card._drawBank()
    reveal(row < 0 ? FIRST_SEEN : 'li[aria-selected=true]')
  }
  function reveal(which: string): void {
    const row = card.renderRoot.querySelector(which)
    if (row) row.scrollIntoView({ block: 'nearest' })
  }
  /** Also called when another program has filled in the field. */
  function left({ target }: Event): void {
    card._heard('bank', (target as HTMLInputElement).value)
    show(false)
    card._leftBank()
  }
  function keydown(event: KeyboardEvent): void {
    const { key } = event
    const chosen = found[active]
    if (open && key === 'Enter' && chosen) card._chose(chosen)
    else if (open && key === 'Escape') show(false)
    else if (key === 'ArrowDown') show(true, open ? (active < last ? active + 1 : 0) : -1)
    else if (key === 'ArrowUp') show(true, open ? (active > 0 ? active - 1 : last) : -1)
    else return
    event.preventDefault()
    // Escape closes only the list, not a dialog of the page around the card.
    event.stopPropagation()
  }
  return html`<label for="bank" .textContent=${label}></label>
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
      aria-required=${card.bankChoice === 'required'}
      placeholder=${t.bankHint}
      ?disabled=${card._off}
      .value=${query}
      @input=${(event: InputEvent) => {
        card._typed('bank', (event.target as HTMLInputElement).value)
        reveal(FIRST_SEEN)
      }}
      @click=${(event: Event) => {
        show(true)
        // A chosen bank, or a query without match, is replaced by the next letter.
        if (card.bank || last < 0) (event.target as HTMLInputElement).select()
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
            @scroll=${() => {
              if (card._whole) return
              card._whole = true
              card._drawBank()
            }}
          >
            ${rows.map((bank, index) => html`<li role="option" id=${`b${index}`} aria-setsize=${found.length} aria-selected=${index === active} @click=${() => card._chose(bank)}><i aria-hidden="true" .textContent=${monogram(bank.name)}></i><span translate="no" .textContent=${bank.name}></span></li>`)}
          </ul>`
        : nothing
    }
    <p
      id="bank-note"
      role="status"
      class=${error ? 'err' : 'hint'}
      .textContent=${error || (banks === 'failed' ? t.banksFailed : query && banks !== 'loading' && last < 0 ? (card.bankChoice === 'required' ? t.errBank : t.noBank) : '')}
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
