// A sheet over the card: a dialog in a shadow root of its own, so that no style of the card reaches
// it. It closes when the button that opened it is gone: when the payment moves on, its news is
// shown instead.
import { nothing, render, type LitElement, type TemplateResult } from 'lit'
import { dress } from '../base/adopt-styles.ts'
import { html } from '../base/html.ts'
import { copyText } from '../base/copy-text.ts'
import { helpView } from './help.ts'
import { paperStyles } from './paper.styles.ts'
import { receiptView } from './receipt.ts'
import { shareView } from './share.ts'
import type { Texts } from '../locales/texts.ts'
import type { Known, Sheet } from './sheet-parts.ts'
import { sheetStyles } from './sheet.styles.ts'

/** Each sheet's title, the words of the button that opens it, and its content. */
const views: Readonly<Record<string, { readonly title: keyof Texts; view(sheet: Sheet): TemplateResult }>> = {
  share: { title: 'sharePhone', view: shareView },
  help: { title: 'help', view: helpView },
  receipt: { title: 'receipt', view: receiptView },
}

/**
 * Opens the sheet named by the button's value. A second call while a sheet is open does nothing.
 */
export function openSheet(button: HTMLButtonElement, host: LitElement, known: Known): void {
  const { texts, deposit } = known
  const card = button.closest('[part~=card]')
  const shown = views[button.value]
  // The page may have taken the element out while this was loaded: a dialog can be shown only
  // within a page.
  if (!card || !shown || !host.isConnected || card.querySelector('.sheet')) return
  const { title, view } = shown
  const box = document.createElement('div')
  box.className = 'sheet'
  box.setAttribute('exportparts', 'extras, qr, receipt')
  const root = box.attachShadow({ mode: 'open' })
  card.appendChild(box)
  dress(root, [sheetStyles, paperStyles])

  let said = ''
  let gone = false
  const sheet: Sheet = {
    ...known,
    root,
    operator: '',
    after: [],
    say: (text) => {
      said = text
      sheet.draw()
    },
    copy: async (text, field) => sheet.say((await copyText(text, field)) ? texts.copied : texts.copyByHand),
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
            <div class="head">
              <h2 id="title" tabindex="-1" .textContent=${texts[title]}></h2>
              <button class="close" type="button" aria-label=${texts.close} @click=${close}>
                <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" /></svg>
              </button>
            </div>
            ${deposit.mode === 'test' ? html`<p class="test" .textContent=${texts.test}></p>` : nothing}${view(sheet)}
            <p class="said" role="status" .textContent=${said}></p>
          </div>
        </dialog>`,
        root,
      ),
  }
  const dialog = (): HTMLDialogElement => root.querySelector('dialog')!
  // Closes the sheet when it no longer fits the card.
  const watch = new MutationObserver(() => {
    if (!button.isConnected) close()
  })
  const leaving = { hostDisconnected: close }

  function close(): void {
    if (gone) return
    gone = true
    watch.disconnect()
    host.removeController(leaving)
    box.remove()
    for (const act of sheet.after) act()
    const next = button.isConnected ? button : host.renderRoot.querySelector('h2')
    if (next && host.isConnected) next.focus()
  }

  /** Escape closes only the sheet, not a dialog of the page around the card. */
  function escape(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }

  sheet.draw()
  watch.observe(host.renderRoot, { childList: true, subtree: true })
  host.addController(leaving)
  // Old browsers have no modal dialog: there the sheet is at the end of the card.
  if (dialog().showModal) dialog().showModal()
  else dialog().setAttribute('open', '')
  root.querySelector('h2')!.focus()
}
