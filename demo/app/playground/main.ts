// The playground: the real card beside all that can be set on it, and the code for what is set.
import '../style/tokens.css'
import '../style/page.css'
import '../style/behind.css'
import '../style/playground.css'
import { html, render } from 'lit'
import { samples } from './code.ts'
import { allOf, type Choice, choose, groups, read, valueOf } from './settings.ts'

const bench = document.querySelector<HTMLElement>('#bench')!
const companion = document.querySelector<HTMLMetaElement>('meta[name=companion]')?.content ?? ''
let tab = Object.keys(samples)[0] ?? ''
let said = ''

function draw(): void {
  render(
    html`<form class="choices" aria-label="Settings" @submit=${(event: Event) => event.preventDefault()}>
        <h1>Playground</h1>
        <p class="quiet">What you set here is on the card at once, in the code below it and in the address.</p>
        ${groups.map(
          ({ title, choices }, at) =>
            html`<details ?open=${at < 2}>
              <summary>${title}</summary>
              ${choices.map(field)}
            </details>`,
        )}
      </form>
      <div class="result">
        <div id="card"></div>
        <div class="code-bar">
          <div class="tabs" role="tablist" aria-label="Code">${Object.keys(samples).map(tabOf)}</div>
          <button type="button" @click=${() => copy(samples[tab]?.() ?? '')}>Copy code</button>
          <button type="button" @click=${() => copy(location.href)}>Copy link</button>
          <span role="status">${said}</span>
        </div>
        <pre id="code" role="tabpanel" tabindex="0">${samples[tab]?.() ?? ''}</pre>
      </div>`,
    bench,
  )
}

const field = (choice: Choice) =>
  html`<label>
    <span>${choice.name}</span>
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
    ${choice.about === '' ? '' : html`<small>${choice.about}</small>`}
  </label>`

const tabOf = (name: string) =>
  html`<button
    type="button"
    role="tab"
    aria-controls="code"
    aria-selected=${String(name === tab)}
    @click=${() => {
      tab = name
      draw()
    }}
  >
    ${name}
  </button>`

const set =
  (choice: Choice) =>
  ({ currentTarget }: Event): void => {
    choose(choice, (currentTarget as HTMLInputElement).value.trim())
    draw()
    showCard()
  }

/** A fresh card: what is taken away again must leave nothing behind. */
function showCard(): void {
  const card = document.createElement('hc-checkout') as HTMLElement & { texts?: Record<string, string> }
  card.setAttribute('companion', companion)
  for (const [name, value] of allOf('a')) card.setAttribute(name, value === 'true' ? '' : value)
  for (const [name, value] of allOf('t')) card.style.setProperty(name, value)
  card.texts = Object.fromEntries(allOf('x'))
  const place = document.querySelector('#card')!
  place.textContent = ''
  place.append(card)
}

function copy(text: string): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('No clipboard.'))
  void done
    .then(() => (said = 'Copied'))
    .catch(() => (said = 'Select and copy'))
    .then(draw)
}

function begin(): void {
  read()
  draw()
  showCard()
}
addEventListener('hashchange', begin)
begin()
