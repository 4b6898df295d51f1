// The console's shell: signs in, shows the navigation and the view that the address names.
import { html, LitElement, nothing, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import type { Me } from '../../contract/index.ts'
import { Api } from './base/api.ts'
import { isOwner, NO_WISH, type App } from './base/app.ts'
import { Drafts } from './base/drafts.ts'
import { toHeading } from './base/focus.ts'
import { fill, formats } from './base/format.ts'
import { Live } from './base/live.ts'
import { hrefOf, type Route, routeOf, VIEWS } from './base/router.ts'
import { filled, typed } from './parts/bidi.ts'
import { viewOf } from './views/index.ts'
import { keepLanguage, type Language, languages, presentLanguage } from './words/index.ts'

type Standing = 'asking' | 'out' | 'in' | 'failed'

const zoneOf = ({ shop }: Me): string => shop.timeZone.replace(/_/g, ' ')

class HcConsole extends LitElement {
  static override properties = {
    language: { state: true },
    standing: { state: true },
    app: { state: true },
    route: { state: true },
    isMenuOpen: { state: true },
    said: { state: true },
    printedAt: { state: true },
  }
  declare language: Language
  declare standing: Standing
  declare app: App | undefined
  declare route: Route
  declare isMenuOpen: boolean
  declare said: string
  declare printedAt: string
  #notice: string | undefined
  /** The order of the payment that is shown: tabs are told apart by it. */
  #about = ''
  readonly #api = new Api(() => this.#ended())
  readonly #drafts = new Drafts()
  readonly #live = new Live(() => void this.#ask())

  constructor() {
    super()
    this.language = presentLanguage()
    this.standing = 'asking'
    this.route = routeOf(location.hash)
    this.isMenuOpen = false
    this.said = ''
    this.printedAt = new Date().toISOString()
  }

  override createRenderRoot(): this {
    return this
  }

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('hashchange', () => this.#moved())
    // Drawn before the browser lays out the paper: Lit draws once this listener has returned.
    window.addEventListener('beforeprint', () => (this.printedAt = new Date().toISOString()))
    window.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape' && this.isMenuOpen) this.#closeMenu()
    })
    void this.#ask(true)
  }

  /** Who is signed in? */
  async #ask(first = false): Promise<void> {
    try {
      this.#signedIn(await this.#api.me())
    } catch {
      // Signed out is heard by #ended. Anything else matters only while nothing is shown.
      if (first && this.standing === 'asking') this.standing = 'failed'
    }
  }

  #ended(): void {
    if (this.standing === 'out') return
    this.#notice = this.standing === 'in' ? languages[this.language].words.signIn.ended : undefined
    this.#live.close()
    if (this.app !== undefined) this.#drafts.keep(this.app.me.name, this)
    this.app = undefined
    this.standing = 'out'
  }

  #signedIn(me: Me): void {
    const before = this.app
    const wasOut = this.standing === 'out'
    this.standing = 'in'
    this.#drafts.signedIn(me.name)
    if (before?.me.name === me.name && before.me.role === me.role) return
    this.app = this.#appOf(me, before?.wish)
    // The form goes, and the field that had the focus with it.
    if (wasOut) void this.updateComplete.then(toHeading)
  }

  #appOf(me: Me, wish = NO_WISH): App {
    return {
      language: this.language,
      ...languages[this.language],
      format: formats(this.language, me.shop.timeZone),
      me,
      api: this.#api,
      live: this.#live,
      drafts: this.#drafts,
      wish,
      place: undefined,
      say: (text) => this.#say(text),
      about: (text) => {
        this.#about = text
        this.#entitle()
      },
      go: (route) => {
        location.hash = hrefOf(route)
      },
    }
  }

  /** Said twice, it is heard twice: a live region is silent where nothing changes. */
  #say(text: string): void {
    this.said = this.said === text ? `${text}\u00a0` : text
  }

  #moved(): void {
    this.route = routeOf(location.hash)
    this.isMenuOpen = false
    this.said = ''
    this.#about = ''
    void this.updateComplete.then(() => {
      window.scrollTo(0, 0)
      // The form of the sign-in leads to its first field itself.
      if (this.standing !== 'out') toHeading()
    })
  }

  /** Its button is where the keyboard came from. */
  #closeMenu(): void {
    this.isMenuOpen = false
    this.querySelector<HTMLElement>('.menu')?.focus()
  }

  #speak(language: Language): void {
    keepLanguage(language)
    this.language = language
    if (this.app !== undefined) this.app = this.#appOf(this.app.me, this.app.wish)
  }

  async #signOut(): Promise<void> {
    try {
      await this.#api.signOut()
    } catch (error) {
      if (this.standing === 'in') this.#say(String(error))
      return
    }
    this.#ended()
    this.#notice = languages[this.language].words.signIn.out
    location.hash = ''
    this.requestUpdate()
  }

  override updated(): void {
    document.documentElement.lang = this.language
    this.#entitle()
  }

  #entitle(): void {
    const { words } = languages[this.language]
    const name = this.route.view === 'payment' ? 'payments' : this.route.view
    const parts = this.standing === 'in' ? [this.#about, words.nav[name]] : []
    document.title = [...parts, words.console].filter((part) => part !== '').join(' · ')
  }

  override render(): TemplateResult {
    const { words } = languages[this.language]
    return html`<a class="skip" href="#content" @click=${this.#skip}>${words.skip}</a>
      <header class="top">
        <span class="brand"><span class="dot" aria-hidden="true"></span>${words.console}</span>
        ${this.app?.me.shop.mode === 'test' ? html`<span class="test">${words.test}</span>` : nothing}
        ${
          this.app === undefined
            ? this.#languagePick()
            : html`<button
                type="button"
                class="second menu"
                aria-expanded=${this.isMenuOpen}
                aria-controls="side"
                @click=${() => (this.isMenuOpen = !this.isMenuOpen)}
              >
                ${words.menu}
              </button>`
        }
      </header>
      <div class=${this.app === undefined ? 'alone' : 'frame'}>
        ${this.app === undefined ? nothing : this.#side(this.app)}
        <main id="content">${this.#main()}${this.app === undefined ? nothing : this.#printed(this.app)}</main>
      </div>
      <div class="said" role="status">${this.said === '' ? nothing : keyed(this.said, html`<p>${this.said}</p>`)}</div>`
  }

  #main(): TemplateResult {
    const { words } = languages[this.language]
    if (this.app !== undefined && this.standing === 'in') return viewOf(this.app, this.route)
    if (this.standing === 'out')
      return html`<hc-sign-in
        .api=${this.#api}
        .words=${words}
        .language=${this.language}
        .notice=${this.#notice}
        .speak=${(language: Language) => this.#speak(language)}
        .done=${(me: Me) => this.#signedIn(me)}
      ></hc-sign-in>`
    if (this.standing === 'failed')
      return html`<div class="card narrow fault" role="alert">
        <p>${words.faults.offline}</p>
        <button type="button" @click=${() => location.reload()}>${words.again}</button>
      </div>`
    return html`<div class="waiting" role="status">
      <span class="spinner" aria-hidden="true"></span>
      <p>${words.loading}</p>
    </div>`
  }

  /** Only on paper. */
  #printed({ words, format, me }: App): TemplateResult {
    const zone = fill(words.zone, { zone: zoneOf(me) })
    return html`<p class="printed">
      ${filled(words.printed, { time: format.dated(this.printedAt), who: typed(me.name) })} ${zone}
    </p>`
  }

  #side(app: App): TemplateResult {
    const { words, me } = app
    const at = this.route.view === 'payment' ? 'payments' : this.route.view
    const shown = VIEWS.filter((view) => view !== 'audit' || isOwner(app))
    return html`<aside id="side" aria-label=${words.menu} class="side ${this.isMenuOpen ? 'open' : ''}">
      <nav aria-label=${words.console}>
        <ul>
          ${shown.map(
            (view) =>
              html`<li>
                <a
                  href="#/${view}"
                  aria-current=${view === at ? 'page' : nothing}
                  @click=${() => (app.place = undefined)}
                  >${words.nav[view]}</a
                >
              </li>`,
          )}
        </ul>
      </nav>
      <div class="who">
        <p>${filled(words.signIn.as, { name: typed(me.name), role: words.roles[me.role] })}</p>
        <button type="button" class="second" @click=${this.#signOut}>${words.signIn.button2}</button>
        ${this.#languagePick()}
        <p class="hint">${fill(words.zone, { zone: zoneOf(me) })}</p>
      </div>
    </aside>`
  }

  #languagePick(): TemplateResult {
    return html`<div class="pick">
      <label for="language">${languages[this.language].words.languages}</label>
      <select
        id="language"
        @change=${(event: Event) => this.#speak((event.target as HTMLSelectElement).value as Language)}
      >
        ${Object.entries(languages).map(
          ([code, { words }]) =>
            html`<option value=${code} lang=${code} ?selected=${code === this.language}>${words.language}</option>`,
        )}
      </select>
    </div>`
  }

  /** The address names the view, so the link to the content must not change it. */
  #skip(event: Event): void {
    event.preventDefault()
    toHeading()
  }
}

customElements.define('hc-console', HcConsole)
