// The shop's page: markets, prices, one checkout at a time, and the live list. It uses the widget by its tag and events alone.
import { codePanel } from './code-panel.js'
import { texts } from './texts.js'

const byId = (id) => document.getElementById(id)
const sources = {
  page: 'Shop page',
  companion: 'Companion',
  service: 'Payment service',
  notice: 'Shop backend',
  shop: 'Shop backend',
}
const reported = ['hc-deposit-created', 'hc-checkout-opened', 'hc-success', 'hc-failure', 'hc-error']

const state = {
  shop: undefined,
  country: remembered('country'),
  language: remembered('language') ?? guessLanguage(),
  theme: remembered('theme') ?? 'auto',
  /** This visitor's, by id: each tab shows the one that its address names. */
  orders: new Map(),
  shown: new Set(),
}
const drawCode = codePanel({ tabs: byId('code-tabs'), code: byId('code'), copy: byId('copy') })

// What needs no answer of the shop's is there at once: words, light or dark, and no shelf where the address names what is being paid.
byId('language').value = state.language
drawWords()
drawTheme()
route()
byId('language').addEventListener('change', ({ target }) => {
  state.language = target.value
  remember('language', target.value)
  if (state.shop === undefined) drawWords()
  else drawTexts()
  for (const widget of document.querySelectorAll('hc-checkout')) widget.setAttribute('locale', state.language)
})
byId('theme').addEventListener('click', () => {
  const isDark = state.theme === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : state.theme === 'dark'
  state.theme = isDark ? 'light' : 'dark'
  remember('theme', state.theme)
  drawTheme()
})
byId('back').addEventListener('click', () => {
  location.hash = ''
  // What could not be bought has no address that would change.
  route()
})
addEventListener('hashchange', route)

state.shop = await askShop()
keepOrders(state.shop.orders)
byId('console').href = state.shop.consoleUrl

drawMarkets()
drawTexts()
drawScenarios()
route()
listen()

byId('market').addEventListener('change', ({ target }) => {
  state.country = target.value
  remember('country', target.value)
  drawTexts()
  // A country belongs to what is being paid: a locked order keeps its own, a top-up follows.
  if (location.hash === '#top-up') showTopUp()
  else if (location.hash.startsWith('#order')) location.hash = ''
})
byId('top-up-button').addEventListener('click', () => {
  // Each purchase has a word of its own, so that the last one, paid, is not shown for the next. A reload keeps the word.
  if (remembered('topped-up') === 'yes') {
    remember('top-up', String(Number(remembered('top-up') ?? 1) + 1))
    remember('topped-up', 'no')
  }
  location.hash = 'top-up'
})
for (const button of document.querySelectorAll('[data-buy]')) button.addEventListener('click', () => buy(button))
// Until here a press would have been lost.
for (const button of byId('shelf').querySelectorAll('button')) button.disabled = false

/** Asked again on a weak network: without an answer nothing can be bought. */
async function askShop() {
  for (;;) {
    try {
      return await (await fetch('/api/shop')).json()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2000))
    }
  }
}

function keepOrders(orders) {
  for (const order of orders) state.orders.set(order.id, order)
}

/** The order that the address names. */
function shownOrder() {
  return state.orders.get(location.hash.replace('#order-', ''))
}

async function buy(button) {
  button.setAttribute('aria-busy', 'true')
  button.disabled = true
  try {
    const answer = await fetch('/api/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ product: button.dataset.buy, country: state.country }),
    })
    const body = await answer.json()
    if (!answer.ok) throw new Error(body.error)
    keepOrders([body])
    location.hash = `order-${body.id}`
  } catch {
    byId('checkout-title').textContent = text('unavailable')
    show('checkout')
    byId('till').replaceChildren()
    byId('summary-sum').textContent = ''
    byId('summary-order').textContent = ''
    // Of the order before.
    byId('summary-art').replaceChildren()
    drawPaid()
  } finally {
    button.removeAttribute('aria-busy')
    button.disabled = false
  }
}

/** The address says what is shown, so that reload and Back do what people expect. */
function route() {
  const order = shownOrder()
  if (state.shop === undefined) show(location.hash === '' ? 'shelf' : 'checkout')
  else if (location.hash === '#top-up') showTopUp()
  else if (order !== undefined) showOrder(order)
  else show('shelf')
}

