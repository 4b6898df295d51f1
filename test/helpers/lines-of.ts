// How text is broken into lines in a browser.

/**
 * In how many lines `words` stand within a place, 0 when they are not there:
 * `locator.evaluate(linesOf, '2,500')`.
 */
export function linesOf(place: Element, words: string): number {
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const at = texts.currentNode.nodeValue?.indexOf(words) ?? -1
    if (at < 0) continue
    const range = document.createRange()
    range.setStart(texts.currentNode, at)
    range.setEnd(texts.currentNode, at + words.length)
    // Where a line begins, WebKit names the end of the line before as well, as an empty place.
    const seen = [...range.getClientRects()].filter(({ width }) => width > 0)
    return new Set(seen.map(({ top }) => top)).size
  }
  return 0
}
