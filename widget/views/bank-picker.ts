// The customer's own bank: a combobox after the WAI-ARIA pattern that forgives accents and one typo. Never stops a payment.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { plain } from '../markets.ts'
import type { CardTexts } from '../locales/texts.ts'

export interface Bank {
  readonly name: string
  readonly code: string
}

/** A screenful first: 312 rows on a slow phone take a third of a second to draw. */
const FIRST_ROWS = 40

/** Banks that fit, best first: names that begin with it, words that begin with it, anywhere, then one letter off. */
export function searchBanks(banks: readonly Bank[], query: string): readonly Bank[] {
  const wanted = plain(query.trim())
  if (wanted === '') return banks
  const ranked: { bank: Bank; rank: number }[] = []
  for (const bank of banks) {
    const name = plain(bank.name)
    const at = name.indexOf(wanted)
    const rank =
      at === 0
        ? 0
        : at > 0 && name[at - 1] === ' '
          ? 1
          : at > 0
            ? 2
            : wanted.length > 3 && name.split(' ').some((word) => nearly(word, wanted))
              ? 3
              : 4
    if (rank < 4) ranked.push({ bank, rank })
  }
  // toSorted came with Chromium 110; the list is our own.
  // oxlint-disable-next-line no-array-sort
  return ranked.sort((a, b) => a.rank - b.rank).map(({ bank }) => bank)
}

/** One letter more, fewer or other, or two swapped, at the beginning of a word. */
function nearly(word: string, wanted: string): boolean {
  for (let i = 0; i < wanted.length; i++) {
    if (word[i] === wanted[i]) continue
    const rest = wanted.slice(i + 1)
    return (
      word.startsWith(rest, i + 1) ||
      word.startsWith(wanted.slice(i), i + 1) ||
      word.startsWith(rest, i) ||
      (word[i] === wanted[i + 1] && word[i + 1] === wanted[i] && word.startsWith(wanted.slice(i + 2), i + 2))
    )
  }
  return true
}

export interface PickerState {
  readonly banks: readonly Bank[] | 'loading' | 'failed'
  readonly query: string
  readonly open: boolean
  readonly active: number
  readonly required: boolean
  readonly error: string
}

export interface PickerActions {
  input(text: string): void
  open(open: boolean): void
  move(to: number): void
  pick(bank: Bank | undefined): void
}

export function bankPicker(
  texts: CardTexts,
  state: PickerState,
  shown: readonly Bank[],
  actions: PickerActions,
): TemplateResult {
  const { open, active } = state
  const rows = shown.slice(0, Math.max(FIRST_ROWS, active + 10))
  function keydown(event: KeyboardEvent): void {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!open) actions.open(true)
      else
        actions.move(
          (active + (key === 'ArrowDown' ? 1 : shown.length - 1) + (active < 0 && key === 'ArrowUp' ? 1 : 0)) %
            Math.max(1, shown.length),
        )
    } else if (key === 'Enter' && open && shown[active]) {
      event.preventDefault()
      actions.pick(shown[active])
    } else if (key === 'Escape' && open) {
      event.preventDefault()
      actions.open(false)
    } else if (key === 'Home' && open) actions.move(0)
    else if (key === 'End' && open) actions.move(shown.length - 1)
  }
  return html`<div class="combo" part="bank">
    <label for="bank">${state.required ? texts.bank : texts.bankOptional}</label>
    <input
      id="bank"
      role="combobox"
      autocomplete="off"
      spellcheck="false"
      aria-autocomplete="list"
      aria-controls="banks"
      aria-expanded=${open && rows.length > 0}
      aria-activedescendant=${open && shown[active] ? `b${active}` : nothing}
      aria-invalid=${state.error !== ''}
      aria-describedby="bank-note"
      placeholder=${texts.bankHint}
      .value=${state.query}
      @input=${(event: InputEvent) => actions.input((event.target as HTMLInputElement).value)}
      @click=${() => actions.open(true)}
      @keydown=${keydown}
      @blur=${() => actions.open(false)}
    />
    ${
      open && rows.length > 0
        ? html`<ul
            id="banks"
            role="listbox"
            aria-label=${texts.bank}
            part="bank-list"
            @pointerdown=${(event: Event) => event.preventDefault()}
          >
            ${rows.map((bank, index) => html`<li role="option" id=${`b${index}`} aria-selected=${index === active} @click=${() => actions.pick(bank)}><i aria-hidden="true">${monogram(bank.name)}</i>${bank.name}</li>`)}
          </ul>`
        : nothing
    }
    <p id="bank-note" class=${state.error ? 'err' : 'hint'}>
      ${state.error || (state.banks === 'failed' ? texts.banksFailed : open && state.query && Array.isArray(state.banks) && shown.length === 0 ? texts.noBank : nothing)}
    </p>
  </div>`
}

function monogram(name: string): string {
  const words = name
    .replace(/[^\w\u00c0-\u024f ]/g, '')
    .split(' ')
    .filter((word) => !/^(of|the|de|du|la|and|et|pour)$/i.test(word))
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('')
    .toUpperCase()
}
