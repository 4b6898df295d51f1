// Whether payments work, in the words of a shop owner, and who to call when they do not.
import { Task } from '@lit/task'
import { html, nothing, type TemplateResult } from 'lit'
import type { Health } from '../../../contract/index.ts'
import { fill } from '../base/format.ts'
import { typed } from '../parts/bidi.ts'
import { loaded } from '../parts/loaded.ts'
import { View } from '../base/view.ts'

const AGAIN_MS = 30_000
const TONES = { ok: 'good', warn: 'look', fail: 'bad' } as const

type Check = Health['checks'][number]

export class HealthView extends View {
  #timer: ReturnType<typeof setInterval> | undefined

  readonly #health = new Task(this, {
    task: async (_, { signal }) => ({ health: await this.app.api.health(signal), at: new Date().toISOString() }),
    args: () => [],
  })

  override connectedCallback(): void {
    super.connectedCallback()
    this.#timer = setInterval(() => void this.#health.run(), AGAIN_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#timer)
  }

  override render(): TemplateResult {
    return html`<h1 tabindex="-1">${this.t.health.title}</h1>
      ${loaded(this.app, this.#health, ({ health, at }) => this.#all(health, at))}`
  }

  #all({ ok, takesPayments, contact, checks }: Health, at: string): TemplateResult {
    const t = this.t.health
    const tone = takesPayments ? (ok ? 'good' : 'look') : 'bad'
    return html`<p class="verdict ${tone}" role="status">${takesPayments ? (ok ? t.good : t.warn) : t.bad}</p>
      <p class="quiet">${fill(t.asOf, { time: this.app.format.exact(at) })}</p>
      ${
        ok
          ? nothing
          : html`<section class="card" aria-labelledby="call">
              <h2 id="call">${t.call}</h2>
              <p>${typed(contact ?? t.callNobody)}</p>
            </section>`
      }
      <ul class="rows">
        ${checks.map((check) => this.#check(check))}
      </ul>`
  }

  #check({ name, state, trouble, says, todo, meaning, call }: Check): TemplateResult {
    const t = this.t.health
    const words = { ok: t.fine, warn: t.watch, fail: t.broken }[state]
    const names: Readonly<Record<string, string>> = t.checks
    const troubles: Readonly<Record<string, string>> = t.troubles
    // The companion's own sentence knows more, and is English.
    const translated = trouble === undefined ? undefined : troubles[trouble]
    const plain = this.app.language === 'en' ? (meaning ?? translated) : (translated ?? meaning)
    return html`<li class="item">
      <span><b>${names[name] ?? name}</b> <span class="mark ${TONES[state]}">${words}</span></span>
      ${
        state === 'ok'
          ? nothing
          : html`${plain === undefined ? nothing : html`<span>${plain}</span>`}
              ${call === undefined ? nothing : html`<span>${t.calls[call]}</span>`}
              <details>
                <summary>${t.say}</summary>
                <p lang="en">${says} ${todo}</p>
              </details>`
      }
    </li>`
  }
}
