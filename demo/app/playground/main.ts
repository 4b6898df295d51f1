// The playground: the real card beside all that can be set on it, and the code for what is set.
import '../style/tokens.css'
import '../style/page.css'
import '../style/behind.css'
import '../style/playground.css'
import { html, render } from 'lit'
import { remember, remembered } from '../memory.ts'
import { tellNonce } from '../nonce.ts'
import { playgroundWords } from '../words/playground.ts'
import { samples } from './code.ts'
import { allChosen, type Choice, choose, chooseLanguage, chosenLanguage, groups, read, valueOf } from './settings.ts'

tellNonce()

const byId = (id: string): HTMLElement => document.getElementById(id)!
const given = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? ''
const companion = given('companion')
// A static host has no documentation.
byId('docs').hidden = given('shop-backend') === 'none'
/** Where the card is below the settings they begin folded, or it would be far away. */
const isBeside = matchMedia('(min-width: 960px)').matches
const tabs = Object.keys(samples)
let tab = tabs[0] ?? ''
/** Key of what is said after a press. */
let said = ''

/** As the demo is read, where the playground has words for it. */
function language(): string {
  const wished = chosenLanguage() ?? remembered('lang') ?? navigator.language.slice(0, 2)
  return Object.hasOwn(playgroundWords, wished) ? wished : 'en'
}

const say = (key: string): string => playgroundWords[language()]?.[key] ?? playgroundWords['en']?.[key] ?? key

const languages = byId('language') as HTMLSelectElement
languages.addEventListener('change', () => {
  remember('lang', languages.value)
  chooseLanguage(languages.value)
  draw()
  // Its own language is the page's, unless one is set.
  showCard()
})

function theme(): string {
  return remembered('theme') ?? 'auto'
}

byId('theme').addEventListener('click', () => {
  const isDark = theme() === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : theme() === 'dark'
  remember('theme', isDark ? 'light' : 'dark')
  draw()
  showCard()
})

function draw(): void {
  const root = document.documentElement
  root.lang = language()
  if (theme() === 'auto') delete root.dataset['theme']
  else root.dataset['theme'] = theme()
  languages.value = language()
  document.title = `hc-checkout: ${say('title')}`
  for (const place of document.querySelectorAll<HTMLElement>('[data-say]'))
    place.textContent = say(place.dataset['say'] ?? '')
  byId('theme').setAttribute('aria-label', say('lightOrDark'))
  document.querySelector('.links')!.setAttribute('aria-label', say('places'))
  render(
    html`<form class="choices" aria-label=${say('settings')} @submit=${(event: Event) => event.preventDefault()}>
        <h1>${say('title')}</h1>
        <p class="quiet">${say('lead')}</p>
        ${groups.map(
          ({ title, choices }, at) =>
            html`<details ?open=${isBeside && at < 2}>
              <summary>${say(title)}</summary>
              ${choices.map(field)}
            </details>`,
        )}
      </form>
      <div class="result">
        <div id="card"></div>
        <div class="code-bar">
          <div class="tabs" role="tablist" aria-label=${say('code')} @keydown=${turn}>${tabs.map(tabOf)}</div>
          <button type="button" @click=${() => copy(code())}>${say('copyCode')}</button>
          <button type="button" @click=${() => copy(location.href)}>${say('copyLink')}</button>
          <span role="status">${said && say(said)}</span>
        </div>
        <pre id="code" role="tabpanel" tabindex="0" lang="en" aria-label=${say('code')}>${code()}</pre>
      </div>`,
    byId('bench'),
  )
}

const code = (): string => samples[tab]?.(allChosen()) ?? ''

/** What an attribute or a token is for, in this language or else as the element says it. */
function about({ name, about: english }: Choice) {
  const own = playgroundWords[language()]?.[name]
  const text = (own ?? english).replaceAll('`', '')
  return text === '' ? '' : html`<small lang=${own === undefined ? 'en' : language()}>${text}</small>`
}

const field = (choice: Choice) =>
  html`<label>
    <span translate="no">${choice.name}</span>
    ${
      choice.values
        ? html`<select .value=${valueOf(choice)} data-set=${`${choice.kind}.${choice.name}`} @change=${set(choice)}>
            <option value=""></option>
            ${choice.values.map((value) => html`<option value=${value} ?selected=${valueOf(choice) === value}>${value}</option>`)}
          </select>`
        : html`<input
            .value=${valueOf(choice)}
            placeholder=${choice.fallback}
            data-set=${`${choice.kind}.${choice.name}`}
            autocomplete="off"
            @input=${set(choice)}
          />`
    }
    ${about(choice)}
  </label>`

const tabOf = (name: string) =>
  html`<button
    type="button"
    role="tab"
    aria-controls="code"
    aria-selected=${String(name === tab)}
    tabindex=${name === tab ? 0 : -1}
    @click=${() => {
      tab = name
      draw()
    }}
  >
    ${say(name)}
  </button>`

/** The arrow keys lead from tab to tab. */
function turn({ key, currentTarget }: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (step === undefined) return
  tab = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? ''
  draw()
  ;(currentTarget as HTMLElement).querySelectorAll('button')[tabs.indexOf(tab)]?.focus()
}

const set =
  (choice: Choice) =>
  ({ currentTarget }: Event): void => {
    choose(choice, (currentTarget as HTMLInputElement).value.trim())
    draw()
    showCard()
  }

/** A fresh card: what is taken away again must leave nothing behind. */
function showCard(): void {
  const { attributes, tokens, texts } = allChosen()
  const card = document.createElement('hc-checkout') as HTMLElement & { texts?: Record<string, string> }
  card.setAttribute('companion', companion)
  if (theme() !== 'auto') card.setAttribute('theme', theme())
  for (const [name, value] of attributes) card.setAttribute(name, value === 'true' ? '' : value)
  for (const [name, value] of tokens) card.style.setProperty(name, value)
  card.texts = Object.fromEntries(texts)
  const place = byId('card')
  place.textContent = ''
  place.append(card)
}

function copy(text: string): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('No clipboard.'))
  void done
    .then(() => (said = 'copied'))
    .catch(() => (said = 'selectAndCopy'))
    .then(draw)
}

function begin(): void {
  read()
  draw()
  showCard()
}
addEventListener('hashchange', begin)
begin()