function show(view) {
  const paying = view === 'checkout'
  byId('hero').hidden = paying
  byId('shelf').hidden = paying
  byId('checkout').hidden = !paying
  drawPlay()
  if (!paying) byId('till').replaceChildren()
}

function showOrder(order) {
  drawSummary()
  showArt(order.product)
  drawPaid()
  mount({ session: order.sessionToken, country: order.country }, order.payUrl)
}

function showTopUp() {
  drawSummary()
  byId('paid').hidden = true
  showArt('top-up')
  mount(
    { country: state.country, 'client-reference': `meter-${state.shop.customer}-${remembered('top-up') ?? 1}` },
    `${state.shop.companionUrl}/pay?country=${state.country}`,
  )
}

/** What lies on the counter, in the language of the page. */
function drawSummary() {
  const order = shownOrder()
  if (location.hash === '#top-up') {
    byId('checkout-title').textContent = text('topUp')
    byId('summary-sum').textContent = ''
    byId('summary-order').textContent = text('topUpText')
  } else if (order !== undefined) {
    byId('checkout-title').textContent = state.shop.products.find(({ id }) => id === order.product).name
    byId('summary-sum').textContent = money(order.amount, order.currency)
    byId('summary-order').textContent = `${text('order')} ${order.id}`
  }
}

function showArt(product) {
  byId('summary-art').replaceChildren(document.querySelector(`[data-product="${product}"] svg`).cloneNode(true))
}

/** Puts a fresh widget on the counter; until its script has come, or if that never does, a link leads to `payUrl`. */
function mount(attributes, payUrl) {
  show('checkout')
  const widget = document.createElement('hc-checkout')
  widget.setAttribute('companion', state.shop.companionUrl)
  widget.setAttribute('locale', state.language)
  for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value)
  widget.texts = { shopName: 'Nuru' }
  const link = document.createElement('a')
  link.href = payUrl
  link.dataset.t = 'payLink'
  link.textContent = text('payLink')
  widget.append(link)
  themed(widget)
  for (const type of reported) widget.addEventListener(type, report)
  widget.addEventListener('hc-success', () => {
    if (location.hash === '#top-up') remember('topped-up', 'yes')
    drawPlay()
  })
  widget.addEventListener('click', (event) => {
    if (event.composedPath()[0].part?.contains('pay-button')) report({ type: 'click' })
  })
  byId('till').replaceChildren(widget)
  byId('checkout-title').focus({ preventScroll: true })
  scrollTo({ top: 0 })
}

/** Tells the shop's server what the page saw; the goods are never released by this. */
function report(event) {
  if (event.resumed === true) return
  void fetch('/api/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    keepalive: true,
    body: JSON.stringify({ type: event.type, paymentId: event.deposit?.id }),
  }).catch(() => {})
}

function drawMarkets() {
  const select = byId('market')
  for (const { country } of state.shop.markets) select.append(new Option('', country))
  if (!state.shop.markets.some(({ country }) => country === state.country)) state.country = guessCountry()
  select.value = state.country
}

/** Where the visitor seems to be, by time zone, then by language. */
function guessCountry() {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const regions = navigator.languages.map((language) => language.split('-').at(-1).toUpperCase())
  const { markets } = state.shop
  // Older browsers do not know which time zones a country has.
  const zonesOf = (country) => Intl.Locale?.prototype.getTimeZones?.call(new Intl.Locale(`und-${country}`)) ?? []
  const market =
    markets.find(({ country }) => zonesOf(country).includes(here)) ??
    markets.find(({ country }) => regions.includes(country))
  return market?.country ?? 'KE'
}

function drawWords() {
  document.documentElement.lang = state.language
  for (const element of document.querySelectorAll('[data-t]')) element.textContent = text(element.dataset.t)
}

