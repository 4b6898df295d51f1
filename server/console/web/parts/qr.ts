// A QR code as one path, always dark on light: many cameras read nothing else.
import { correction, generate } from 'lean-qr/nano'
import { toSvgPath } from 'lean-qr/extras/svg'
import { html, nothing, type TemplateResult } from 'lit'

/** Modules of white around the code. */
const QUIET = 4

export function qrCode(text: string, label: string): TemplateResult | typeof nothing {
  try {
    const code = generate(text, { minCorrectionLevel: correction.M })
    const side = code.size + 2 * QUIET
    return html`<svg class="qr" role="img" aria-label=${label} viewBox="${-QUIET} ${-QUIET} ${side} ${side}">
      <rect x=${-QUIET} y=${-QUIET} width=${side} height=${side} rx="2" fill="#fff" />
      <path fill="#000" shape-rendering="crispEdges" d=${toSvgPath(code)} />
    </svg>`
  } catch {
    // No code holds so long a link. It can still be sent.
    return nothing
  }
}
