// The way to the other parts: the shelf, the playground, the documentation, the shop owner's
// screen, a phone, a presentation.
import { html, nothing, render } from 'lit'
import { choose, demo, hasBackend, language } from './demo.ts'
import { enterStage } from './late.ts'
import { pitchLanguage, pitchWord } from './words/index.ts'

const links = document.querySelector<HTMLElement>('#links')!
let isCopied = false

export function drawLinks(): void {
  const say = (key: string): string => pitchWord(language(), key)
  const { offer, address } = demo
  const isPhone = address.choices['phone'] === 'yes'
  links.lang = pitchLanguage(language())
  render(
    html`${
        (offer === undefined ? hasBackend : offer.breakages.length > 0)
          ? html`<button type="button" @click=${() => document.querySelector('#breaks')?.scrollIntoView()}>
              ${say('breakIt')}
            </button>`
          : nothing
      }
      <a href="playground.html#/?lang=${language()}">${say('playground')}</a>
      ${hasBackend ? html`<a href="docs/">${say('docs')}</a>` : nothing}
      ${
        offer?.staff
          ? html`<a
              href=${offer.staff.url}
              target="_blank"
              rel="noreferrer"
              title=${pitchWord(language(), 'signIn', offer.staff)}
              >${say('staff')} ↗</a
            >`
          : offer === undefined && hasBackend
            ? html`<a>${say('staff')} ↗</a>`
            : nothing
      }
      <button type="button" aria-expanded=${String(isPhone)} @click=${() => choose('phone', isPhone ? 'no' : 'yes')}>
        ${say('phone')}
      </button>
      <button type="button" @click=${copyLink}>${isCopied ? say('copied') : say('link')}</button>
      <button type="button" class="first" @click=${present}>${say('present')}</button>`,
    links,
  )
}

async function present(): Promise<void> {
  const stage = await enterStage()
  stage?.present(0)
}

/** The address names shop, order, language, light and step: whoever opens it sees the same. */
function copyLink(): void {
  void navigator.clipboard
    ?.writeText(location.href)
    .then(() => {
      isCopied = true
      drawLinks()
      setTimeout(() => {
        isCopied = false
        drawLinks()
      }, 2000)
    })
    .catch(() => {})
}
