// The counter: what is being paid, and the widget. The page uses it by its tag, attributes and
// events alone.
import { html, nothing, render } from 'lit'
import { picture } from './art.ts'
import { writeAddress } from './address.ts'
import { backend, demo, draw, go, language, market, productOf, shopNow, shownOrder, sum, theme, word } from './demo.ts'
import { isToppedUp, paidTopUp, topUpPaid, topUpReference } from './top-up.ts'
import { fill } from './words/index.ts'

/** What the page uses of the element, which comes from the companion. */
export interface Card extends HTMLElement {
  texts: Readonly<Record<string, string>>
  payerName: string | undefined
  payerPhone: string | undefined
}
interface CardEvent extends Event {
  readonly resumed?: boolean
  readonly deposit?: { readonly id: string; readonly amount: number; readonly currency: string }
}

const byId = (id: string): HTMLElement => document.getElementById(id)!
const reported = ['hc-deposit-created', 'hc-checkout-opened', 'hc-success', 'hc-failure', 'hc-error']
/** What the widget on the counter is for; another one is put there for anything else. */
let mounted = ''

byId('back').addEventListener('click', leave)

/** Back to the goods, from their beginning. */
function leave(): void {
  go({})
  document.querySelector('.window')!.scrollIntoView()
}

export function card(): Card | null {
  return document.querySelector<Card>('#till hc-checkout')
}

export function isPaid(): boolean {
  return demo.address.view === 'top-up' ? isToppedUp() : shownOrder()?.paidAt != null
}

export function drawCounter(): void {
  const { address, isUnavailable, offer } = demo
  byId('checkout').hidden = address.view === undefined && !isUnavailable
  // After a reload the browser leads back to where one was, by the height that the page had. The
  // counter begins elsewhere until the shop has answered, so it is brought into view below instead.
  history.scrollRestoration = address.view === undefined ? 'auto' : 'manual'
  drawSummary()
  const order = shownOrder()
  if (isUnavailable || (address.view === 'order' && order === undefined)) return mount('')
  if (address.view === 'order' && order !== undefined) {
    const { id, sessionToken, country, payUrl } = order
    const open = { country, amount: String(order.amount), 'client-reference': id }
    return mount(id, { country, ...(sessionToken === undefined ? open : { session: sessionToken }) }, payUrl)
  }
  if (address.view === 'top-up' && offer !== undefined) {
    const { country } = market()
    const reference = topUpReference(offer.customer)
    const payUrl = `${offer.companionUrl}/pay?country=${country}`
    return mount(`${reference} ${country}`, { country, 'client-reference': reference }, payUrl)
  }
  mount('')
}

/** What lies on the counter, in the language of the page. */
function drawSummary(): void {
  const { address, isUnavailable, offer, buying } = demo
  const order = shownOrder()
  const product = order ? productOf(order) : buying
  const isTopUp = address.view === 'top-up'
  const isForeign = address.view === 'order' && offer !== undefined && order === undefined && buying === undefined
  const title = isUnavailable
    ? word('unavailable')
    : isForeign
      ? word('foreign')
      : isTopUp
        ? word('topUp')
        : (product?.name ?? '')
  byId('checkout-title').textContent = title
  byId('checkout-title').classList.toggle('sentence', isUnavailable || isForeign)
  const price = buying && { amount: buying.prices[market().currency], currency: market().currency }
  const due = isUnavailable ? undefined : (order ?? price)
  byId('summary-sum').textContent = due ? sum(due.amount, due.currency) : ''
  // Its line is there before its number: nothing below moves.
  byId('summary-order').textContent =
    isUnavailable || isForeign ? '' : isTopUp ? word('topUpText') : due ? `${word('order')} ${order?.id ?? '…'}` : ''
  byId('paid').hidden = isUnavailable || !isPaid()
  byId('paid').textContent = isTopUp ? fill(word('toppedUp'), { sum: paidTopUp() }) : word('paid')
  const shown = isUnavailable || isForeign ? undefined : isTopUp ? `top-up-${address.shop}` : product?.id
  byId('till').hidden = isUnavailable || isForeign
  render(shown === undefined ? nothing : html`${picture(shown)}`, byId('summary-art'))
  byId('country').hidden = address.view === 'order'
  const done = isPaid() && address.view !== undefined
  document.title = `${done ? '✓ ' : ''}${shopNow().name}: ${address.view === undefined ? word('headline') : title}`
}

/**
 * Puts a fresh widget on the counter; until its script has come, or if that never does, a link
 * leads to `payUrl`.
 */
function mount(what: string, attributes: Readonly<Record<string, string>> = {}, payUrl = ''): void {
  const widget = card()
  if (mounted === what) {
    if (widget) dress(widget)
    return
  }
  mounted = what
  byId('till').textContent = ''
  if (what === '') return
  const fresh = document.createElement('hc-checkout') as Card
  fresh.setAttribute('companion', demo.offer?.companionUrl ?? '')
  for (const [name, value] of Object.entries(attributes)) fresh.setAttribute(name, value)
  fresh.texts = { shopName: shopNow().name }
  const link = document.createElement('a')
  link.href = payUrl
  fresh.append(link)
  // An order's session names its shop. An open amount has none, and the companion's settings name
  // the first shop.
  if (demo.address.view === 'top-up' && demo.address.shop !== 'nairobi') {
    const name = document.createElement('strong')
    name.slot = 'header'
    name.textContent = shopNow().name
    fresh.append(name)
  }
  dress(fresh)
  for (const type of reported) fresh.addEventListener(type, (event) => report(event, what))
  fresh.addEventListener('hc-success', ({ deposit }: CardEvent) => {
    if (demo.address.view === 'top-up' && deposit) topUpPaid(sum(deposit.amount, deposit.currency))
    else backend.seenPaid(what)
    draw()
  })
  fresh.addEventListener('click', (event) => {
    const parts = event.composedPath().map((one) => (one instanceof Element ? one.getAttribute('part') : null))
    if (parts.includes('pay-button')) backend.report('click', what)
    if (!parts.includes('return-link')) return
    event.preventDefault()
    leave()
  })
  byId('till').append(fresh)
  showCounter()
}

/** The card and its button are in view, also on a small phone. */
export function showCounter(): void {
  byId('checkout-title').focus({ preventScroll: true })
  byId('checkout').scrollIntoView()
}

/**
 * The page's language and its light: the widget follows the system by itself, and a page's own
 * switch by this attribute.
 */
function dress(widget: Card): void {
  widget.setAttribute('locale', language())
  const { shop, choices } = demo.address
  widget.setAttribute('return-url', writeAddress({ shop, choices }))
  if (theme() === 'auto') widget.removeAttribute('theme')
  else widget.setAttribute('theme', theme())
  const link = widget.querySelector('a')
  if (link) link.textContent = word('payLink')
}

function report(event: CardEvent, orderId: string): void {
  if (event.resumed !== true) backend.report(event.type, orderId, event.deposit?.id)
}
