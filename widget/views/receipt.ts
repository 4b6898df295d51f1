// The receipt of a successful payment: print, share, save as a file, or plain text where none of
// these works.
import { nothing, type TemplateResult } from 'lit'
import { always, html } from '../base/html.ts'
import { isInApp } from '../base/in-app.ts'
import { printReceipt } from './print-receipt.ts'
import { inFours, receiptOf, receiptPage, receiptText, type Receipt } from '../base/receipt.ts'
import type { Texts } from '../locales/texts.ts'
import { operatorOf } from './help.ts'
import { qrCode, qrPath } from './qr-code.ts'
import type { Sheet } from './sheet-parts.ts'

function paper(receipt: Receipt, texts: Texts, onCopy?: () => void): TemplateResult {
  const { title, test, amount, outcome, payee, shop, logo, lines, reference, referenceName, note, support } = receipt
  const picture = html`<img
    src=${logo}
    alt=""
    width="44"
    height="44"
    referrerpolicy="no-referrer"
    @error=${({ target }: Event) => (target as Element).remove()}
  />`
  return html`<section class="paper" part="receipt" aria-label=${title}>
    ${test ? html`<p class="mark" .textContent=${test}></p>` : nothing}
    <div class="payee">
      ${logo ? picture : nothing}
      <p>
        <span .textContent=${payee}></span>
        <strong translate="no" .textContent=${always(shop)}></strong>
      </p>
    </div>
    <p class="sum" translate="no" .textContent=${always(amount)}></p>
    <p class="outcome" .textContent=${outcome}></p>
    <dl>
      ${lines.map(
        ([name, value]) =>
          html`<div>
            <dt .textContent=${name}></dt>
            <dd translate="no" .textContent=${always(value)}></dd>
          </div>`,
      )}
    </dl>
    <div class="reference">
      <div>
        <p .textContent=${referenceName}></p>
        <p class="code" translate="no">
          ${inFours(reference).map((four) => html`<span .textContent=${always(four)}></span>`)}
        </p>
        ${onCopy ? html`<button type="button" @click=${onCopy} .textContent=${texts.copyReference}></button>` : nothing}
      </div>
      ${qrCode(reference, texts.qrReference)}
    </div>
    <p class="note" .textContent=${note}></p>
    ${support ? html`<p class="note" .textContent=${support.replace(/(\d) (?=\d)/g, '$1\u00a0')}></p>` : nothing}
  </section>`
}

function save(page: string, name: string, root: ShadowRoot): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([page], { type: 'text/html' }))
  link.download = name
  root.appendChild(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export function receiptView(sheet: Sheet): TemplateResult {
  const { texts, deposit, locale, root } = sheet
  const beside = { ...sheet, operator: operatorOf(deposit.id) }
  const receipt = receiptOf(texts, deposit, locale, location.host, beside)
  const text = receiptText(receipt)
  const print = (): void => {
    for (const act of sheet.after.splice(0)) act()
    sheet.after.push(printReceipt(paper(receipt, texts)))
  }
  const keep = (): void => {
    save(receiptPage(receipt, locale, qrPath(deposit.reference)), `${deposit.reference}.html`, root)
    sheet.say(texts.saved)
  }
  const copy = (): void => {
    root.querySelector('details')!.open = true
    void sheet.copy(text, root.querySelector('textarea')!)
  }
  const copyReference = (): void => {
    const shown = root.querySelector('.code')!
    const select = (): void => getSelection()?.selectAllChildren(shown)
    void sheet.copy(deposit.reference, { ownerDocument: document, focus() {}, select })
  }
  const share = (): void => void navigator.share({ title: receipt.title, text }).catch(() => {})
  // In-app browsers claim to support both and do nothing.
  const inApp = isInApp(navigator.userAgent)
  return html`${paper(receipt, texts, copyReference)}
    <div class="row">
      ${
        inApp
          ? nothing
          : html`<button type="button" @click=${print} .textContent=${texts.print}></button
              ><button type="button" @click=${keep} .textContent=${texts.save}></button>`
      }
      ${
        'share' in navigator
          ? html`<button type="button" @click=${share} .textContent=${texts.share}></button>`
          : html`<a
              href="https://wa.me/?text=${encodeURIComponent(text)}"
              target="_blank"
              rel="noopener noreferrer"
              .textContent=${texts.whatsApp}
            ></a>`
      }
      <button type="button" @click=${copy} .textContent=${texts.copyText}></button>
    </div>
    ${inApp ? html`<p class="hint" .textContent=${texts.inApp}></p>` : nothing}
    <details .open=${inApp}>
      <summary .textContent=${texts.asText}></summary>
      <textarea readonly rows="9" aria-label=${texts.asText} .value=${text}></textarea>
    </details>`
}
