// Styles for a shadow root, in whichever document it is: a page may move the card into the document
// of an iframe, for example.
import { adoptStyles, supportsAdoptingStyleSheets, type CSSResult } from 'lit'

/**
 * To be called again when the root has come into another document: there it has lost its sheets,
 * which belong to the document that made them.
 */
export function dress(root: ShadowRoot, styles: readonly CSSResult[]): void {
  const { ownerDocument: page } = root
  if (page === document || !supportsAdoptingStyleSheets) {
    // Style elements of old browsers move with the root: only what it has not yet is added.
    adoptStyles(root, styles.slice(supportsAdoptingStyleSheets ? 0 : root.querySelectorAll('style').length))
    return
  }
  const view = page.defaultView
  // A document without a window shows nothing.
  if (!view) return
  root.adoptedStyleSheets = styles.map(({ cssText }) => {
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(cssText)
    return sheet
  })
}
