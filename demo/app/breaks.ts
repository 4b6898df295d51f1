// The shelf "break it", and what became of the money of the order that is shown.
import { html, nothing, render } from 'lit'
import type { Damage } from './backend.ts'
import { backend, demo, draw, go, goods, hasBackend, language, market, shownOrder, sum } from './demo.ts'
import { breakWord, pitchLanguage } from './words/index.ts'

const byId = (id: string): HTMLElement => document.getElementById(id)!
/** All: they stand there until the shop has said which it offers, so that nothing moves then. */
const ALL = ['drop', 'twice', 'forge', 'cut', 'restart', 'double', 'expire']
/** The item whose order is being made. */
let busy = ''

const say = (key: string, values?: Readonly<Record<string, string | number>>): string =>
  breakWord(language(), key, values)

export function drawShelf(): void {
  const items = demo.offer?.breakages ?? (hasBackend ? ALL : [])
  const shelf = byId('breaks')
  shelf.hidden = items.length === 0
  shelf.lang = pitchLanguage(language())
  if (items.length > 0)
    render(
      html`<h2 id="breaks-title">${say('title')}</h2>
        <p>${say('lead')}</p>
        <ul>
          ${items.map((item) => html`<li>${shelfItem(item)}</li>`)}
        </ul>`,
      shelf,
    )
}

function shelfItem(item: string) {
  const damage = demo.damages.find((one) => one.item === item)
  return html`<button
    type="button"
    data-break=${item}
    aria-busy=${String(busy === item)}
    ?disabled=${demo.offer === undefined}
    @click=${() => breakIt(item)}
  >
    <strong>${say(item)}</strong>
    <span>${say(`${item}Does`)}</span>
    ${damage ? html`<em data-state=${stateOf(damage)}>${say(stateOf(damage))}</em>` : nothing}
  </button>`
}

function breakIt(item: string): void {
  const [product] = goods()
  if (busy !== '' || product === undefined) return
  busy = item
  draw()
  void backend
    .breakIt(item, product.id, market().country)
    .then((orderId) => go({ view: 'order', order: orderId }))
    .catch(() => {
      demo.isUnavailable = true
    })
    .finally(() => {
      busy = ''
      draw()
    })
}

/** What was paid must stand in the books, once; while anything is under way it may still come. */
function stateOf({ paid, credited, isOpen }: Damage): 'right' | 'running' | 'wrong' {
  if (credited > paid || credited > 1 || paid > 1) return 'wrong'
  return isOpen || credited < paid ? 'running' : 'right'
}

export function drawVerdict(): void {
  const order = shownOrder()
  const damage = demo.address.view === 'order' ? demo.damages.find(({ orderId }) => orderId === order?.id) : undefined
  const place = byId('verdict')
  place.hidden = damage === undefined
  place.lang = pitchLanguage(language())
  if (damage === undefined || order === undefined) return
  const line = (key: 'asked' | 'paid' | 'credited') =>
    html`<div>
      <dt>${say(key)}</dt>
      <dd data-damage=${key}>${say('times', { times: damage[key] })} ${sum(order.amount, order.currency)}</dd>
    </div>`
  const state = stateOf(damage)
  render(
    html`<h2>${say(damage.item)}</h2>
      <p>${say(`${damage.item}Does`)}</p>
      <h3>${say('verdict')}</h3>
      <dl>${line('asked')}${line('paid')}${line('credited')}</dl>
      <p class="state" data-state=${state} role="status">${say(state)}</p>`,
    place,
  )
}
