// The form by which staff sign in.
import { html, LitElement, nothing, type TemplateResult } from 'lit'
import type { Me } from '../../../contract/index.ts'
import { ApiError, type Api } from '../base/api.ts'
import { fieldsOf } from '../base/fields.ts'
import { fill, formats } from '../base/format.ts'
import { faultWords } from '../parts/faults.ts'
import { type Language, languages, type Words } from '../words/index.ts'

export class SignIn extends LitElement {
  static override properties = {
    api: { attribute: false },
    words: { attribute: false },
    language: {},
    notice: {},
    fault: { state: true },
    busy: { state: true },
  }
  declare api: Api
  declare words: Words
  declare language: Language
  /** Why the form is shown, if there is something to say. */
  declare notice: string | undefined
  /** Called with the language that was chosen. */
  declare speak: (language: Language) => void
  /** Called with who has signed in. */
  declare done: (me: Me) => void
  declare fault: string | undefined
  declare busy: boolean

  override createRenderRoot(): this {
    return this
  }

  override firstUpdated(): void {
    this.querySelector('input')?.focus()
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (this.busy) return
    const field = fieldsOf(event.currentTarget)
    const password = this.querySelector<HTMLInputElement>('#password')
    this.busy = true
    try {
      this.done(await this.api.signIn(field('name'), password?.value ?? ''))
    } catch (error) {
      this.fault = this.#faultOf(error)
      if (password !== null) {
        password.value = ''
        password.focus()
      }
    }
    this.busy = false
  }

  #faultOf(error: unknown): string {
    const { words } = this
    const format = formats(this.language, 'UTC')
    if (!(error instanceof ApiError)) return faultWords({ words, format }, error)
    const { code, retryAfter = 60, detail } = error.problem
    if (code === 'sign_in_refused') return words.signIn.wrong
    if (code === 'rate_limited') return fill(words.signIn.many, { time: format.span(retryAfter * 1000) })
    // Why this installation takes no sign-in: only its own words say it.
    if (code === 'console_needs_https' && detail !== undefined) return detail
    return faultWords({ words, format }, error)
  }

  override render(): TemplateResult {
    const t = this.words.signIn
    return html`<form class="card narrow" @submit=${this.#submit}>
      <h1 tabindex="-1">${t.title}</h1>
      ${this.notice === undefined ? nothing : html`<p class="notice" role="status">${this.notice}</p>`}
      <div class="field">
        <label for="name">${t.name}</label>
        <input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required />
      </div>
      <div class="field">
        <label for="password">${t.password}</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
      </div>
      <div role="alert">${this.fault === undefined ? nothing : html`<p class="wrong">${this.fault}</p>`}</div>
      <button type="submit" aria-disabled=${this.busy ? 'true' : 'false'}>${t.button}</button>
      <p class="hint">${t.help}</p>
      <div class="buttons" translate="no">
        ${Object.entries(languages)
          .filter(([code]) => code !== this.language)
          .map(
            ([code, { words }]) =>
              html`<button type="button" class="chip" lang=${code} @click=${() => this.speak(code as Language)}>
                ${words.signIn.inThis}
              </button>`,
          )}
      </div>
    </form>`
  }
}
