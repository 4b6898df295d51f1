// The list of the bank field: a WAI-ARIA listbox over what people call a bank.
import type { TemplateResult } from 'lit'
import { html } from '../base/html.ts'
import type { Bank } from '../../server/contract/index.ts'

export interface BankListProps {
  readonly label: string
  readonly rows: readonly Bank[]
  /** How many banks were found; the first of them are rendered. */
  readonly all: number
  /** The row that is selected by keyboard; -1 if none. */
  readonly active: number
  readonly onScroll: () => void
  onChosen(bank: Bank): void
}

export function bankList({ label, rows, all, active, onScroll, onChosen }: BankListProps): TemplateResult {
  const row = (bank: Bank, index: number): TemplateResult =>
    html`<li
      role="option"
      id=${`b${index}`}
      aria-setsize=${all}
      aria-selected=${index === active}
      @click=${() => onChosen(bank)}
    >
      <i aria-hidden="true" .textContent=${monogram(bank.name)}></i>
      <span translate="no" .textContent=${bank.name}></span>
    </li>`
  return html`<ul
    id="banks"
    role="listbox"
    aria-label=${label}
    part="bank-list"
    @pointerdown=${(event: Event) => event.preventDefault()}
    @scroll=${onScroll}
  >
    ${rows.map(row)}
  </ul>`
}

/** `BA` for Bank of Africa. */
const monogram = (name: string): string =>
  name
    .replace(/[^\w\u00c0-\u024f ]|\b(of|the|de|du|la|and|et|pour) /gi, '')
    .split(' ', 2)
    .map((word) => word.charAt(0))
    .join('')
    .toUpperCase()