function drawTexts() {
  drawWords()
  const named =
    state.language !== 'en' &&
    Intl.DisplayNames &&
    new Intl.DisplayNames([state.language], { type: 'region', fallback: 'none' })
  for (const [index, { country, name, currency: unit }] of state.shop.markets.entries())
    byId('market').options[index].textContent = `${(named && named.of(country)) || name} · ${unit}`
  drawSummary()
  const { currency } = market()
  for (const element of document.querySelectorAll('[data-price]')) {
    const product = state.shop.products.find(({ id }) => id === element.dataset.price)
    element.textContent = money(product.prices[currency], currency)
  }
  drawCode({
    companion: state.shop.companionUrl,
    country: state.country,
    currency,
    amount: state.shop.products[0].prices[currency],
  })
  drawPaid()
}

function drawTheme() {
  if (state.theme === 'auto') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.dataset.theme = state.theme
  const widget = document.querySelector('hc-checkout')
  if (widget !== null) themed(widget)
}

/** The widget follows the system by itself, and a page's own switch by this attribute. */
function themed(widget) {
  if (state.theme === 'auto') widget.removeAttribute('theme')
  else widget.setAttribute('theme', state.theme)
}

function drawPaid() {
  byId('paid').hidden = shownOrder()?.paidAt == null
  byId('paid').textContent = text('paid')
  drawPlay()
}

/** Once it is paid there is nothing left to choose an outcome for. */
function drawPlay() {
  const isPaid = location.hash === '#top-up' ? remembered('topped-up') === 'yes' : shownOrder()?.paidAt != null
  byId('play').hidden = byId('checkout').hidden || isPaid || !state.shop?.scenarios.length
}

function drawScenarios() {
  for (const [index, scenario] of state.shop.scenarios.entries()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = scenario.title
    button.title = scenario.does
    button.setAttribute('aria-pressed', 'false')
    button.addEventListener('click', () => choose(scenario, button))
    const item = document.createElement('li')
    item.append(button)
    byId(index < 6 ? 'scenarios' : 'more-scenarios').append(item)
  }
}

function choose(scenario, button) {
  const widget = document.querySelector('hc-checkout')
  if (widget === null) return
  const { country } = location.hash === '#top-up' ? market() : shownOrder()
  const { phonePrefix } = state.shop.markets.find((candidate) => candidate.country === country)
  const phone = `+${phonePrefix}0000${scenario.number}`
  widget.payerName = widget.payerName || 'Amina Test'
  widget.payerPhone = phone
  for (const other of byId('play').querySelectorAll('li button'))
    other.setAttribute('aria-pressed', String(other === button))
  byId('scenario-said').textContent = `${phone}: ${scenario.does}`
}

function listen() {
  const stream = new EventSource('/api/happenings')
  stream.addEventListener('happenings', ({ data }) => {
    const { happenings, orders } = JSON.parse(data)
    keepOrders(orders)
    drawPaid()
    drawHappenings(happenings)
  })
}

function drawHappenings(happenings) {
  const isFirst = state.shown.size === 0
  const lines = happenings.map(({ id, at, source, text: words, tone }) => {
    const line = document.createElement('li')
    line.dataset.tone = tone
    if (!isFirst && !state.shown.has(id)) line.className = 'new'
    state.shown.add(id)
    const body = document.createElement('div')
    const who = document.createElement('div')
    who.className = 'who'
    who.append(
      labelled(sources[source] ?? source),
      labelled(new Date(at).toLocaleTimeString(state.language, { hour12: false })),
    )
    const what = document.createElement('div')
    what.className = 'what'
    what.textContent = words
    body.append(who, what)
    line.append(body)
    return line
  })
  byId('happenings').replaceChildren(...lines)
  byId('nothing').hidden = lines.length > 0
}

function labelled(words) {
  const span = document.createElement('span')
  span.textContent = words
  return span
}

function market() {
  return state.shop.markets.find(({ country }) => country === state.country)
}

function money(amount, currency) {
  return new Intl.NumberFormat(state.language, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    maximumFractionDigits: 0,
  }).format(amount)
}

function text(key) {
  return texts[state.language][key] ?? texts.en[key]
}

function guessLanguage() {
  const own = navigator.language.slice(0, 2)
  return own in texts ? own : 'en'
}

function remembered(name) {
  try {
    return localStorage.getItem(`nuru-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`nuru-${name}`, value)
  } catch {
    // A browser without storage forgets the choice at the next visit; nothing else depends on it.
  }
}
