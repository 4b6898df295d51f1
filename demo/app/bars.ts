// What lies over the lower edge of the window, so that it moves nothing when it comes: an order
// that waits, and that a part of the page did not come.
import { html, nothing, render } from 'lit'
import type { Order } from './backend.ts'
import { demo, go, language, shopNow, word } from './demo.ts'
import { fill, pitchLanguage, pitchWord, shopLanguage } from './words/index.ts'

const place = document.querySelector<HTMLElement>('#bars')!

export function drawBars(): void {
  const order = demo.address.view === undefined && !demo.isUnavailable ? waitingOrder() : undefined
  // The page ends below them.
  document.documentElement.classList.toggle('has-bars', order !== undefined || demo.isIncomplete)
  render(html`${demo.isIncomplete ? incomplete() : nothing} ${order ? waiting(order) : nothing}`, place)
}

/** The newest order of this shop that is still to be paid, for a day. */
function waitingOrder(): Order | undefined {
  const since = Date.now() - 86_400_000
  const isWaiting = ({ id, paidAt, createdAt }: Order): boolean =>
    id.startsWith(shopNow().orders) && paidAt == null && createdAt > since
  let order: Order | undefined
  for (const one of demo.orders.values())
    if (isWaiting(one) && (order === undefined || one.createdAt > order.createdAt)) order = one
  return order
}

const waiting = ({ id }: Order) =>
  html`<p class="waiting-order" lang=${shopLanguage(demo.address.shop, language())}>
    <span>${fill(word('orderWaiting'), { order: id })}</span>
    <button type="button" @click=${() => go({ view: 'order', order: id })}>${word('goOn')}</button>
  </p>`

const incomplete = () =>
  html`<p lang=${pitchLanguage(language())}>
    <span role="alert">${pitchWord(language(), 'incomplete')}</span>
    <button type="button" @click=${() => location.reload()}>${pitchWord(language(), 'reload')}</button>
  </p>`
