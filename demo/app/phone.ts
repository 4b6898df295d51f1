// A phone beside the shop: its QR code opens the same view on one's own phone, where the network
// lets it.
import { html, nothing, render } from 'lit'
import { unsafeHTML } from 'lit/directives/unsafe-html.js'
import { art } from './art.ts'
import { demo, language } from './demo.ts'
import { pitchLanguage, pitchWord } from './words/index.ts'

const place = document.querySelector<HTMLElement>('#phone')!
/** Modules of white around the code. */
const QUIET = 2
/** What the code shown leads to. */
let drawn = ''

export function drawPhone(): void {
  const isOpen = demo.address.choices['phone'] === 'yes'
  place.hidden = !isOpen
  if (!isOpen) return
  const say = (key: string): string => pitchWord(language(), key)
  place.lang = pitchLanguage(language())
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname)
  render(
    html`<div class="handset">
        <div class="screen">
          <div id="qr"></div>
          ${isHere ? html`<div class="mark">${unsafeHTML(art[`mark-${demo.address.shop}`] ?? '')}</div>` : nothing}
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
    place,
  )
  void drawCode(isHere ? '' : linkForPhone())
}

/** This view without this screen's own choices. */
function linkForPhone(): string {
  return `${location.origin}${location.pathname}#/${demo.address.shop}?lang=${language()}`
}

async function drawCode(link: string): Promise<void> {
  if (link === drawn) return
  drawn = link
  const code = document.querySelector<HTMLElement>('#qr')!
  render(nothing, code)
  if (link === '') return
  const [{ generate }, { toSvgPath }] = await Promise.all([import('lean-qr'), import('lean-qr/extras/svg')])
  if (link !== drawn) return
  // Not toSvg: it builds the element by replaceChildren, which Chromium has from 86 on.
  const picture = generate(link)
  const side = picture.size + 2 * QUIET
  const parts = html`<svg role="img" aria-label=${link} viewBox="${-QUIET} ${-QUIET} ${side} ${side}">
    <path fill="#17211d" shape-rendering="crispEdges" d=${toSvgPath(picture)} />
  </svg>`
  render(parts, code)
}
