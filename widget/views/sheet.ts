// A sheet over the card: a dialog in a shadow root of its own, so that no style of the card reaches it. It goes when what it was asked
// for has gone: a payment that moves on takes the sheet with it and shows its news.
import { adoptStyles, html, nothing, render } from 'lit'
import type { LitElement, TemplateResult } from 'lit'
import { extrasTexts } from '../locales/extras.ts'
import type { CardTexts, SheetTexts } from '../locales/texts.ts'
import type { Deposit } from '../types.ts'
import { helpView } from './help.ts'
import { paperStyles } from './paper.styles.ts'
import { receiptView } from './receipt.ts'
import { shareView } from './share.ts'
import type { Sheet } from './sheet-parts.ts'
import { sheetStyles } from './sheet.styles.ts'

const views: Readonly<Record<string, (sheet: Sheet) => TemplateResult>> = {
  share: shareView,
  help: helpView,
  receipt: receiptView,
}

/** Opens what the button's value names. A second call while a sheet is open does nothing. */
export async function openSheet(
  button: HTMLButtonElement,
  host: LitElement,
  words: CardTexts,
  deposit: Deposit,
  locale: string,
): Promise<void> {
  const texts: SheetTexts = { ...(await extrasTexts(locale)), ...words }
  const card = button.closest('[part~=card]')
  const view = views[button.value]
  if (!card || !view || card.querySelector('.sheet')) return
  const title = button.textContent.trim()
  const box = document.createElement('div')
  box.className = 'sheet'
  box.setAttribute('exportparts', 'extras, qr, receipt')
  const root = box.attachShadow({ mode: 'open' })
  adoptStyles(root, [sheetStyles, paperStyles])
  card.appendChild(box)

  let said = ''
  let gone = false
  const sheet: Sheet = {
    texts,
    deposit,
    locale,
    root,
    chosen: {},
    after: [],
    say: (text) => {
      said = text
      sheet.draw()
    },
    draw: () =>
      render(
        html`<dialog
          part="extras"
          aria-labelledby="title"
          @close=${close}
          @click=${(event: Event) => event.target === dialog() && close()}
          @keydown=${escape}
        >
          <div class="inside">
            <header>
              <h2 id="title" tabindex="-1">${title}</h2>
              <button class="close" type="button" aria-label=${texts.close} @click=${close}>
                <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" /></svg>
              </button>
            </header>
            ${deposit.mode === 'test' ? html`<p class="test">${texts.test}</p>` : nothing} ${view(sheet)}
            <p class="said" role="status">${said}</p>
          </div>
        </dialog>`,
        root,
      ),
  }
  const dialog = (): HTMLDialogElement => root.querySelector('dialog')!
  // A sheet that no longer fits what is on the card goes; so does one whose element leaves the page.
  const controller = {
    hostUpdated: () => {
      if (!button.isConnected) close()
    },
    hostDisconnected: () => close(),
  }

  function close(): void {
    if (gone) return
    gone = true
    host.removeController(controller)
    box.remove()
    for (const act of sheet.after) act()
    const next = button.isConnected ? button : host.renderRoot.querySelector('h2')
    if (next && host.isConnected) next.focus()
  }

  /** Closes the sheet alone: a dialog of the page's around the card would close by the same key. */
  function escape(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }

  sheet.draw()
  host.addController(controller)
  // Old browsers know no modal dialog: there the sheet stands at the end of the card.
  if (dialog().showModal) dialog().showModal()
  else dialog().setAttribute('open', '')
  root.querySelector('h2')!.focus()
}
