// The shop's window: which of the three it is, its picture, its goods and their prices.
import { html, nothing, render } from 'lit'
import { shopMarkets, shops } from '../shop/catalogue.ts'
import { picture } from './art.ts'
import { showCounter } from './counter.ts'
import { backend, choose, demo, draw, go, goods, keepOrders, language, market, shopNow, sum, word } from './demo.ts'
import { startTopUp } from './top-up.ts'
import { write } from './words-on-page.ts'
import { pitchLanguage, pitchWord, shopLanguage } from './words/index.ts'

const byId = (id: string): HTMLElement => document.getElementById(id)!
const country = byId('market') as HTMLSelectElement

country.addEventListener('change', () => choose('country', country.value, `country-${demo.address.shop}`))
for (const { country: code } of shopMarkets) country.append(new Option('', code))

export function drawShopFront(): void {
  const { address } = demo
  render(shops.map(tab), byId('shops'))
  render(html`${picture(`mark-${address.shop}`)}<span>${shopNow().name}</span>`, byId('shop-name'))
  drawCountries()
  const isShelf = address.view === undefined && !demo.isUnavailable
  document.body.dataset['view'] = isShelf ? 'shelf' : 'checkout'
  byId('front').hidden = !isShelf
  byId('front').lang = shopLanguage(address.shop, language())
  if (isShelf) render(front(), byId('front'))
}

const tab = ({ id, name, city }: (typeof shops)[number]) =>
  html`<a
    href="#/${id}"
    aria-current=${id === demo.address.shop ? 'true' : nothing}
    @click=${(event: Event) => {
      event.preventDefault()
      const { country: _, ...choices } = demo.address.choices
      go({ shop: id, choices })
    }}
  >
    ${picture(`mark-${id}`)}
    <span
      ><strong>${name}</strong
      ><span lang=${pitchLanguage(language())}>${pitchWord(language(), `${id}Kind`)} · ${city}</span></span
    >
  </a>`

/** In the language of the page, where the browser knows it. */
function drawCountries(): void {
  const named =
    language() !== 'en' && typeof Intl.DisplayNames === 'function'
      ? new Intl.DisplayNames([language()], { type: 'region', fallback: 'none' })
      : undefined
  for (const [index, { country: code, name, currency }] of shopMarkets.entries())
    write(country.options[index]!, `${named?.of(code) ?? name} · ${currency}`)
  country.value = market().country
}

const front = () => html`
  <section class="hero">
    <div class="words">
      <h2>${word('headline')}</h2>
      <p>${word('lead')}</p>
    </div>
    ${picture(demo.address.shop)}
  </section>
  <section class="shelf" id="shelf" aria-label=${shopNow().name}>
    ${goods().map(
      ({ id, name, prices }) =>
        html`<article class="card" data-product=${id}>
          ${picture(id)}
          <h3>${name}</h3>
          <p>${word(id)}</p>
          <div class="buy">
            <span class="price" data-price=${id}>${sum(prices[market().currency], market().currency)}</span>
            <button type="button" data-buy=${id} ?disabled=${demo.offer === undefined} @click=${buy}>
              ${word('buy')}
            </button>
          </div>
        </article>`,
    )}
    <article class="card wide" data-product="top-up">
      ${picture(`top-up-${demo.address.shop}`)}
      <div>
        <h3>${word('topUp')}</h3>
        <p>${word('topUpText')}</p>
      </div>
      <button type="button" id="top-up-button" ?disabled=${demo.offer === undefined} @click=${startTopUp}>
        ${word('topUpButton')}
      </button>
    </article>
  </section>
`

async function buy({ currentTarget }: Event): Promise<void> {
  const button = currentTarget as HTMLButtonElement
  const product = goods().find(({ id }) => id === button.dataset['buy'])
  if (product === undefined) return
  const { country: code, currency } = market()
  const amount = product.prices[currency]
  const shelf = demo.address
  // The counter is the answer to the press, and comes at once; the card comes with the order.
  demo.buying = product
  demo.address = { ...shelf, view: 'order' }
  draw()
  showCounter()
  const isStillThere = (): boolean => demo.buying === product
  try {
    const { shop } = shelf
    const order = await backend.order({ product: product.id, country: code, shop, amount, currency })
    keepOrders([order])
    if (isStillThere()) go({ view: 'order', order: order.id })
  } catch {
    if (!isStillThere()) return
    demo.buying = undefined
    demo.address = shelf
    demo.isUnavailable = true
    draw()
  }
}
