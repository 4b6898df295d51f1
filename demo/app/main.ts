// The page's beginning: draws what needs no answer at once, asks the shop, and follows the address.
import './style/tokens.css'
import './style/page.css'
import './style/pitch.css'
import './style/shop.css'
import './style/counter.css'
import './style/behind.css'
import './style/breaks.css'
// Looks come with the page, also of what is loaded later: in old browsers a later file would write
// them into the page, which its policy refuses.
import './style/stage.css'
import { readAddress } from './address.ts'
import type { Offer } from './backend.ts'
import { drawShelf, drawVerdict } from './breaks.ts'
import { drawBars } from './bars.ts'
import { drawCounter } from './counter.ts'
import {
  backend,
  choose,
  chosenLanguage,
  demo,
  draw,
  drawnBy,
  isTechnical,
  keepOrders,
  theme,
  wordsCome,
} from './demo.ts'
import { drawFigures } from './figures.ts'
import { followToStage, loadLater } from './late.ts'
import { drawLinks } from './nav.ts'
import { tellNonce } from './nonce.ts'
import { drawShopFront } from './shop-front.ts'
import { drawWords } from './words-on-page.ts'

tellNonce()

const byId = (id: string): HTMLElement => document.getElementById(id)!

const parts = [
  drawWords,
  drawLinks,
  drawFigures,
  drawShelf,
  drawShopFront,
  drawCounter,
  drawVerdict,
  drawBars,
  followToStage,
]
for (const part of parts) drawnBy(part)

const languages = byId('language') as HTMLSelectElement
languages.addEventListener('change', () => choose('lang', languages.value))
drawnBy(() => void (languages.value = chosenLanguage()))

byId('theme').addEventListener('click', () => {
  const isDark = theme() === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme() === 'dark'
  choose('theme', isDark ? 'light' : 'dark')
})

const technical = byId('technical') as HTMLInputElement
technical.addEventListener('change', () => choose('technical', technical.checked ? 'yes' : 'no'))
drawnBy(() => void (technical.checked = isTechnical()))

addEventListener('hashchange', () => {
  demo.buying = undefined
  demo.address = readAddress(location.hash)
  draw()
})

void begin()

/** Long enough to read an answer that has come. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50))
}

async function begin(): Promise<void> {
  const answer = backend.offer().then(open)
  // Not in another language first: a longer word would push away what stands below.
  await wordsCome(chosenLanguage())
  // The page itself has asked the shop already. Mostly the answer is here, and all is drawn once.
  await Promise.race([answer, pause()])
  draw()
  if (demo.offer === undefined) {
    await answer
    draw()
  }
  loadLater()
  backend.listen(({ happenings, orders, damages }) => {
    keepOrders(orders)
    demo.happenings = happenings
    demo.damages = damages
    draw()
  })
}

function open(offer: Offer): void {
  demo.offer = offer
  const payments = byId('console') as HTMLAnchorElement
  payments.href = offer.consoleUrl ?? ''
  payments.hidden = offer.consoleUrl === undefined
  keepOrders(offer.orders)
}
