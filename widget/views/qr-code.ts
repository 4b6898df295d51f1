// A QR code as one path. Always dark on light, whatever the theme: many cameras read nothing else.
import { correction, generate } from 'lean-qr/nano'
import { toSvgPath } from 'lean-qr/extras/svg'
import { nothing, type TemplateResult } from 'lit'
import { html } from '../base/html.ts'

/** Modules of white around the code. */
const QUIET = 4

/** The box of an SVG and the path in it; undefined where no code holds so long a text. */
export function qrPath(text: string) {
  try {
    const code = generate(text, { minCorrectionLevel: correction.M })
    const side = code.size + 2 * QUIET
    return { box: `${-QUIET} ${-QUIET} ${side} ${side}`, side, path: toSvgPath(code) }
  } catch {
    return undefined
  }
}

export function qrCode(text: string, label: string): TemplateResult | typeof nothing {
  const { box, side, path } = qrPath(text) || {}
  return path
    ? html`<svg class="qr" part="qr" role="img" aria-label=${label} viewBox=${box}>
        <rect x=${-QUIET} y=${-QUIET} width=${side} height=${side} rx="2" fill="#fff" />
        <path fill="#000" shape-rendering="crispEdges" d=${path} />
      </svg>`
    : nothing
}
