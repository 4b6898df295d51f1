// Prints a receipt and nothing else of the shop's page, without a popup (which could be blocked)
// and without inline styles.
import { adoptStyles, css, render, supportsAdoptingStyleSheets, type TemplateResult } from 'lit'
import { paperStyles } from './paper.styles.ts'

/** Styles of the page: in print only the receipt is shown; on the screen nothing changes. */
const pageStyles = css`
  @media print {
    html[data-hc-paper] {
      height: auto !important;
      overflow: visible !important;
      background: #fff !important;
    }
    html[data-hc-paper] > body {
      display: none !important;
    }
  }
  @media screen {
    hc-paper {
      display: none !important;
    }
  }
`
let adopted = false

function adopt(): void {
  if (adopted) return
  adopted = true
  if (supportsAdoptingStyleSheets)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, pageStyles.styleSheet!]
  // Lit makes a style element, with the page's nonce.
  else adoptStyles(document.head as Node as ShadowRoot, [pageStyles])
}

/**
 * Phones return from `print()` before rendering, so the receipt stays in the page until the
 * returned function is called.
 */
export function printReceipt(receipt: TemplateResult): () => void {
  adopt()
  const page = document.documentElement
  const paper = document.createElement('hc-paper')
  const root = paper.attachShadow({ mode: 'open' })
  adoptStyles(root, [paperStyles])
  render(receipt, root)
  // Beside the body, so that the shop's styles for the body's children are unaffected.
  page.appendChild(paper)
  page.setAttribute('data-hc-paper', '')
  print()
  return () => {
    paper.remove()
    page.removeAttribute('data-hc-paper')
  }
}
