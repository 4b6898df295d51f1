// The page's beginning: draws what needs no answer at once, asks the shop, and follows the address.
import './style/tokens.css'
import './style/page.css'
import './style/pitch.css'
import './style/shop.css'
import './style/counter.css'
import './style/behind.css'
import './style/breaks.css'
import './style/stage.css'
import { readAddress } from './address.ts'
import { drawShelf, drawVerdict } from './breaks.ts'
import { drawCode } from './code-panel.ts'
import { drawCounter } from './counter.ts'
import { backend, choose, demo, draw, drawnBy, keepOrders, language, theme } from './demo.ts'
import { drawFigures } from './figures.ts'
import { drawLinks } from './nav.ts'
import { drawPhone } from './phone.ts'
import { drawPresenter } from './presenter.ts'
import { drawScenarios } from './scenarios.ts'
import { drawShopFront } from './shop-front.ts'
import { drawTimeline } from './timeline.ts'
import { drawWords } from './words-on-page.ts'

const byId = (id: string): HTMLElement => document.getElementById(id)!

const parts = [
  drawWords,
  drawLinks,
  drawPhone,
  drawFigures,
  drawShelf,
  drawShopFront,
  drawCounter,
  drawVerdict,
  drawScenarios,
  drawTimeline,
  drawCode,
  drawPresenter,
]
for (const part of parts) drawnBy(part)

const languages = byId('language') as HTMLSelectElement
languages.addEventListener('change', () => choose('lang', languages.value))
drawnBy(() => void (languages.value = language()))

byId('theme').addEventListener('click', () => {
  const isDark = theme() === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme() === 'dark'
  choose('theme', isDark ? 'light' : 'dark')
})

addEventListener('hashchange', () => {
  demo.buying = undefined
  demo.address = readAddress(location.hash)
  draw()
})

draw()
void begin()

async function begin(): Promise<void> {
  demo.offer = await backend.offer()
  const payments = byId('console') as HTMLAnchorElement
  payments.href = demo.offer.consoleUrl ?? ''
  payments.hidden = demo.offer.consoleUrl === undefined
  keepOrders(demo.offer.orders)
  draw()
  backend.listen(({ happenings, orders, damages }) => {
    keepOrders(orders)
    demo.happenings = happenings
    demo.damages = damages
    draw()
  })
}
