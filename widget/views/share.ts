// "Pay on another phone": the payment's own link as a QR code, to copy and to share.
import { nothing, type TemplateResult } from 'lit'
import { html } from '../base/html.ts'
import { fill, money } from '../base/format.ts'
import { qrCode } from './qr-code.ts'
import type { Sheet } from './sheet-parts.ts'

export function shareView(sheet: Sheet): TemplateResult {
  const { texts, deposit, link: url, locale, root } = sheet
  const { name } = sheet.shop || {}
  const { description } = deposit
  // A stranger's link that asks for money says for whom, and for what.
  const message = fill(name ? texts.shareShop : texts.shareMessage, {
    amount: money(deposit.amount, deposit.currency, locale),
    shop: `${name || ''}${description && description !== name ? ` (${description})` : ''}`,
    url,
  })
  const copy = (): Promise<void> => sheet.copy(url, root.querySelector('textarea')!)
  // A cancelled share sheet rejects: ignore it.
  const share = (): void => void navigator.share({ text: message }).catch(() => {})
  const shareButton = html`<button type="button" @click=${share} .textContent=${texts.share}></button>`
  return html`<p .textContent=${texts.shareText}></p>
    ${qrCode(url, texts.qrLabel)}
    <textarea readonly dir="ltr" rows="3" aria-label=${texts.link} .value=${url}></textarea>
    <div class="row">
      <button type="button" @click=${copy} .textContent=${texts.copy}></button>
      ${'share' in navigator ? shareButton : nothing}
      <a
        href="https://wa.me/?text=${encodeURIComponent(message)}"
        target="_blank"
        rel="noopener noreferrer"
        .textContent=${texts.whatsApp}
      ></a>
    </div>
    <p class="hint" .textContent=${texts.shareLocked}></p>`
}
