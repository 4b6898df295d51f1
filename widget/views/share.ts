// "Pay on another phone": the payment's own link as a QR code, to copy and to share.
import { correction, generate } from 'lean-qr/nano'
import { toSvgPath } from 'lean-qr/extras/svg'
import { nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { html } from '../html.ts'
import { copyText } from '../copy-text.ts'
import { fill, money } from '../format.ts'
import type { Sheet } from './sheet-parts.ts'

/** Modules of white around the code. */
const QUIET = 4

/** The QR code as one path. Always dark on light, whatever the theme: many cameras read nothing else. */
function picture(text: string, label: string): TemplateResult | typeof nothing {
  try {
    const code = generate(text, { minCorrectionLevel: correction.M })
    const side = code.size + 2 * QUIET
    return html`<svg class="qr" part="qr" role="img" aria-label=${label} viewBox="${-QUIET} ${-QUIET} ${side} ${side}">
      <rect x=${-QUIET} y=${-QUIET} width=${side} height=${side} rx="2" fill="#fff" />
      <path fill="#000" shape-rendering="crispEdges" d=${toSvgPath(code)} />
    </svg>`
  } catch {
    // No code holds so long a link. It can still be copied.
    return nothing
  }
}

export function shareView(sheet: Sheet): TemplateResult {
  const { texts, deposit, link: url, locale, root } = sheet
  const message = fill(texts.shareMessage, { amount: money(deposit.amount, deposit.currency, locale), url })
  const copy = async (): Promise<void> =>
    sheet.say((await copyText(url, root.querySelector('textarea')!)) ? texts.copied : texts.copyByHand)
  // A cancelled share sheet rejects: ignore it.
  const share = (): void => void navigator.share({ text: message }).catch(() => {})
  return html`<p .textContent=${texts.shareText}></p>
    ${picture(url, texts.qrLabel)}
    <textarea readonly dir="ltr" rows="3" aria-label=${texts.link} .value=${url}></textarea>
    <div class="row">
      <button type="button" @click=${copy} .textContent=${texts.copy}></button>
      ${'share' in navigator ? html`<button type="button" @click=${share} .textContent=${texts.share}></button>` : nothing}
      <a
        href="https://wa.me/?text=${encodeURIComponent(message)}"
        target="_blank"
        rel="noopener noreferrer"
        .textContent=${texts.whatsApp}
      ></a>
    </div>
    <p class="hint" .textContent=${texts.shareLocked}></p>`
}
