// A phone beside the shop: its QR code opens the same view on one's own phone, where the network
// lets it.
import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { html, nothing, render } from 'lit'
import { picture } from './art.ts'
import { demo, language } from './demo.ts'
import { pitchLanguage, pitchWord } from './words/index.ts'

const phone = document.querySelector<HTMLElement>('#phone')!
/** Modules of white around the code. */
const QUIET = 2
/** What the code shown leads to. */
let drawn = ''

export function drawPhone(): void {
  const isOpen = demo.address.choices['phone'] === 'yes'
  phone.hidden = !isOpen
  if (!isOpen) return
  const say = (key: string): string => pitchWord(language(), key)
  phone.lang = pitchLanguage(language())
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname)
  render(
    html`<div class="handset">
        <div class="screen">
          <div id="qr"></div>
          ${isHere ? html`<div class="mark">${picture(`mark-${demo.address.shop}`)}</div>` : nothing}
        </div>
      </div>
      <div>
        <h2 id="phone-title">${say('phoneTitle')}</h2>
        ${
          isHere
            ? html`<p>${say('phoneHere')}</p>
                <pre tabindex="0">npm start -- --lan</pre>
                <p class="quiet">${say('phoneHereWhy')}</p>`
            : html`<p>${say('phoneScan')}</p>
                <p class="quiet">${linkForPhone()}</p>`
        }
      </div>`,
    phone,
  )
  drawCode(isHere ? '' : linkForPhone())
}

/** This view without this screen's own choices. */
function linkForPhone(): string {
  return `${location.origin}${location.pathname}#/${demo.address.shop}?lang=${language()}`
}

function drawCode(link: string): void {
  if (link === drawn) return
  drawn = link
  const place = document.querySelector<HTMLElement>('#qr')!
  if (link === '') return void render(nothing, place)
  // Not toSvg: it builds the element by replaceChildren, which Chromium has from 86 on.
  const code = generate(link)
  const side = code.size + 2 * QUIET
  const parts = html`<svg role="img" aria-label=${link} viewBox="${-QUIET} ${-QUIET} ${side} ${side}">
    <path fill="#17211d" shape-rendering="crispEdges" d=${toSvgPath(code)} />
  </svg>`
  render(parts, place)
}
