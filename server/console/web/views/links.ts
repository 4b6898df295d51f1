// Payment links: makes one, and lists those that were made, with their state.
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Link } from '../../../contract/index.ts'
import { mayAct } from '../base/app.ts'
import { fill } from '../base/format.ts'
import { filled, leftToRight, typed } from '../parts/bidi.ts'
import { Pages } from '../parts/more.ts'
import { hrefOf } from '../base/router.ts'
import { View } from '../base/view.ts'

const TONES: Readonly<Record<Link['state'], string>> = {
  open: 'wait',
  pending: 'wait',
  paid: 'good',
  expired: 'off',
  closed: 'off',
}

export class LinksView extends View {
  static override properties = { ...View.properties, made: { state: true }, shown: { state: true } }
  /** The link that was made just now. */
  declare made: Link | undefined
  /** Id of the link of the list that is shown whole. */
  declare shown: string | undefined
  #silence: (() => void) | undefined

  readonly #list = new Pages<Link>(
    this,
    async (cursor, signal) => {
      const { links, nextCursor } = await this.app.api.links({ cursor }, signal)
      return { items: links, next: nextCursor }
    },
    () => [this.made],
  )

  override connectedCallback(): void {
    super.connectedCallback()
    let isFirst = !this.app.live.isLive
    // A link is paid while it is looked at.
    this.#silence = this.app.live.listen({
      payment: ({ sessionId }) => {
        if (sessionId !== undefined) this.#list.again()
      },
      connected: () => {
        if (!isFirst) this.#list.again()
        isFirst = false
      },
      lost: () => undefined,
    })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#silence?.()
  }

  #isMade({ detail }: CustomEvent<Link>): void {
    this.made = detail
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('#ready')?.focus())
  }

  /** The button that was pressed goes: the keyboard is led to what there is of the link now. */
  #isClosed({ detail }: CustomEvent<Link>): void {
    this.#list.again()
    if (this.made?.id === detail.id) this.made = undefined
    this.querySelector<HTMLElement>(`#row-${detail.id}`)?.focus()
  }

  #another(): void {
    this.made = undefined
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('#amount')?.focus())
  }

  override render(): TemplateResult {
    const t = this.t.links
    const { app, made } = this
    return html`<h1 tabindex="-1">${t.title}</h1>
      <p class="lead">${t.what}</p>
      ${
        mayAct(app)
          ? made === undefined
            ? html`<hc-link-form .app=${app} @hc-made=${this.#isMade}></hc-link-form>`
            : html`<section class="card" aria-labelledby="ready">
                <h2 id="ready" tabindex="-1">
                  ${t.ready}: ${leftToRight(app.format.money(made.amount, made.currency))}, ${typed(made.description)}
                </h2>
                <p>${t.readyWhat}</p>
                <hc-link .app=${app} .link=${made} .place=${'made'}></hc-link>
                <button type="button" class="second" @click=${this.#another}>${t.another}</button>
              </section>`
          : html`<p class="card hint">${fill(this.t.mayNot, { role: this.t.roles[app.me.role] })}</p>`
      }
      ${this.#list.render(t.next, (links) =>
        links.length === 0
          ? html`<div class="empty"><p>${t.none}</p></div>`
          : html`<ul class="rows">
              ${repeat(
                links,
                ({ id }) => id,
                (link) => this.#row(link),
              )}
            </ul>`,
      )}`
  }

  #row(link: Link): TemplateResult {
    const t = this.t.links
    const { format } = this.app
    const isShown = this.shown === link.id
    const { closed } = link
    const mayStart = (link.state === 'open' || link.state === 'pending') && closed === undefined
    const isUsable = link.payUrl !== undefined && mayStart
    return html`<li class="item links" id="row-${link.id}" tabindex="-1">
      <span><b>${leftToRight(format.money(link.amount, link.currency))}</b> · ${typed(link.description)}</span>
      <span class="quiet"
        >${typed(link.orderId)} · ${filled(t.made, { time: format.time(link.createdAt), who: typed(link.by) })}</span
      >
      <span
        ><span class="mark ${TONES[link.state]}">${t.state[link.state]}</span> ${
          link.state === 'open'
            ? html`<span class="quiet">${fill(t.until, { time: format.time(link.expiresAt) })}</span>`
            : nothing
        }${
          closed === undefined || link.state === 'closed'
            ? nothing
            : html`<span class="mark off">${t.state.closed}</span>`
        }</span
      >
      ${
        closed === undefined
          ? nothing
          : html`<span class="quiet"
              >${filled(t.closedBy, {
                time: format.time(closed.at),
                who: typed(closed.by),
                why: typed(closed.why),
              })}</span
            >`
      }
      <span class="buttons">
        ${
          isUsable
            ? html`<button
                type="button"
                class="chip"
                aria-expanded=${isShown}
                @click=${() => (this.shown = isShown ? undefined : link.id)}
              >
                ${t.show}
              </button>`
            : nothing
        }
        ${
          link.paymentId === undefined
            ? nothing
            : html`<a href=${hrefOf({ view: 'payment', id: link.paymentId })}>${t.see}</a>`
        }
        ${
          mayStart && mayAct(this.app)
            ? html`<hc-link-close .app=${this.app} .link=${link} @hc-closed=${this.#isClosed}></hc-link-close>`
            : nothing
        }
      </span>
      ${isShown && isUsable ? html`<hc-link .app=${this.app} .link=${link} .place=${'list'}></hc-link>` : nothing}
    </li>`
  }
}
