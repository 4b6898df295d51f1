// Fills the words that stand in index.html: `data-t` names a word of the shop, `data-p` one about
// hc-checkout.
import { demo, language, theme, word } from './demo.ts'
import { pitchLanguage, pitchWord } from './words/index.ts'

/** What says it already is left alone: nothing has to be laid out anew. */
export function write(place: HTMLElement, words: string): void {
  if (place.textContent !== words) place.textContent = words
}

export function drawWords(): void {
  const spoken = language()
  document.documentElement.lang = spoken
  document.documentElement.dataset['shop'] = demo.address.shop
  if (theme() === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme()
  for (const place of document.querySelectorAll<HTMLElement>('[data-t]')) write(place, word(place.dataset['t'] ?? ''))
  for (const place of document.querySelectorAll<HTMLElement>('[data-p]')) {
    write(place, pitchWord(spoken, place.dataset['p'] ?? ''))
    place.lang = pitchLanguage(spoken)
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-label]'))
    place.setAttribute('aria-label', pitchWord(spoken, place.dataset['label'] ?? ''))
}
